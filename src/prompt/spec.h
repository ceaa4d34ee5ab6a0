/*
 * spec: which spec a step works on, and what a step is told that changes the task list.
 */
#ifndef WISP_PROMPT_SPEC_H
#define WISP_PROMPT_SPEC_H

#include "core/record.h"

/* The change that this step is to make a list for (core/change.h), borrowed; NULL for any other step. */
const struct cJSON *wisp_prompt_change(const struct wisp_record *r);
/* Where the spec is for the agent, as a person last gave it; the caller frees it. NULL where the session has none. */
char *wisp_prompt_spec(const struct wisp_record *r);

#endif
