/*
 * document: what a jq filter sees of a session (wisp-gate(1), wisp-template(5)):
 * {state, tasks, history, session, loop, step, metrics, last, verify}.
 */
#ifndef WISP_DOCUMENT_H
#define WISP_DOCUMENT_H

#include "tasks.h"

struct wisp_document {
	const struct cJSON *state, *history, *session, *loop, *step, *metrics;	/* NULL where there is none */
	const struct wisp_tasks *tasks;		/* NULL: no list */
	const char *verify;			/* a word, or NULL */
};

/* Copies of all of it; the caller frees it. */
struct cJSON *wisp_document_new(const struct wisp_document *d);

#endif
