/*
 * limit: how often the orchestrator tries, from the member `orchestrator.limits` of its
 * template's loop.json (wisp-template(5)).
 */
#ifndef WISP_ORCH_LIMIT_H
#define WISP_ORCH_LIMIT_H

#include "core/record.h"

enum wisp_orch_limit {
	WISP_ORCH_SYSTEMS,	/* at most, of one discovery (50) */
	WISP_ORCH_LOOPS,	/* of EXECUTE and RETROSPECT (3) */
	WISP_ORCH_RESTARTS,	/* of an agent that died (1) */
	WISP_ORCH_BACK,		/* how often a system that does not merge goes back to its agent (2) */
	WISP_ORCH_INVALID	/* how often an artefact that does not hold is told to the next step (2) */
};

/* That of the template in the record; what it says elsewhere stands in brackets. */
long long wisp_orch_limit(const struct wisp_record *r, enum wisp_orch_limit which);

#endif
