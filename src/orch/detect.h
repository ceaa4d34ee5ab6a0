/*
 * detect: what kind of project is it? (001_, modeDetection)
 *
 * Facts are numbers, counted from the names of the files and given by git. The table, the
 * member `orchestrator.detect` of the template's loop.json, says what each speaks for:
 *
 *   {"category": codebase|git|cicd|deploy|tests|docs, "fact": NAME, "min": n, "max": n,
 *    "and": {"fact", "min", "max"}, "signal": "%d file(s)", "weight": 0.3, "mode": greenfield|feature|polish}
 *
 * A row whose fact lies between min and max (either may be absent), and that of `and` too, is a signal.
 * In its text %d is the number, and (s) an s unless that is 1. A fact that is not known, below 0, fits no row.
 * What weighs most is the mode, confidence its share of all that weighs; of equals the first of
 * greenfield, feature, polish. No clock is asked: the same repository gives the same answer.
 */
#ifndef WISP_DETECT_H
#define WISP_DETECT_H

#include "core/template.h"

enum wisp_fact {	/* in the order of WISP_FACT_NAMES */
	WISP_FACT_FILES, WISP_FACT_SOURCE, WISP_FACT_MANIFESTS, WISP_FACT_TESTS, WISP_FACT_CI, WISP_FACT_DEPLOY, WISP_FACT_DOCS,
	WISP_FACT_README,						/* by their names */
	WISP_FACT_COMMITS, WISP_FACT_AUTHORS, WISP_FACT_TAGS, WISP_FACT_MERGES, WISP_FACT_DAYS	/* by git */
};
#define WISP_FACTS (WISP_FACT_DAYS + 1)

/* Adds what a path, below the top of the repository, counts for. What others wrote (vendor, node_modules) and .wisp count for nothing. */
void wisp_facts_add(long long *facts, const char *path);
/* The object modeDetection, of a table that holds (core/template.h). The caller frees it. */
struct cJSON *wisp_detect(const struct cJSON *table, const long long *facts);

#endif
