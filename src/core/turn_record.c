/*
 * turn_record: judge, settle, decide: the iteration becomes history, and one
 * rename makes it so.
 */
#include "turn_record.h"

#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "ledger.h"
#include "limits.h"
#include "question.h"
#include "request.h"
#include "session.h"
#include "turn_compare.h"
#include "turn_phase.h"

#define AUTH_DELAY 10000

/* Sets the end of a run: status, exit and the words people see. */
static void
finish(struct wisp_turn *t, const char *status, const char *text)
{
	wisp_session_put(t->session, status, text);
	wisp_json_set_num(t->r->doc, "exit", t->decision.exit);
	wisp_json_set_str(t->r->doc, "reason", text);
}

static void
meet_limit(struct wisp_turn *t)
{
	const struct cJSON *limit = wisp_json_get(t->result, "limit");
	const char *resets = wisp_json_str(limit, "resets_at", NULL);

	wisp_limits_usage(wisp_json_object_at(t->r->doc, "limits"), wisp_json_str(limit, "kind", "unknown"),
			  resets == NULL ? -1 : wisp_time_parse(resets), wisp_time_now());
}

/* What becomes of the work. */
static void
settle_work(struct wisp_turn *t)
{
	struct cJSON *pending;

	if (t->facts.state == WISP_VALID)
		return;
	if (t->decision.tree == WISP_TREE_PUT_AWAY) {
		pending = wisp_json_object();
		wisp_json_set_str(pending, "tree", wisp_tree_name(t->decision.tree));
		wisp_json_set_num(pending, "n", wisp_json_num(t->step, "iteration", 0));
		wisp_json_set_bool(pending, "crash", false);
		wisp_json_set(t->r->doc, "pending", pending);
	} else {
		wisp_turn_tell_left(t);
	}
}

static void
settle_after(struct wisp_turn *t)
{
	const char *head = wisp_json_str(t->seen, "head", NULL), *tree = wisp_json_str(t->seen, "tree", NULL);

	if (head == NULL && tree == NULL)
		return;
	wisp_turn_after(t->r, head, tree);
	if (t->facts.state == WISP_VALID && wisp_config_bool(wisp_record_config(t->r), "checkpoint.save"))
		wisp_turn_checkpoint(t->r, wisp_json_num(t->step, "iteration", 0), head, tree,
				     wisp_json_str(t->seen, "commit", NULL));
}

static void
act(struct wisp_turn *t)
{
	const struct wisp_decision *d = &t->decision;
	char *text = wisp_turn_reason(t);

	if (t->facts.outcome == WISP_LIMITED)
		meet_limit(t);
	else
		wisp_limits_usage_over(wisp_json_object_at(t->r->doc, "limits"));
	wisp_limits_overage(wisp_json_object_at(t->r->doc, "limits"), wisp_json_get(t->result, "overage"), wisp_time_now());
	if (t->facts.outcome == WISP_LIMITED && t->facts.state != WISP_VALID)
		wisp_json_set_bool(t->step, "again", true);
	if (d->action == WISP_DO_ASK) {
		bool asks = t->facts.status == WISP_NEEDS_INPUT;

		wisp_question_ask(t->r, text, asks ? t->state.choices : NULL, asks ? t->state.gate : NULL,
				  wisp_json_int(t->step, "iteration", 0));
		finish(t, "paused", "needs_input");
		wisp_json_set_str(t->r->doc, "reason", text);
	} else if (d->action == WISP_DO_PAUSE) {
		finish(t, "paused", text);
	} else if (d->action == WISP_DO_HALT) {
		finish(t, "halted", text);
	} else if (d->action == WISP_DO_COMPLETE) {
		finish(t, "completed", text);
	}
	free(text);
}

/* Before the next step. A login is renewed within seconds, or not at all. */
static wisp_ms
delay(const struct wisp_turn *t)
{
	const struct cJSON *config = wisp_record_config(t->r);
	wisp_ms retry = wisp_config_ms(config, "retry.delay");

	if (t->facts.outcome == WISP_AUTH)
		return retry < AUTH_DELAY ? retry : AUTH_DELAY;
	return t->decision.action == WISP_DO_RETRY && t->facts.outcome == WISP_TRANSIENT
		       ? retry
		       : wisp_config_ms(config, "loop.delay");
}

/* When that is over, for who asks meanwhile. */
static void
settle_delay(struct wisp_turn *t)
{
	enum wisp_action action = t->decision.action;
	char *at = wisp_time_iso(wisp_time_now() + delay(t));

	if (delay(t) > 0 && (action == WISP_DO_CONTINUE || action == WISP_DO_RETRY))
		wisp_json_set_str(t->r->doc, "next_at", at);
	free(at);
}

/* Before the next step the work tree is to be restored: a failed step's work, or all that a good one left uncommitted. */
static void
answer_restore(const struct wisp_turn *t, struct cJSON *answer)
{
	const struct wisp_decision *d = &t->decision;
	const char *when = wisp_config_text(wisp_record_config(t->r), "checkpoint.restore");

	if (d->action != WISP_DO_CONTINUE && d->action != WISP_DO_RETRY)
		return;
	if (d->tree != WISP_TREE_PUT_AWAY && strcmp(when, "always") != 0)
		return;
	wisp_json_set_str(answer, "due", "restore");
	wisp_turn_answer_pending(t->r, answer);
}

/* The answer, kept with the step: a repeated call gives it again. */
static void
answer_with(struct wisp_turn *t, struct cJSON *answer)
{
	static const char *const shown[] = {"outcome", "state", "status", "summary", "tasks_passed", "tasks_total",
					    "verify", "cost_usd", "progress", "error"};
	const struct wisp_decision *d = &t->decision;
	char *text = wisp_turn_reason(t);

	wisp_turn_answer_observed(t, answer);
	wisp_json_set_num(answer, "iteration", wisp_json_num(t->step, "iteration", 0));
	wisp_json_set_str(answer, "action", wisp_action_name(d->action));
	wisp_json_set_num(answer, "exit", d->exit);
	wisp_json_set_str(answer, "row", d->row);
	wisp_json_set_str(answer, "reason", d->reason);
	wisp_json_set_str(answer, "tree", wisp_tree_name(d->tree));
	wisp_json_set_str(answer, "text", text);
	wisp_json_set_num(answer, "delay", (double)delay(t));
	wisp_json_set_num(answer, "seconds", wisp_json_num(t->result, "duration_s", 0));
	wisp_json_set_str(answer, "plan", wisp_turn_plan(t->r));
	answer_restore(t, answer);
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		if (wisp_json_get(t->entry, shown[i]) != NULL)
			wisp_json_set(answer, shown[i], wisp_json_copy(wisp_json_get(t->entry, shown[i])));
	wisp_json_set(t->step, "answer", wisp_json_copy(answer));
	free(text);
}

/* Cut off, but with a valid state: nothing is judged yet, a resume goes on from here. */
static int
pause_ran(struct wisp_turn *t, struct cJSON *answer)
{
	char *text = wisp_turn_cut_text(t->facts.cut);

	wisp_json_set_str(t->step, "stage", "ran");
	finish(t, "paused", text);
	wisp_json_set_str(answer, "action", wisp_action_name(t->decision.action));
	wisp_json_set_num(answer, "exit", t->decision.exit);
	wisp_json_set_str(answer, "row", t->decision.row);
	wisp_json_set_str(answer, "reason", t->decision.reason);
	wisp_json_set_str(answer, "tree", "keep");
	wisp_json_set_str(answer, "text", text);
	free(text);
	wisp_turn_forget(t->step);
	return wisp_record_commit(t->r);
}

/*
 * What people asked for is in the list before the step is judged: a task that was added
 * is open, whatever the step said. What the step claims stays its claim.
 */
static int
take_requests(struct wisp_turn *t, struct wisp_asked *asked, struct wisp_err *err)
{
	size_t total, passed, now, now_passed;

	wisp_record_counts(t->r, &passed, &total);
	if (wisp_turn_requests(t->r, asked, err) != 0)
		return -1;
	if (asked->requests.count == 0)
		return 0;
	wisp_record_counts(t->r, &now_passed, &now);
	wisp_json_set_bool(t->step, "pause", asked->pause);
	wisp_json_set_num(t->step, "total", (double)(t->facts.tasks_total + now - total));
	wisp_json_set_num(t->step, "claimed", (double)(t->facts.tasks_claimed + now_passed - passed));
	wisp_turn_judge_again(t);
	return 0;
}

/* What became of the commit that was due. Claims whose work could not be committed are committed with the next ones. */
static void
settle_commit(struct wisp_turn *t)
{
	if (wisp_json_bool(t->step, "deletes", false))
		wisp_json_set_str(t->step, "state", wisp_verdict_name(WISP_INVALID));
	else if (t->facts.uncommitted)
		wisp_json_set(t->r->doc, "uncommitted", wisp_turn_uncommitted(t->r));
	else if (wisp_json_bool(t->step, "commit", false))
		wisp_json_drop(t->r->doc, "uncommitted");
}

/* What a session that is complete was verified with, and its last commit lacks. */
static void
settle_rest(struct wisp_turn *t)
{
	const struct cJSON *rest = wisp_json_get(t->seen, "rest");

	wisp_json_drop(t->r->doc, "rest");
	if (rest != NULL && t->decision.action == WISP_DO_COMPLETE)
		wisp_json_set(t->r->doc, "rest", wisp_json_copy(rest));
}

/* What was noted with the step becomes history, and the breaker's. */
static void
settle_notes(struct wisp_turn *t)
{
	struct cJSON *breaker = wisp_json_take(t->step, "breaker");

	t->entry = wisp_json_take(t->step, "entry");
	if (t->entry != NULL)
		wisp_turn_history(t->r, wisp_json_array_at(t->r->doc, "history"), t->entry);
	if (breaker != NULL)
		wisp_json_set(t->r->doc, "breaker", breaker);
}

static int
record(struct wisp_turn *t, struct wisp_asked *asked, struct cJSON *answer, struct wisp_err *err)
{
	wisp_question_hide(t->r);
	settle_commit(t);
	if (t->facts.cut != 0 && t->facts.state == WISP_VALID)
		return pause_ran(t, answer);
	if (take_requests(t, asked, err) != 0)
		return -1;
	wisp_turn_phase_count(t);
	settle_notes(t);
	wisp_ledger_settle(t->r, t->entry, wisp_json_str(t->seen, "head", NULL));
	settle_rest(t);
	wisp_turn_forget_told(t);
	wisp_turn_tell_next(t);
	settle_work(t);
	if (t->facts.phases)
		wisp_turn_phase_act(t, answer);
	settle_after(t);
	act(t);
	settle_delay(t);
	answer_with(t, answer);
	wisp_turn_forget(t->step);
	wisp_json_set_str(t->step, "stage", "recorded");
	if (wisp_record_commit(t->r) != 0)
		return -1;
	wisp_turn_sweep_good(t->r);
	return 0;
}

/* A repetition gives the answer that is kept with the step. */
static int
answer_again(const struct wisp_record *r, struct cJSON *answer)
{
	const struct cJSON *a = wisp_json_get(wisp_turn_step(r), "answer");

	for (const struct cJSON *m = wisp_json_first(a); m != NULL; m = wisp_json_next(m))
		wisp_json_set(answer, wisp_json_key(m), wisp_json_copy(m));
	return wisp_record_publish(r);
}

int
wisp_turn_record(struct wisp_record *r, struct cJSON *answer, struct wisp_err *err)
{
	struct wisp_asked asked = {0};
	struct wisp_turn t;
	int rc;

	if (wisp_turn_step(r) != NULL && strcmp(wisp_json_str(wisp_turn_step(r), "stage", "recorded"), "recorded") == 0)
		return answer_again(r, answer);
	if (wisp_turn_decide(r, err) != 0)
		return -1;
	rc = wisp_turn_open(&t, r, err);
	if (rc == 0)
		rc = record(&t, &asked, answer, err);
	/* A loop that asks a question goes on waiting: there the pause is taken by the next begin. */
	if (rc == 0)
		wisp_turn_requests_done(&asked, t.decision.action != WISP_DO_ASK);
	wisp_requests_release(&asked.requests);
	wisp_turn_close(&t);
	return rc;
}
