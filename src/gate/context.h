/*
 * context: what wisp-gate knows of a session: its files as they stand, and the
 * record's thresholds where it has one.
 */
#ifndef WISP_GATE_CONTEXT_H
#define WISP_GATE_CONTEXT_H

#include "core/cli.h"
#include "core/phase.h"
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
	struct cJSON *history, *session, *loop, *breaker;	/* NULL where there is none */
	struct cJSON *step;		/* step.json of the last step, or NULL */
	char *step_name;		/* its folder, "0007"; NULL where there is none */
	struct cJSON *config;		/* thresholds in force */
	long long intervened;
	struct cJSON *judged;		/* the record's step, where one ran; else NULL */
	struct cJSON *machine;		/* the record's phases, where it has some; else NULL */
	bool recorded;			/* there is a record: a controller counts */
	struct wisp_phase_claim claim;
	struct cJSON *metrics;		/* in force */
};

/* Reads all there is; dies at a file that is there and does not parse (state.json and tasks.json excepted). */
void wisp_context_load(struct wisp_context *c, struct wisp_cli *cli);
void wisp_context_release(struct wisp_context *c);
/* The document that filters see: {state, tasks, history, session, loop, step, metrics, last, verify}. */
struct cJSON *wisp_context_document(const struct wisp_context *c);
/* The facts of the step that ended last. */
void wisp_context_facts(const struct wisp_context *c, struct wisp_facts *f);

/* context_metrics.c: fills `claim` and `metrics`, and counts in `loop` the step that ended and is not history yet. */
void wisp_context_measure(struct wisp_context *c);

/* phase.c */
int wisp_gate_phase(struct wisp_cli *cli);
/* Asks the gates of the current phase, or of the one called `name`, by `template`'s machine or the one in force; dies where there is none. */
void wisp_gate_ask(struct wisp_context *c, const struct wisp_cli *cli, const char *template, const char *name,
		   struct wisp_phase_answer *a);

/* What a decision is made of, and what it is. */
struct wisp_gate {
	struct wisp_context context;
	struct wisp_facts facts;
	struct wisp_decision decision;
	struct wisp_record record;	/* the words of the decision may be its */
	char *evidence;			/* what the rules say where they say stuck, or NULL */
	bool open;			/* of a step that is not recorded yet: the facts are the record's, as the loop has them */
};

/* decide.c; `note`: the decision is noted with that step, and it is an error where there is none. */
void wisp_gate_load(struct wisp_gate *g, struct wisp_cli *cli, const char *template, bool note);
void wisp_gate_release(struct wisp_gate *g);
int wisp_gate_decide(struct wisp_cli *cli);
int wisp_gate_explain(struct wisp_cli *cli);
int wisp_gate_exit(struct wisp_cli *cli);

#endif
