/*
 * judge: may an interactive session end? (wisp-hook(1); seed 002_, the stop hook)
 */
#ifndef WISP_HOOK_JUDGE_H
#define WISP_HOOK_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#define WISP_HOOK_RUNAWAY 3	/* evaluations in a row with stop_hook_active and nothing changed (002_) */

struct wisp_hook_facts {
	bool present;		/* there is a state file */
	bool malformed;		/* ... that cannot be read, or does not hold */
	bool in_progress;
	bool other;		/* it belongs to another session */
	size_t criteria, unmet;
	bool marker;		/* <loop-complete> alone on a line of the last message */
	long long same;		/* how many such evaluations in a row, this one included */
	long long iteration;	/* this evaluation counted */
	long long max;		/* -1: none */
	double cost, budget;	/* USD; budget -1: none */
};

enum wisp_hook_answer { WISP_HOOK_LET_GO, WISP_HOOK_BLOCK, WISP_HOOK_COMPLETE, WISP_HOOK_PAUSE };

/* *why is a word for tests and files: "none", "unmet", "marker", "runaway" ... */
enum wisp_hook_answer wisp_hook_judge(const struct wisp_hook_facts *f, const char **why);

#endif
