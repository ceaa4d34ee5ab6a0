/*
 * stuck: is the loop getting anywhere? The five rules of wisp-stuck(1) over
 * the rolling window.
 *
 *   noProgress     N in a row without a task newly passed: stuck
 *   sameFiles      N in a row without progress, each changing 80% or more of
 *                  the files the one before did: a warning; stuck at 5 (or N if larger)
 *   similarErrors  N in the window with errors that are equal once numbers, hex,
 *                  paths, times and quoted text are normalised: stuck
 *   returningTree  N times the work tree came back to what it was two or more
 *                  iterations ago, another between, after good steps: stuck
 *   falseDone      N times DONE was claimed and refused for the same first
 *                  reason, until a task newly passes: stuck
 *
 * Iterations up to `since` (the last person's intervention) do not count, nor
 * do those that ended in NEEDS_INPUT, a usage limit or an interruption.
 */
#ifndef WISP_STUCK_H
#define WISP_STUCK_H

#include "json.h"
#include "normal.h"	/* wisp_error_normal */

enum wisp_rule { WISP_NO_PROGRESS, WISP_SAME_FILES, WISP_SIMILAR_ERRORS, WISP_RETURNING_TREE, WISP_FALSE_DONE, WISP_RULES };

struct wisp_rule_result {
	const char *name;	/* "noProgress" ..., as in stuck.NAME of the configuration */
	int count, threshold;	/* a threshold of -1 is none: the rule is off */
	bool stuck, warning;
	char *evidence;		/* for people, "" where count is 0: "iterations 5, 6, 7 changed only src/a.c and src/b.c, no task passed" */
};

struct wisp_stuck {
	struct wisp_rule_result rule[WISP_RULES];
	bool stuck, warning;
};

/* `history` is the array of history.json, oldest first; `config` the thresholds in force. */
void wisp_stuck_check(struct wisp_stuck *s, const struct cJSON *history, long long since, const struct cJSON *config);
void wisp_stuck_release(struct wisp_stuck *s);
/* The first rule that says stuck, else the first that warns, else NULL. */
const struct wisp_rule_result *wisp_stuck_first(const struct wisp_stuck *s);

#endif
