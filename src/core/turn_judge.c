/*
 * turn_judge: the decision on a step, with what the history says once it has
 * its entry there: is the loop stuck, is the breaker open?
 */
#include "turn_record.h"

#include "breaker.h"
#include "turn_phase.h"

/* Steps that are evidence for stuck.h are those that the breaker counts. */
static bool
is_evidence(const struct wisp_turn *t)
{
	return t->entry != NULL && t->facts.outcome != WISP_INTERRUPTED && t->facts.outcome != WISP_LIMITED &&
	       !(t->facts.state == WISP_VALID && t->facts.status == WISP_NEEDS_INPUT);
}

/* The breaker counts the iteration; what else says stuck opens it too, and what warns shows on it. */
static void
update_breaker(struct wisp_turn *t)
{
	struct cJSON *breaker = wisp_json_object_at(t->r->doc, "breaker");
	const char *phase = wisp_json_str(t->entry, "phase", NULL);
	const struct wisp_rule_result *rule = wisp_stuck_first(&t->stuck);

	if (is_evidence(t))
		wisp_breaker_update(breaker,
				    wisp_breaker_thresholds(wisp_turn_machine(t->r), phase, wisp_record_config(t->r)),
				    wisp_json_bool(t->entry, "progress", false), t->error, t->metrics);
	if (t->stuck.stuck)
		wisp_breaker_trip(breaker, rule->evidence);
	else if (t->stuck.warning)
		wisp_breaker_warn(breaker);
	t->facts.stuck = t->stuck.stuck;
	t->facts.open = wisp_breaker_open(breaker);
}

void
wisp_turn_judge(struct wisp_turn *t)
{
	bool counted = t->facts.outcome != WISP_LIMITED || t->facts.state == WISP_VALID, plan = wisp_turn_plan(t->r) != NULL;
	struct wisp_facts asked = t->facts;

	/* A plan step lists tasks: its DONE is not about them, and it is no evidence. */
	if (plan && asked.status == WISP_DONE)
		asked.status = WISP_CONTINUE;
	wisp_decide(&t->decision, &asked);
	if (counted) {
		wisp_turn_enter(t);
		wisp_json_set_str(t->entry, "refused", t->decision.refused);
	}
	wisp_stuck_check(&t->stuck, wisp_json_get(t->r->doc, "history"), wisp_json_int(t->r->doc, "intervened", 0),
			 wisp_record_config(t->r));
	if (plan)
		return;
	update_breaker(t);
	wisp_decide(&t->decision, &t->facts);
}
