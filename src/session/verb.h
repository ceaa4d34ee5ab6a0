/*
 * verb: what the verbs of wisp-session have in common, and those that are not
 * in wisp-session.c itself.
 */
#ifndef WISP_SESSION_VERB_H
#define WISP_SESSION_VERB_H

#include "core/cli.h"

/* Reads the command line and opens, to read, the record of the session that the operand names, else of the one wisp would pick. */
void wisp_verb_open(struct wisp_record *r, struct wisp_cli *cli, const struct wisp_option *options);

/* Prints the text, broken to the terminal (screen/plain.h), and empties it. Dies 111. */
void wisp_verb_print(struct wisp_buf *text);

/* log.c */
int wisp_verb_log(struct wisp_cli *cli);
int wisp_verb_step(struct wisp_cli *cli);

/* tests.c */
int wisp_verb_tests(struct wisp_cli *cli);

/* live.c */
int wisp_verb_live(struct wisp_cli *cli);

/* proposal.c */
int wisp_verb_proposal(struct wisp_cli *cli);

/* unplug.c */
int wisp_verb_unplug(struct wisp_cli *cli);

/* ask.c */
int wisp_verb_owner(struct wisp_cli *cli);
int wisp_verb_request(struct wisp_cli *cli);
int wisp_verb_question(struct wisp_cli *cli);
int wisp_verb_answer(struct wisp_cli *cli);

/* notice.c */
int wisp_verb_notice(struct wisp_cli *cli);

/* probe.c */
int wisp_verb_kernel(struct wisp_cli *cli);
int wisp_verb_agent(struct wisp_cli *cli);
int wisp_verb_disk(struct wisp_cli *cli);
int wisp_verb_states(struct wisp_cli *cli);

/* tmux.c */
int wisp_verb_server(struct wisp_cli *cli);
int wisp_verb_bar(struct wisp_cli *cli);
/* `[3/50]`, or `[3]` without a maximum: the iteration that runs, which is not counted yet, else the last one. */
void wisp_verb_iteration(struct wisp_buf *out, const struct wisp_record *r);

/* own.c */
/* Makes the folders above a file of a repository's, as the umask lets them be: it may be shared. */
void wisp_own_above(const char *path);
/* Takes the lock on a file of a repository's, which is made, for as long as the program runs: 0, or 1 where another process has it. */
int wisp_own_file(const char *path, long long seconds);
int wisp_verb_own(struct wisp_cli *cli);
int wisp_verb_take(struct wisp_cli *cli);
/* The mark that `own` has made for what is being made goes: it is made. */
void wisp_making_over(const struct wisp_place *place);

/* known.c */
int wisp_verb_known(struct wisp_cli *cli);

/* wisp-session.c: why what asks is no person, in words for a refusal; NULL: it may be one. The caller frees it. */
char *wisp_verb_inside_why(const char *project);

/* make.c */
int wisp_verb_here(struct wisp_cli *cli);
int wisp_verb_place(struct wisp_cli *cli);
int wisp_verb_create(struct wisp_cli *cli);
int wisp_verb_renew(struct wisp_cli *cli);
int wisp_verb_gitfile(struct wisp_cli *cli);
int wisp_verb_release(struct wisp_cli *cli);
int wisp_verb_facts(struct wisp_cli *cli);
int wisp_verb_outcome(struct wisp_cli *cli);

/* again.c */
int wisp_verb_again(struct wisp_cli *cli);

/* person.c */
int wisp_verb_guide(struct wisp_cli *cli);
int wisp_verb_stuck(struct wisp_cli *cli);
int wisp_verb_person(struct wisp_cli *cli);

/* change.c */
int wisp_verb_change(struct wisp_cli *cli);

#endif
