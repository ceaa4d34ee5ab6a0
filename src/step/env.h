/*
 * env: the environment of a step.
 *
 * An agent gets what is on the lists in env.c and nothing else: no terminal, no
 * secrets that are none of its business, nothing of an agent around wisp that
 * would trip it up. What the project has run, such as a verify command, may be
 * the agent's work: it gets the same without the agents' keys. In all of them nothing
 * can wait for a person: editors and password prompts fail at once, pagers are `cat`.
 */
#ifndef WISP_ENV_H
#define WISP_ENV_H

#include "core/buf.h"

#define WISP_ENV_MARK "WISP_STEP_MARK"

enum wisp_env_kind {
	WISP_ENV_AGENT,
	WISP_ENV_TOOLS,			/* without what is for agents alone */
	WISP_ENV_ALL			/* the caller's whole environment */
};

struct wisp_env {
	enum wisp_env_kind kind;
	bool confined;			/* a sandbox is around it: nothing that leads to a service outside */
	const char *mark;		/* the value of WISP_ENV_MARK */
	const char *const *pass;	/* further names to let through */
	size_t pass_count;
	const char *const *set;		/* NAME=VALUE, stronger than all else */
	size_t set_count;
};

/* The step's environment out of `base`; wisp_env_free ends it. */
char **wisp_env_make(const struct wisp_env *e, char *const *base);
void wisp_env_free(char **env);
/* The value of `name` in `env`, or NULL. */
const char *wisp_env_get(char *const *env, const char *name);
/*
 * Appends the names in `base`, but not in `env`, that `text` has as a word; how many. Without a text, all
 * that have an underscore: others may be words of any text.
 */
size_t wisp_env_withheld(char *const *base, char *const *env, const char *text, struct wisp_buf *names);

#endif
