/*
 * create: a new session, or a new one in the folder of a completed one: then
 * it gets a new id and counts from zero, and the old session.json goes to
 * past/ (completed is final for a session id).
 */
#ifndef WISP_CREATE_H
#define WISP_CREATE_H

#include "record.h"

struct wisp_create {
	const char *template, *template_dir;
	const char *agent, *spec, *base, *base_branch;
	const char *parent;		/* branch of the orchestration that it belongs to; NULL: none, or that of the session before it */
	const char *worktree;		/* absolute; NULL in a folder of no session */
	const char *tasks;		/* a file to begin with, or NULL */
	bool replace;			/* also one that is not completed: a person said so */
};

/*
 * 0 made; 1 there is a session that is not completed. -1 with `err` for a task
 * list that does not hold (then nothing is made), with an empty `err` and errno
 * where the system refused.
 */
int wisp_create(const struct wisp_place *place, const struct wisp_create *c, struct wisp_err *err) WISP_CHECK;

/* Keeps the session.json of a session that is over in past/, before another takes its place. */
int wisp_create_past(const struct wisp_record *r) WISP_CHECK;
/*
 * May a session be there? Not inside another session's folder, nor around one
 * (`a` and `a/b`), as git has it with branches. -1 with `err`.
 */
int wisp_create_check(const struct wisp_place *place, struct wisp_err *err) WISP_CHECK;

#endif
