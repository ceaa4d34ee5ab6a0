/*
 * decide: the table of docs/decisions.md, row by row, and that an earlier row wins.
 */
#include "core/decide.h"
#include "unit.h"

#define TASKS(t, c) .tasks_total = (t), .tasks_claimed = (c)
#define VALID(s) .state = WISP_VALID, .status = (s)
#define DONE_ALL VALID(WISP_DONE), TASKS(2, 2), .promise = true, .promise_required = true

static const struct {
	const char *label;
	struct wisp_facts facts;
	enum wisp_action action;
	int exit;
	enum wisp_tree tree;
	const char *row, *refused;
} cases[] = {
	/* 1: a signal or stop --now wins over all else */
	{"INT in a step", {.cut = 2, .state = WISP_MISSING, .outcome = WISP_INTERRUPTED}, WISP_DO_PAUSE, 130, WISP_TREE_KEEP, "1", NULL},
	{"TERM in verify, valid state", {.cut = 15, DONE_ALL}, WISP_DO_PAUSE, 143, WISP_TREE_KEEP, "1", NULL},
	{"HUP", {.cut = 1, .state = WISP_MISSING}, WISP_DO_PAUSE, 129, WISP_TREE_KEEP, "1", NULL},
	{"stop --now", {.cut = WISP_CUT_STOP, .state = WISP_MISSING}, WISP_DO_PAUSE, 15, WISP_TREE_KEEP, "1", NULL},
	{"a cut before auth", {.cut = 2, .outcome = WISP_AUTH, .state = WISP_MISSING}, WISP_DO_PAUSE, 130, WISP_TREE_KEEP, "1", NULL},
	/* 2: a usage limit */
	{"limit, no state", {.outcome = WISP_LIMITED, .state = WISP_MISSING}, WISP_DO_WAIT, 0, WISP_TREE_KEEP, "2", NULL},
	{"limit, broken state", {.outcome = WISP_LIMITED, .state = WISP_MALFORMED, .failed_before = 1}, WISP_DO_WAIT, 0, WISP_TREE_KEEP, "2", NULL},
	{"limit, valid CONTINUE", {.outcome = WISP_LIMITED, VALID(WISP_CONTINUE)}, WISP_DO_CONTINUE, 0, WISP_TREE_KEEP, "9", NULL},
	{"limit, valid DONE", {.outcome = WISP_LIMITED, DONE_ALL}, WISP_DO_COMPLETE, 0, WISP_TREE_KEEP, "7", NULL},
	{"limit and a pause", {.outcome = WISP_LIMITED, .state = WISP_MISSING, .pause = true}, WISP_DO_PAUSE, 15, WISP_TREE_KEEP, "pause", NULL},
	/* 3: the agent cannot run */
	{"auth", {.outcome = WISP_AUTH, .state = WISP_MISSING}, WISP_DO_HALT, 16, WISP_TREE_PUT_AWAY, "3", NULL},
	{"unstartable", {.outcome = WISP_UNSTARTABLE, .state = WISP_MISSING}, WISP_DO_HALT, 16, WISP_TREE_PUT_AWAY, "3", NULL},
	{"auth with a valid DONE", {.outcome = WISP_AUTH, DONE_ALL}, WISP_DO_HALT, 16, WISP_TREE_KEEP, "3", NULL},
	{"auth after a failure", {.outcome = WISP_AUTH, .state = WISP_MISSING, .failed_before = 1}, WISP_DO_HALT, 16, WISP_TREE_PUT_AWAY, "3", NULL},
	/* 4: no valid state */
	{"missing, first", {.outcome = WISP_OK, .state = WISP_MISSING}, WISP_DO_RETRY, 0, WISP_TREE_PUT_AWAY, "4", NULL},
	{"empty, first", {.outcome = WISP_OK, .state = WISP_EMPTY}, WISP_DO_RETRY, 0, WISP_TREE_PUT_AWAY, "4", NULL},
	{"malformed, first", {.outcome = WISP_OK, .state = WISP_MALFORMED}, WISP_DO_RETRY, 0, WISP_TREE_PUT_AWAY, "4", NULL},
	{"invalid, first", {.outcome = WISP_OK, .state = WISP_INVALID}, WISP_DO_RETRY, 0, WISP_TREE_PUT_AWAY, "4", NULL},
	{"unreadable, first", {.outcome = WISP_OK, .state = WISP_UNREADABLE}, WISP_DO_RETRY, 0, WISP_TREE_PUT_AWAY, "4", NULL},
	{"missing, second", {.outcome = WISP_OK, .state = WISP_MISSING, .failed_before = 1}, WISP_DO_HALT, 16, WISP_TREE_PUT_AWAY, "4", NULL},
	{"error, second", {.outcome = WISP_ERROR, .state = WISP_MISSING, .failed_before = 1}, WISP_DO_HALT, 16, WISP_TREE_PUT_AWAY, "4", NULL},
	{"crashed, second", {.outcome = WISP_CRASHED, .state = WISP_MISSING, .failed_before = 1}, WISP_DO_HALT, 16, WISP_TREE_PUT_AWAY, "4", NULL},
	{"capped, second", {.outcome = WISP_CAPPED, .state = WISP_MISSING, .failed_before = 1}, WISP_DO_HALT, 16, WISP_TREE_PUT_AWAY, "4", NULL},
	{"refused, second", {.outcome = WISP_REFUSED, .state = WISP_MISSING, .failed_before = 1}, WISP_DO_HALT, 16, WISP_TREE_PUT_AWAY, "4", NULL},
	{"transient, first", {.outcome = WISP_TRANSIENT, .state = WISP_MISSING}, WISP_DO_RETRY, 0, WISP_TREE_PUT_AWAY, "4", NULL},
	{"transient, second", {.outcome = WISP_TRANSIENT, .state = WISP_MISSING, .failed_before = 1}, WISP_DO_PAUSE, 16, WISP_TREE_PUT_AWAY, "4", NULL},
	{"timeout, second", {.outcome = WISP_TIMEOUT, .state = WISP_MISSING, .failed_before = 1}, WISP_DO_PAUSE, 16, WISP_TREE_PUT_AWAY, "4", NULL},
	{"idle, third", {.outcome = WISP_IDLE, .state = WISP_MISSING, .failed_before = 2}, WISP_DO_PAUSE, 16, WISP_TREE_PUT_AWAY, "4", NULL},
	{"failed step and a pause", {.outcome = WISP_OK, .state = WISP_MISSING, .pause = true}, WISP_DO_PAUSE, 15, WISP_TREE_PUT_AWAY, "pause", NULL},
	{"--once ends after a failed step, too", {.outcome = WISP_OK, .state = WISP_MISSING, .once = true}, WISP_DO_PAUSE, 15, WISP_TREE_PUT_AWAY, "once", NULL},
	{"--once: a limit is no iteration", {.outcome = WISP_LIMITED, .state = WISP_MISSING, .once = true}, WISP_DO_WAIT, 0, WISP_TREE_KEEP, "2", NULL},
	/* a valid state counts whatever the outcome */
	{"timeout, valid", {.outcome = WISP_TIMEOUT, VALID(WISP_CONTINUE), .failed_before = 1}, WISP_DO_CONTINUE, 0, WISP_TREE_KEEP, "9", NULL},
	{"idle, valid DONE", {.outcome = WISP_IDLE, DONE_ALL}, WISP_DO_COMPLETE, 0, WISP_TREE_KEEP, "7", NULL},
	{"error, valid", {.outcome = WISP_ERROR, VALID(WISP_CONTINUE)}, WISP_DO_CONTINUE, 0, WISP_TREE_KEEP, "9", NULL},
	{"crashed, valid", {.outcome = WISP_CRASHED, VALID(WISP_CONTINUE)}, WISP_DO_CONTINUE, 0, WISP_TREE_KEEP, "9", NULL},
	{"capped, valid", {.outcome = WISP_CAPPED, VALID(WISP_CONTINUE)}, WISP_DO_CONTINUE, 0, WISP_TREE_KEEP, "9", NULL},
	{"refused, valid BLOCKED", {.outcome = WISP_REFUSED, VALID(WISP_BLOCKED)}, WISP_DO_HALT, 11, WISP_TREE_KEEP, "5", NULL},
	/* 5, 6 */
	{"BLOCKED", {VALID(WISP_BLOCKED)}, WISP_DO_HALT, 11, WISP_TREE_KEEP, "5", NULL},
	{"BLOCKED before stuck", {VALID(WISP_BLOCKED), .stuck = true}, WISP_DO_HALT, 11, WISP_TREE_KEEP, "5", NULL},
	{"BLOCKED and a pause", {VALID(WISP_BLOCKED), .pause = true}, WISP_DO_HALT, 11, WISP_TREE_KEEP, "5", NULL},
	{"NEEDS_INPUT", {VALID(WISP_NEEDS_INPUT)}, WISP_DO_ASK, 10, WISP_TREE_KEEP, "6", NULL},
	{"NEEDS_INPUT before stuck", {VALID(WISP_NEEDS_INPUT), .stuck = true}, WISP_DO_ASK, 10, WISP_TREE_KEEP, "6", NULL},
	{"NEEDS_INPUT, --once and a pause", {VALID(WISP_NEEDS_INPUT), .once = true, .pause = true}, WISP_DO_ASK, 10, WISP_TREE_KEEP, "6", NULL},
	/* 7 */
	{"DONE, all there, verify none", {DONE_ALL, .verify = WISP_VERIFY_NONE}, WISP_DO_COMPLETE, 0, WISP_TREE_KEEP, "7", NULL},
	{"DONE, all there, verify passed", {DONE_ALL, .verify = WISP_VERIFY_PASSED}, WISP_DO_COMPLETE, 0, WISP_TREE_KEEP, "7", NULL},
	{"DONE, promise optional", {VALID(WISP_DONE), TASKS(1, 1)}, WISP_DO_COMPLETE, 0, WISP_TREE_KEEP, "7", NULL},
	{"DONE before stuck", {DONE_ALL, .stuck = true}, WISP_DO_COMPLETE, 0, WISP_TREE_KEEP, "7", NULL},
	{"DONE and a pause", {DONE_ALL, .pause = true, .once = true}, WISP_DO_COMPLETE, 0, WISP_TREE_KEEP, "7", NULL},
	{"DONE, a task open", {VALID(WISP_DONE), TASKS(2, 1), .promise = true, .promise_required = true}, WISP_DO_CONTINUE, 0, WISP_TREE_KEEP, "9", "tasks"},
	{"DONE, no task at all", {VALID(WISP_DONE), .promise = true}, WISP_DO_CONTINUE, 0, WISP_TREE_KEEP, "9", "tasks"},
	{"DONE, no promise", {VALID(WISP_DONE), TASKS(2, 2), .promise_required = true}, WISP_DO_CONTINUE, 0, WISP_TREE_KEEP, "9", "promise"},
	{"DONE, verify failed", {DONE_ALL, .verify = WISP_VERIFY_FAILED}, WISP_DO_CONTINUE, 0, WISP_TREE_KEEP, "9", "verify"},
	{"DONE, verify not run", {DONE_ALL, .verify = WISP_VERIFY_SKIPPED}, WISP_DO_CONTINUE, 0, WISP_TREE_KEEP, "9", "verify"},
	{"DONE lacks all three: tasks first", {VALID(WISP_DONE), TASKS(2, 0), .promise_required = true, .verify = WISP_VERIFY_FAILED}, WISP_DO_CONTINUE, 0, WISP_TREE_KEEP, "9", "tasks"},
	{"promise without DONE", {VALID(WISP_CONTINUE), TASKS(2, 2), .promise = true}, WISP_DO_CONTINUE, 0, WISP_TREE_KEEP, "9", NULL},
	/* 8, 9 */
	{"stuck", {VALID(WISP_CONTINUE), .stuck = true}, WISP_DO_HALT, 12, WISP_TREE_KEEP, "8", NULL},
	{"stuck with a refused DONE", {VALID(WISP_DONE), TASKS(2, 1), .stuck = true}, WISP_DO_HALT, 12, WISP_TREE_KEEP, "8", "tasks"},
	{"stuck and a pause", {VALID(WISP_CONTINUE), .stuck = true, .pause = true}, WISP_DO_HALT, 12, WISP_TREE_KEEP, "8", NULL},
	{"stuck needs a valid state", {.outcome = WISP_OK, .state = WISP_MISSING, .stuck = true}, WISP_DO_RETRY, 0, WISP_TREE_PUT_AWAY, "4", NULL},
	{"CONTINUE", {VALID(WISP_CONTINUE)}, WISP_DO_CONTINUE, 0, WISP_TREE_KEEP, "9", NULL},
	{"CONTINUE, verify failed", {VALID(WISP_CONTINUE), .verify = WISP_VERIFY_FAILED}, WISP_DO_CONTINUE, 0, WISP_TREE_KEEP, "9", NULL},
	{"CONTINUE and a pause", {VALID(WISP_CONTINUE), .pause = true}, WISP_DO_PAUSE, 15, WISP_TREE_KEEP, "pause", NULL},
	{"CONTINUE with --once", {VALID(WISP_CONTINUE), .once = true}, WISP_DO_PAUSE, 15, WISP_TREE_KEEP, "once", NULL},
	{"refused DONE with --once", {VALID(WISP_DONE), TASKS(2, 1), .once = true}, WISP_DO_PAUSE, 15, WISP_TREE_KEEP, "once", "tasks"},
};

int
main(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wisp_decision d;

		wisp_decide(&d, &cases[i].facts);
		CHECK_STR(wisp_action_name(d.action), wisp_action_name(cases[i].action), cases[i].label);
		CHECK_INT(d.exit, cases[i].exit, cases[i].label);
		CHECK_STR(wisp_tree_name(d.tree), wisp_tree_name(cases[i].tree), cases[i].label);
		CHECK_STR(d.row, cases[i].row, cases[i].label);
		CHECK_STR(d.refused, cases[i].refused, cases[i].label);
	}
	for (int o = WISP_OK; o <= WISP_UNSTARTABLE; o++)
		CHECK_INT(wisp_outcome_parse(wisp_outcome_name((enum wisp_outcome)o)), o, "an outcome's word is read back");
	CHECK_INT(wisp_outcome_parse("fine"), -1, "an unknown outcome");
	CHECK_INT(wisp_outcome_parse(NULL), -1, "no outcome");
	CHECK_INT(wisp_verify_parse("passed"), WISP_VERIFY_PASSED, "passed");
	CHECK_INT(wisp_verify_parse("PASSED"), -1, "words have their case");
	return unit_done();
}
