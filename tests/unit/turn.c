/*
 * turn: begin, ran, verified and record on a folder of no session: what each
 * step is judged as, that every one of them may be repeated, and what is
 * bounded. The table of decisions itself is unit/decide.c.
 */
#include <unistd.h>

#include "core/config.h"
#include "core/create.h"
#include "core/session.h"
#include "core/turn.h"
#include "unit.h"

#define TASK(name, passes) "{\"category\": \"feature\", \"description\": \"" name "\", \"steps\": [], \"passes\": " passes "}"
#define TASKS(a, b) "[" TASK("one", a) ",\n" TASK("two", b) "]\n"
#define STATE(status) "{\"status\": \"" status "\", \"summary\": \"did it\"}"
#define RESULT(outcome, more) "{\"outcome\": \"" outcome "\"" more "}"
#define OK RESULT("ok", ", \"cost_usd\": 0.5, \"duration_s\": 2")

static char dir[64];
static struct wisp_place place;

/* A path below the folder; the caller frees it. */
static char *
below(const char *name)
{
	return wisp_str("%s/%s", dir, name);
}

static void
write_file(const char *name, const char *text)
{
	char *path = below(name);

	if (wisp_file_write(path, text, strlen(text), WISP_NOSYNC) != 0)
		CHECK(false, path);
	free(path);
}

/* A file of the folder; the caller frees it. NULL for none. */
static char *
read_text(const char *name)
{
	struct wisp_buf b = WISP_BUF_INIT;
	char *path = below(name);
	int rc = wisp_file_read(path, WISP_FILE_MAX, &b);

	free(path);
	if (rc != 0) {
		wisp_buf_release(&b);
		return NULL;
	}
	return wisp_buf_detach(&b);
}

static void
make_folder(const char *name)
{
	char *path = below(name);

	CHECK_INT(wisp_dir_make(path), 0, name);
	free(path);
}

static void
remove_file(const char *name)
{
	char *path = below(name);

	CHECK_INT(unlink(path), 0, name);
	free(path);
}

/* A new folder with a session of two open tasks. */
static void
set_up(void)
{
	struct wisp_create c = {.template = "default", .agent = "replay"};
	struct wisp_err err = WISP_ERR_INIT;
	char *tasks;

	snprintf(dir, sizeof dir, "/tmp/wisp-turn-XXXXXX");
	if (mkdtemp(dir) == NULL || wisp_place_dir(&place, dir, &err) != 0)
		exit(111);
	write_file("t.json", TASKS("false", "false"));
	tasks = below("t.json");
	c.tasks = tasks;
	CHECK_INT(wisp_create(&place, &c, &err), 0, "a session is made");
	free(tasks);
}

static void
tear_down(void)
{
	CHECK_INT(wisp_dir_remove(dir), 0, "the folder goes");
	wisp_place_release(&place);
}

static void
open_record(struct wisp_record *r)
{
	struct wisp_err err = WISP_ERR_INIT;

	if (wisp_record_open(r, &place, WISP_WRITE, &err) != 0) {
		CHECK_STR(err.text, NULL, "the record opens");
		exit(1);
	}
}

/* One of the verbs, each in a record opened anew as in a process of its own. Its answer; the caller frees it. */
enum verb { BEGIN, RAN, PASSED, FAILED, RECORD };

static struct cJSON *
call(enum verb verb, int want)
{
	const struct wisp_begin begin = {.head = NULL};
	struct cJSON *answer = wisp_json_object();
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_record r;
	int rc;

	open_record(&r);
	switch (verb) {
	case BEGIN:
		rc = wisp_turn_begin(&r, &begin, answer, &err);
		break;
	case RAN:
		rc = wisp_turn_ran(&r, answer, &err);
		break;
	case RECORD:
		rc = wisp_turn_record(&r, answer, &err);
		break;
	default:
		rc = wisp_turn_verified(&r, verb == PASSED ? WISP_VERIFY_PASSED : WISP_VERIFY_FAILED, answer, &err);
	}
	CHECK_INT(rc, want, err.text != NULL ? err.text : "the verb does it");
	wisp_err_release(&err);
	wisp_record_release(&r);
	return answer;
}

static void
run(enum verb verb)
{
	wisp_json_free(call(verb, 0));
}

static void
set_verify(void)
{
	struct wisp_record r;

	open_record(&r);
	wisp_json_set(wisp_record_config(&r), "verify.command", wisp_json_string("true"));
	CHECK_INT(wisp_record_commit(&r), 0, "verify is set");
	wisp_record_release(&r);
}

/* What the step leaves; NULL for nothing new. */
static void
leave(const char *state, const char *tasks, const char *result)
{
	char *name, *line;
	struct wisp_record r;

	open_record(&r);
	line = wisp_turn_step_path(&r, "step.json");
	name = line + strlen(dir) + 1;
	wisp_record_release(&r);
	if (state != NULL)
		write_file("state.json", state);
	if (tasks != NULL)
		write_file("tasks.json", tasks);
	write_file(name, result);
	free(line);
}

static const struct {
	const char *label, *state, *tasks, *result;
	int verify;		/* -1: none is configured */
	const char *action, *row, *tree;
	int passed;
	bool progress;
	const char *error, *feedback;	/* the kinds that the next prompt is told, in order */
} cases[] = {
	{"nothing changed", STATE("CONTINUE"), NULL, OK, -1, "continue", "9", "keep", 0, false, NULL, ""},
	{"a task passes", STATE("CONTINUE"), TASKS("true", "false"), OK, -1, "continue", "9", "keep", 1, true, NULL, ""},
	{"... and verify holds", STATE("CONTINUE"), TASKS("true", "false"), OK, PASSED, "continue", "9", "keep", 1, true, NULL, ""},
	{"... and verify fails", STATE("CONTINUE"), TASKS("true", "false"), OK, FAILED, "continue", "9", "keep", 0, false,
	  "the verify command failed and printed nothing", "verify"},
	{"no state", NULL, NULL, OK, -1, "retry", "4", "put-away", 0, false, "no state.json was left", "state"},
	{"no state, a claim", NULL, TASKS("true", "true"), OK, -1, "retry", "4", "put-away", 0, false, "no state.json was left", "state"},
	{"an outcome without a reason", STATE("CONTINUE"), NULL, RESULT("error", ""), -1, "continue", "9", "keep", 0, false, "error", "outcome"},
	{"an outcome with one", STATE("CONTINUE"), NULL, RESULT("crashed", ", \"reason\": \"SEGV\""), -1, "continue", "9", "keep", 0, false,
	  "SEGV", "outcome"},
	{"BLOCKED", "{\"status\": \"BLOCKED\", \"summary\": \"\", \"error\": \"no network\"}", NULL, OK, -1, "halted", "5", "keep", 0, false,
	  "no network", ""},
	{"an empty error is none", "{\"status\": \"CONTINUE\", \"summary\": \"\", \"error\": \"\"}", NULL, OK, -1, "continue", "9", "keep", 0,
	  false, NULL, ""},
	{"a question", "{\"status\": \"NEEDS_INPUT\", \"summary\": \"\", \"question\": \"Which?\"}", NULL, OK, -1, "ask", "6", "keep", 0, false,
	  NULL, ""},
	{"DONE with open tasks", STATE("DONE"), TASKS("true", "false"), OK, -1, "continue", "9", "keep", 1, true, NULL, "done"},
	{"DONE without the promise", STATE("DONE"), TASKS("true", "true"), OK, -1, "continue", "9", "keep", 2, true, NULL, "done"},
	{"DONE with all", STATE("DONE"), TASKS("true", "true"), RESULT("ok", ", \"promise\": true"), -1, "completed", "7", "keep", 2, true, NULL, ""},
	{"DONE, verify fails", STATE("DONE"), TASKS("true", "true"), RESULT("ok", ", \"promise\": true"), FAILED, "continue", "9", "keep", 0, false,
	  "the verify command failed and printed nothing", "verify done"},
	{"a list that does not parse", STATE("CONTINUE"), "[", OK, -1, "continue", "9", "keep", 0, false, NULL, "tasks"},
	{"a task lost, one passed", STATE("CONTINUE"), "[" TASK("two", "true") "]", OK, -1, "continue", "9", "keep", 1, true, NULL, "tasks"},
	{"auth", NULL, NULL, RESULT("auth", ", \"reason\": \"log in\""), -1, "halted", "3", "put-away", 0, false, "no state.json was left", "state outcome"},
};

static char *
kinds_of(const struct cJSON *feedback)
{
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_buf_puts(&b, "");
	for (const struct cJSON *f = wisp_json_first(feedback); f != NULL; f = wisp_json_next(f))
		wisp_buf_printf(&b, "%s%s", b.len > 0 ? " " : "", wisp_json_str(f, "kind", ""));
	return wisp_buf_detach(&b);
}

static void
check_record(size_t i)
{
	const char *label = cases[i].label;
	struct wisp_record r;
	const struct cJSON *e, *session;

	open_record(&r);
	session = wisp_record_session(&r);
	e = wisp_json_first(wisp_json_get(r.doc, "history"));
	CHECK_INT(wisp_json_len(wisp_json_get(r.doc, "history")), 1, label);
	CHECK_INT(wisp_json_int(e, "tasks_passed", -1), cases[i].passed, label);
	CHECK_INT(wisp_json_bool(e, "progress", false), cases[i].progress, label);
	CHECK_STR(wisp_json_str(e, "error", NULL), cases[i].error, label);
	CHECK(wisp_json_int(session, "loop_count", 0) == 1 && wisp_session_total(session, "agent_calls") == 1, label);
	CHECK(wisp_session_total(session, "cost_usd") == wisp_json_num(e, "cost_usd", 0), label);
	CHECK_OWN(kinds_of(wisp_record_feedback(&r)), cases[i].feedback, label);
	wisp_record_release(&r);
}

static void
test_case(size_t i)
{
	const char *label = cases[i].label;
	struct cJSON *answer, *again;
	struct wisp_tasks t = {0};
	char *path;

	set_up();
	if (cases[i].verify >= 0)
		set_verify();
	run(BEGIN);
	run(BEGIN);
	leave(cases[i].state, cases[i].tasks, cases[i].result);
	run(RAN);
	run(RAN);
	if (cases[i].verify >= 0)
		run((enum verb)cases[i].verify);
	answer = call(RECORD, 0);
	again = call(RECORD, 0);
	CHECK_STR(wisp_json_str(answer, "action", NULL), cases[i].action, label);
	CHECK_STR(wisp_json_str(answer, "row", NULL), cases[i].row, label);
	CHECK_STR(wisp_json_str(answer, "tree", NULL), cases[i].tree, label);
	CHECK(wisp_json_equal(answer, again), label);
	check_record(i);
	path = below("tasks.json");
	CHECK_INT(wisp_tasks_load(&t, path, NULL), WISP_VALID, label);
	CHECK_INT(t.passed, cases[i].passed, label);
	CHECK_INT(t.count, 2, label);
	wisp_tasks_release(&t);
	free(path);
	wisp_json_free(answer);
	wisp_json_free(again);
	tear_down();
}

/* A verify that failed and died before the commit of what comes next; the next one holds. */
static void
test_verified_again(void)
{
	struct cJSON *answer;

	set_up();
	set_verify();
	run(BEGIN);
	leave(STATE("DONE"), TASKS("true", "true"), RESULT("ok", ", \"promise\": true"));
	run(RAN);
	run(FAILED);
	wisp_json_free(call(PASSED, -1));
	answer = call(RAN, 0);
	CHECK_STR(wisp_json_str(answer, "due", NULL), "verify", "what was verified is verified again");
	wisp_json_free(answer);
	run(PASSED);
	answer = call(RECORD, 0);
	CHECK_STR(wisp_json_str(answer, "action", NULL), "completed", "the claims count again");
	CHECK_OWN(read_text("tasks.json"), TASKS("true", "true"), "and stand in the list, byte for byte");
	wisp_json_free(answer);
	tear_down();
}

static void
test_order(void)
{
	set_up();
	wisp_json_free(call(RAN, -1));
	wisp_json_free(call(RECORD, -1));
	run(BEGIN);
	wisp_json_free(call(RAN, -1));	/* there is no step.json */
	wisp_json_free(call(PASSED, -1));
	wisp_json_free(call(RECORD, -1));
	leave(STATE("CONTINUE"), NULL, OK);
	wisp_json_free(call(RECORD, -1));
	run(RAN);
	run(RECORD);
	wisp_json_free(call(RAN, -1));
	run(BEGIN);
	CHECK_OWN(read_text("state.json"), NULL, "the old state.json is aside");
	CHECK_OWN(read_text("steps/0002/state.before.json"), STATE("CONTINUE"), "in the new step's folder");
	tear_down();
}

static void
test_limit(void)
{
	struct cJSON *answer;
	struct wisp_record r;

	set_up();
	run(BEGIN);
	leave(NULL, TASKS("true", "false"), RESULT("limit", ", \"limit\": {\"kind\": \"five_hour\", \"resets_at\": null}"));
	run(RAN);
	answer = call(RECORD, 0);
	CHECK_STR(wisp_json_str(answer, "action", NULL), "wait", "a usage limit is waited for");
	wisp_json_free(answer);
	answer = call(BEGIN, 0);
	CHECK_STR(wisp_json_str(answer, "act", NULL), "stop", "not where nobody waits");
	CHECK_INT(wisp_json_int(answer, "exit", 0), 14, "with 14");
	wisp_json_free(answer);
	open_record(&r);
	CHECK_INT(wisp_json_len(wisp_json_get(r.doc, "history")), 0, "it is no iteration");
	CHECK_STR(wisp_json_str(wisp_json_get(wisp_json_get(r.doc, "limits"), "usage"), "kind", NULL), "five_hour", "its kind is known");
	wisp_json_set(r.doc, "limits", NULL);
	CHECK_INT(wisp_record_commit(&r), 0, "the limit is over");
	wisp_record_release(&r);
	CHECK_OWN(read_text("tasks.json"), TASKS("false", "false"), "its claims went back");
	remove_file("limits.json");
	answer = call(BEGIN, 0);
	CHECK_STR(wisp_json_str(answer, "name", NULL), "0001.2", "the repeat has a folder of its own");
	CHECK_INT(wisp_json_int(answer, "iteration", 0), 1, "and the same number");
	CHECK_INT(wisp_json_int(answer, "attempt", 0), 2, "its attempt is counted");
	wisp_json_free(answer);
	tear_down();
}

/* A begin that was killed between its commit and the removal of the requests: the next one finds them again. */
static void
test_requests(void)
{
	struct wisp_record r;
	struct wisp_tasks t = {0};

	set_up();
	make_folder("requests");
	/* Whoever is killed before the files are gone finds them again. */
	for (int round = 0; round < 2; round++) {
		write_file("requests/1.json", "{\"verb\": \"tasks\", \"change\": {\"op\": \"add\", \"add\": " TASK("three", "false") "}}");
		write_file("requests/2.json", "{\"verb\": \"guide\", \"text\": \"use the old parser\"}");
		run(round == 0 ? BEGIN : RECORD);
		CHECK_OWN(read_text("requests/2.json"), NULL, "what was applied is gone");
		leave(NULL, NULL, OK);
		run(round == 0 ? RAN : BEGIN);
	}
	open_record(&r);
	CHECK_INT(wisp_record_good_tasks(&r, NULL, &t, NULL), 0, "the list is good");
	CHECK_INT(t.count, 3, "the task was added once");
	CHECK_OWN(kinds_of(wisp_record_feedback(&r)), "guidance state", "the guidance was told once");
	wisp_tasks_release(&t);
	wisp_record_release(&r);
	tear_down();
}

/* More than is kept. */
static void
tell_much(void)
{
	struct wisp_record r;

	open_record(&r);
	for (int i = 0; i < 60; i++)
		wisp_record_tell(&r, "left", "much");
	CHECK_INT(wisp_record_commit(&r), 0, "much is told");
	wisp_record_release(&r);
}

/* What response.json says, and to which question; NULL where there is none. */
static char *
response(void)
{
	struct cJSON *v = NULL;
	char *path = below("response.json"), *text = NULL;

	if (wisp_json_load(path, &v, NULL) == WISP_VALID)
		text = wisp_str("%s: %s", wisp_json_str(v, "question_id", "?"), wisp_json_str(v, "response", "?"));
	wisp_json_free(v);
	free(path);
	return text;
}

/*
 * An answer lies at response.json while a step runs that was prompted with it, whoever is killed in
 * between, is kept where much else is to be said, and is hidden from the question after it.
 */
static void
test_answer(void)
{
	struct wisp_record r;
	struct cJSON *answer;

	set_up();
	run(BEGIN);
	leave("{\"status\": \"NEEDS_INPUT\", \"summary\": \"s\", \"question\": \"Which?\"}", NULL, OK);
	run(RAN);
	run(RECORD);
	write_file("response.json", "\"this\"");
	for (int i = 0; i < 2; i++) {
		run(BEGIN);
		CHECK_OWN(response(), "q-1: this", "a step finds the answer");
		remove_file("response.json");
		run(BEGIN);
		CHECK_OWN(response(), "q-1: this", "so it does where a begin was killed");
		tell_much();
		leave(NULL, NULL, RESULT("error", ""));
		run(RAN);
		run(RECORD);
		CHECK_OWN(response(), NULL, "it is hidden once the step is recorded");
	}
	open_record(&r);
	CHECK_STR(wisp_json_str(wisp_json_first(wisp_record_feedback(&r)), "kind", NULL), "answer", "the answer is kept");
	CHECK_INT(wisp_json_int(wisp_turn_step(&r), "told", -1), 1, "and counted, what was dropped is not");
	wisp_record_release(&r);
	run(BEGIN);
	write_file("response.json", "{\"response\": \"mine\", \"question_id\": \"q-99\"}");
	leave("{\"status\": \"NEEDS_INPUT\", \"summary\": \"s\", \"question\": \"And?\"}", NULL, OK);
	run(RAN);
	run(RECORD);
	CHECK_OWN(response(), "q-99: mine", "what else lies there is left");
	answer = call(BEGIN, 0);
	CHECK_STR(wisp_json_str(answer, "act", NULL), "ask", "and no answer to the next question");
	wisp_json_free(answer);
	tear_down();
}

/* A task list that a person broke is never written over by a request. */
static void
test_broken_list(void)
{
	set_up();
	make_folder("requests");
	write_file("requests/1.json", "{\"verb\": \"tasks\", \"change\": {\"op\": \"add\", \"add\": " TASK("three", "false") "}}");
	write_file("tasks.json", "[{]");
	wisp_json_free(call(BEGIN, -1));
	CHECK_OWN(read_text("tasks.json"), "[{]", "the list is as the person left it");
	remove_file("requests/1.json");	/* which waits there */
	tear_down();
}

static void
test_bounds(void)
{
	struct wisp_buf state = WISP_BUF_INIT;
	struct wisp_record r;
	const struct cJSON *e;
	const char *summary;

	set_up();
	wisp_buf_puts(&state, "{\"status\": \"CONTINUE\", \"summary\": \"");
	for (int i = 0; i < 600; i++)
		wisp_buf_puts(&state, "\xc3\xa9");
	wisp_buf_puts(&state, "\"}");
	open_record(&r);
	wisp_json_set_num(wisp_record_config(&r), "history.window", 2);
	wisp_json_set_num(wisp_record_config(&r), "steps.keep", 2);
	wisp_json_set(wisp_record_config(&r), "stuck.noProgress", NULL);
	CHECK_INT(wisp_record_commit(&r), 0, "small windows");
	wisp_record_release(&r);
	for (int i = 0; i < 4; i++) {
		run(BEGIN);
		leave(state.data, NULL, OK);
		run(RAN);
		run(RECORD);
	}
	open_record(&r);
	e = wisp_json_first(wisp_json_get(r.doc, "history"));
	summary = wisp_json_str(e, "summary", "");
	CHECK_INT(wisp_json_len(wisp_json_get(r.doc, "history")), 2, "the window");
	CHECK_INT(wisp_json_int(e, "iteration", 0), 3, "holds the last ones");
	CHECK_INT(strlen(summary), 1000, "500 characters of two bytes");
	CHECK_INT(wisp_json_int(wisp_record_session(&r), "loop_count", 0), 4, "totals outlive it");
	CHECK(wisp_session_total(wisp_record_session(&r), "cost_usd") == 2.0, "what was spent too");
	wisp_record_release(&r);
	CHECK_OWN(read_text("steps/0002/step.json"), NULL, "old steps are gone");
	CHECK_OWN(read_text("steps/0003/step.json"), OK, "the last two stay");
	wisp_buf_release(&state);
	tear_down();
}

static void
test_steps(void)
{
	static const char *const made[] = {"steps/9999", "steps/10000", "steps/0007.10", "steps/0007.2", "steps/0007", "steps/restore"};
	static const char *const want[] = {"0007", "0007.2", "0007.10", "9999", "10000"};
	char **names = NULL, *path;
	size_t count = 0;

	set_up();
	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		make_folder(made[i]);
	path = below("steps");
	CHECK_INT(wisp_turn_steps(path, &names, &count), 0, "steps are listed");
	CHECK_INT(count, 5, "and nothing else");
	for (size_t i = 0; i < count && i < 5; i++)
		CHECK_STR(names[i], want[i], "by their numbers");
	wisp_dir_list_free(names, count);
	free(path);
	tear_down();
}

int
main(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		test_case(i);
	test_verified_again();
	test_order();
	test_limit();
	test_requests();
	test_answer();
	test_broken_list();
	test_bounds();
	test_steps();
	return unit_done();
}
