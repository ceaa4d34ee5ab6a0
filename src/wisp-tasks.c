/*
 * wisp-tasks: asks and changes the task list of a session, tasks.json.
 *
 * A change is a change of bytes under the write lock: order, layout, unknown
 * fields and a byte-order mark stay as they are, and the file is replaced
 * atomically. A list that does not hold is never changed. While a session's
 * step is open the list is the agent's: a change is then asked of the loop.
 *
 * Exit: 0 yes, done; 1 no (no such task, none is next, not lawful); 100 called
 * wrongly; 102 the list is missing or does not hold; 111 the system refused.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cli.h"
#include "core/request.h"
#include "core/scan.h"
#include "core/tasks.h"

/* What became of a change. */
enum outcome { DONE, ASKED, NO_TASK };

/* The caller frees it. */
static char *
list_path(struct wisp_cli *cli)
{
	wisp_cli_place(cli);
	return wisp_str("%s/tasks.json", cli->place.dir);
}

static void
load_file(struct wisp_tasks *t, const char *path)
{
	struct wisp_err err = WISP_ERR_INIT;

	if (wisp_tasks_load(t, path, &err) != WISP_VALID)
		die_err(&err);
}

static void
load(struct wisp_cli *cli, struct wisp_tasks *t)
{
	char *path = list_path(cli);

	load_file(t, path);
	free(path);
}

static struct cJSON *
numbered(const struct wisp_task *task)
{
	struct cJSON *v = wisp_json_copy(task->json);

	wisp_json_set_num(v, "number", (double)task->number);
	return v;
}

static int
list(struct wisp_cli *cli)
{
	bool open = false, done = false;
	const struct wisp_option options[] = {{"open", .flag = &open}, {"done", .flag = &done}, {0}};
	struct wisp_buf line = WISP_BUF_INIT;
	struct cJSON *all = wisp_json_array();
	const struct wisp_task *task;
	struct wisp_tasks t;
	int width;

	wisp_cli_read(cli, options, 0, 0);
	if (open && done)
		die_usage("--open and --done exclude each other");
	load(cli, &t);
	width = snprintf(NULL, 0, "%zu", t.count);
	for (task = t.list; task < t.list + t.count; task++) {
		if (task->passes ? open : done)
			continue;
		if (cli->json) {
			wisp_json_push(all, numbered(task));
			continue;
		}
		wisp_buf_reset(&line);
		wisp_buf_line(&line, task->description, SIZE_MAX);
		printf("%*zu [%c] %s: %s\n", width, task->number, task->passes ? 'x' : ' ', task->category, line.data);
	}
	if (cli->json)
		wisp_cli_json(all);
	else
		wisp_json_free(all);
	wisp_buf_release(&line);
	wisp_tasks_release(&t);
	return 0;
}

static int
next(struct wisp_cli *cli)
{
	const struct wisp_task *task;
	struct wisp_tasks t;

	wisp_cli_read(cli, NULL, 0, 0);
	load(cli, &t);
	task = wisp_tasks_next(&t);
	if (task != NULL && cli->json) {
		wisp_cli_json(numbered(task));
	} else if (task != NULL) {
		printf("number=%zu\n", task->number);
		wisp_cli_pair("id", task->id);
		wisp_cli_pair("category", task->category);
		wisp_cli_pair("description", task->description);
	}
	wisp_tasks_release(&t);
	return task != NULL ? 0 : 1;
}

static int
count(struct wisp_cli *cli)
{
	struct cJSON *v = wisp_json_object();
	struct wisp_tasks t;

	wisp_cli_read(cli, NULL, 0, 0);
	load(cli, &t);
	wisp_json_set_num(v, "passed", (double)t.passed);
	wisp_json_set_num(v, "total", (double)t.count);
	wisp_cli_answer(cli, v);
	/* The loop asks often: freeing all values one by one would be a fifth of the time. */
	wisp_exit(0);
}

static int
no_task(const char *name)
{
	warn("there is no task '%s'", name);
	return 1;
}

/* The bytes as they stand in the file. */
static int
show(struct wisp_cli *cli)
{
	struct wisp_path_step step = {0};
	const struct wisp_path path = {&step, 1};
	const struct wisp_task *task;
	struct wisp_span span;
	struct wisp_tasks t;

	wisp_cli_read(cli, NULL, 1, 1);
	load(cli, &t);
	task = wisp_tasks_find(&t, cli->argv[0]);
	if (task == NULL) {
		wisp_tasks_release(&t);
		return no_task(cli->argv[0]);
	}
	step.index = task->number - 1;
	if (wisp_scan_find(t.bytes.data, t.bytes.len, &path, &span, NULL) != 0)
		die_bug("task %zu has no bytes", task->number);
	fwrite(t.bytes.data + span.start, 1, span.end - span.start, stdout);
	putchar('\n');
	wisp_tasks_release(&t);
	return 0;
}

/* The record of a session; false where there is none, and the file is all there is. */
static bool
open_record(struct wisp_record *r, const struct wisp_place *place)
{
	struct wisp_err err = WISP_ERR_INIT;
	char *path = wisp_str("%s/record.json", place->home != NULL ? place->home : "");
	bool there = place->home != NULL && wisp_file_exists(path);
	int rc = 0;

	if (there)
		rc = wisp_record_open(r, place, WISP_WRITE, &err);
	if (rc < 0 && err.text != NULL)
		die_err(&err);
	if (rc < 0)
		die_sys("cannot open the record of '%s'", place->dir);
	free(path);
	return there && rc == 0;
}

/* While a step is open and its loop lives, the file is the agent's. */
static bool
belongs_to_agent(struct wisp_record *r)
{
	const char *stage = wisp_json_str(wisp_json_get(r->doc, "step"), "stage", "recorded");
	int owned;

	if (strcmp(stage, "recorded") == 0)
		return false;
	owned = wisp_record_owned(r);
	if (owned < 0)
		die_sys("cannot look at the lock in '%s'", r->home);
	return owned == 1;
}

/* Leaves the change for the loop to make after its step. The list as it was good tells whether it can be made. */
static enum outcome
ask_loop(struct wisp_record *r, struct cJSON *change, struct wisp_tasks *t)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *request;
	int rc = wisp_record_good_tasks(r, NULL, t, &err);

	if (rc < 0)
		die_err(&err);
	if (rc == 0)
		rc = wisp_tasks_apply(t, change, &err);
	if (rc < 0)
		die_usage("%s", err.text);
	if (rc > 0)
		return NO_TASK;
	request = wisp_json_object();
	wisp_json_set_str(request, "verb", "tasks");
	wisp_json_set(request, "change", wisp_json_copy(change));
	if (wisp_request_add(r->home, request) < 0)
		die_sys("cannot leave a request in '%s/requests'", r->home);
	warn("a step is open: this is applied after it");
	return ASKED;
}

/* Changes the file. The record of a session learns that a person did it: a task's `verify` then counts. */
static enum outcome
change_file(struct wisp_record *r, const char *path, const struct cJSON *change, struct wisp_tasks *t)
{
	struct wisp_err err = WISP_ERR_INIT;
	size_t passed, total;
	int rc;

	load_file(t, path);
	passed = t->passed;
	total = t->count;
	rc = wisp_tasks_apply(t, change, &err);
	if (rc < 0)
		die_usage("%s", err.text);
	if (rc > 0)
		return NO_TASK;
	if ((t->passed != passed || t->count != total) && wisp_tasks_write(t, path) < 0)
		die_sys("cannot write '%s'", path);
	if (r != NULL && (wisp_record_keep_tasks(r, t) < 0 || wisp_record_commit(r, WISP_SYNC) < 0))
		die_sys("cannot change the record in '%s'", r->home);
	return DONE;
}

/*
 * The one way to change the list. `change` as for wisp_tasks_apply (consumed);
 * `t` holds the list after it.
 */
static enum outcome
carry_out(struct wisp_cli *cli, struct cJSON *change, struct wisp_tasks *t)
{
	char *path = list_path(cli);
	struct wisp_record r;
	enum outcome outcome;

	*t = (struct wisp_tasks){0};
	wisp_cli_refuse_step(&cli->place, "changing tasks");
	if (open_record(&r, &cli->place)) {
		outcome = belongs_to_agent(&r) ? ask_loop(&r, change, t) : change_file(&r, path, change, t);
		wisp_record_release(&r);
	} else {
		wisp_cli_lock(&cli->place);
		wisp_file_sweep(cli->place.dir);
		outcome = change_file(NULL, path, change, t);
	}
	wisp_json_free(change);
	free(path);
	return outcome;
}

/* pass and open */
static int
mark(struct wisp_cli *cli)
{
	struct cJSON *change = wisp_json_object();
	enum outcome outcome;
	struct wisp_tasks t;

	wisp_cli_read(cli, NULL, 1, 1);
	wisp_json_set_str(change, "op", cli->verb->name);
	wisp_json_set_str(change, "task", cli->argv[0]);
	outcome = carry_out(cli, change, &t);
	wisp_tasks_release(&t);
	return outcome == NO_TASK ? no_task(cli->argv[0]) : 0;
}

static int
add(struct wisp_cli *cli)
{
	const char *category = NULL, *id = NULL;
	struct wisp_texts steps = {0};
	const struct wisp_option options[] = {
		{"category", .text = &category}, {"id", .text = &id}, {"step", .list = &steps}, {0}
	};
	struct cJSON *change = wisp_json_object(), *task, *array;
	struct wisp_tasks t;
	size_t i;

	wisp_cli_read(cli, options, 1, 1);
	if (category == NULL)
		die_usage("--category is missing");
	wisp_json_set_str(change, "op", "add");
	task = wisp_json_object_at(change, "add");
	if (id != NULL)
		wisp_json_set_str(task, "id", id);
	wisp_json_set_str(task, "category", category);
	wisp_json_set_str(task, "description", cli->argv[0]);
	array = wisp_json_array_at(task, "steps");
	for (i = 0; i < steps.count; i++)
		wisp_json_push(array, wisp_json_string(steps.list[i]));
	wisp_json_set_bool(task, "passes", false);
	free(steps.list);
	if (carry_out(cli, change, &t) == DONE)
		printf("%zu\n", t.count);
	wisp_tasks_release(&t);
	return 0;
}

static int
check(struct wisp_cli *cli)
{
	struct wisp_err err = WISP_ERR_INIT;
	enum wisp_verdict verdict;
	struct wisp_tasks t;
	struct cJSON *v;
	char *path, *text;

	wisp_cli_read(cli, NULL, 0, 0);
	path = list_path(cli);
	verdict = wisp_tasks_load(&t, path, &err);
	wisp_tasks_release(&t);
	text = wisp_err_string(&err);
	if (cli->json) {
		v = wisp_json_object();
		wisp_json_set_str(v, "file", path);
		wisp_json_set_str(v, "verdict", wisp_verdict_name(verdict));
		wisp_json_set_str(v, "error", verdict == WISP_VALID ? NULL : text);
		wisp_cli_json(v);
	} else if (verdict != WISP_VALID) {
		printf("%s\n", text);
	}
	wisp_err_release(&err);
	free(text);
	free(path);
	return verdict == WISP_VALID ? 0 : WISP_EXIT_DATA;
}

/* `name=NUMBER DESCRIPTION` for each number, or a member of `v` if that is not NULL. */
static void
print_kind(struct cJSON *v, const char *name, const size_t *numbers, size_t n, const struct wisp_tasks *t)
{
	struct cJSON *array = v != NULL ? wisp_json_array_at(v, name) : NULL;
	struct wisp_buf line = WISP_BUF_INIT;
	size_t i;

	for (i = 0; i < n; i++) {
		if (array != NULL) {
			wisp_json_push(array, wisp_json_double((double)numbers[i]));
			continue;
		}
		wisp_buf_reset(&line);
		wisp_buf_printf(&line, "%zu ", numbers[i]);
		wisp_buf_puts(&line, t->list[numbers[i] - 1].description);
		wisp_cli_pair(name, line.data);
	}
	wisp_buf_release(&line);
}

static int
diff(struct wisp_cli *cli)
{
	struct wisp_tasks old, new;
	struct wisp_tasks_diff d;
	struct cJSON *v;
	bool lawful;

	wisp_cli_read(cli, NULL, 2, 2);
	load_file(&old, cli->argv[0]);
	load_file(&new, cli->argv[1]);
	wisp_tasks_compare(&d, &old, &new);
	v = cli->json ? wisp_json_object() : NULL;
	if (v != NULL)
		wisp_json_set_bool(v, "lawful", d.lawful);
	print_kind(v, "lost", d.lost, d.n_lost, &old);
	print_kind(v, "reworded", d.reworded, d.n_reworded, &old);
	print_kind(v, "moved", d.moved, d.n_moved, &old);
	print_kind(v, "passed", d.passed, d.n_passed, &new);
	print_kind(v, "reopened", d.reopened, d.n_reopened, &new);
	print_kind(v, "added", d.added, d.n_added, &new);
	if (v != NULL)
		wisp_cli_json(v);
	lawful = d.lawful;
	wisp_tasks_diff_release(&d);
	wisp_tasks_release(&old);
	wisp_tasks_release(&new);
	return lawful ? 0 : 1;
}

int
main(int argc, char **argv)
{
	static const struct wisp_verb verbs[] = {
		{"list", list, "[--open | --done]", "one line for each task"},
		{"next", next, "", "the task to do next; 1 where there is none"},
		{"count", count, "", "how many there are, and how many pass"},
		{"show", show, "N|ID", "a task as it stands in the file"},
		{"pass", mark, "N|ID", "sets `passes` of a task"},
		{"open", mark, "N|ID", "takes it back"},
		{"add", add, "--category C [--id I] [--step S]... DESCRIPTION",
		 "adds a task at the end and prints its number, if it has one by now"},
		{"check", check, "", "is the list as it should be? 102 if not"},
		{"diff", diff, "OLD NEW", "what became of a list; 0 if an agent may do that"},
		{0}
	};

	wisp_cli_main(argc, argv, "asks and changes the task list of a session", verbs);
}
