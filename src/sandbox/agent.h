/*
 * agent: what an agent's program needs of the world, from the table beside its
 * script, libexec/agents/NAME.sandbox. A line is a word and a value:
 *
 *	write PATH	the agent keeps its state there
 *	fixed PATH	in such a folder, but run or believed outside later: read-only
 *	read PATH	needed where HOME is hidden
 *	login PATH	a login lies there: hidden from other agents
 *	config NAME PATH	the variable by which the folder PATH can be another
 *	set NAME=VALUE	keeps the agent's own sandbox off
 *	host NAME	of the service
 *
 * A path is absolute, begins with ~/ or @session/, or is the $NAME of a variable; `#` begins a comment. What is written in the
 * session's folder is made.
 */
#ifndef WISP_SANDBOX_AGENT_H
#define WISP_SANDBOX_AGENT_H

#include <stddef.h>
#include "core/die.h"

struct wisp_sandbox_line {
	char *word, *value;
};

struct wisp_sandbox_agent {
	char *name;
	struct wisp_sandbox_line *lines;
	size_t count;
};

#define WISP_SANDBOX_TABLE ".sandbox"	/* the end of the file's name */

/* All tables of a folder, a NULL name at the end, for wisp_sandbox_agents_free; NULL with `err`, or with errno where err->text is NULL. */
struct wisp_sandbox_agent *wisp_sandbox_agents(const char *folder, struct wisp_err *err) WISP_CHECK;
/* One table out of its text; -1 with `err`. */
int wisp_sandbox_agent_parse(struct wisp_sandbox_agent *a, const char *text, const char *path, struct wisp_err *err) WISP_CHECK;
void wisp_sandbox_agents_free(struct wisp_sandbox_agent *agents);

#endif
