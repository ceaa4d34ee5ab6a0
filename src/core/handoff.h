/*
 * handoff: what the next session has to know of an orchestration (001_, `sessionHandoff`):
 * when and why this one ended, how it goes on, and what is pending.
 *
 * It is written with each change, so that it is there after a crash as well.
 */
#ifndef WISP_HANDOFF_H
#define WISP_HANDOFF_H

#include "record.h"

/*
 * Sets it in the state of an orchestration's record, by what stands there. `reason` is a word such as session-end; NULL
 * keeps the one that is there, or has none where there is none. None is left once the phase is COMPLETE.
 */
void wisp_handoff(struct wisp_record *r, const char *reason);

#endif
