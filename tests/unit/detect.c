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
	{".github/workflows/ci.yml", "files ci"}, {".github/CODEOWNERS", "files"}, {".gitlab-ci.yml", "files ci"}, {"Jenkinsfile", "files ci"},
	{".ci/run", "files ci"}, {"x/.github/workflows/ci.yml", "files"},
	{"Dockerfile", "files deploy"}, {"app/Dockerfile.dev", "files deploy"}, {"infra/main.tf", "files deploy"}, {"k8s/a.yaml", "files deploy"},
	{"compose.yaml", "files deploy"}, {"Procfile", "files deploy"},
	{"vendor/x/main.go", ""}, {"web/node_modules/a/index.js", ""}, {".wisp/config", ""}, {"vendored.c", "files source"}
};

struct given { enum wisp_fact fact; long long n; };
static const struct { const char *label; struct given facts[12]; const char *mode; double confidence; } projects[] = {
	{"nothing but a README", {{WISP_FACT_FILES, 1}, {WISP_FACT_DOCS, 1}, {WISP_FACT_README, 1}, {WISP_FACT_COMMITS, 1}}, "greenfield", 1},
	{"the example of 001_", {{WISP_FACT_FILES, 47}, {WISP_FACT_SOURCE, 30}, {WISP_FACT_MANIFESTS, 1}, {WISP_FACT_COMMITS, 23},
	 {WISP_FACT_README, 1}, {WISP_FACT_TESTS, 1}}, "brownfield-polish", 0.81},
	{"a prototype", {{WISP_FACT_FILES, 25}, {WISP_FACT_SOURCE, 20}, {WISP_FACT_MANIFESTS, 1}, {WISP_FACT_COMMITS, 8}}, "brownfield-polish", 1},
	{"a library with CI", {{WISP_FACT_FILES, 60}, {WISP_FACT_SOURCE, 40}, {WISP_FACT_MANIFESTS, 1}, {WISP_FACT_COMMITS, 150}, {WISP_FACT_CI, 1},
	 {WISP_FACT_TESTS, 15}, {WISP_FACT_TAGS, 4}, {WISP_FACT_README, 1}, {WISP_FACT_DAYS, 200}}, "brownfield-feature", 0.69},
	{"documents only", {{WISP_FACT_FILES, 30}, {WISP_FACT_DOCS, 28}, {WISP_FACT_COMMITS, 12}, {WISP_FACT_README, 1}}, "greenfield", 0.69},
	{"a grown service", {{WISP_FACT_FILES, 900}, {WISP_FACT_SOURCE, 700}, {WISP_FACT_MANIFESTS, 4}, {WISP_FACT_COMMITS, 3000}, {WISP_FACT_CI, 3},
	 {WISP_FACT_DEPLOY, 5}, {WISP_FACT_TESTS, 200}, {WISP_FACT_TAGS, 40}, {WISP_FACT_AUTHORS, 9}, {WISP_FACT_DAYS, 900}, {WISP_FACT_README, 1}},
	 "brownfield-feature", 1}
};

int
main(void)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *doc = NULL, *row;
	const struct cJSON *table;
	double confidence;

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
		CHECK_OWN(facts_of(paths[i][0]), paths[i][1], paths[i][0]);
	if (wisp_template_load("templates/orchestrator", NULL, &doc, &err) != 0)
		die_err(&err);
	table = wisp_json_get(wisp_json_get(doc, "orchestrator"), "detect");
	CHECK_INT(wisp_detect_check(table, "loop.json", &err), 0, "the table that ships holds");
	for (size_t i = 0; i < sizeof projects / sizeof *projects; i++) {
		long long facts[WISP_FACTS] = {0};
		struct cJSON *d;

		for (const struct given *g = projects[i].facts; g < projects[i].facts + 12; g++)
			if (g->n > 0)
				facts[g->fact] = g->n;
		d = wisp_detect(table, facts);
		confidence = wisp_json_num(d, "confidence", 0);
		CHECK_STR(wisp_json_str(d, "detected", ""), projects[i].mode, projects[i].label);
		CHECK_INT((long long)(confidence * 100 + 0.5), (long long)(projects[i].confidence * 100 + 0.5), projects[i].label);
		wisp_json_free(d);
	}
	row = wisp_json_first(table);
	wisp_json_set_num(row, "weight", 0);
	CHECK_INT(wisp_detect_check(table, "loop.json", &err), -1, "a weight of nothing");
	CHECK_STR(err.text, "loop.orchestrator.detect[0].weight: must be above 0", "is named");
	wisp_err_release(&err);
	wisp_json_set_num(row, "weight", 1);
	wisp_json_set_num(row, "min", 10);
	CHECK_INT(wisp_detect_check(table, "loop.json", &err), -1, "min above max");
	wisp_err_release(&err);
	wisp_json_set_num(row, "min", 0);
	wisp_json_set_str(row, "fact", "moons");
	CHECK_INT(wisp_detect_check(table, "loop.json", &err), -1, "a fact that nobody counts");
	wisp_err_release(&err);
	wisp_json_free(doc);
	return unit_done();
}
