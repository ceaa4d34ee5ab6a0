/*
 * turn_tests_tell: what is told of a step's tests, and what stays of them: the parsers are not linked for that.
 */
#include "turn_tests.h"

#include <stdlib.h>

#include "lines.h"

void
wisp_turn_forget_tests(struct cJSON *step)
{
	wisp_json_drop(step, "tests");
	wisp_json_drop(step, "observed");
	wisp_json_drop(step, "observed_note");
}

bool
wisp_turn_tests_refused(const struct cJSON *step)
{
	return wisp_json_bool(wisp_json_get(step, "tests"), "refused", false);
}

char *
wisp_turn_tests_lost(const struct cJSON *tests)
{
	const struct cJSON *lost = wisp_json_get(tests, "lost");
	long long n = wisp_json_int(lost, "count", 0);
	struct wisp_buf b = WISP_BUF_INIT;

	if (n == 0)
		return NULL;
	wisp_buf_printf(&b, "test%s that passed before %s lost: ", n == 1 ? "" : "s", n == 1 ? "is" : "are");
	wisp_line_some(&b, lost);
	return wisp_buf_detach(&b);
}

char *
wisp_turn_tests_note(const struct cJSON *step)
{
	const struct cJSON *tests = wisp_json_get(step, "tests"), *flaky = wisp_json_get(tests, "flaky");
	char *lost = wisp_turn_tests_lost(tests);
	struct wisp_buf b = WISP_BUF_INIT;

	if (lost != NULL)
		wisp_buf_puts(&b, lost);
	if (flaky != NULL) {
		wisp_buf_printf(&b, "%sflaky tests: ", b.len > 0 ? "; " : "");
		wisp_line_some(&b, flaky);
	}
	if (wisp_json_str(step, "observed_note", NULL) != NULL)
		wisp_buf_printf(&b, "%s%s", b.len > 0 ? "; " : "", wisp_json_str(step, "observed_note", ""));
	free(lost);
	return wisp_buf_detach(&b);
}

void
wisp_turn_enter_tests(struct wisp_turn *t)
{
	static const char *const counts[] = {"passed", "failed", "skipped", "new"};
	static const char *const some[] = {"lost", "removed", "flaky"};
	const struct cJSON *tests = wisp_json_get(t->step, "tests");
	struct cJSON *o;

	if (tests == NULL)
		return;
	o = wisp_json_object_at(t->entry, "tests");
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		wisp_json_set_num(o, counts[i], wisp_json_num(tests, counts[i], 0));
	for (size_t i = 0; i < sizeof some / sizeof *some; i++)
		wisp_json_set_num(o, some[i], wisp_json_num(wisp_json_get(tests, some[i]), "count", 0));
}

static void
tell(struct wisp_turn *t, const char *kind, const struct cJSON *some)
{
	long long more = wisp_json_int(some, "count", 0) - (long long)wisp_json_len(wisp_json_get(some, "names"));
	struct cJSON *told, *items;
	char *text;

	if (wisp_json_len(some) == 0)
		return;
	told = wisp_record_tell(t->r, kind, NULL);
	items = wisp_json_copy(wisp_json_get(some, "names"));
	if (more > 0) {
		text = wisp_str("... and %lld more", more);
		wisp_json_push(items, wisp_json_string(text));
		free(text);
	}
	wisp_json_set_num(told, "iteration", wisp_json_num(t->step, "iteration", 0));
	wisp_json_set(told, "items", items);
}

void
wisp_turn_tell_tests(struct wisp_turn *t)
{
	const struct cJSON *tests = wisp_json_get(t->step, "tests");

	tell(t, wisp_turn_tests_refused(t->step) ? "lost_refused" : "lost", wisp_json_get(tests, "lost"));
	tell(t, "flaky", wisp_json_get(tests, "worn"));
}
