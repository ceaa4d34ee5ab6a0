/*
 * change: a person has the task list changed, for a spec that is another one
 * now (`wisp update`) or for what a review says (`wisp review`).
 *
 * The record's member `change` (docs/record.md) says how far that is:
 *
 *	asked      a step with update-tasks.md or review-tasks.md is due
 *	proposed   it left a list that is lawful; a person has to say yes
 *
 * Until somebody does, nothing has changed: tasks.json is as it was, and the
 * list that was proposed lies in good/. What goes from the list by a change is
 * kept in the record's `removed`.
 *
 * With phases, or before there is a list, no list is asked for: the spec takes
 * the old one's place, and the next prompt is told.
 *
 * Functions that return int: 0, or -1 with `err` for bad data, with an empty
 * `err` and errno where the system refused.
 */
#ifndef WISP_CHANGE_H
#define WISP_CHANGE_H

#include "record.h"

/* A text that an agent can be told: UTF-8 without NUL, not empty, not beyond WISP_FILE_MAX. */
int wisp_change_load(struct wisp_buf *text, const char *path, struct wisp_err *err) WISP_CHECK;

/* The one that is under way, borrowed, or NULL. */
struct cJSON *wisp_change_now(const struct wisp_record *r);
/* Does it say just that: `stage` is "proposed"? Never for NULL. */
bool wisp_change_is(const struct cJSON *change, const char *key, const char *word);
/* change= (its kind) change_stage= change_yes= of the one that is under way. */
void wisp_change_tell(const struct wisp_record *r, struct cJSON *answer);
/*
 * same= is FILE's text the spec that the session works on? old= a file with that one, where it is
 * known; and what wisp_change_tell answers. `file` may be NULL. Changes nothing.
 */
int wisp_change_look(const struct wisp_record *r, const char *file, struct cJSON *answer, struct wisp_err *err) WISP_CHECK;

struct wisp_change {
	const char *kind;		/* update, review */
	const char *spec;		/* what session.json is to call the spec; NULL with review */
	const char *file;		/* the new spec, or the review */
	const char *told;		/* file with what the agent is told of it, a diff; NULL: `file` itself */
	bool phases;			/* of the session's template: no list is asked for */
	bool yes;			/* said beforehand */
};
/*
 * Asks for it, in the place of one that is under way; the same one once more goes on where it stands.
 * act=asked, act=proposed, or act=told where no list is asked for. Commits.
 */
int wisp_change_ask(struct wisp_record *r, const struct wisp_change *c, struct cJSON *answer, struct wisp_err *err) WISP_CHECK;

/*
 * May a list come of `old` by a change of that kind? All that an update may do: tasks that do not pass
 * may go and be reworded, new ones may stand anywhere, a task that passes may be opened. A review adds
 * at the end and opens. Nothing passes by it. NULL if it may; else what is wrong, which the caller frees.
 */
char *wisp_change_refuse(const char *kind, const struct wisp_tasks *old, const struct wisp_tasks *new);

/* The spec is another one from now on. */
void wisp_change_put_spec(struct wisp_record *r, const char *spec, const char *sha);
/* The list that the open step leaves is what it proposes, `base` (a sha) what it goes by. In memory: the caller commits. */
int wisp_change_propose(struct wisp_record *r, const struct wisp_tasks *t, const char *base) WISP_CHECK;
/* What it would change, for people; the number of differences. */
int wisp_change_text(struct wisp_record *r, struct wisp_buf *out, size_t *differences, struct wisp_err *err) WISP_CHECK;
/* The list is put in its place. act=taken, or act=stale: the tasks are others by now, the step is due again. Commits. */
int wisp_change_take(struct wisp_record *r, struct cJSON *answer, struct wisp_err *err) WISP_CHECK;
/* It waits for a yes, which nobody is here to say; or a person says no, and it is dropped. Both commit. */
int wisp_change_wait(struct wisp_record *r) WISP_CHECK;
int wisp_change_drop(struct wisp_record *r) WISP_CHECK;
/* A take that was killed before its commit is carried to its end: the list lies in its place already. The caller commits. */
int wisp_change_recover(struct wisp_record *r) WISP_CHECK;

#endif
