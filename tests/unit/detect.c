/*
 * detect: what names of files count for, and what the table makes of facts.
 */
#include "core/schema.h"
#include "core/template.h"
#include "orch/detect.h"
#include "unit.h"

/* The facts that a path counts for beside `files`; the caller frees it. */
static char *
facts_of(const char *path)
{
	static const char *const names[] = {"files", "source", "manifests", "tests", "ci", "deploy", "docs", "readme"};
	long long facts[WISP_FACTS] = {0};
	struct wisp_buf out = WISP_BUF_INIT;

	wisp_facts_add(facts, path);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (facts[i] > 0)
			wisp_buf_printf(&out, "%s%s", out.len > 0 ? " " : "", names[i]);
	return out.len > 0 ? wisp_buf_detach(&out) : wisp_strdup("");
}

static const char *const paths[][2] = {
	{"src/main.c", "files source"}, {"a/b/app.tsx", "files source"}, {"data.bin", "files"}, {"noext", "files"}, {".hidden", "files"},
	{"README.md", "files docs readme"}, {"readme", "files readme"}, {"sub/README.md", "files docs"}, {"docs/a.rst", "files docs"},
	{"package.json", "files manifests"}, {"packages/x/package.json", "files manifests"}, {"Makefile", "files manifests"},
	{"tests/a.c", "files source tests"}, {"src/__tests__/a.js", "files source tests"}, {"test_a.py", "files source tests"},
	{"a_test.go", "files source tests"}, {"a.spec.ts", "files source tests"}, {"run.bats", "files tests"}, {"tests/data.json", "files"},
	{"src/AppTest.java", "files source tests"}, {"src/Test.java", "files source"}, {"latest.py", "files source"},
	{"src/CartTests.cs", "files source tests"}, {"Contests.cs", "files source"}, {"lib/cart_spec.rb", "files source tests"}, {"t/_test.go", "files source"},
	{"App.csproj", "files manifests"}, {"x.gemspec", "files manifests"}, {"build.zig", "files source manifests"},
	{".github/workflows/ci.yml", "files ci"}, {".github/CODEOWNERS", "files"}, {".gitlab-ci.yml", "files ci"}, {"Jenkinsfile", "files ci"},
	{".ci/run", "files ci"}, {"x/.github/workflows/ci.yml", "files"},
	{"Dockerfile", "files deploy"}, {"app/Dockerfile.dev", "files deploy"}, {"infra/main.tf", "files deploy"}, {"k8s/a.yaml", "files deploy"},
	{"compose.yaml", "files deploy"}, {"Procfile", "files deploy"}, {"deploy/run.sh", "files source deploy"},
	{"src/deploy/queue.py", "files source"}, {"docs/deploy/how.md", "files docs"}, {"tests/Dockerfile", "files"},
	{".github/workflows/README.md", "files docs"}, {"a\nb/c\n.py", "files source"}, {"Makefile/", "files"}, {"", "files"},
	{"vendor/x/main.go", ""}, {"web/node_modules/a/index.js", ""}, {".wisp/config", ""}, {"vendored.c", "files source"}, {"Pods/A/a.m", ""}, {"a/third_party/x.c", ""},
	{"vendor", "files"}
};

/* The facts of a project as text, `files 47 source 30`; what is not named is 0. */
static void
read_facts(long long *facts, const char *text)
{
	char name[16];
	long long n;
	int used;

	memset(facts, 0, WISP_FACTS * sizeof *facts);
	for (; sscanf(text, " %15s %lld%n", name, &n, &used) == 2; text += used)
		facts[wisp_words_find(WISP_FACT_NAMES, name)] = n;
}

/* `MODE CONFIDENCE: ` and the signals, each with its weight and the first letter of its mode. */
static char *
detected(const struct cJSON *table, const long long *facts)
{
	struct cJSON *d = wisp_detect(table, facts);
	struct wisp_buf out = WISP_BUF_INIT;

	wisp_buf_printf(&out, "%s %.2f:", wisp_json_str(d, "detected", ""), wisp_json_num(d, "confidence", -1));
	for (const struct cJSON *s = wisp_json_first(wisp_json_get(d, "signals")); s != NULL; s = wisp_json_next(s))
		wisp_buf_printf(&out, " %s %.1f%c,", wisp_json_str(s, "signal", ""), wisp_json_num(s, "weight", 0), *wisp_json_str(s, "mode", "?"));
	wisp_json_free(d);
	return wisp_buf_detach(&out);
}

static const struct { const char *label, *facts, *result; } projects[] = {
	{"nothing at all", "files 0 commits 1",
	 "greenfield 1.00: 0 files 0.5g, no source file 0.8g, no build file 0.1g, 1 commit 0.4g,"},
	{"nothing but a README", "files 1 docs 1 readme 1 commits 1 authors 1",
	 "greenfield 1.00: 1 file 0.5g, no source file 0.8g, no build file 0.1g, 1 commit 0.4g,"},
	{"documents only", "files 30 docs 28 commits 12 readme 1 authors 2",
	 "greenfield 1.00: no source file 0.8g, no build file 0.1g,"},
	{"a skeleton that a tool made", "files 17 source 9 manifests 1 tests 1 commits 1 authors 1 readme 1",
	 "greenfield 0.45: 17 files 0.3p, 9 source files 1.0g, 1 commit 0.4g, no CI/CD 0.5p, no deploy config 0.5p, "
	 "1 test file 0.4f,"},
	{"a first evening", "files 6 source 3 manifests 1 commits 2 readme 1",
	 "greenfield 0.58: 6 files 0.5g, 3 source files 1.0g, 2 commits 0.4g, no CI/CD 0.5p, no deploy config 0.5p, "
	 "no tests 0.4p,"},
	{"one script, just begun", "files 2 source 1 commits 3 readme 1",
	 "greenfield 1.00: 2 files 0.5g, 1 source file 0.8g, no build file 0.1g, 3 commits 0.4g,"},
	{"one script, in use for long", "files 3 source 1 commits 60 readme 1 days 400",
	 "brownfield-polish 0.60: 3 files 0.5g, 1 source file 0.8p, no build file 0.1g, 60 commits 0.4p, "
	 "400 days of history 0.2f,"},
	{"a prototype", "files 25 source 20 manifests 1 commits 8",
	 "brownfield-polish 1.00: 25 files 0.3p, 8 commits 0.4p, no CI/CD 0.5p, no deploy config 0.5p, no tests 0.4p, "
	 "no README 0.2p,"},
	{"a prototype that came as one commit", "files 25 source 20 manifests 1 commits 1",
	 "brownfield-polish 0.83: 25 files 0.3p, 1 commit 0.4g, no CI/CD 0.5p, no deploy config 0.5p, no tests 0.4p, "
	 "no README 0.2p,"},
	{"the example of 001_", "files 47 source 30 manifests 1 commits 23 readme 1 tests 1",
	 "brownfield-polish 0.81: 47 files 0.3p, 23 commits 0.4p, no CI/CD 0.5p, no deploy config 0.5p, 1 test file 0.4f,"},
	{"tests but no CI", "files 32 source 30 manifests 1 commits 40 readme 1 tests 10 authors 1 days 60",
	 "brownfield-polish 0.81: 32 files 0.3p, 40 commits 0.4p, no CI/CD 0.5p, no deploy config 0.5p, 10 test files 0.4f,"},
	{"a small library with CI and releases", "files 16 source 11 manifests 1 commits 40 ci 1 tests 4 tags 2 readme 1 docs 2 authors 1 days 120",
	 "brownfield-feature 0.50: 16 files 0.3p, 40 commits 0.4p, 2 tags 0.3f, 1 CI/CD file 0.5f, no deploy config 0.5p, "
	 "4 test files 0.4f,"},
	{"a library with CI", "files 60 source 40 manifests 1 commits 150 ci 1 tests 15 tags 4 readme 1 docs 3 authors 4 days 200",
	 "brownfield-feature 0.71: 60 files 0.3p, 150 commits 0.4f, 4 authors 0.2f, 4 tags 0.3f, 200 days of history 0.2f, "
	 "1 CI/CD file 0.5f, no deploy config 0.5p, 15 test files 0.4f,"},
	{"a monorepo", "files 320 source 280 manifests 6 commits 150 ci 1 tests 30 authors 5 readme 1 merges 20 days 200",
	 "brownfield-feature 0.84: 320 files 0.4f, 280 source files 0.3f, 6 build files 0.2f, 150 commits 0.4f, "
	 "5 authors 0.2f, 20 merges 0.1f, 200 days of history 0.2f, 1 CI/CD file 0.5f, no deploy config 0.5p, "
	 "30 test files 0.4f,"},
	{"an old service", "files 210 source 190 manifests 1 commits 400 ci 1 deploy 2 tests 40 docs 10 readme 1 tags 12 authors 4 days 2000",
	 "brownfield-feature 1.00: 210 files 0.4f, 190 source files 0.3f, 400 commits 0.4f, 4 authors 0.2f, 12 tags 0.3f, "
	 "2000 days of history 0.2f, 1 CI/CD file 0.5f, 2 deploy files 0.4f, 40 test files 0.4f, 10 documents 0.1f,"},
	{"an old program without CI", "files 300 source 250 manifests 1 commits 900 tests 30 tags 9 authors 9 readme 1 docs 6 days 3000",
	 "brownfield-feature 0.70: 300 files 0.4f, 250 source files 0.3f, 900 commits 0.4f, 9 authors 0.2f, 9 tags 0.3f, "
	 "3000 days of history 0.2f, no CI/CD 0.5p, no deploy config 0.5p, 30 test files 0.4f, 6 documents 0.1f,"},
	{"a grown product", "files 900 source 700 manifests 4 commits 3000 ci 3 deploy 5 tests 200 docs 30 tags 40 authors 9 merges 300 days 900 readme 1",
	 "brownfield-feature 1.00: 900 files 0.4f, 700 source files 0.3f, 4 build files 0.2f, 3000 commits 0.4f, "
	 "9 authors 0.2f, 40 tags 0.3f, 300 merges 0.1f, 900 days of history 0.2f, 3 CI/CD files 0.5f, 5 deploy files 0.4f, "
	 "200 test files 0.4f, 30 documents 0.1f,"},
	{"a grown product, of which the history is not known", "files 900 source 700 manifests 4 commits -1 ci 3 deploy 5 tests 200 docs 30 tags -1 authors -1 merges -1 days -1 readme 1",
	 "brownfield-feature 1.00: 900 files 0.4f, 700 source files 0.3f, 4 build files 0.2f, 3 CI/CD files 0.5f, "
	 "5 deploy files 0.4f, 200 test files 0.4f, 30 documents 0.1f,"}
};

#define ROW(fact, more, text, weight, mode) "{\"category\": \"git\", \"fact\": \"" fact "\"" more ", \"signal\": \"" text "\", " \
	"\"weight\": " weight ", \"mode\": \"" mode "\"}"

static const struct { const char *label, *table, *facts, *result; } rules[] = {
	{"no signal", "[" ROW("ci", ", \"min\": 1", "x", "1", "polish") "]", "", "greenfield 0.00:"},
	{"min and max belong to it", "[" ROW("ci", ", \"min\": 2, \"max\": 2", "x", "1", "polish") "]", "ci 2", "brownfield-polish 1.00: x 1.0p,"},
	{"one less", "[" ROW("ci", ", \"min\": 2, \"max\": 2", "x", "1", "polish") "]", "ci 1", "greenfield 0.00:"},
	{"one more", "[" ROW("ci", ", \"min\": 2, \"max\": 2", "x", "1", "polish") "]", "ci 3", "greenfield 0.00:"},
	{"the other fact does not hold", "[" ROW("ci", ", \"and\": {\"fact\": \"tags\", \"min\": 1}", "x", "1", "polish") "]", "ci 3", "greenfield 0.00:"},
	{"what is not known fits no row", "[" ROW("commits", "", "x", "1", "polish") "]", "commits -1", "greenfield 0.00:"},
	{"nor as the other fact", "[" ROW("ci", ", \"and\": {\"fact\": \"tags\", \"max\": 0}", "x", "1", "polish") "]", "tags -1", "greenfield 0.00:"},
	{"of two equals the first", "[" ROW("ci", "", "x", "0.5", "polish") "," ROW("ci", "", "y", "0.5", "feature") "]", "",
	 "brownfield-feature 0.50: x 0.5p, y 0.5f,"},
	{"sums that are equal but for their last bit", "[" ROW("ci", "", "a", "0.1", "greenfield") "," ROW("ci", "", "b", "0.2", "greenfield") ","
	 ROW("ci", "", "c", "0.3", "polish") "]", "", "greenfield 0.50: a 0.1g, b 0.2g, c 0.3p,"},
	{"one", "[" ROW("ci", "", "%d line(s), %s", "1", "polish") "]", "ci 1", "brownfield-polish 1.00: 1 line, %s 1.0p,"},
	{"many", "[" ROW("ci", "", "%d line(s), %s", "1", "polish") "]", "ci 21", "brownfield-polish 1.00: 21 lines, %s 1.0p,"}
};

int
main(void)
{
	struct wisp_err err = WISP_ERR_INIT;
	long long facts[WISP_FACTS];
	struct cJSON *doc = NULL;
	const struct cJSON *table;

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		CHECK_OWN(facts_of(paths[i][0]), paths[i][1], paths[i][0]);
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		if ((doc = wisp_json_parse(rules[i].table, strlen(rules[i].table), NULL, &err)) == NULL)
			die_err(&err);
		read_facts(facts, rules[i].facts);
		CHECK_OWN(detected(doc, facts), rules[i].result, rules[i].label);
		wisp_json_free(doc);
	}
	if (wisp_template_load("templates/orchestrator", NULL, &doc, &err) != 0)
		die_err(&err);
	table = wisp_json_get(wisp_json_get(doc, "orchestrator"), "detect");
	for (size_t i = 0; i < sizeof projects / sizeof *projects; i++) {
		read_facts(facts, projects[i].facts);
		CHECK_OWN(detected(table, facts), projects[i].result, projects[i].label);
	}
	wisp_json_free(doc);
	return unit_done();
}
