/*
 * detect: what kind of project is it? (001_, modeDetection)
 *
 * Facts are numbers, counted from the names of the files and given by git. The table, the
 * member `orchestrator.detect` of the template's loop.json, says what each speaks for:
 *
 *   {"category": codebase|git|cicd|deploy|tests|docs, "fact": NAME, "min": n, "max": n,
 *    "and": {"fact", "min", "max"}, "signal": "%d files", "weight": 0.3, "mode": greenfield|feature|polish}
 *
 * A row whose fact lies between min and max (either may be absent), and that of `and` too, is a signal.
 * What weighs most is the mode, confidence its share of all that weighs; of equals the first of
 * greenfield, feature, polish. No clock is asked: the same repository gives the same answer.
 */
#ifndef WISP_DETECT_H
#define WISP_DETECT_H

#include "core/json.h"

enum wisp_fact {
	WISP_FACT_FILES, WISP_FACT_SOURCE, WISP_FACT_MANIFESTS, WISP_FACT_TESTS, WISP_FACT_CI, WISP_FACT_DEPLOY, WISP_FACT_DOCS,
	WISP_FACT_README,						/* by their names */
	WISP_FACT_COMMITS, WISP_FACT_AUTHORS, WISP_FACT_TAGS, WISP_FACT_MERGES, WISP_FACT_DAYS	/* by git */
};
#define WISP_FACTS (WISP_FACT_DAYS + 1)
#define WISP_FACT_NAMES "files|source|manifests|tests|ci|deploy|docs|readme|commits|authors|tags|merges|days"

/* Adds what a path, below the top of the repository, counts for. What others wrote (vendor, node_modules) and .wisp count for nothing. */
void wisp_facts_add(long long *facts, const char *path);
/* The object modeDetection, of a table that holds. The caller frees it. */
struct cJSON *wisp_detect(const struct cJSON *table, const long long *facts);
/* 0, or -1 with `err` where a row of the table does not hold; `path` is its file. */
int wisp_detect_check(const struct cJSON *table, const char *path, struct wisp_err *err) WISP_CHECK;

#endif
