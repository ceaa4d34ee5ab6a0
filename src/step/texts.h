/*
 * texts: what the agents' own words for a failure mean.
 *
 * One table for all formats, of the texts that stand in the agents' sources and
 * are reported of them; docs/agents.md shows each with an example and where it
 * comes from. It is asked about an agent's own error field and nothing else.
 * Small and capital letters, straight and curly apostrophes, and any run of
 * white space are the same.
 */
#ifndef WISP_TEXTS_H
#define WISP_TEXTS_H

#include "core/buf.h"
#include "core/decide.h"

struct wisp_text_row {
	const char *agents;		/* names of formats with blanks between; "" for all */
	const char *text;		/* small letters; * is anything, ^ the beginning */
	enum wisp_outcome outcome;	/* WISP_ERROR: it does not fit into the model's context */
	/* WISP_LIMITED: the kind of step.json; WISP_AUTH: "token", "login", "credit" or "plan" */
	const char *kind;
};

extern const struct wisp_text_row wisp_texts[];
extern const size_t wisp_texts_count;

/* Appends the text in one line, with straight quotes and single blanks. */
void wisp_texts_fold(struct wisp_buf *out, const char *text);
/* The first row that the folded text matches, or NULL. */
const struct wisp_text_row *wisp_texts_find(const char *format, const char *folded);
/* Is it a notice of an agent that it tries again, on standard error? */
bool wisp_texts_notice(const char *line, size_t n);

#endif
