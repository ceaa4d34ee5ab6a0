/*
 * verb: the verbs of wisp-hook, each run by wisp_cli_main.
 */
#ifndef WISP_HOOK_VERB_H
#define WISP_HOOK_VERB_H

#include "core/cli.h"
#include "loop.h"

/* stop.c, session_start.c: what Claude Code calls. They answer, say on stderr what was wrong, and return 0 whatever happens. */
int wisp_hook_stop(struct wisp_cli *cli);
int wisp_hook_session_start(struct wisp_cli *cli);
/* The answer of the Stop hook on stdout, JSON alone; for a command hook nothing where it lets go. `--schema` is in argv. */
void wisp_hook_say(int argc, char **argv, bool block, const char *reason);

/* start.c */
int wisp_hook_start(struct wisp_cli *cli);

/* person.c, error.c: what a person, or the agent itself, says of the loop. */
int wisp_hook_verb_met(struct wisp_cli *cli);
int wisp_hook_verb_unmet(struct wisp_cli *cli);
int wisp_hook_step_done(struct wisp_cli *cli);
int wisp_hook_cost(struct wisp_cli *cli);
int wisp_hook_error(struct wisp_cli *cli);
int wisp_hook_pause(struct wisp_cli *cli);
int wisp_hook_resume(struct wisp_cli *cli);
int wisp_hook_cancel(struct wisp_cli *cli);

/* show.c */
int wisp_hook_status(struct wisp_cli *cli);
int wisp_hook_tasks(struct wisp_cli *cli);
int wisp_hook_spec(struct wisp_cli *cli);
int wisp_hook_graduated(struct wisp_cli *cli);

/* install.c */
int wisp_hook_install(struct wisp_cli *cli);
int wisp_hook_uninstall(struct wisp_cli *cli);

/*
 * Where the loop of people is looked for: CLAUDE_PROJECT_DIR, else the current folder;
 * dies where that cannot be told. The caller frees it.
 */
char *wisp_hook_here(void);
/* USD as people write it, 0 or more; dies for what is none, `what` being what it is: "--budget". */
double wisp_hook_usd(const char *what, const char *text);
/* The loop at hand, opened; dies 102 where there is none, or its file does not hold. */
void wisp_hook_need(struct wisp_hook_loop *h);
/* Dies, 100, unless its status is one of these words, separated by |. */
void wisp_hook_need_status(const struct wisp_hook_loop *h, const char *words);
/* Writes it and lets go, or dies. */
void wisp_hook_commit(struct wisp_hook_loop *h);
/* `lastCheckpoint` is now; a change that counts as progress also ends a row of errors. */
void wisp_hook_touch(struct wisp_hook_loop *h, bool progress);
/* The status and why, for people: status, pauseReason. */
void wisp_hook_move(struct wisp_hook_loop *h, const char *status, const char *reason);

#endif
