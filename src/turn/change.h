/*
 * change: the verb of wisp-turn with which a person changes the task list's course.
 */
#ifndef WISP_TURN_CHANGE_VERB_H
#define WISP_TURN_CHANGE_VERB_H

#include "core/cli.h"

int wisp_verb_change(struct wisp_cli *cli);

#endif
