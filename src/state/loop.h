/*
 * loop: the verbs of wisp-state that one iteration of the loop is made of, and what they share.
 */
#ifndef WISP_STATE_LOOP_H
#define WISP_STATE_LOOP_H

#include "core/cli.h"

/* One record, opened to change, and what a verb fills in. */
struct wisp_work {
	struct wisp_record r;
	struct cJSON *answer;
	struct wisp_err err;
	bool loop;		/* the caller is the loop that has the session */
};

/* Opened after what had the record within its reach, where `seal`, which the verb before it has answered, is not NULL. */
void wisp_work_open(struct wisp_work *w, struct wisp_cli *cli, const char *seal);
/* seal=, for the loop alone: how the record is now. */
void wisp_work_seal(struct wisp_work *w);
/* Prints command= each that verifies the step, or with `configured` those that are no task's own. */
void wisp_work_commands(struct wisp_work *w, bool configured);
/* Prints the answer of a verb that did its work, or dies with what was wrong. */
int wisp_work_close(struct wisp_work *w, struct wisp_cli *cli, int rc);

int wisp_verb_start(struct wisp_cli *cli);
int wisp_verb_restore(struct wisp_cli *cli);
int wisp_verb_restored(struct wisp_cli *cli);
int wisp_verb_checking(struct wisp_cli *cli);
int wisp_verb_checked(struct wisp_cli *cli);
int wisp_verb_lost(struct wisp_cli *cli);
int wisp_verb_ran(struct wisp_cli *cli);
int wisp_verb_commands(struct wisp_cli *cli);
int wisp_verb_observe(struct wisp_cli *cli);
int wisp_verb_end(struct wisp_cli *cli);
int wisp_verb_cut(struct wisp_cli *cli);
int wisp_verb_rollback(struct wisp_cli *cli);

#endif
