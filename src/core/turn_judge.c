/*
 * turn_judge: what is noted of a step that ran, one question after the other: what the controller saw of it, is the
 * loop stuck, and what does that mean. wisp-stuck and wisp-gate ask the same functions, of the same notes.
 */
#include "turn_record.h"

#include <stdlib.h>
#include <string.h>

#include "breaker.h"
#include "guard.h"
#include "turn_phase.h"

static void
gather(struct wisp_turn *t)
{
	const struct cJSON *verdict = wisp_json_get(t->step, "verdict"), *decision = wisp_json_get(t->step, "decision");

	t->seen = wisp_json_get(t->step, "seen");
	t->entry = wisp_json_get(t->step, "entry");
	wisp_turn_facts(t->r, &t->facts);
	t->facts.cut = (int)wisp_json_int(t->seen, "cut", 0);
	t->facts.once = wisp_json_bool(t->seen, "once", false);
	t->facts.pause = wisp_json_bool(t->step, "pause", false);
	if (wisp_turn_machine(t->r) != NULL && wisp_turn_plan(t->r) == NULL)
		wisp_turn_phase_facts(t);
	t->facts.stuck = wisp_json_bool(verdict, "stuck", false);
	t->facts.open = verdict != NULL && wisp_turn_plan(t->r) == NULL && wisp_breaker_open(wisp_json_get(t->step, "breaker"));
	if (decision != NULL)
		wisp_decision_get(&t->decision, decision);
	free(t->error);
	t->error = wisp_turn_error(t);
}

int
wisp_turn_open(struct wisp_turn *t, struct wisp_record *r, struct wisp_err *err)
{
	char *path;
	int rc = 0;

	*t = (struct wisp_turn){.r = r, .step = wisp_turn_step(r), .session = wisp_record_session(r)};
	if (!wisp_turn_is_open(r))
		return wisp_err_set(err, r->home, 0, 0, "no step is open that ran");
	if (wisp_turn_result(r, &t->result, err) != 0 && wisp_json_str(t->step, "result", NULL) != NULL)
		return -1;
	wisp_err_release(err);
	path = wisp_record_dir_path(r, "state.json");
	if (wisp_state_load(&t->state, path, NULL) != WISP_VALID && strcmp(wisp_json_str(t->step, "state", ""), "valid") == 0)
		rc = wisp_err_set(err, path, 0, 0, "it was valid when the step ended, and is not any more");
	else
		gather(t);
	free(path);
	return rc;
}

void
wisp_turn_close(struct wisp_turn *t)
{
	wisp_state_release(&t->state);
	wisp_json_free(t->result);
	free(t->error);
}

/* --- what the controller saw ------------------------------------------------ */

static int
put_names(struct cJSON *seen, const char *key, const char *file)
{
	struct cJSON *names;
	int rc = wisp_turn_names(file, &names);

	wisp_json_set(seen, key, names);
	return rc;
}

static int
put_seen(struct wisp_turn *t, const struct wisp_seen *o)
{
	struct cJSON *seen = wisp_json_object();
	char *text;

	wisp_json_set_str(seen, "head", o->head);
	wisp_json_set_str(seen, "tree", o->tree);
	wisp_json_set_str(seen, "commit", o->commit);
	wisp_json_set_num(seen, "cut", wisp_turn_cut(t->r, o->cut));
	wisp_json_set_bool(seen, "once", o->once);
	wisp_json_set(t->step, "seen", seen);
	if (put_names(seen, "files", o->files) != 0 || (o->wrote != NULL && put_names(seen, "wrote", o->wrote) != 0) ||
	    (o->rest != NULL && put_names(seen, "rest", o->rest) != 0) ||
	    (o->refused != NULL && put_names(seen, "refused", o->refused) != 0) ||
	    (o->deleted != NULL && put_names(seen, "deleted", o->deleted) != 0))
		return -1;
	wisp_json_set_str(t->step, "uncommitted", o->uncommitted);
	if (o->deletes == NULL)
		return 0;
	/* A step whose work may not be committed has failed. */
	text = wisp_str("its work would delete %s", o->deletes);
	wisp_json_set_str(seen, "deletes", o->deletes);
	wisp_json_set_str(t->step, "error", text);
	wisp_json_set_bool(t->step, "deletes", true);
	free(text);
	return 0;
}

/* Claims of a step that was cut off or failed count for nothing: the list is as it was. */
static int
claims_back(struct wisp_turn *t, struct wisp_err *err)
{
	return t->facts.state == WISP_VALID || wisp_turn_plan(t->r) != NULL ? 0 : wisp_turn_tasks_back(t->r, err);
}

/* What verify has changed of the configuration, templates and agents goes back: after the last step no other look follows. */
static int
guard_verified(struct wisp_turn *t)
{
	struct cJSON *names = wisp_json_array_at(t->step, "tampered");
	const char *verify = wisp_json_str(t->step, "verify", "");
	size_t before = wisp_json_len(names);
	char *keep;
	int rc;

	if (t->r->place->home == NULL || (strcmp(verify, "passed") != 0 && strcmp(verify, "failed") != 0))
		return 0;
	keep = wisp_turn_step_path(t->r, "tampered");
	rc = wisp_good_guard(t->r, keep, names);
	if (wisp_json_len(names) > before)
		wisp_json_set(wisp_record_tell(t->r, "tampered", NULL), "items", wisp_json_copy(names));
	free(keep);
	return rc;
}

static int
note_seen(struct wisp_turn *t, const struct wisp_seen *o, struct wisp_err *err)
{
	bool changes = t->r->lock >= 0; /* else the question is a reader's: no file changes for it */

	if (put_seen(t, o) != 0 || (changes && guard_verified(t) != 0))
		return -1;
	gather(t);
	/* Cut off, but with a valid state: nothing is judged yet. */
	if (t->facts.cut != 0 && t->facts.state == WISP_VALID)
		return 0;
	if (changes && claims_back(t, err) != 0)
		return -1;
	/* A usage limit without a valid state is no iteration. */
	if (t->facts.outcome != WISP_LIMITED || t->facts.state == WISP_VALID)
		wisp_turn_enter(t, o->files);
	return 0;
}

/* --- is the loop stuck? ----------------------------------------------------- */

static void
rules(const struct wisp_turn *t, struct wisp_stuck *s)
{
	struct cJSON *history = wisp_json_copy(wisp_json_get(t->r->doc, "history"));

	if (t->entry != NULL)
		wisp_turn_history(t->r, history, wisp_json_copy(t->entry));
	wisp_stuck_check(s, history, wisp_json_int(t->r->doc, "intervened", 0), wisp_json_get(t->r->doc, "config"));
	wisp_json_free(history);
}

/* Steps that are evidence for stuck.h are those that the breaker counts. */
static bool
is_evidence(const struct wisp_turn *t)
{
	return t->entry != NULL && t->facts.outcome != WISP_INTERRUPTED && t->facts.outcome != WISP_LIMITED &&
	       !(t->facts.state == WISP_VALID && t->facts.status == WISP_NEEDS_INPUT);
}

/* The breaker counts the iteration; what else says stuck opens it too, and what warns shows on it. */
static struct cJSON *
next_breaker(const struct wisp_turn *t, const struct wisp_stuck *s)
{
	struct cJSON *breaker = wisp_json_copy(wisp_json_object_at(t->r->doc, "breaker"));
	const char *phase = wisp_json_str(t->entry, "phase", NULL);

	if (is_evidence(t))
		wisp_breaker_update(breaker,
				    wisp_breaker_thresholds(wisp_turn_machine(t->r), phase, wisp_record_config(t->r)),
				    wisp_json_bool(t->entry, "progress", false), t->error, t->metrics);
	if (s->stuck)
		wisp_breaker_trip(breaker, wisp_stuck_first(s)->evidence);
	else if (s->warning)
		wisp_breaker_warn(breaker);
	return breaker;
}

static void
note_verdict(struct wisp_turn *t)
{
	struct cJSON *verdict = wisp_json_object();
	const struct wisp_rule_result *rule;
	bool plan = wisp_turn_plan(t->r) != NULL;
	struct wisp_stuck s;

	rules(t, &s);
	rule = wisp_stuck_first(&s);
	/* A step that is about the list as a whole is no evidence. */
	wisp_json_set_bool(verdict, "stuck", s.stuck && !plan);
	wisp_json_set_str(verdict, "rule", rule != NULL ? rule->name : NULL);
	wisp_json_set_str(verdict, "evidence", rule != NULL ? rule->evidence : NULL);
	wisp_json_set(t->step, "verdict", verdict);
	if (!plan)
		wisp_json_set(t->step, "breaker", next_breaker(t, &s));
	wisp_stuck_release(&s);
	gather(t);
}

/* --- what does it mean? ----------------------------------------------------- */

static void
note_decision(struct wisp_turn *t)
{
	struct wisp_facts asked = t->facts;
	struct cJSON *decision = wisp_json_object();

	/* A plan step lists tasks: its DONE is not about them. */
	if (wisp_turn_plan(t->r) != NULL && asked.status == WISP_DONE)
		asked.status = WISP_CONTINUE;
	wisp_decide(&t->decision, &asked);
	wisp_decision_put(decision, &t->decision);
	wisp_json_set(t->step, "decision", decision);
	wisp_decision_get(&t->decision, decision);
}

static void
unjudge(struct cJSON *step)
{
	wisp_json_drop(step, "verdict");
	wisp_json_drop(step, "breaker");
	wisp_json_drop(step, "decision");
}

void
wisp_turn_forget(struct cJSON *step)
{
	unjudge(step);
	wisp_json_drop(step, "seen");
	wisp_json_drop(step, "entry");
	wisp_json_drop(step, "pause");
}

void
wisp_turn_judge_again(struct wisp_turn *t)
{
	unjudge(t->step);
	gather(t);
	if (t->entry != NULL) {
		wisp_turn_enter_counts(t);
		wisp_turn_enter_refused(t);
	}
	note_verdict(t);
	note_decision(t);
}

/* --- the questions ---------------------------------------------------------- */

/* Opens the step, with what the question before has noted; where that was not asked yet, it is asked here. */
static int
open_seen(struct wisp_turn *t, struct wisp_record *r, struct wisp_err *err)
{
	static const struct wisp_seen nothing;
	int rc = wisp_turn_open(t, r, err);

	return rc == 0 && t->seen == NULL ? note_seen(t, &nothing, err) : rc;
}

int
wisp_turn_observe(struct wisp_record *r, const struct wisp_seen *o, struct wisp_err *err)
{
	struct wisp_turn t;
	int rc = wisp_turn_open(&t, r, err);

	if (rc == 0) {
		unjudge(t.step);
		rc = note_seen(&t, o, err);
	}
	wisp_turn_close(&t);
	return rc;
}

int
wisp_turn_stuck(struct wisp_record *r, struct wisp_stuck *s, struct wisp_err *err)
{
	struct wisp_turn t;
	int rc = open_seen(&t, r, err);

	if (rc == 0 && wisp_json_get(t.step, "verdict") == NULL)
		note_verdict(&t);
	if (rc == 0)
		rules(&t, s);
	wisp_turn_close(&t);
	return rc;
}

int
wisp_turn_decide(struct wisp_record *r, struct wisp_err *err)
{
	struct wisp_turn t;
	int rc = open_seen(&t, r, err);

	if (rc == 0 && wisp_json_get(t.step, "verdict") == NULL)
		note_verdict(&t);
	if (rc == 0 && wisp_json_get(t.step, "decision") == NULL)
		note_decision(&t);
	wisp_turn_close(&t);
	return rc;
}
