/*
 * observe: what the files of the verb share: one look at one sub-agent.
 */
#ifndef WISP_OBSERVE_H
#define WISP_OBSERVE_H

#include "core/cli.h"

struct wisp_look {
	struct wisp_record *r;		/* of the orchestration */
	struct wisp_record of;		/* of the agent's session */
	const char *system;
	struct cJSON *agent, *notes;
	const struct cJSON *session;
	struct wisp_texts *git;
	struct wisp_texts *beside;	/* systems whose process is there, whether or not it has begun */
	struct cJSON *decided;		/* gates that this look decided: {"id", "pending"} */
	const char *by;			/* who approves everything; NULL for nobody */
};

/* observe_show.c: what is shown of it: stage, progress, heartbeat, output, metrics. */
void wisp_look_show(struct wisp_look *l);

/*
 * observe_gate.c: the gate that stands for the question it asks; made where it is new, and decided where nobody is to be
 * asked, or did in time. True if it is decided: then the agent is about to be told.
 */
bool wisp_look_gate(struct wisp_look *l, const struct cJSON *question);
/* A gate whose question was answered in another way, or is asked no more, is decided by what became of it. */
void wisp_look_gate_over(struct wisp_look *l);
/* Once the record of the orchestration is let go: the agents whose gates were decided are told. */
void wisp_look_tell(const struct wisp_record *r, const struct cJSON *decided);

#endif
