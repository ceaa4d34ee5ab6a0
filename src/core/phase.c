/*
 * phase: the loop state of a phase template and its moves; see phase.h.
 */
#include "phase.h"

#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "template.h"
#include "time.h"

#define REJECTIONS_KEPT 10
#define REASON_MAX 500		/* bytes of why a phase was rejected */
#define ASSUMED 10		/* iterations of a phase, as 000_ estimates its progress */

static void
set_now(struct cJSON *object, const char *key)
{
	char *now = wisp_time_iso(wisp_time_now());

	wisp_json_set_str(object, key, now);
	free(now);
}

static const char *
current(const struct cJSON *loop)
{
	return wisp_json_str(loop, "current_phase", "");
}

const struct cJSON *
wisp_phase_now(const struct cJSON *machine, const struct cJSON *loop)
{
	return wisp_template_phase(machine, current(loop));
}

bool
wisp_phase_done(const struct cJSON *loop, const char *name)
{
	for (const struct cJSON *d = wisp_json_first(wisp_json_get(loop, "phases_completed")); d != NULL; d = wisp_json_next(d))
		if (strcmp(wisp_json_text(d, ""), name) == 0)
			return true;
	return false;
}

/* The first phase in order that is not completed, or NULL. */
static const struct cJSON *
next_phase(const struct cJSON *machine, const struct cJSON *loop)
{
	for (const struct cJSON *p = wisp_json_first(wisp_json_get(machine, "phases")); p != NULL; p = wisp_json_next(p))
		if (!wisp_phase_done(loop, wisp_json_str(p, "name", "")))
			return p;
	return NULL;
}

static long long
iterations(const struct cJSON *phase)
{
	return wisp_json_int(phase, "max_iterations", WISP_PHASE_ITERATIONS);
}

/* The entry of a phase in phase_history: made, or opened again with what it has. */
static struct cJSON *
history(struct cJSON *loop, const char *name)
{
	return wisp_json_object_at(wisp_json_object_at(loop, "phase_history"), name);
}

static void
enter(struct cJSON *loop, const struct cJSON *phase)
{
	const char *name = wisp_json_str(phase, "name", "");
	struct cJSON *entry = history(loop, name);

	wisp_json_set_str(loop, "current_phase", name);
	wisp_json_set_num(loop, "current_iteration", 0);
	wisp_json_set_num(loop, "consecutive_green_runs", 0);
	wisp_json_set(loop, "last", wisp_json_object());
	wisp_json_set_num(loop, "allowed", (double)iterations(phase));
	if (wisp_json_str(entry, "started_at", NULL) == NULL)
		set_now(entry, "started_at");
	wisp_json_set_null(entry, "completed_at");
	wisp_json_set_num(entry, "iterations", wisp_json_num(entry, "iterations", 0));
	wisp_json_drop(entry, "exit_reason");
	set_now(loop, "last_activity");
}

struct cJSON *
wisp_phase_new(const struct cJSON *machine, const char *session_id, const char *prp)
{
	static const char *const none[] = {"green_model", "halt_reason", "pause_reason", "paused_at"};
	struct cJSON *loop = wisp_json_object();

	wisp_json_set_str(loop, "session_id", session_id);
	wisp_json_set_str(loop, "prp_file", prp != NULL ? prp : "none");
	set_now(loop, "started_at");
	wisp_json_set_null(loop, "current_phase");
	wisp_json_set_num(loop, "current_iteration", 0);
	set_now(loop, "last_activity");
	wisp_json_set_str(loop, "status", "running");
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		wisp_json_set_null(loop, none[i]);
	wisp_json_set(loop, "phases_completed", wisp_json_array());
	wisp_json_set(loop, "phase_history", wisp_json_object());
	wisp_json_set(loop, "error_history", wisp_json_array());
	wisp_json_set_num(loop, "total_agent_calls", 0);
	wisp_json_set_num(loop, "qa_attempts", 0);
	enter(loop, next_phase(machine, loop));
	return loop;
}

int
wisp_phase_percent(const struct cJSON *machine, const struct cJSON *loop)
{
	double part = wisp_json_num(loop, "current_iteration", 0) / ASSUMED, sum = 0;

	if (part > 1)
		part = 1;
	for (const struct cJSON *p = wisp_json_first(wisp_json_get(machine, "phases")); p != NULL; p = wisp_json_next(p)) {
		const char *name = wisp_json_str(p, "name", "");
		double weight = wisp_json_num(p, "weight", 0);

		if (wisp_phase_done(loop, name))
			sum += weight;
		else if (strcmp(name, current(loop)) == 0 && part > 0)
			sum += weight * part;
	}
	/* What is a whole number must not fall below it by binary dust. */
	return sum < 0 ? 0 : sum > 100 ? 100 : (int)(sum + 1e-9);
}

static void
lay_over(struct cJSON *metrics, const struct cJSON *others)
{
	for (const struct cJSON *m = wisp_json_type(others) == WISP_T_OBJECT ? wisp_json_first(others) : NULL; m != NULL;
	     m = wisp_json_next(m))
		wisp_json_set(metrics, wisp_json_key(m), wisp_json_copy(m));
}

struct cJSON *
wisp_phase_metrics(const struct cJSON *loop, const struct cJSON *claimed, const struct cJSON *observed)
{
	const struct cJSON *iteration = wisp_json_get(loop, "current_iteration");
	const struct cJSON *runs = wisp_json_get(loop, "consecutive_green_runs");
	struct cJSON *metrics = wisp_json_object();

	lay_over(metrics, claimed);
	lay_over(metrics, observed);
	if (iteration != NULL)
		wisp_json_set(metrics, "iteration", wisp_json_copy(iteration));
	if (runs != NULL)
		wisp_json_set(metrics, "consecutive_green_runs", wisp_json_copy(runs));
	return metrics;
}

bool
wisp_phase_green(const struct cJSON *metrics)
{
	double total = wisp_json_num(metrics, "tests_total", 0);

	return total > 0 && wisp_json_num(metrics, "tests_passing", 0) == total && wisp_json_num(metrics, "tests_failing", 1) == 0;
}

void
wisp_phase_count(struct cJSON *loop, bool green)
{
	struct cJSON *entry = history(loop, current(loop));
	double n = wisp_json_num(loop, "current_iteration", 0) + 1;

	wisp_json_set_num(loop, "current_iteration", n > WISP_PHASE_COUNT_MAX ? WISP_PHASE_COUNT_MAX : n);
	wisp_json_set_num(loop, "total_agent_calls", wisp_json_num(loop, "total_agent_calls", 0) + 1);
	wisp_json_set_num(loop, "consecutive_green_runs",
			  green ? wisp_json_num(loop, "consecutive_green_runs", 0) + 1 : 0);
	wisp_json_set_num(entry, "iterations", wisp_json_num(entry, "iterations", 0) + 1);
	set_now(loop, "last_activity");
}

void
wisp_phase_keep(struct cJSON *loop, const struct cJSON *metrics)
{
	wisp_json_set(loop, "last", metrics != NULL ? wisp_json_copy(metrics) : wisp_json_object());
}

bool
wisp_phase_pass(const struct cJSON *machine, struct cJSON *loop, const char *reason)
{
	const char *reviews = wisp_json_str(wisp_json_get(machine, "reject"), "phase", NULL);
	struct cJSON *entry = history(loop, current(loop));
	const struct cJSON *next;

	if (!wisp_phase_done(loop, current(loop)))
		wisp_json_push(wisp_json_array_at(loop, "phases_completed"), wisp_json_string(current(loop)));
	set_now(entry, "completed_at");
	wisp_json_set_str(entry, "exit_reason", reason);
	if (reviews != NULL && strcmp(reviews, current(loop)) == 0)
		wisp_json_set_num(loop, "qa_attempts", 0);
	next = next_phase(machine, loop);
	if (next != NULL) {
		enter(loop, next);
	} else {
		wisp_json_set_str(loop, "status", "completed");
		set_now(loop, "last_activity");
	}
	return next != NULL;
}

/* Takes two names out of phases_completed. */
static void
undo(struct cJSON *loop, const char *a, const char *b)
{
	struct cJSON *left = wisp_json_array();

	for (const struct cJSON *d = wisp_json_first(wisp_json_get(loop, "phases_completed")); d != NULL; d = wisp_json_next(d))
		if (strcmp(wisp_json_text(d, ""), a) != 0 && strcmp(wisp_json_text(d, ""), b) != 0)
			wisp_json_push(left, wisp_json_copy(d));
	wisp_json_set(loop, "phases_completed", left);
}

void
wisp_phase_reject(const struct cJSON *machine, struct cJSON *loop, const char *reason)
{
	const struct cJSON *rule = wisp_json_get(machine, "reject");
	const char *phase = wisp_json_str(rule, "phase", ""), *back = wisp_json_str(rule, "goto", "");
	struct cJSON *entry = history(loop, phase), *list = wisp_json_array_at(entry, "rejections"), *one = wisp_json_object();
	struct wisp_buf why = WISP_BUF_INIT;

	wisp_buf_line(&why, reason != NULL ? reason : "", REASON_MAX);
	set_now(one, "at");
	wisp_json_set_str(one, "reason", why.len > 0 ? why.data : "");
	wisp_json_push(list, one);
	while (wisp_json_len(list) > REJECTIONS_KEPT)
		wisp_json_shift(list);
	undo(loop, phase, back);
	wisp_json_set_num(loop, "qa_attempts", wisp_json_num(loop, "qa_attempts", 0) + 1);
	enter(loop, wisp_template_phase(machine, back));
	/* Last, for the phase may be the one that was entered. */
	wisp_json_set_null(entry, "completed_at");
	wisp_json_set_str(entry, "exit_reason", why.len > 0 ? why.data : "");
	wisp_buf_release(&why);
}

/* Without a number of its own, as in a file of somebody else, a phase may use what its template says. */
static long long
allowed(const struct cJSON *machine, const struct cJSON *loop)
{
	return wisp_json_int(loop, "allowed", iterations(wisp_phase_now(machine, loop)));
}

bool
wisp_phase_allowed(const struct cJSON *machine, const struct cJSON *loop)
{
	return wisp_json_int(loop, "current_iteration", 0) < allowed(machine, loop);
}

void
wisp_phase_grant(const struct cJSON *machine, struct cJSON *loop)
{
	long long more = wisp_json_int(loop, "current_iteration", 0) + iterations(wisp_phase_now(machine, loop));

	if (more > WISP_PHASE_COUNT_MAX)
		more = WISP_PHASE_COUNT_MAX;
	if (more > allowed(machine, loop))
		wisp_json_set_num(loop, "allowed", (double)more);
}

void
wisp_phase_note(struct cJSON *errors, const char *phase, double iteration, const char *error)
{
	struct cJSON *e = wisp_json_object();
	char *cut = wisp_str("%.*s", (int)wisp_utf8_chars(error, strlen(error), WISP_PHASE_ERROR_MAX), error);
	char hash[WISP_HASH_SIZE];

	wisp_hash(error, strlen(error), hash);
	set_now(e, "timestamp");
	wisp_json_set_str(e, "phase", phase);
	wisp_json_set_num(e, "iteration", iteration);
	wisp_json_set_str(e, "error", cut);
	wisp_json_set_str(e, "hash", hash);
	wisp_json_push(errors, e);
	while (wisp_json_len(errors) > WISP_PHASE_ERRORS)
		wisp_json_shift(errors);
	free(cut);
}

void
wisp_phase_error(struct cJSON *loop, const char *error)
{
	wisp_phase_note(wisp_json_array_at(loop, "error_history"), wisp_json_str(loop, "current_phase", NULL),
			wisp_json_num(loop, "current_iteration", 0), error);
}
