/*
 * hook/judge: may an interactive session end? Each rule, and which comes first.
 */
#include "hook/check.h"
#include "hook/judge.h"
#include "unit.h"

#define ACTIVE .present = true, .in_progress = true, .criteria = 2
#define MET ACTIVE, .max = -1, .budget = -1
#define UNMET MET, .unmet = 1

static const struct {
	const char *label;
	struct wisp_hook_facts facts;
	enum wisp_hook_answer answer;
	const char *why;
} cases[] = {
	{"no state file", {0}, WISP_HOOK_LET_GO, "none"},
	{"malformed", {.present = true, .malformed = true}, WISP_HOOK_PAUSE, "malformed"},
	{"malformed, said to be in progress", {UNMET, .malformed = true}, WISP_HOOK_PAUSE, "malformed"},
	{"paused", {.present = true, .criteria = 1, .unmet = 1}, WISP_HOOK_LET_GO, "idle"},
	{"another session's", {UNMET, .other = true}, WISP_HOOK_LET_GO, "other"},
	{"another session's, at its end", {MET, .other = true, .marker = true}, WISP_HOOK_LET_GO, "other"},
	{"no criteria", {.present = true, .in_progress = true, .max = -1, .budget = -1}, WISP_HOOK_PAUSE, "criteria"},
	{"no criteria, marker", {.present = true, .in_progress = true, .marker = true, .max = -1, .budget = -1}, WISP_HOOK_PAUSE, "criteria"},
	{"unmet", {UNMET, .iteration = 1}, WISP_HOOK_BLOCK, "unmet"},
	{"unmet, with the marker", {UNMET, .marker = true}, WISP_HOOK_BLOCK, "unmet"},
	{"met, no marker", {MET}, WISP_HOOK_BLOCK, "marker"},
	{"met, marker", {MET, .marker = true}, WISP_HOOK_COMPLETE, "complete"},
	{"met, marker, at the last iteration", {ACTIVE, .marker = true, .iteration = 5, .max = 5, .budget = -1}, WISP_HOOK_COMPLETE, "complete"},
	{"met, marker, over the budget", {ACTIVE, .marker = true, .max = -1, .cost = 9, .budget = 5},
	 WISP_HOOK_COMPLETE, "complete"},
	{"the second evaluation without a change", {UNMET, .same = 2}, WISP_HOOK_BLOCK, "unmet"},
	{"the third", {UNMET, .same = 3}, WISP_HOOK_PAUSE, "runaway"},
	{"a count that was written by hand", {UNMET, .same = 9007199254740993}, WISP_HOOK_PAUSE, "runaway"},
	{"the third, all met, no marker", {MET, .same = 3}, WISP_HOOK_PAUSE, "runaway"},
	{"the third, complete", {MET, .same = 3, .marker = true}, WISP_HOOK_COMPLETE, "complete"},
	{"before the last iteration", {ACTIVE, .unmet = 1, .iteration = 4, .max = 5, .budget = -1},
	 WISP_HOOK_BLOCK, "unmet"},
	{"the last iteration", {ACTIVE, .unmet = 1, .iteration = 5, .max = 5, .budget = -1},
	 WISP_HOOK_PAUSE, "iterations"},
	{"beyond it", {ACTIVE, .unmet = 1, .iteration = 6, .max = 5, .budget = -1},
	 WISP_HOOK_PAUSE, "iterations"},
	{"below the budget", {ACTIVE, .unmet = 1, .max = -1, .cost = 4.99, .budget = 5},
	 WISP_HOOK_BLOCK, "unmet"},
	{"the budget", {ACTIVE, .unmet = 1, .max = -1, .cost = 5, .budget = 5},
	 WISP_HOOK_PAUSE, "budget"},
	{"a budget of nothing", {ACTIVE, .unmet = 1, .max = -1, .cost = 0, .budget = 0},
	 WISP_HOOK_PAUSE, "budget"},
};

/* A check has its time, and all of them theirs: none is begun that could outlast the hook. */
static const struct {
	wisp_ms spent, time;
} times[] = {
	{0, WISP_HOOK_CHECK_MS}, {WISP_HOOK_CHECKS_MS - WISP_HOOK_CHECK_MS, WISP_HOOK_CHECK_MS}, {WISP_HOOK_CHECKS_MS - 1, 1},
	{WISP_HOOK_CHECKS_MS, 0}, {WISP_HOOK_CHECKS_MS + 5000, 0}
};

int
main(void)
{
	const char *why;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CHECK_INT(wisp_hook_judge(&cases[i].facts, &why), cases[i].answer, cases[i].label);
		CHECK_STR(why, cases[i].why, cases[i].label);
	}
	for (size_t i = 0; i < sizeof times / sizeof *times; i++)
		CHECK_INT(wisp_hook_check_time(times[i].spent), times[i].time, "the time of a check");
	return unit_done();
}
