/*
 * decide: see decide.h.
 */
#include "decide.h"

#include <string.h>

static const char *const outcomes[] = {
	"ok", "limit", "transient", "auth", "capped", "refused", "error",
	"timeout", "idle", "interrupted", "crashed", "unstartable"
};
static const char *const verifies[] = {"none", "skipped", "passed", "failed"};
static const char *const actions[] = {"continue", "retry", "wait", "ask", "paused", "halted", "completed"};
static const char *const trees[] = {"keep", "put-away"};
static const char *const phase_ends[] = {"goes_on", "passed", "rejected"};

static int
word_index(const char *const *words, size_t count, const char *word)
{
	for (size_t i = 0; word != NULL && i < count; i++)
		if (strcmp(words[i], word) == 0)
			return (int)i;
	return -1;
}

const char *
wisp_outcome_name(enum wisp_outcome o)
{
	return outcomes[o];
}

int
wisp_outcome_parse(const char *name)
{
	return word_index(outcomes, sizeof outcomes / sizeof *outcomes, name);
}

const char *
wisp_verify_name(enum wisp_verify v)
{
	return verifies[v];
}

int
wisp_verify_parse(const char *name)
{
	return word_index(verifies, sizeof verifies / sizeof *verifies, name);
}

const char *
wisp_action_name(enum wisp_action a)
{
	return actions[a];
}

const char *
wisp_tree_name(enum wisp_tree_act t)
{
	return trees[t];
}

void
wisp_decision_put(struct cJSON *object, const struct wisp_decision *d)
{
	wisp_json_set_str(object, "action", wisp_action_name(d->action));
	wisp_json_set_num(object, "exit", d->exit);
	wisp_json_set_str(object, "row", d->row);
	wisp_json_set_str(object, "reason", d->reason);
	wisp_json_set_str(object, "tree", wisp_tree_name(d->tree));
	wisp_json_set_str(object, "phase", phase_ends[d->phase]);
	wisp_json_set_str(object, "refused", d->refused);
}

void
wisp_decision_get(struct wisp_decision *d, const struct cJSON *object)
{
	int action = word_index(actions, sizeof actions / sizeof *actions, wisp_json_str(object, "action", NULL));
	int tree = word_index(trees, sizeof trees / sizeof *trees, wisp_json_str(object, "tree", NULL));
	int phase = word_index(phase_ends, sizeof phase_ends / sizeof *phase_ends, wisp_json_str(object, "phase", NULL));

	d->action = action < 0 ? WISP_DO_HALT : (enum wisp_action)action;
	d->exit = (int)wisp_json_int(object, "exit", 0);
	d->row = wisp_json_str(object, "row", "");
	d->reason = wisp_json_str(object, "reason", "");
	d->tree = tree < 0 ? WISP_TREE_KEEP : (enum wisp_tree_act)tree;
	d->phase = phase < 0 ? WISP_PHASE_GOES_ON : (enum wisp_phase_end)phase;
	d->refused = wisp_json_str(object, "refused", NULL);
}

int
wisp_cut_exit(int cut)
{
	return cut == WISP_CUT_STOP ? WISP_END_PAUSED : 128 + cut;
}

static void
decision(struct wisp_decision *d, enum wisp_action action, int code, const char *row, const char *reason)
{
	d->action = action;
	d->exit = code;
	d->row = row;
	d->reason = reason;
}

/* Row 4: no valid state.json, whatever the outcome. */
static void
decide_failed(struct wisp_decision *d, const struct wisp_facts *f)
{
	bool waitable = f->outcome == WISP_TRANSIENT || f->outcome == WISP_TIMEOUT || f->outcome == WISP_IDLE;

	if (f->failed_before == 0)
		decision(d, WISP_DO_RETRY, 0, "4", "failed_step");
	else
		decision(d, waitable ? WISP_DO_PAUSE : WISP_DO_HALT, WISP_END_AGENT, "4", "agent_fails");
}

/* The first thing that a DONE lacks, in the order tasks, promise, verify, commit; NULL if nothing. */
static const char *
done_lacks(const struct wisp_facts *f)
{
	if (f->tasks_total == 0 || f->tasks_claimed < f->tasks_total)
		return "tasks";
	if (f->promise_required && !f->promise)
		return "promise";
	if (f->verify != WISP_VERIFY_PASSED && f->verify != WISP_VERIFY_NONE)
		return f->lost ? "lost tests" : "verify";
	if (f->uncommitted)
		return "commit";
	return NULL;
}

/* Row 7: false where it does not match. */
static bool
decide_done(struct wisp_decision *d, const struct wisp_facts *f)
{
	if (f->status != WISP_DONE)
		return false;
	d->refused = done_lacks(f);
	if (d->refused == NULL)
		decision(d, WISP_DO_COMPLETE, 0, "7", "completed");
	return d->refused == NULL;
}

/* Row 7p. A REJECT is asked first: it may come with a gate that is open. */
static bool
decide_phase(struct wisp_decision *d, const struct wisp_facts *f)
{
	if (f->reject || (f->gate_1 && f->gate_2))
		d->phase = f->reject ? WISP_PHASE_REJECTED : WISP_PHASE_PASSED;
	if (f->reject && f->rejects >= f->rejects_max)
		decision(d, WISP_DO_ASK, WISP_END_INPUT, "7p", "rejected");
	else if (f->reject)
		decision(d, WISP_DO_CONTINUE, 0, "7p", "rejected");
	else if (f->gate_1 && f->gate_2 && f->last_phase)
		decision(d, WISP_DO_COMPLETE, 0, "7p", "completed");
	else if (f->gate_1 && f->gate_2)
		decision(d, WISP_DO_CONTINUE, 0, "7p", "next_phase");
	else if (f->gate_2)
		d->refused = "gate";
	return d->reason != NULL;
}

/* Rows 5 to 9: the agent left a valid state. */
static void
decide_valid(struct wisp_decision *d, const struct wisp_facts *f)
{
	if (f->status == WISP_BLOCKED) {
		decision(d, WISP_DO_HALT, WISP_END_BLOCKED, "5", "blocked");
		return;
	}
	if (f->status == WISP_NEEDS_INPUT) {
		decision(d, WISP_DO_ASK, WISP_END_INPUT, "6", "needs_input");
		return;
	}
	if (f->phases ? decide_phase(d, f) : decide_done(d, f))
		return;
	if (f->stuck || f->open)
		decision(d, WISP_DO_HALT, WISP_END_STUCK, "8", f->stuck ? "stuck" : "breaker");
	else
		decision(d, WISP_DO_CONTINUE, 0, "9", d->refused != NULL ? "done_refused" : "continue");
}

void
wisp_decide(struct wisp_decision *d, const struct wisp_facts *f)
{
	bool valid = f->state == WISP_VALID;

	memset(d, 0, sizeof *d);
	d->tree = WISP_TREE_KEEP;
	if (f->cut != 0) {
		decision(d, WISP_DO_PAUSE, wisp_cut_exit(f->cut), "1", "interrupted");
		return;
	}
	if (f->outcome == WISP_LIMITED && !valid) {
		decision(d, WISP_DO_WAIT, 0, "2", "usage_limit");
	} else if (f->outcome == WISP_AUTH && f->token && !valid) {
		/* Logins are shared, and another process may just have renewed this one. */
		decision(d, WISP_DO_RETRY, 0, "3", "auth");
		d->tree = WISP_TREE_PUT_AWAY;
	} else if (f->outcome == WISP_UNSTARTABLE || (f->outcome == WISP_AUTH && !f->token)) {
		decision(d, WISP_DO_HALT, WISP_END_AGENT, "3", wisp_outcome_name(f->outcome));
		d->tree = valid ? WISP_TREE_KEEP : WISP_TREE_PUT_AWAY;
	} else if (!valid) {
		decide_failed(d, f);
		d->tree = WISP_TREE_PUT_AWAY;
	} else {
		decide_valid(d, f);
	}
	/* What a person asked for comes last, where the table waits or goes on. */
	if (d->action != WISP_DO_CONTINUE && d->action != WISP_DO_RETRY && d->action != WISP_DO_WAIT)
		return;
	if (f->pause)
		decision(d, WISP_DO_PAUSE, WISP_END_PAUSED, "pause", "request");
	else if (f->once && d->action != WISP_DO_WAIT)
		decision(d, WISP_DO_PAUSE, WISP_END_PAUSED, "once", "once");
}
