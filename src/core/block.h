/*
 * block: PRP_PHASE_STATUS, the status block of seed 003_, printed after each
 * iteration of a phase template and read from an agent's final message.
 *
 * It counts only where its markers stand alone on their lines (white space
 * and CR aside); of several whole ones the last; one that is cut is none.
 */
#ifndef WISP_BLOCK_H
#define WISP_BLOCK_H

#include "json.h"

/*
 * The block in `text` as {"phase", "status", "exit_signal", "recommendation", "blockers": [], "metrics": {}}, or NULL
 * where there is none. TESTS: and FILES: become tests_total ... files_deleted; METRICS: gives its
 * members by their names in lower case; any other member of its own line too. The caller frees it.
 */
struct cJSON *wisp_block_parse(const char *text);

/* What is printed; NULL members as 003_ prints them: 0, none. All borrowed. */
struct wisp_block {
	const struct cJSON *loop, *machine, *metrics, *breaker, *limits;
	bool gate_1, gate_2;
	const char *status;		/* IN_PROGRESS, COMPLETE, BLOCKED */
	const char *blocker, *recommendation;
	const struct cJSON *state;	/* state.json, whose counts are shown where the metrics have none */
	const struct cJSON *files;	/* names that the step changed */
	const struct cJSON *blockers;	/* texts: what the agent's own block names */
	bool limited;			/* this step met the usage limit */
};
/* The block of 003_, its fields in its order, markers included, with a final line feed. */
void wisp_block_print(struct wisp_buf *out, const struct wisp_block *b);
/* Appends it to PATH, and begins anew beyond 1 MiB: the older one is PATH.1. -1 with errno. */
int wisp_block_log(const char *path, const struct wisp_buf *text) WISP_CHECK;

#endif
