/*
 * orchestra: the loop state of an orchestration (loop-state.json), as
 * 001_3521a2096ca43684.txt gives it, and `version` (SPEC 11).
 *
 * It is the member `orchestration` of the record of its session. What is here knows what the state is and which changes of it are legal; what to do
 * next is decided in src/orch.
 */
#ifndef WISP_ORCHESTRA_H
#define WISP_ORCHESTRA_H

#include "record.h"
#include "schema.h"
#include "time.h"

#define WISP_ORCHESTRATOR "orchestrator"	/* the `agent` of gates that are no sub-agent's */

/* Is it a loop state of 001_, and not one of a template with phases? Those have no orchestratorId. */
bool wisp_orchestra_is(const struct cJSON *state);
/* That of a session's record; NULL where it is no orchestration. Borrowed. */
struct cJSON *wisp_orchestra_of(const struct wisp_record *r);
/* As it begins: phase DETECT, loop 1, the id `orch-<milliseconds>`. The caller frees it. */
struct cJSON *wisp_orchestra_new(wisp_ms now);
/* -1 with `err` if it does not hold; the first fault (001_, SPEC 11). Members that are not 001_'s are let be. */
int wisp_orchestra_check(const struct wisp_source *src, const struct cJSON *state, struct wisp_err *err) WISP_CHECK;
/*
 * 0 moved, 1 not legal. DETECT, DISCOVER, PLAN, EXECUTE, RETROSPECT, each to the next; RETROSPECT
 * to COMPLETE, or to EXECUTE with the next currentLoop. Either way out of RETROSPECT a loop is completed.
 */
int wisp_orchestra_move(struct cJSON *state, const char *phase) WISP_CHECK;
/* The sub-agent of that id or system; NULL where there is none. Borrowed. */
struct cJSON *wisp_orchestra_agent(const struct cJSON *state, const char *id_or_system);
/* Its status in a word for people: `stopped` where it is to begin, and the orchestration does not run. */
const char *wisp_orchestra_word(const struct cJSON *agent, bool runs);
/* Is the system among completedSystems? */
bool wisp_orchestra_completed(const struct cJSON *state, const char *system);
/* How many systems of scopeDiscovery are completed, and in *total how many there are. */
size_t wisp_orchestra_systems(const struct cJSON *state, size_t *total);
/* Percent of the whole: DISCOVER begins at 5, PLAN at 10, EXECUTE at 15 and RETROSPECT at 95; in EXECUTE by the systems that are completed. */
int wisp_orchestra_percent(const struct cJSON *state);

/*
 * Gates. A new one is pending as gate-001, gate-002 and so on; where the agent has one of that type
 * pending already, it is that one. `artifacts` (a JSON array or NULL) is copied. The id, borrowed.
 */
const char *wisp_orchestra_request(struct cJSON *state, const char *agent, const char *type, const char *description,
				   const struct cJSON *artifacts, wisp_ms now);
/*
 * Decides a pending gate: approvedAt, approvedBy or rejectedAt, rejectedBy, and the feedback (NULL: null).
 * 0 done; 1 it was decided before; -1 no such gate.
 */
int wisp_orchestra_decide(struct cJSON *state, const char *id, bool approve, const char *by, const char *feedback,
			  wisp_ms now) WISP_CHECK;
/* The gate of that id, and in *list (may be NULL) where it stands: pending, approved or rejected. NULL where there is none. */
const struct cJSON *wisp_orchestra_gate(const struct cJSON *state, const char *id, const char **list);

#endif
