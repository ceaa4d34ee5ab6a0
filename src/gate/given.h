/*
 * given: the facts that wisp-gate decides by: what the session's files say, and
 * over it what options say.
 */
#ifndef WISP_GATE_GIVEN_H
#define WISP_GATE_GIVEN_H

#include "context.h"
#include "core/stuck.h"

/* The facts as options have them; NULL and -1 where they do not say. */
struct wisp_given {
	const char *outcome, *state, *status, *tasks, *promise, *verify, *reject, *template;
	long long failures, signal;
	bool phases, gate_1, gate_2, last, stuck, not_stuck, breaker, no_breaker, stop, pause, once,
		uncommitted, token;
};

/* Do options say where a phase stands? Then its gates are not asked. */
bool wisp_given_phases(const struct wisp_given *g);
/* Reads options and files; `s` is what wisp_stuck_check says of the history. */
void wisp_given_gather(struct wisp_cli *cli, struct wisp_given *g, struct wisp_context *c, struct wisp_stuck *s,
		       struct wisp_facts *f);

#endif
