/*
 * phases: the phases of a template (loop.json), for progress and display.
 */
#ifndef WISP_STATE_PHASES_H
#define WISP_STATE_PHASES_H

#include "core/json.h"

/* The phases of `dir`/loop.json, or NULL where it has none; dies where it does not parse. The caller frees it. */
struct cJSON *wisp_phases_load(const char *dir);
/* RED to QA with their usual weights, for a loop-state.json whose template is not at hand. */
struct cJSON *wisp_phases_default(void);
/* Is that phase completed, by `loop` (a loop-state.json)? */
bool wisp_phase_done(const struct cJSON *loop, const char *name);
/* 0 to 100: the weights of what is completed, and a tenth of the current one's for each of its iterations. */
int wisp_phases_percent(const struct cJSON *phases, const struct cJSON *loop);

#endif
