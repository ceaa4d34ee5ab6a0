/*
 * turn_tell: what the next prompt, and a person, are told of a step.
 */
#include "turn_record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "turn_compare.h"
#include "turn_phase.h"

#define FEEDBACK_MAX 50

static bool
from_person(const struct cJSON *entry)
{
	const char *kind = wisp_json_str(entry, "kind", "");

	return strcmp(kind, "answer") == 0 || strcmp(kind, "guidance") == 0;
}

/*
 * What the step was prompted with has been heard, once it left a valid state. Of too much the
 * oldest goes, what the controller said before what a person said.
 */
void
wisp_turn_forget_told(struct wisp_turn *t)
{
	struct cJSON *feedback = wisp_record_feedback(t->r), *oldest;
	long long told = wisp_json_int(t->step, "told", 0), place;

	if (t->facts.state == WISP_VALID)
		for (; told > 0 && wisp_json_len(feedback) > 0; told--)
			wisp_json_shift(feedback);
	while (wisp_json_len(feedback) > FEEDBACK_MAX) {
		oldest = wisp_json_first(feedback);
		for (place = 0; oldest != NULL && from_person(oldest); place++)
			oldest = wisp_json_next(oldest);
		if (oldest == NULL)
			place = 0;
		wisp_json_remove(feedback, oldest != NULL ? oldest : wisp_json_first(feedback));
		told -= place < told;
	}
	wisp_json_set_num(t->step, "told", (double)told);
}

static void
tell(struct wisp_turn *t, const char *kind, const char *text)
{
	wisp_json_set_num(wisp_record_tell(t->r, kind, text), "iteration", wisp_json_num(t->step, "iteration", 0));
}

static const char *
lack_text(const char *refused)
{
	if (strcmp(refused, "tasks") == 0)
		return "DONE was refused: there are tasks that do not pass";
	if (strcmp(refused, "promise") == 0)
		return "DONE was refused: the promise does not stand alone on a line of the final message";
	if (strcmp(refused, "gate") == 0)
		return "the phase is not over: its filter does not hold for the metrics yet";
	if (strcmp(refused, "commit") == 0)
		return "DONE was refused: what the step left could not be committed";
	if (strcmp(refused, "lost tests") == 0)
		return "DONE was refused: tests that passed before are gone";
	return "DONE was refused: the verify command failed";
}

/* A warning from the breaker, where no rule of its own has said as much. */
static void
tell_half_open(struct wisp_turn *t)
{
	const struct cJSON *breaker = wisp_json_get(t->r->doc, "breaker");
	long long n = wisp_json_int(breaker, "no_progress_count", 0);
	char *text;

	if (strcmp(wisp_json_str(breaker, "state", ""), "HALF_OPEN") != 0)
		return;
	text = wisp_str("%lld iteration%s in a row made no progress: the circuit breaker is half open, and opens soon", n,
			n == 1 ? "" : "s");
	tell(t, "stuck", text);
	free(text);
}

/* Names that were seen. */
static void
tell_names(struct wisp_turn *t, const char *kind, const char *text, const char *seen)
{
	struct cJSON *told = wisp_record_tell(t->r, kind, text);

	wisp_json_set_num(told, "iteration", wisp_json_num(t->step, "iteration", 0));
	wisp_json_set(told, "items", wisp_json_copy(wisp_json_get(t->seen, seen)));
}

/* What became of the commit of the step's work, what verify left beside it, and what was refused to both. */
static void
tell_seen(struct wisp_turn *t)
{
	const char *why = wisp_json_str(t->step, "uncommitted", NULL);

	if (why != NULL)
		tell(t, "commit", why);
	if (wisp_json_get(t->seen, "wrote") != NULL)
		tell_names(t, "wrote", NULL, "wrote");
	if (wisp_json_get(t->seen, "refused") != NULL)
		tell_names(t, "refused", NULL, "refused");
}

static void
tell_rejected(struct wisp_turn *t)
{
	char *report = wisp_turn_phase_report(t);

	tell(t, "rejected", report);
	free(report);
}

/* What the next prompt has to say of this step. */
void
wisp_turn_tell_next(struct wisp_turn *t)
{
	const struct wisp_facts *f = &t->facts;
	const char *evidence = wisp_json_str(wisp_json_get(t->step, "verdict"), "evidence", NULL);
	char *text;

	tell_seen(t);
	if (wisp_json_str(t->seen, "deletes", NULL) != NULL)
		tell_names(t, "deletes", wisp_json_str(t->seen, "deletes", NULL), "deleted");
	else if (f->state != WISP_VALID && f->outcome != WISP_LIMITED)
		tell(t, wisp_json_bool(t->step, "list_refused", false) ? "list" : "state",
		     wisp_json_str(t->step, "error", "no state.json was left"));
	/* An agent that did well may have a reason, too: why it was ended, or stopped itself. */
	if (f->outcome != WISP_LIMITED &&
	    (f->outcome != WISP_OK || *wisp_json_str(t->result, "reason", "") != '\0')) {
		text = wisp_str("%s: %s", wisp_outcome_name(f->outcome), wisp_turn_outcome_reason(t));
		tell(t, "outcome", text);
		free(text);
	}
	if (f->verify == WISP_VERIFY_FAILED && !f->lost) {
		text = wisp_turn_verify_tail(t->r);
		tell(t, f->phases ? "check" : "verify", text);
		free(text);
	}
	wisp_turn_tell_observed(t);
	/* Why a commit was not made is said already. */
	if (t->decision.refused != NULL && strcmp(t->decision.refused, "gate") == 0)
		tell(t, "phase", NULL);
	else if (t->decision.refused != NULL && strcmp(t->decision.refused, "commit") != 0)
		tell(t, "done", lack_text(t->decision.refused));
	if (f->state == WISP_VALID && evidence != NULL)
		tell(t, "stuck", evidence);
	else if (f->state == WISP_VALID)
		tell_half_open(t);
	if (t->decision.phase == WISP_PHASE_REJECTED && t->decision.action != WISP_DO_ASK)
		tell_rejected(t);
}

void
wisp_turn_tell_left(struct wisp_turn *t)
{
	struct cJSON *told = wisp_record_tell(t->r, "left", "the step was cut off; what it changed lies in the work tree");

	wisp_json_set_num(told, "iteration", wisp_json_num(t->step, "iteration", 0));
	wisp_json_set(told, "items", wisp_json_copy(wisp_json_get(t->seen, "files")));
}

/* Why the step failed: the agent's end, or where that was good what its state file lacks; and a refused host. */
static char *
failure_text(const struct wisp_turn *t)
{
	const struct wisp_decision *d = &t->decision;
	const char *why = wisp_json_str(t->result, "reason", NULL), *outcome = wisp_outcome_name(t->facts.outcome);
	const char *refused = wisp_json_text(wisp_json_first(wisp_json_get(t->seen, "refused")), NULL);
	bool ended = t->facts.outcome == WISP_OK, in_row = d->action != WISP_DO_RETRY && strcmp(d->row, "4") == 0;
	char *text, *whole;

	if (ended || why == NULL || why[0] == '\0')
		why = wisp_json_str(t->step, "error", d->reason);
	text = wisp_str("%s%s%s%s%s", ended ? "" : outcome, ended ? "" : ": ", why,
			refused != NULL ? "; the sandbox refused " : "", refused != NULL ? refused : "");
	if (!in_row)
		return text;
	whole = wisp_str("failed %d times in a row, %s", t->facts.failed_before + 1, text);
	free(text);
	return whole;
}

static char *
passed_text(const struct wisp_turn *t)
{
	return wisp_str("phase %s is complete, on to %s", wisp_json_str(t->entry, "phase", ""),
			wisp_json_str(wisp_turn_loop(t->r), "current_phase", ""));
}

/* A pause, and what the step has come to all the same. */
static char *
paused_text(const struct wisp_turn *t, const char *why)
{
	const struct wisp_decision *d = &t->decision;
	char *more = NULL, *text;

	if (d->phase != WISP_PHASE_GOES_ON)
		more = d->phase == WISP_PHASE_PASSED ? passed_text(t) : wisp_turn_phase_rejected(t);
	else if (d->refused != NULL)
		more = wisp_strdup(lack_text(d->refused));
	text = wisp_str("%s%s%s", why, more != NULL ? "; " : "", more != NULL ? more : "");
	free(more);
	return text;
}

/* In words, why the loop does what it does; the caller frees it. */
char *
wisp_turn_reason(const struct wisp_turn *t)
{
	const struct cJSON *verdict = wisp_json_get(t->step, "verdict");
	const struct wisp_decision *d = &t->decision;

	if (strcmp(d->reason, "blocked") == 0)
		return wisp_strdup(t->state.error);
	if (strcmp(d->reason, "needs_input") == 0)
		return wisp_strdup(t->state.question);
	if (strcmp(d->reason, "rejected") == 0)
		return d->action == WISP_DO_ASK ? wisp_turn_phase_report(t) : wisp_turn_phase_rejected(t);
	if (strcmp(d->reason, "breaker") == 0)
		return wisp_str("the circuit breaker is open: %s",
				wisp_json_str(wisp_json_get(t->r->doc, "breaker"), "open_reason", ""));
	if (strcmp(d->reason, "next_phase") == 0)
		return passed_text(t);
	if (strcmp(d->reason, "stuck") == 0)
		return wisp_str("stuck (%s): %s", wisp_json_str(verdict, "rule", ""), wisp_json_str(verdict, "evidence", ""));
	if (strcmp(d->row, "3") == 0 || strcmp(d->row, "4") == 0)
		return failure_text(t);
	if (strcmp(d->row, "pause") == 0)
		return paused_text(t, "on request");
	if (strcmp(d->row, "once") == 0)
		return paused_text(t, "paused after one iteration (--once)");
	if (strcmp(d->row, "1") == 0)
		return wisp_turn_cut_text(t->facts.cut);
	if (d->action == WISP_DO_COMPLETE)
		return wisp_strdup(t->facts.verify == WISP_VERIFY_FAILED ? "every gate held, but the verify command fails"
									 : "every gate held");
	return wisp_strdup(d->refused != NULL ? lack_text(d->refused) : d->reason);
}
