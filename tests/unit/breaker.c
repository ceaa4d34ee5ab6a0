/*
 * breaker: the thresholds, and iterations as words: `-` without progress, `+`
 * with it; a letter after it is the error. What is expected after all of them:
 * the state, both counts, and the reason where there is one.
 */
#include "core/breaker.h"

#include "core/config.h"
#include "core/time.h"
#include "unit.h"

static const struct {
	const char *phase;
	int no_progress, same_error;
} table[] = {
	{"RED", 3, 5}, {"GREEN", 2, 3}, {"REFACTOR", 5, 5}, {"DOCUMENT", 3, 5}, {"QA", 3, 3},
	{"green", 3, 5}, {"BUILD", 3, 5}, {NULL, 3, 5}	/* stuck.noProgress, stuck.similarErrors */
};

static const struct {
	const char *label;
	struct wisp_thresholds t;
	const char *steps, *expected;
} cases[] = {
	{"new", {3, 5}, "", "CLOSED 0 0"},
	{"progress", {3, 5}, "+", "CLOSED 0 0"},
	{"once without", {3, 5}, "-", "CLOSED 1 0"},
	{"twice without is HALF_OPEN", {3, 5}, "- -", "HALF_OPEN 2 0"},
	{"progress closes it", {3, 5}, "- - +", "CLOSED 0 0"},
	{"and the row begins anew", {3, 5}, "- - + - -", "HALF_OPEN 2 0"},
	{"RED opens at 3", {3, 5}, "- - -", "OPEN 3 0: No progress for 3 iterations"},
	{"GREEN opens at 2, without HALF_OPEN", {2, 3}, "- -", "OPEN 2 0: No progress for 2 iterations"},
	{"REFACTOR: 4 are HALF_OPEN still", {5, 5}, "- - - -", "HALF_OPEN 4 0"},
	{"REFACTOR opens at 5", {5, 5}, "- - - - -", "OPEN 5 0: No progress for 5 iterations"},
	{"a threshold of 1", {1, 5}, "-", "OPEN 1 0: No progress for 1 iterations"},
	{"no threshold: HALF_OPEN for ever", {-1, -1}, "-a -a -a -a -a -a -a", "HALF_OPEN 7 7"},
	{"open stays open at progress", {2, 3}, "- - +", "OPEN 2 0: No progress for 2 iterations"},
	{"open counts no more", {2, 3}, "- - -a -a -a", "OPEN 2 0: No progress for 2 iterations"},
	{"one error", {3, 5}, "+a", "CLOSED 0 1"},
	{"another error counts from 1", {3, 5}, "+a +a +b", "CLOSED 0 1"},
	{"the first error again counts from 1", {3, 5}, "+a +b +a", "CLOSED 0 1"},
	{"GREEN: two of the same", {2, 3}, "+a +a", "CLOSED 0 2"},
	{"GREEN: three of the same, though there is progress", {2, 3}, "+a +a +a", "OPEN 0 3: Same error repeated 3 times"},
	{"an iteration without an error is not in the row", {2, 3}, "+a + +a + +a", "OPEN 0 3: Same error repeated 3 times"},
	{"QA: three of the same", {3, 3}, "-a +a -a", "OPEN 1 3: Same error repeated 3 times"},
	{"RED: four of the same", {3, 5}, "+a +a +a +a", "CLOSED 0 4"},
	{"RED: five of the same", {3, 5}, "+a +a +a +a +a", "OPEN 0 5: Same error repeated 5 times"},
	{"both at once: the error is the reason", {3, 3}, "-a -a -a", "OPEN 3 3: Same error repeated 3 times"},
	{"an empty error is none", {3, 3}, "+. +. +.", "CLOSED 0 0"},
};

static void
thresholds(void)
{
	struct cJSON *config = wisp_config_defaults(), *machine;
	const char *own = "{\"phases\": [{\"name\": \"GREEN\", \"breaker\": {\"no_progress\": 7, \"same_error\": 8}},"
			  " {\"name\": \"BUILD\", \"breaker\": {\"no_progress\": 9}}, {\"name\": \"RED\"}]}";
	struct wisp_thresholds t;

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		t = wisp_breaker_thresholds(NULL, table[i].phase, config);
		CHECK_INT(t.no_progress, table[i].no_progress, table[i].phase != NULL ? table[i].phase : "no phase");
		CHECK_INT(t.same_error, table[i].same_error, "its same error");
	}
	machine = wisp_json_parse(own, strlen(own), "machine", NULL);
	t = wisp_breaker_thresholds(machine, "GREEN", config);
	CHECK(t.no_progress == 7 && t.same_error == 8, "the machine's own come first");
	t = wisp_breaker_thresholds(machine, "BUILD", config);
	CHECK(t.no_progress == 9 && t.same_error == 5, "what it leaves out is the configuration's");
	t = wisp_breaker_thresholds(machine, "RED", config);
	CHECK(t.no_progress == 3 && t.same_error == 5, "or the table's");
	wisp_json_set_null(config, "stuck.noProgress");
	CHECK_INT(wisp_breaker_thresholds(machine, NULL, config).no_progress, -1, "none in the configuration is none");
	wisp_json_free(machine);
	wisp_json_free(config);
}

static struct cJSON *
after(const char *steps, struct wisp_thresholds t)
{
	struct cJSON *breaker = wisp_breaker_new();
	char *copy = wisp_strdup(steps), *word, *rest = NULL;

	for (word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
		wisp_breaker_update(breaker, t, *word == '+', word[1] == '.' ? "" : word[1] != '\0' ? word + 1 : NULL, NULL);
	free(copy);
	return breaker;
}

static void
updates(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct cJSON *breaker = after(cases[i].steps, cases[i].t);
		const char *reason = wisp_json_str(breaker, "open_reason", NULL);
		bool open = wisp_breaker_open(breaker);

		CHECK_OWN(wisp_str("%s %lld %lld%s%s", wisp_json_str(breaker, "state", "-"),
				   wisp_json_int(breaker, "no_progress_count", -1), wisp_json_int(breaker, "same_error_count", -1),
				   reason != NULL ? ": " : "", reason != NULL ? reason : ""), cases[i].expected, cases[i].label);
		CHECK_INT(open, strncmp(cases[i].expected, "OPEN", 4) == 0, "open?");
		CHECK_INT(wisp_time_parse(wisp_json_str(breaker, "opened_at", NULL)) >= 0, open, "opened_at is a time when it is open");
		wisp_json_free(breaker);
	}
}

static void
fields(void)
{
	struct wisp_thresholds t = {2, 3};
	struct cJSON *breaker = wisp_breaker_new(), *metrics = wisp_json_object(), *found;
	char *big = wisp_alloc(9001, 1);

	wisp_json_set_num(metrics, "tests_passing", 4);
	wisp_breaker_update(breaker, t, true, "abc", metrics);
	CHECK_STR(wisp_json_str(breaker, "last_error_hash", NULL),
		  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "SHA-256 of the error");
	found = wisp_json_get(breaker, "last_progress_metric");
	CHECK(wisp_json_equal(found, metrics), "last_progress_metric");
	wisp_json_set_num(metrics, "tests_passing", 5);
	wisp_breaker_update(breaker, t, false, NULL, metrics);
	CHECK_INT(wisp_json_int(wisp_json_get(breaker, "last_progress_metric"), "tests_passing", 0), 4, "not without progress");

	memset(big, 'x', 9000);
	wisp_breaker_update(breaker, t, true, big, NULL);
	big[8999] = 'y';
	wisp_breaker_update(breaker, t, true, big, NULL);
	CHECK_INT(wisp_json_int(breaker, "same_error_count", 0), 1, "the whole error counts, not its beginning");

	wisp_breaker_reset(breaker);
	wisp_breaker_warn(breaker);
	CHECK_STR(wisp_json_str(breaker, "state", NULL), "HALF_OPEN", "a warning");
	wisp_breaker_update(breaker, t, false, NULL, NULL);
	wisp_breaker_update(breaker, t, false, NULL, NULL);
	wisp_breaker_warn(breaker);
	CHECK(wisp_breaker_open(breaker), "does not close an open one");
	wisp_breaker_reset(breaker);
	CHECK_STR(wisp_json_str(breaker, "state", NULL), "CLOSED", "reset");
	CHECK(wisp_json_str(breaker, "open_reason", NULL) == NULL && wisp_json_str(breaker, "opened_at", NULL) == NULL &&
	      wisp_json_str(breaker, "last_error_hash", NULL) == NULL && wisp_json_int(breaker, "no_progress_count", -1) == 0,
	      "and what stood in it");
	wisp_breaker_trip(breaker, "why");
	CHECK(wisp_breaker_open(breaker) && wisp_json_str(breaker, "opened_at", NULL) != NULL, "another rule opens it");
	CHECK_STR(wisp_json_str(breaker, "open_reason", NULL), "why", "for its reason");
	wisp_json_set_str(breaker, "opened_at", "before");
	wisp_breaker_trip(breaker, "because");
	CHECK_STR(wisp_json_str(breaker, "opened_at", NULL), "before", "once more: it opened when it did");
	CHECK_STR(wisp_json_str(breaker, "open_reason", NULL), "because", "and the reason is the last one");
	wisp_breaker_reset(breaker);
	wisp_json_set_num(breaker, "no_progress_count", -40);
	wisp_breaker_update(breaker, t, false, NULL, NULL);
	CHECK_INT(wisp_json_int(breaker, "no_progress_count", 0), 1, "a count below 0 is 0");
	free(big);
	wisp_json_free(metrics);
	wisp_json_free(breaker);
}

int
main(void)
{
	thresholds();
	updates();
	fields();
	return unit_done();
}
