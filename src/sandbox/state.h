/*
 * state: the configuration folder of an agent for one session, where its program has a variable for that (`config` in
 * its table, agent.h).
 *
 * TO/config is the folder. Before a step settings are copied into it (the `fixed` lines, and files of `write` lines), over
 * what the step before made of them; histories are not. Each `login` is copied in, too; TO/before, which the step does not
 * see, has what it was. After the step a login that changed, and is a JSON object, goes back: the newest by time counts
 * where the user's own changed, too, and one that the user removed stays removed; no copy is left. A lock for each login, in the folder
 * of the records, keeps sessions apart. It may be repeated after a kill at any point.
 */
#ifndef WISP_SANDBOX_STATE_H
#define WISP_SANDBOX_STATE_H

#include "agent.h"
#include "core/buf.h"

struct wisp_agent_state {
	const struct wisp_sandbox_agent *agent;
	const char *home, *records, *to;
	struct wisp_buf said;	/* a login that was not taken back, and why, a line each */
};

/* The folder for the step, for the caller to free; NULL where the agent has no variable for it. Dies where the system refuses. */
char *wisp_agent_state_lend(struct wisp_agent_state *s);
void wisp_agent_state_take(struct wisp_agent_state *s);

#endif
