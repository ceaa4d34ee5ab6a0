/*
 * handoff: what the next session has to know of an orchestration (001_, `sessionHandoff`):
 * when and why this one ended, how it goes on, and what is pending.
 *
 * It is null while the orchestration runs: whoever reads it there takes it for paused.
 */
#ifndef WISP_HANDOFF_H
#define WISP_HANDOFF_H

#include "record.h"

/*
 * Sets it in the state of an orchestration's record, by what stands there. `reason` is a word such as session-end; NULL
 * keeps the one that is there, or null where there is none. It is null once the phase is COMPLETE.
 */
void wisp_handoff(struct wisp_record *r, const char *reason);

#endif
