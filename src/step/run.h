/*
 * run: one step, from the start of the program to the end of its last process.
 *
 * The step ends when the agent's own process ends: what it left in the pipes
 * is read, then every process that it left behind is killed. A signal from a
 * person, a time limit or a failed login ends it early: TERM to the whole tree
 * once, KILL after `grace`, and KILL at once at a second signal. So does an
 * agent that goes on though its final event is out and the state it was to leave
 * is valid. If the parent of the supervisor dies, all is killed at once and
 * nothing is written.
 */
#ifndef WISP_RUN_H
#define WISP_RUN_H

#include <sys/types.h>
#include "clock.h"
#include "pidns.h"
#include "stream.h"

struct wisp_run {
	pid_t parent;			/* as it was when the program started: the watchdog's */
	char *const *argv;
	char *const *env;
	const char *mark;		/* the value of WISP_STEP_MARK in env */
	int in;				/* the prompt */
	enum wisp_pidns pidns;
	bool wrapped;			/* argv is a sandbox, which would take the agent with it before its grace is over */
	const char *program;		/* what a sandbox starts; else NULL */
	struct wisp_stream *stream;	/* open; closed afterwards */
	struct wisp_clock clock;	/* its limits */
	const char *state;		/* the file of its claim, for `linger`; NULL: none */
};

/*
 * Runs the step and fills what the parse of the stream does not. 0; 1 if the
 * parent died; -1 with errno if the system refused. Returns in a child of the
 * caller, which stays as the watchdog (watch.h).
 */
int wisp_run(const struct wisp_run *r, struct wisp_step *step) WISP_CHECK;

#endif
