/*
 * decide: what a step's facts mean for the loop: the table of docs/decisions.md, in
 * its order, in one function.
 */
#ifndef WISP_DECIDE_H
#define WISP_DECIDE_H

#include "state.h"

enum wisp_outcome {	/* how the agent program ended: wisp-agent(1) */
	WISP_OK, WISP_LIMITED, WISP_TRANSIENT, WISP_AUTH, WISP_CAPPED, WISP_REFUSED, WISP_ERROR,
	WISP_TIMEOUT, WISP_IDLE, WISP_INTERRUPTED, WISP_CRASHED, WISP_UNSTARTABLE
};
enum wisp_verify { WISP_VERIFY_NONE, WISP_VERIFY_SKIPPED, WISP_VERIFY_PASSED, WISP_VERIFY_FAILED };

const char *wisp_outcome_name(enum wisp_outcome o);
int wisp_outcome_parse(const char *name);	/* -1 for an unknown word */
const char *wisp_verify_name(enum wisp_verify v);
int wisp_verify_parse(const char *name);	/* -1 for an unknown word */

struct wisp_facts {
	int cut;			/* 0; a signal's number; or WISP_CUT_STOP for `stop --now` */
	enum wisp_outcome outcome;
	enum wisp_verdict state;
	enum wisp_status status;	/* with a valid state */
	size_t tasks_total, tasks_claimed;	/* passes as the agent left them, before verify took any back */
	bool promise, promise_required;
	enum wisp_verify verify;
	bool lost;			/* it failed for tests that are gone */
	bool uncommitted;		/* what a task or a DONE left could not be committed */
	int failed_before;		/* failed steps in a row before this one */
	bool token;			/* outcome auth, of a refused or expired login, the first in a row */
	bool phases;			/* of a template with phases: row 7p in place of 7; tasks, promise and verify are not asked */
	bool gate_1, gate_2;		/* the phase's filter; DONE or exit_signal */
	bool last_phase;
	bool reject;			/* the template's reject filter holds */
	int rejects, rejects_max;	/* this one included; at the maximum a person is asked */
	bool stuck;			/* a rule of wisp-stuck(1) */
	bool open;			/* the circuit breaker */
	bool pause;			/* a person asked for it */
	bool once;
};
#define WISP_CUT_STOP (-1)

/* The loop's exit codes, but for those of die.h and 128 + a signal (wisp(1); lib/common.bash has the same). */
enum wisp_end {
	WISP_END_INPUT = 10, WISP_END_BLOCKED = 11, WISP_END_STUCK = 12, WISP_END_LIMIT = 13, WISP_END_WAIT = 14,
	WISP_END_PAUSED = 15, WISP_END_AGENT = 16
};
/* The exit code of a loop that was cut: `cut` as in struct wisp_facts. */
int wisp_cut_exit(int cut);

enum wisp_action { WISP_DO_CONTINUE, WISP_DO_RETRY, WISP_DO_WAIT, WISP_DO_ASK, WISP_DO_PAUSE, WISP_DO_HALT, WISP_DO_COMPLETE };
enum wisp_tree_act { WISP_TREE_KEEP, WISP_TREE_PUT_AWAY };
/* What becomes of the phase that the step was in, also where the loop is then paused. */
enum wisp_phase_end { WISP_PHASE_GOES_ON, WISP_PHASE_PASSED, WISP_PHASE_REJECTED };

struct wisp_decision {
	enum wisp_action action;
	int exit;			/* the loop's exit code where the action ends it, else 0 */
	enum wisp_tree_act tree;
	const char *row;		/* of the table: "1" ... "9", "7p", "once", "pause" */
	const char *reason;		/* one word for files: "needs_input", "blocked" ... */
	enum wisp_phase_end phase;
	const char *refused;		/* a DONE's first missing thing: "tasks", "promise", "verify", "commit", with phases "gate"; else NULL */
};

void wisp_decide(struct wisp_decision *d, const struct wisp_facts *f);
/* A decision as an object, {"action", "exit", "row", "reason", "tree", "phase", "refused"}, and back; its words are then borrowed from there. */
void wisp_decision_put(struct cJSON *object, const struct wisp_decision *d);
void wisp_decision_get(struct wisp_decision *d, const struct cJSON *object);
const char *wisp_action_name(enum wisp_action a);
const char *wisp_tree_name(enum wisp_tree_act t);

#endif
