/*
 * driver: carries a plan out around a program.
 *
 *	wisp_sandbox_probe	which driver works here
 *	wisp_sandbox_ready	what is to be executed, with what environment
 *	wisp_sandbox_enter	in the process that then executes it
 *
 * bwrap gives the program its own mounts and its own pid, ipc, uts and user
 * namespace, without capabilities. landlock leaves it where it is, and takes
 * rights away. In both it can gain no privileges, reaches no abstract socket of
 * others, has no io_uring, and cannot put words into a terminal.
 */
#ifndef WISP_SANDBOX_DRIVER_H
#define WISP_SANDBOX_DRIVER_H

#include "plan.h"

struct wisp_sandbox_run {
	const struct wisp_sandbox_plan *plan;
	char *file;		/* to be executed; NULL: what argv names */
	char **argv, **env;
	char filter[12];	/* in argv: the descriptor of the filter that bwrap is to set */
	int ruleset;		/* of landlock, or -1 */
};

/* The file of a program that a sandbox needs, which may lie where root alone looks; NULL: none. The caller frees it. */
char *wisp_sandbox_tool(const char *name);
/* The ABI of landlock that is used here, 0 for none. WISP_LANDLOCK_ABI lowers it, for tests. */
int wisp_sandbox_abi(void);
/*
 * Does that driver work? NULL if so, else why not, for the caller to free. bwrap is asked by having it start a program.
 */
char *wisp_sandbox_probe(enum wisp_sandbox_driver driver);
/*
 * `session`: the program gets a terminal session of its own, so that it cannot reach the person's terminal. -1 with
 * `err`, or with errno where err->text is NULL. wisp_sandbox_run_release ends it in either case.
 */
int wisp_sandbox_ready(struct wisp_sandbox_run *r, const struct wisp_sandbox_plan *p, char *const *argv,
		       char *const *env, bool session, struct wisp_err *err) WISP_CHECK;
/* In the process itself, after which it executes r->argv with r->env. -1 with errno. */
int wisp_sandbox_enter(struct wisp_sandbox_run *r) WISP_CHECK;
void wisp_sandbox_run_release(struct wisp_sandbox_run *r);

#endif
