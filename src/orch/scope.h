/*
 * scope: what an agent has found that is to be done, as the documents that it leaves
 * (templates/orchestrator):
 *
 *   discovery.json   {"gaps": [...], "systems": [...]}
 *   plan.json        {"systems": [{"name", "tasks"}]}, each open system once
 *   retrospect.json  {"gaps": [...], "systems": [...]} of what is left, each system with its "tasks"
 *
 * gap: {"category", "severity", "description"}. system: {"name", "type", "priority", "parallelizable",
 * "depends_on", "estimatedHours", "description"}; the last three may be left out. Severity and priority are
 * critical, high, medium or low (001_). Tasks are those of tasks.json. Unknown members are left out.
 */
#ifndef WISP_SCOPE_H
#define WISP_SCOPE_H

#include "core/record.h"
#include "core/schema.h"

enum wisp_scope { WISP_DISCOVER, WISP_DECOMPOSE, WISP_RETROSPECT };

#define WISP_SCOPE_WORDS "discover|decompose|retrospect"	/* in that order */

#define WISP_GAPS_MAX 1000	/* all of them stand in the record, which every turn reads */

struct wisp_scope_facts {
	const struct cJSON *state;	/* of the orchestration */
	const char *branch;		/* of the orchestration */
	long long most;			/* systems at once (limit.h) */
};

/* The name of the file of each. */
const char *wisp_scope_file(enum wisp_scope scope);
/* -1 with `err`, the first fault: schema, names, rings, counts, task lists. */
int wisp_scope_check(const struct wisp_source *src, enum wisp_scope scope, const struct cJSON *doc,
		     const struct wisp_scope_facts *f, struct wisp_err *err) WISP_CHECK;
/* Do some of the systems depend on each other? Then `ring` says which, `a -> b -> a`, and *begin is the index of the first. */
bool wisp_scope_ring(const struct cJSON *systems, struct wisp_buf *ring, size_t *begin);
/* How many of the gaps are open: the others are marked `"closed": true`. */
size_t wisp_scope_open(const struct cJSON *gaps);
/* SCOPE-DISCOVERY.md, from the record of the orchestration: gaps, systems, and in which order those that are left run. */
void wisp_scope_render(struct wisp_buf *out, const struct wisp_record *r);
/* A loop's section of RETROSPECT.md, without its heading: hours, each agent, what failed and why, and the lessons (NULL: none). */
void wisp_scope_retrospect(struct wisp_buf *out, const struct cJSON *state, const char *lessons);

#endif
