/*
 * template: what a loop.json may say, and what is refused by file and member
 * before the first step.
 */
#include <unistd.h>

#include "core/filter.h"
#include "core/template.h"
#include "unit.h"

#define PHASE(name, weight, more) "{\"name\": \"" name "\", \"weight\": " weight ", \"gate\": \"true\"" more "}"
#define PHASES(list) "{\"state\": \"phases\", \"phases\": [" list "]}"
#define TWO(more) "{\"phases\": [" PHASE("A", "40", "") ", " PHASE("B", "60", "") "]" more "}"
#define REJECT(from, to, when, max) \
	TWO(", \"reject\": {\"phase\": " from ", \"goto\": " to ", \"when\": " when ", \"max\": " max "}")

#define ORCHESTRATOR(members) "{\"orchestrator\": {" members "}}"
#define ROW(range, more, weight, mode) ORCHESTRATOR("\"detect\": [{\"category\": \"git\", \"fact\": \"commits\"" range ", \"signal\": \"x\", " \
	"\"weight\": " weight ", \"mode\": \"" mode "\"" more "}]")

static char dir[] = "/tmp/wisp-unit-template-XXXXXX";

static const struct {
	const char *label, *json;
} good[] = {
	{"nothing", "{}"},
	{"tasks", "{\"name\": \"x\", \"description\": \"\", \"state\": \"tasks\", \"config\": {\"stuck.noProgress\": 3}}"},
	{"one phase", PHASES(PHASE("A", "100", ""))},
	{"phases without the word", TWO("")},
	{"null is absent", PHASES(PHASE("A", "100", ", \"agent\": null, \"model\": null, \"prompt\": null, \"max_iterations\": null, "
					 "\"progress\": null, \"breaker\": null"))},
	{"all members", PHASES(PHASE("A", "100", ", \"agent\": \"codex\", \"model\": \"m\", \"prompt\": \"a.md\", "
				      "\"max_iterations\": 100, \"progress\": \".metrics.n > .last.n\", "
				      "\"breaker\": {\"no_progress\": 1, \"same_error\": 2}"))},
	{"weights with fractions", "{\"phases\": [" PHASE("A", "33.3", "") "," PHASE("B", "33.3", "") "," PHASE("C", "33.4", "") "]}"},
	{"a phase that weighs nothing", PHASES(PHASE("A", "100", "") "," PHASE("B", "0", ""))},
	{"reject", REJECT("\"B\"", "\"A\"", "\".metrics.no\"", "3")},
	{"reject to itself", REJECT("\"B\"", "\"B\"", "\"false\"", "1")},
	{"no reject", TWO(", \"reject\": null")},
	{"names beyond ASCII", PHASES(PHASE("Prüfung 1", "100", ""))},
	{"unknown members", TWO(", \"more\": 1")},
	{"an orchestrator that says nothing", ORCHESTRATOR("")},
	{"all limits of it", ORCHESTRATOR("\"limits\": {\"systems\": 1000, \"loops\": 1, \"restarts\": 0, \"back\": 0, \"invalid\": null}")},
	{"a row that always holds", ROW("", "", "0.1", "polish")},
	{"a row that holds for one number, and another fact", ROW(", \"min\": 3, \"max\": 3", ", \"and\": {\"fact\": \"tests\", \"max\": 0}",
								 "1000", "greenfield")},
	{"a gate with a definition and a comment", "{\"phases\": [{\"name\": \"A\", \"weight\": 100, "
	 "\"gate\": \"def f: 1; f == 1 # one \\\\\"}]}"},
};

static const struct {
	const char *label, *json, *error;	/* its beginning, after `DIR/loop.json:` */
} bad[] = {
	{"no object", "[]", "1:1: template: expected an object, not an array"},
	{"malformed", "{", "1:2: "},
	{"empty", "", " empty"},
	{"duplicate member", "{\"name\": \"a\", \"name\": \"b\"}", "1:15: "},
	{"name", "{\"name\": 1}", "1:10: template.name: expected a string, not a number"},
	{"unknown state", "{\"state\": \"phase\"}", "1:11: template.state: expected one of tasks|phases, not 'phase'"},
	{"config", "{\"config\": []}", "1:12: template.config: expected an object, not an array"},
	{"orchestrator of another type", "{\"orchestrator\": []}", "1:18: template.orchestrator: expected an object, not an array"},
	{"limits of another type", ORCHESTRATOR("\"limits\": 3"), "1:29: template.orchestrator.limits: expected an object, not a number"},
	{"no system", ORCHESTRATOR("\"limits\": {\"systems\": 0}"),
	 "1:41: template.orchestrator.limits.systems: expected a whole number from 1 to 1000"},
	{"half a loop", ORCHESTRATOR("\"limits\": {\"loops\": 1.5}"), "1:39: template.orchestrator.limits.loops: expected a whole number"},
	{"a limit in words", ORCHESTRATOR("\"limits\": {\"back\": \"2\"}"), "1:38: template.orchestrator.limits.back: expected a whole number"},
	{"detect of another type", ORCHESTRATOR("\"detect\": {}"), "1:29: template.orchestrator.detect: expected an array, not an object"},
	{"no row", ORCHESTRATOR("\"detect\": []"), "1:29: template.orchestrator.detect: expected at least one row"},
	{"a row that is none", ORCHESTRATOR("\"detect\": [1]"), "1:30: template.orchestrator.detect[0]: expected an object, not a number"},
	{"a row without a fact", ORCHESTRATOR("\"detect\": [{}]"), "1:30: template.orchestrator.detect[0].fact: is missing"},
	{"a fact that nobody counts", ORCHESTRATOR("\"detect\": [{\"fact\": \"moons\"}]"),
	 "1:39: template.orchestrator.detect[0].fact: expected one of files|source|"},
	{"a category that is none", ORCHESTRATOR("\"detect\": [{\"fact\": \"ci\", \"category\": \"x\"}]"),
	 "1:57: template.orchestrator.detect[0].category: expected one of codebase|git|cicd|deploy|tests|docs, not 'x'"},
	{"a mode by its whole name", ROW("", "", "1", "brownfield-polish"),
	 "1:105: template.orchestrator.detect[0].mode: expected one of greenfield|feature|polish, not 'brownfield-polish'"},
	{"a weight of nothing", ROW("", "", "0", "polish"), "1:94: template.orchestrator.detect[0].weight: expected a number above 0, at most 1000"},
	{"a weight without end", ROW("", "", "1e400", "polish"), "1:94: template.orchestrator.detect[0].weight: expected a number above 0"},
	{"min above max", ROW(", \"min\": 4, \"max\": 3", "", "1", "polish"),
	 "1:30: template.orchestrator.detect[0]: no number is as much as min, 4, and no more than max, 3"},
	{"a max below every number", ROW(", \"max\": -1", "", "1", "polish"),
	 "1:30: template.orchestrator.detect[0]: no number is as much as min, 0, and no more than max, -1"},
	{"min in halves", ROW(", \"min\": 0.5", "", "1", "polish"), "1:76: template.orchestrator.detect[0].min: expected a whole number"},
	{"a signal of two lines", ORCHESTRATOR("\"detect\": [{\"category\": \"git\", \"fact\": \"ci\", \"signal\": \"a\\nb\", \"weight\": 1, "
					      "\"mode\": \"polish\"}]"),
	 "1:74: template.orchestrator.detect[0].signal: must not hold a control character"},
	{"and without a fact", ROW("", ", \"and\": {\"min\": 1}", "1", "polish"), "1:122: template.orchestrator.detect[0].and.fact: is missing"},
	{"and with min above max", ROW("", ", \"and\": {\"fact\": \"ci\", \"min\": 2, \"max\": 1}", "1", "polish"),
	 "1:122: template.orchestrator.detect[0].and: no number is as much as min, 2"},
	{"no phases", "{\"state\": \"phases\"}", "1:1: template.phases: is missing"},
	{"no phase", "{\"phases\": []}", "1:12: template.phases: expected at least one phase"},
	{"phases for tasks", "{\"state\": \"tasks\", \"phases\": [" PHASE("A", "100", "") "]}",
	 "1:11: template.state: expected phases, for there are some"},
	{"a phase that is none", "{\"phases\": [1]}", "1:13: template.phases[0]: expected an object, not a number"},
	{"no name", "{\"phases\": [{\"weight\": 100, \"gate\": \"true\"}]}", "1:13: template.phases[0].name: is missing"},
	{"empty name", PHASES(PHASE("", "100", "")), "1:41: template.phases[0].name: must not be empty"},
	{"control character", PHASES(PHASE("A\\nB", "100", "")), "1:41: template.phases[0].name: must not hold a control character"},
	{"same name", PHASES(PHASE("A", "50", "") "," PHASE("A", "50", "")),
	 "1:85: template.phases[1].name: there is a phase 'A' already"},
	{"no weight", "{\"phases\": [{\"name\": \"A\", \"gate\": \"true\"}]}", "1:13: template.phases[0].weight: is missing"},
	{"weight of another type", PHASES(PHASE("A", "\"100\"", "")), "1:56: template.phases[0].weight: expected a number, not a string"},
	{"negative weight", PHASES(PHASE("A", "-1", "") "," PHASE("B", "101", "")),
	 "1:56: template.phases[0].weight: expected a number from 0 to 100"},
	{"huge weight", PHASES(PHASE("A", "1e400", "")), "1:56: template.phases[0].weight: expected a number from 0 to 100"},
	{"weights of 90", PHASES(PHASE("A", "40", "") "," PHASE("B", "50", "")),
	 "1:31: template.phases: the weights add up to 90, not to 100"},
	{"weights of 110", PHASES(PHASE("A", "60", "") "," PHASE("B", "50", "")),
	 "1:31: template.phases: the weights add up to 110, not to 100"},
	{"no gate", "{\"phases\": [{\"name\": \"A\", \"weight\": 100}]}", "1:13: template.phases[0].gate: is missing"},
	{"empty gate", "{\"phases\": [{\"name\": \"A\", \"weight\": 100, \"gate\": \"\"}]}",
	 "1:50: template.phases[0].gate: must not be empty"},
	{"a gate of another type", "{\"phases\": [{\"name\": \"A\", \"weight\": 100, \"gate\": true}]}",
	 "1:50: template.phases[0].gate: expected a string, not a boolean"},
	{"no such prompt", PHASES(PHASE("A", "100", ", \"prompt\": \"b.md\"")),
	 "1:87: template.phases[0].prompt: there is no file 'b.md' to be read in the template's folder"},
	{"prompt elsewhere", PHASES(PHASE("A", "100", ", \"prompt\": \"../a.md\"")),
	 "1:87: template.phases[0].prompt: expected the name of a file in the template's folder, not '../a.md'"},
	{"prompt is a folder", PHASES(PHASE("A", "100", ", \"prompt\": \"..\"")),
	 "1:87: template.phases[0].prompt: there is no file '..' to be read in the template's folder"},
	{"no iteration", PHASES(PHASE("A", "100", ", \"max_iterations\": 0")),
	 "1:95: template.phases[0].max_iterations: expected a whole number from 1 to 100"},
	{"too many iterations", PHASES(PHASE("A", "100", ", \"max_iterations\": 101")),
	 "1:95: template.phases[0].max_iterations: expected a whole number from 1 to 100"},
	{"half an iteration", PHASES(PHASE("A", "100", ", \"max_iterations\": 1.5")),
	 "1:95: template.phases[0].max_iterations: expected a whole number"},
	{"breaker of 0", PHASES(PHASE("A", "100", ", \"breaker\": {\"no_progress\": 0}")),
	 "1:104: template.phases[0].breaker.no_progress: expected a whole number from 1 to 100"},
	{"breaker of another type", PHASES(PHASE("A", "100", ", \"breaker\": {\"same_error\": \"3\"}")),
	 "1:103: template.phases[0].breaker.same_error: expected a number, not a string"},
	{"reject without phases", "{\"reject\": {\"phase\": \"A\", \"goto\": \"A\", \"when\": \"true\", \"max\": 1}}",
	 "1:22: template.reject.phase: there is no phase 'A'"},
	{"reject of an unknown phase", REJECT("\"C\"", "\"A\"", "\"true\"", "1"), "1:124: template.reject.phase: there is no phase 'C'"},
	{"unknown goto", REJECT("\"B\"", "\"C\"", "\"true\"", "1"), "1:137: template.reject.goto: there is no phase 'C'"},
	{"goto after phase", REJECT("\"A\"", "\"B\"", "\"true\"", "1"), "1:137: template.reject.goto: phase 'B' comes after 'A'"},
	{"reject without max", TWO(", \"reject\": {\"phase\": \"B\", \"goto\": \"A\", \"when\": \"true\"}"),
	 "1:114: template.reject.max: is missing"},
	{"reject max 0", REJECT("\"B\"", "\"A\"", "\"true\"", "0"), "1:165: template.reject.max: expected a whole number from 1"},
	{"a gate that does not compile", "{\"phases\": [" PHASE("A", "40", "") ", {\"name\": \"B\", \"weight\": 60, \"gate\": \".a |\"}]}",
	 "1:94: template.phases[1].gate: filter '.a |': syntax error"},
	{"progress that does not compile", PHASES(PHASE("A", "100", ", \"progress\": \"nothing_known\"")),
	 "1:89: template.phases[0].progress: filter 'nothing_known': nothing_known/0 is not defined"},
	{"reject that does not compile", REJECT("\"B\"", "\"A\"", "\"$x\"", "1"), "1:150: template.reject.when: filter '$x': $x is not defined"},
	{"a gate of definitions alone", "{\"phases\": [{\"name\": \"A\", \"weight\": 100, \"gate\": \"def f: 1;\"}]}",
	 "1:50: template.phases[0].gate: filter 'def f: 1;': syntax error"},
	{"a gate that breaks out", "{\"phases\": [{\"name\": \"A\", \"weight\": 100, \"gate\": \"1], 2, [3\"}]}",
	 "1:50: template.phases[0].gate: filter '1], 2, [3': syntax error"},
	{"a gate that imports", "{\"phases\": [{\"name\": \"A\", \"weight\": 100, \"gate\": \"import \\\"m\\\" as m; true\"}]}",
	 "1:50: template.phases[0].gate: filter 'import \"m\" as m; true': "},
};

static void
put(const char *name, const char *text)
{
	char *path = wisp_str("%s/%s", dir, name);

	if (wisp_file_write(path, text, strlen(text), WISP_NOSYNC) != 0)
		die_sys("cannot write '%s'", path);
	free(path);
}

static void
holds(void)
{
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct wisp_err err = WISP_ERR_INIT;
		struct cJSON *doc = NULL;

		put("loop.json", good[i].json);
		CHECK_INT(wisp_template_load(dir, wisp_filter_compile, &doc, &err), 0, good[i].label);
		CHECK_OWN(wisp_strdup(err.text), NULL, good[i].label);
		wisp_json_free(doc);
		wisp_err_release(&err);
	}
}

static void
refusals(void)
{
	char *file = wisp_str("%s/loop.json:", dir);

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct wisp_err err = WISP_ERR_INIT;
		struct cJSON *doc = NULL;
		char *text, *begin = wisp_str("%s%s", file, bad[i].error);

		put("loop.json", bad[i].json);
		CHECK_INT(wisp_template_load(dir, wisp_filter_compile, &doc, &err), -1, bad[i].label);
		text = wisp_err_string(&err);
		if (strlen(text) > strlen(begin))
			text[strlen(begin)] = '\0';
		CHECK_STR(text, begin, bad[i].label);
		CHECK(doc == NULL, "  nothing is given");
		free(text);
		free(begin);
		wisp_err_release(&err);
	}
	free(file);
}

static void
missing(void)
{
	char *path = wisp_str("%s/loop.json", dir), *none = wisp_str("%s/none", dir);
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *doc = NULL;

	(void)unlink(path);
	CHECK_INT(wisp_template_load(dir, wisp_filter_compile, &doc, &err), 0, "a template of prompts alone");
	CHECK_INT(wisp_json_len(doc), 0, "  is empty");
	CHECK(wisp_template_machine(doc) == NULL, "  and has no phases");
	wisp_json_free(doc);
	doc = NULL;
	CHECK_INT(wisp_template_load(none, NULL, &doc, &err), -1, "no folder");
	CHECK_STR(err.text, "missing", "  its message");
	wisp_err_release(&err);
	free(path);
	free(none);
}

/* `compile` NULL leaves the filters alone; the members that a record keeps. */
static void
machines(void)
{
	struct cJSON *doc = NULL, *machine;

	put("loop.json", "{\"phases\": [{\"name\": \"A\", \"weight\": 100, \"gate\": \"|\"}]}");
	CHECK_INT(wisp_template_load(dir, NULL, &doc, NULL), 0, "not compiled");
	machine = wisp_template_machine(doc);
	CHECK_INT(wisp_json_len(machine), 2, "phases and reject");
	CHECK_INT(wisp_json_type(wisp_json_get(machine, "reject")), WISP_T_NULL, "  which is null");
	CHECK_STR(wisp_json_str(wisp_template_phase(machine, "A"), "gate", ""), "|", "a phase by its name");
	CHECK(wisp_template_phase(machine, "a") == NULL, "  with its case");
	CHECK(wisp_template_phase(NULL, "A") == NULL, "  of no machine");
	wisp_json_free(machine);
	wisp_json_free(doc);
	machine = wisp_template_tdd();
	CHECK_INT(wisp_json_len(wisp_json_get(machine, "phases")), 5, "RED to QA");
	CHECK_INT(wisp_json_int(wisp_template_phase(machine, "GREEN"), "weight", 0), 45, "  with its weight");
	wisp_json_free(machine);
}

/* What is shipped holds, and tdd has the phases of 000_. */
static void
shipped(void)
{
	static const char *const names[] = {"default", "tdd", "review"};
	struct cJSON *tdd = wisp_template_tdd();

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char *path = wisp_str("templates/%s", names[i]);
		struct wisp_err err = WISP_ERR_INIT;
		struct cJSON *doc = NULL, *machine;

		CHECK_INT(wisp_template_load(path, wisp_filter_compile, &doc, &err), 0, path);
		CHECK_OWN(wisp_strdup(err.text), NULL, path);
		machine = wisp_template_machine(doc);
		for (const struct cJSON *p = strcmp(names[i], "tdd") == 0 ? wisp_json_first(wisp_json_get(tdd, "phases")) : NULL;
		     p != NULL; p = wisp_json_next(p)) {
			const struct cJSON *q = wisp_template_phase(machine, wisp_json_str(p, "name", ""));

			CHECK_INT(wisp_json_int(q, "weight", -1), wisp_json_int(p, "weight", 0), wisp_json_str(p, "name", ""));
			CHECK_INT(wisp_json_int(q, "max_iterations", -1), wisp_json_int(p, "max_iterations", 0), "  its iterations");
		}
		wisp_json_free(machine);
		wisp_json_free(doc);
		wisp_err_release(&err);
		free(path);
	}
	wisp_json_free(tdd);
}

static void
installed(void)
{
	char *share = wisp_str("%s/share", dir), *tdd = wisp_str("%s/share/templates/tdd", dir);

	CHECK_INT(wisp_dir_make(tdd), 0, "a place of templates");
	setenv("WISP_SHARE", share, 1);
	CHECK_OWN(wisp_template_installed("tdd"), tdd, "below WISP_SHARE");
	CHECK_OWN(wisp_template_installed("other"), NULL, "and no other");
	free(share);
	free(tdd);
}

int
main(void)
{
	wisp_die_name("template");
	if (mkdtemp(dir) == NULL)
		die_sys("cannot make '%s'", dir);
	put("a.md", "A\n");
	holds();
	refusals();
	missing();
	machines();
	shipped();
	installed();
	CHECK_INT(wisp_dir_remove(dir), 0, "clean up");
	return unit_done();
}
