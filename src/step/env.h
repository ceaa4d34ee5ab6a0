/*
 * env: the environment of a step.
 *
 * An agent gets what is on the list in env.c and nothing else: no terminal, no
 * secrets that are none of its business, nothing of an agent around wisp that
 * would trip it up. A verify command (`keep`) gets its caller's environment.
 * In both nothing can wait for a person: editors and password prompts fail at
 * once, pagers are `cat`.
 */
#ifndef WISP_ENV_H
#define WISP_ENV_H

#include <stdbool.h>
#include "core/buf.h"

#define WISP_ENV_MARK "WISP_STEP_MARK"

struct wisp_env {
	bool keep;			/* the caller's whole environment */
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

#endif
