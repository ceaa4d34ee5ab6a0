/*
 * stage: a stage gate of an orchestration, and the agent that waits at it (001_, SPEC 11).
 *
 * A sub-agent asks for approval by a question with a `gate` (question.h); the orchestrator makes a
 * gate of it (orchestra.h), whose agent is `agent-SYSTEM` and whose type and description are the question's.
 * Once it is decided, the agent is told by the answer to that question: `approve`, `approve: FEEDBACK` or
 * `reject: FEEDBACK`. Gates that the orchestrator itself asks for, for its plan or before a merge, are answered to nobody.
 */
#ifndef WISP_STAGE_H
#define WISP_STAGE_H

#include "record.h"

/*
 * The session of a sub-agent (its id), `of` being the orchestration's: its branch in subAgents, else
 * BRANCH-SYSTEM. 0; 1 where it is no sub-agent's, or `of` is a folder of no session; -1 with `err`. Nothing needs to exist.
 */
int wisp_stage_place(struct wisp_place *p, const struct wisp_place *of, const struct cJSON *state, const char *agent,
		     struct wisp_err *err) WISP_CHECK;

struct wisp_told {
	char *branch;		/* of the agent's session; NULL where it has none */
	char *why;		/* why nobody was told, NULL: the agent is */
	bool alive;		/* does a loop wait for it? Else a resume takes it */
};
/*
 * Tells the agent of the gate `id`, which is decided: `pending` is the gate as it stood before, or NULL to tell it again, after a
 * crash between decision and answer. Whoever asks something else by now, or was answered, is not told. Takes the write
 * lock of the agent's session: hold no other. 0 with `t`; -1 with `err`, or errno and an empty `err`.
 */
int wisp_stage_tell(struct wisp_told *t, const struct wisp_place *of, const struct cJSON *state, const char *id,
		    const struct cJSON *pending, struct wisp_err *err) WISP_CHECK;
void wisp_told_release(struct wisp_told *t);

#endif
