/*
 * template: a template's loop.json (wisp-template(5)), held to be right as a
 * whole before the first step: its schema, its phases (names that are unique,
 * weights that add up to 100, prompts that are there), `reject` between phases
 * that exist, and every filter compiled; and the thresholds and the table of
 * `orchestrator`. A fault names file and member.
 */
#ifndef WISP_TEMPLATE_H
#define WISP_TEMPLATE_H

#include "json.h"

#define WISP_PHASE_ITERATIONS 10	/* of a phase that names no max_iterations (000_: the status line, and its progress) */

/* What a row of orchestrator.detect may say. */
#define WISP_FACT_NAMES "files|source|manifests|tests|ci|deploy|docs|readme|commits|authors|tags|merges|days"
#define WISP_FACT_CATEGORIES "codebase|git|cicd|deploy|tests|docs"
#define WISP_FACT_MODES "greenfield|feature|polish"

struct wisp_source;

/* filter.h, wisp_filter_compile. */
typedef int wisp_compile(const char *const *filters, size_t count, size_t *bad, struct wisp_err *err);

/*
 * Reads DIR/loop.json and checks it. A missing one is an empty object: a
 * template of prompts alone. `compile` (wisp_filter_compile, or NULL in a
 * program that does not load libjq): its filters too, which starts libjq
 * once. The caller frees *doc. -1 with `err`.
 */
int wisp_template_load(const char *dir, wisp_compile *compile, struct cJSON **doc, struct wisp_err *err) WISP_CHECK;
/* Part of it: the member `orchestrator` of the document, if it has one. -1 with `err`. */
int wisp_template_orchestra_check(const struct wisp_source *src, const struct cJSON *doc, struct wisp_err *err) WISP_CHECK;
/* {"phases": [...], "reject": {...} or null}, what a record keeps in force; NULL where it has no phases. The caller frees it. */
struct cJSON *wisp_template_machine(const struct cJSON *doc);
/*
 * The phases of 000_ by name, weight and max_iterations, for a folder with a
 * loop-state.json and no template; the rules are in the template tdd. The caller
 * frees it.
 */
struct cJSON *wisp_template_tdd(void);
/* The phase of that name of a machine; NULL where it has none. Borrowed. */
const struct cJSON *wisp_template_phase(const struct cJSON *machine, const char *name);
/*
 * The folder of an installed template: below $WISP_SHARE, which `wisp` sets, else
 * below what belongs to this program's own folder. NULL where it is not there. The
 * caller frees it.
 */
char *wisp_template_installed(const char *name);

#endif
