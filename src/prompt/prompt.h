/*
 * prompt: what the agent is told for one step. The template's text as it stands, then the controller's block: where
 * the loop stands, the files, the last summary, what is new since (the record's `feedback`, in its order), and the
 * next task.
 *
 * What agents, tools and people wrote is quoted, indented by four spaces, so
 * that it cannot pass for the controller's own words; and no promise tag is
 * left whole in it, so that an agent that echoes its prompt promises nothing.
 */
#ifndef WISP_PROMPT_H
#define WISP_PROMPT_H

#include "core/record.h"

struct wisp_prompt {
	const char *template;	/* its folder; NULL: the record's */
	const char *name;	/* of its prompt: "iterate.md" */
	const char *out, *system_out;	/* files; out NULL or "-": standard output; system_out NULL: it is not asked for */
};

/* Writes them. Dies: 100 where no template is known, 102 for one that is not there or bad data, 111 where the system refuses. */
void wisp_prompt_write(const struct wisp_record *r, const struct wisp_prompt *o);

#endif
