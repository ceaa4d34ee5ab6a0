/*
 * state: the agent's claim about its step, state.json (wisp-state(5)).
 *
 * `status` (CONTINUE, DONE, NEEDS_INPUT, BLOCKED) and `summary` are required;
 * `question` with NEEDS_INPUT and `error` with BLOCKED, non-empty. Known
 * optional fields must have their types; unknown fields are kept.
 */
#ifndef WISP_STATE_H
#define WISP_STATE_H

#include "schema.h"

enum wisp_status { WISP_CONTINUE, WISP_DONE, WISP_NEEDS_INPUT, WISP_BLOCKED };

#define WISP_STATE_MAX ((size_t)1 << 20)	/* bytes; a document takes many times as much memory */

struct wisp_state {
	enum wisp_verdict verdict;	/* the rest holds only with WISP_VALID */
	enum wisp_status status;
	const char *summary, *question, *error, *phase;	/* borrowed; NULL where absent */
	const struct cJSON *choices, *metrics, *gate;
	const char *dropped;		/* why the metrics were, NULL: they were not; static */
	bool exit_signal;
	struct cJSON *doc;
};

/* Returns st->verdict; `err` says what is wrong for all but WISP_VALID. */
enum wisp_verdict wisp_state_load(struct wisp_state *st, const char *path, struct wisp_err *err) WISP_CHECK;
/* The schema alone, for a document that was read already. 0, or -1 with `err`. */
int wisp_state_check(const struct wisp_source *src, const struct cJSON *doc, struct wisp_err *err) WISP_CHECK;
void wisp_state_release(struct wisp_state *st);
const char *wisp_status_name(enum wisp_status s);	/* "CONTINUE" ... */
int wisp_status_parse(const char *name);		/* -1 for an unknown word */

#endif
