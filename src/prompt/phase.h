/*
 * phase: what a step of a template with phases is told of its phase (003_, the
 * prompt builder): where it stands, its gate, and the metrics of the iteration before.
 */
#ifndef WISP_PROMPT_PHASE_H
#define WISP_PROMPT_PHASE_H

#include "core/record.h"

/* Nothing for a session without phases. */
void wisp_prompt_phase(struct wisp_buf *out, const struct wisp_record *r);

#endif
