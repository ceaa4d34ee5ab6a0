/*
 * context: what wisp-gate knows of a session: its files as they stand, and the
 * record's thresholds where it has one.
 */
#ifndef WISP_GATE_CONTEXT_H
#define WISP_GATE_CONTEXT_H

#include "core/cli.h"
#include "core/record.h"
#include "core/state.h"
#include "core/tasks.h"
#include "core/turn.h"

struct wisp_context {
	struct wisp_state state;	/* with its verdict */
	struct wisp_err state_err;	/* what is wrong with state.json, where it is not valid */
	struct wisp_tasks tasks;
	enum wisp_verdict tasks_verdict;
	struct wisp_err tasks_err;
	struct cJSON *history, *session, *loop;	/* NULL where there is none */
	struct cJSON *step;		/* step.json of the last step, or NULL */
	char *step_name;		/* its folder, "0007"; NULL where there is none */
	struct cJSON *config;		/* thresholds in force */
	long long intervened;
	struct cJSON *judged;		/* the record's step, where one ran; else NULL */
};

/* Reads all there is; dies at a file that is there and does not parse (state.json and tasks.json excepted). */
void wisp_context_load(struct wisp_context *c, struct wisp_cli *cli);
void wisp_context_release(struct wisp_context *c);
/* The document that filters see: {state, tasks, history, session, loop, step, metrics, last, verify}. */
struct cJSON *wisp_context_document(const struct wisp_context *c);
/* The facts of the step that ended last. */
void wisp_context_facts(const struct wisp_context *c, struct wisp_facts *f);

/* decide.c: the verbs that ask the table of core/decide. */
int wisp_gate_decide(struct wisp_cli *cli);
int wisp_gate_explain(struct wisp_cli *cli);

#endif
