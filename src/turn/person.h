/*
 * person: the verbs of wisp-turn with which a person takes a hand.
 */
#ifndef WISP_TURN_PERSON_VERB_H
#define WISP_TURN_PERSON_VERB_H

#include "core/cli.h"

int wisp_verb_person(struct wisp_cli *cli);
int wisp_verb_stuck(struct wisp_cli *cli);

#endif
