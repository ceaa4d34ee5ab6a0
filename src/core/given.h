/*
 * given: what the commands tell the programs of variables by the environment, since a command line can be read by
 * every user of the machine. A line each, NAME=VALUE or NAME.
 */
#ifndef WISP_GIVEN_H
#define WISP_GIVEN_H

#include "cli.h"

#define WISP_GIVEN_ENV "WISP_STEP_ENV"		/* variables of a step: to be set, or to be let through */
#define WISP_GIVEN_CONFIG "WISP_CONFIG_SET"	/* what `wisp -c` was given, KEY=VALUE */
#define WISP_GIVEN_SECRETS "WISP_SECRETS"	/* see secrets.h */

/* The lines of such a variable with an equals sign, and those without (may be NULL), added to lists; the texts stay. */
void wisp_given(const char *variable, struct wisp_texts *set, struct wisp_texts *names);

#endif
