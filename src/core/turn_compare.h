/*
 * turn_compare: what was observed of a step against what it claimed, and the
 * files it changed against verify.protect. All of it is reported, to the
 * history, to people and to the next prompt; nothing is undone.
 */
#ifndef WISP_TURN_COMPARE_H
#define WISP_TURN_COMPARE_H

#include "turn_record.h"

/* The metrics that are numbers of tests: counted by wisp_counts_read, whole from 0 wherever they come from. */
#define WISP_TURN_COUNTS 4
extern const char *const wisp_turn_counts[WISP_TURN_COUNTS];

/* Does verify.protect name that file? `path`: it is one; else a file is meant by that name, whatever its ending. */
bool wisp_turn_protects(struct wisp_record *r, const char *name, bool path);
/*
 * `observed`, `claimed_differs` and `protected` of the history entry, which is there already; `files` holds the
 * NUL-separated names that the step changed, or is NULL. A member with nothing to say is left out.
 */
void wisp_turn_enter_observed(struct wisp_turn *t, const char *files);
/* ... and what the next prompt says of that. */
void wisp_turn_tell_observed(struct wisp_turn *t);
/* ... and what the loop shows: observed= differs= protected= */
void wisp_turn_answer_observed(const struct wisp_turn *t, struct cJSON *answer);

#endif
