/*
 * phase_gates: the gates and rules of progress of seed 003_, as the template tdd
 * has them, each with what it takes for a metric that is not there or no number,
 * and what becomes of a filter that gives no answer.
 */
#include "core/phase.h"
#include "core/template.h"
#include "parse.h"
#include "unit.h"

static struct cJSON *tdd;

static const struct {
	const char *phase, *metrics, *last;
	bool gate, progress;
} cases[] = {
	/* tests_generated >= criteria_count (1) and tests_failing == tests_generated */
	{"RED", "{}", "{}", false, false},
	{"RED", "{\"tests_generated\":5,\"criteria_count\":5,\"tests_failing\":5}", "{}", true, true},
	{"RED", "{\"tests_generated\":6,\"criteria_count\":5,\"tests_failing\":6}", "{\"tests_generated\":6}", true, false},
	{"RED", "{\"tests_generated\":1,\"tests_failing\":1}", "{}", true, true},
	{"RED", "{\"tests_generated\":4,\"criteria_count\":5,\"tests_failing\":4}", "{\"tests_generated\":5}", false, false},
	{"RED", "{\"tests_generated\":5,\"criteria_count\":5,\"tests_failing\":4}", "{\"tests_generated\":4}", false, true},
	{"RED", "{\"tests_generated\":5,\"criteria_count\":5}", "{}", false, true},
	{"RED", "{\"tests_generated\":0,\"criteria_count\":0,\"tests_failing\":0}", "{}", true, false},
	{"RED", "{\"criteria_covered\":2}", "{\"criteria_covered\":1}", false, true},
	{"RED", "{\"criteria_covered\":1}", "{\"criteria_covered\":2}", false, false},
	{"RED", "{\"tests_generated\":\"5\",\"criteria_count\":5,\"tests_failing\":5}", "{}", false, false},
	{"RED", "{\"tests_generated\":5,\"criteria_count\":\"5\",\"tests_failing\":5}", "{}", true, true},
	{"RED", "{\"tests_generated\":-5,\"criteria_count\":-5,\"tests_failing\":-5}", "{}", false, false},
	{"RED", "{\"tests_generated\":null,\"criteria_count\":null,\"tests_failing\":null}", "{}", false, false},
	{"RED", "{\"tests_generated\":1e308,\"criteria_count\":1,\"tests_failing\":1e308}", "{\"tests_generated\":1e307}", true, true},
	{"RED", "{\"tests_generated\":[5],\"criteria_count\":{},\"tests_failing\":true}", "{}", false, false},

	/* tests_failing (1) == 0, tests_passing == tests_total, consecutive_green_runs >= 2 */
	{"GREEN", "{}", "{}", false, false},
	{"GREEN", "{\"tests_failing\":0,\"tests_passing\":9,\"tests_total\":9,\"consecutive_green_runs\":2}", "{}", true, true},
	{"GREEN", "{\"tests_failing\":0,\"tests_passing\":9,\"tests_total\":9,\"consecutive_green_runs\":1}", "{\"tests_passing\":9}", false, true},
	{"GREEN", "{\"tests_failing\":0,\"tests_passing\":9,\"tests_total\":9}", "{\"tests_passing\":9,\"tests_failing\":0}", false, false},
	{"GREEN", "{\"tests_passing\":9,\"tests_total\":9,\"consecutive_green_runs\":2}", "{\"tests_passing\":9}", false, false},
	{"GREEN", "{\"tests_failing\":1,\"tests_passing\":8,\"tests_total\":9,\"consecutive_green_runs\":2}", "{\"tests_passing\":9,\"tests_failing\":2}", false, true},
	{"GREEN", "{\"tests_failing\":0,\"tests_passing\":8,\"tests_total\":9,\"consecutive_green_runs\":3}", "{\"tests_passing\":8,\"tests_failing\":0}", false, false},
	{"GREEN", "{\"tests_failing\":0,\"consecutive_green_runs\":2}", "{}", true, true},
	{"GREEN", "{\"tests_failing\":3}", "{}", false, true},
	{"GREEN", "{}", "{\"tests_failing\":3}", false, false},
	{"GREEN", "{\"tests_failing\":\"0\",\"tests_passing\":9,\"tests_total\":9,\"consecutive_green_runs\":2}", "{\"tests_passing\":9}", false, false},
	{"GREEN", "{\"tests_failing\":0,\"tests_passing\":9,\"tests_total\":9,\"consecutive_green_runs\":\"2\"}", "{\"tests_passing\":9,\"tests_failing\":0}", false, false},
	{"GREEN", "{\"tests_failing\":-1,\"tests_passing\":9,\"tests_total\":9,\"consecutive_green_runs\":2}", "{\"tests_passing\":9}", false, false},
	{"GREEN", "{\"tests_failing\":0,\"tests_passing\":9,\"tests_total\":null,\"consecutive_green_runs\":2}", "{}", false, true},
	{"GREEN", "{\"tests_failing\":0,\"tests_passing\":0,\"tests_total\":0,\"consecutive_green_runs\":1e300}", "{\"tests_failing\":0}", true, false},

	/* tests_passing == tests_total, and iteration >= 5 or refactoring_complete */
	{"REFACTOR", "{}", "{}", false, false},
	{"REFACTOR", "{\"tests_passing\":9,\"tests_total\":9,\"iteration\":5}", "{}", true, false},
	{"REFACTOR", "{\"tests_passing\":9,\"tests_total\":9,\"iteration\":4}", "{}", false, false},
	{"REFACTOR", "{\"tests_passing\":9,\"tests_total\":9,\"iteration\":1,\"refactoring_complete\":true}", "{}", true, false},
	{"REFACTOR", "{\"tests_passing\":8,\"tests_total\":9,\"iteration\":5,\"refactoring_complete\":true}", "{}", false, false},
	{"REFACTOR", "{\"tests_passing\":9,\"tests_total\":9,\"refactoring_complete\":\"yes\"}", "{}", false, false},
	{"REFACTOR", "{\"tests_passing\":9,\"tests_total\":9,\"iteration\":\"5\"}", "{}", false, false},
	{"REFACTOR", "{\"refactoring_complete\":true}", "{}", true, false},
	{"REFACTOR", "{\"patterns_applied\":[\"a\",\"b\"]}", "{\"patterns_applied\":[\"a\"]}", false, true},
	{"REFACTOR", "{\"patterns_applied\":[\"a\"]}", "{}", false, true},
	{"REFACTOR", "{\"patterns_applied\":[\"a\"]}", "{\"patterns_applied\":[\"b\"]}", false, false},
	{"REFACTOR", "{\"patterns_applied\":\"many\"}", "{\"patterns_applied\":3}", false, false},
	{"REFACTOR", "{\"complexity_score\":4.5}", "{\"complexity_score\":5}", false, true},
	{"REFACTOR", "{\"complexity_score\":5}", "{\"complexity_score\":5}", false, false},
	{"REFACTOR", "{\"complexity_score\":5}", "{}", false, true},
	{"REFACTOR", "{}", "{\"complexity_score\":5}", false, false},

	/* docs_generated >= 3, has_adr */
	{"DOCUMENT", "{}", "{}", false, false},
	{"DOCUMENT", "{\"docs_generated\":3,\"has_adr\":true}", "{}", true, true},
	{"DOCUMENT", "{\"docs_generated\":2,\"has_adr\":true}", "{\"docs_generated\":2}", false, false},
	{"DOCUMENT", "{\"docs_generated\":3,\"has_adr\":false}", "{\"docs_generated\":4}", false, false},
	{"DOCUMENT", "{\"docs_generated\":3,\"has_adr\":\"true\"}", "{\"docs_generated\":3}", false, false},
	{"DOCUMENT", "{\"docs_generated\":3,\"has_adr\":1}", "{\"docs_generated\":3}", false, false},
	{"DOCUMENT", "{\"docs_generated\":\"3\",\"has_adr\":true}", "{}", false, false},
	{"DOCUMENT", "{\"diagrams_valid\":1}", "{\"diagrams_valid\":0}", false, true},
	{"DOCUMENT", "{\"docs_generated\":3}", "{}", false, true},

	/* blocking_issues (1) == 0, verdict APPROVE */
	{"QA", "{}", "{}", false, false},
	{"QA", "{\"blocking_issues\":0,\"verdict\":\"APPROVE\"}", "{}", true, true},
	{"QA", "{\"blocking_issues\":0,\"verdict\":\"APPROVE\"}", "{\"blocking_issues\":0}", true, false},
	{"QA", "{\"verdict\":\"APPROVE\"}", "{}", false, false},
	{"QA", "{\"blocking_issues\":1,\"verdict\":\"APPROVE\"}", "{\"blocking_issues\":2}", false, true},
	{"QA", "{\"blocking_issues\":0,\"verdict\":\"approve\"}", "{\"blocking_issues\":0}", false, false},
	{"QA", "{\"blocking_issues\":0,\"verdict\":[\"APPROVE\"]}", "{\"blocking_issues\":0}", false, false},
	{"QA", "{\"blocking_issues\":null,\"verdict\":\"APPROVE\"}", "{}", false, false},
	{"QA", "{\"checks_passing\":4}", "{\"checks_passing\":3}", false, true},
	{"QA", "{\"checks_passing\":3}", "{\"checks_passing\":4}", false, false},
};

static struct cJSON *
document(const char *metrics, const char *last)
{
	struct cJSON *doc = wisp_json_object();

	wisp_json_set(doc, "metrics", parse(metrics));
	wisp_json_set(doc, "last", parse(last));
	return doc;
}

static struct cJSON *
in_phase(const char *name)
{
	struct cJSON *loop = wisp_json_object();

	wisp_json_set_str(loop, "current_phase", name);
	return loop;
}

static void
gates(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct cJSON *doc = document(cases[i].metrics, cases[i].last), *loop = in_phase(cases[i].phase);
		char *label = wisp_str("%s %s after %s", cases[i].phase, cases[i].metrics, cases[i].last);
		struct wisp_err err = WISP_ERR_INIT;
		struct wisp_phase_answer a;

		CHECK_INT(wisp_phase_ask(&a, tdd, loop, doc, false, &err), 0, label);
		CHECK_OWN(wisp_strdup(err.text), NULL, "  its filters answer");
		CHECK_INT(a.gate_1, cases[i].gate, "  gate");
		CHECK_INT(a.progress, cases[i].progress, "  progress");
		CHECK(!a.gate_2 && !a.reject, "  no more");
		wisp_err_release(&err);
		free(label);
		wisp_json_free(doc);
		wisp_json_free(loop);
	}
}

/* The rule that is asked in QA alone, and what is told of the place in the whole. */
static void
rejects(void)
{
	static const struct {
		const char *phase, *metrics;
		bool reject;
		int attempts, most;
	} table[] = {
		{"QA", "{\"verdict\":\"REJECT\"}", true, 3, 3},
		{"QA", "{\"verdict\":\"APPROVE\"}", false, 3, 3},
		{"QA", "{}", false, 3, 3},
		{"GREEN", "{\"verdict\":\"REJECT\"}", false, 0, 0},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct cJSON *doc = document(table[i].metrics, "{}"), *loop = in_phase(table[i].phase);
		struct wisp_phase_answer a;

		wisp_json_set_num(loop, "qa_attempts", 2);
		CHECK_INT(wisp_phase_ask(&a, tdd, loop, doc, true, NULL), 0, table[i].metrics);
		CHECK_INT(a.reject, table[i].reject, "  reject");
		CHECK_INT(a.attempts, table[i].attempts, "  attempts");
		CHECK_INT(a.attempts_max, table[i].most, "  of");
		CHECK(a.gate_2, "  gate 2 is what was said");
		CHECK(!a.last, "  others are left");
		wisp_json_free(doc);
		wisp_json_free(loop);
	}
}

static void
last_phase(void)
{
	struct cJSON *doc = document("{}", "{}"), *loop = in_phase("GREEN");
	struct wisp_phase_answer a;

	wisp_json_set(loop, "phases_completed", parse("[\"RED\", \"REFACTOR\", \"QA\"]"));
	CHECK_INT(wisp_phase_ask(&a, tdd, loop, doc, false, NULL), 0, "one is left");
	CHECK(!a.last, "  after this one");
	wisp_json_set(loop, "phases_completed", parse("[\"DOCUMENT\", \"RED\", \"REFACTOR\", \"QA\"]"));
	CHECK_INT(wisp_phase_ask(&a, tdd, loop, doc, false, NULL), 0, "none is left");
	CHECK(a.last, "  this is the last");
	wisp_json_free(doc);
	wisp_json_free(loop);
}

static const struct {
	const char *gate, *progress, *when, *error;	/* NULL: it answers, and all are true */
} filters[] = {
	{"true", "true", "true", NULL},
	{"true # \\", "true # \\", "true #", NULL},
	{"def f: true; f", "true", "true", NULL},
	{"\"true\"", "true", "true", "phase A: gate: filter '\"true\"': expected true or false, not \"true\""},
	{"1", "true", "true", "phase A: gate: filter '1': expected true or false, not 1"},
	{"true", ".metrics.none", "true", "phase A: progress: filter '.metrics.none': expected true or false, not null"},
	{"empty", "true", "true", "phase A: gate: filter 'empty': expected true or false, not nothing"},
	{"true", "true", "true, true", "phase A: reject: filter 'true, true': expected true or false, not true true"},
	{"true", "error(\"mine\")", "true", "phase A: progress: filter 'error(\"mine\")': mine"},
	{".metrics.a.b", "true", "true", "phase A: gate: filter '.metrics.a.b': Cannot index number with"},
	{"true", "true", "halt", "phase A: reject: filter 'halt': it halts"},
	{"true", "def f: f; f", "true", "phase A: progress: filter 'def f: f; f': it takes more than 2 seconds"},
	{"true],[true", "true", "true", "phase A: gate: filter 'true],[true': syntax error"},
	{"[limit(1; inputs)] == []", "true", "input", "phase A: reject: filter 'input': there is no more input"},
	{"$ENV == {}", "env == {}", "true", NULL},
};

static void
answers(void)
{
	struct cJSON *doc = document("{\"a\": 1}", "{}"), *loop = in_phase("A");

	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
		struct cJSON *machine = parse("{\"phases\": [{\"name\": \"A\", \"weight\": 100}], \"reject\": {\"phase\": \"A\", \"max\": 1}}");
		struct cJSON *phase = wisp_json_first(wisp_json_get(machine, "phases"));
		struct wisp_err err = WISP_ERR_INIT;
		struct wisp_phase_answer a;
		int rc;

		wisp_json_set_str(phase, "gate", filters[i].gate);
		wisp_json_set_str(phase, "progress", filters[i].progress);
		wisp_json_set_str(wisp_json_get(machine, "reject"), "when", filters[i].when);
		rc = wisp_phase_ask(&a, machine, loop, doc, false, &err);
		CHECK_INT(rc, filters[i].error != NULL ? -1 : 0, filters[i].gate);
		if (filters[i].error == NULL)
			CHECK(a.gate_1 && a.progress && a.reject, "  all are true");
		else
			CHECK(err.text != NULL && strncmp(err.text, filters[i].error, strlen(filters[i].error)) == 0, err.text);
		wisp_err_release(&err);
		wisp_json_free(machine);
	}
	wisp_json_free(doc);
	wisp_json_free(loop);
}

static void
unknown(void)
{
	struct cJSON *doc = document("{}", "{}"), *loop = in_phase("BLUE"), *bare = wisp_template_tdd(), *one;
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_phase_answer a;

	CHECK_INT(wisp_phase_ask(&a, tdd, loop, doc, true, &err), -1, "a phase that the template does not have");
	CHECK_STR(err.text, "the template has no phase 'BLUE'", "  its message");
	wisp_err_release(&err);
	wisp_json_set_str(loop, "current_phase", "RED");
	CHECK_INT(wisp_phase_ask(&a, bare, loop, doc, true, &err), -1, "a phase without a gate");
	CHECK_STR(err.text, "phase RED: gate: is missing", "  its message");
	wisp_err_release(&err);
	one = parse("{\"phases\": [{\"name\": \"RED\", \"gate\": \"true\"}], \"reject\": null}");
	CHECK_INT(wisp_phase_ask(&a, one, loop, doc, true, &err), 0, "a gate alone");
	CHECK(a.gate_1 && a.gate_2 && !a.progress && !a.reject && a.last, "  is all there is");
	wisp_json_free(one);
	wisp_json_free(bare);
	wisp_json_free(doc);
	wisp_json_free(loop);
}

int
main(void)
{
	struct cJSON *doc = NULL;

	wisp_die_name("phase_gates");
	CHECK_INT(wisp_template_load("templates/tdd", NULL, &doc, NULL), 0, "the template");
	tdd = wisp_template_machine(doc);
	gates();
	rejects();
	last_phase();
	answers();
	unknown();
	wisp_json_free(tdd);
	wisp_json_free(doc);
	return unit_done();
}
