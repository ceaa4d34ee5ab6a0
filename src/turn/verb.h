/*
 * verb: the verbs of wisp-turn that are about the session as a whole, and are
 * no turn of its loop. Each is run by wisp_cli_main and returns the exit code.
 */
#ifndef WISP_TURN_VERB_H
#define WISP_TURN_VERB_H

#include "core/cli.h"

int wisp_verb_place(struct wisp_cli *cli);
int wisp_verb_own(struct wisp_cli *cli);
int wisp_verb_take(struct wisp_cli *cli);
int wisp_verb_making(struct wisp_cli *cli);
int wisp_verb_create(struct wisp_cli *cli);
int wisp_verb_renew(struct wisp_cli *cli);
int wisp_verb_gitfile(struct wisp_cli *cli);
/* The mark of `making` goes: it is made. */
void wisp_making_over(const struct wisp_place *place);
int wisp_verb_guide(struct wisp_cli *cli);
int wisp_verb_outcome(struct wisp_cli *cli);

#endif
