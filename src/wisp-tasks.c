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

#include "core/config.h"
#include "core/scan.h"
#include "core/turn.h"
#include "core/turn_tests.h"
#include "tasks/format.h"
#include "tasks/verb.h"
#include "tree/tree.h"

static void
load(struct wisp_cli *cli, struct wisp_tasks *t)
{
	char *path = wisp_verb_path(cli);

	wisp_verb_load(t, path);
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
		return wisp_verb_no_task(cli->argv[0]);
	}
	step.index = task->number - 1;
	if (wisp_scan_find(t.bytes.data, t.bytes.len, &path, &span, NULL) != 0)
		die_bug("task %zu has no bytes", task->number);
	fwrite(t.bytes.data + span.start, 1, span.end - span.start, stdout);
	putchar('\n');
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
	path = wisp_verb_path(cli);
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
	wisp_verb_load(&old, cli->argv[0]);
	wisp_verb_load(&new, cli->argv[1]);
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

/*
 * What a check has left in the work tree, when it has said `verify` of the one that was seen before. True where it passed
 * and changed what it was run on: it runs again, on that.
 */
static bool
look_after(struct wisp_tree *t, struct wisp_work_tree *w, const char *verify, bool again)
{
	if (w->dir == NULL || w->not_work == NULL || w->credited == NULL || *t->tree == '\0')
		die_usage("with --top: --work, --not-work, --credited and --tree are needed");
	w->verify = again ? NULL : verify;
	wisp_work_after(t, w, t->tree);
	wisp_tree_end("wisp-tasks");
	wisp_tree_answer_state(t);
	wisp_work_answer(w);
	return w->again != NULL;
}

/* What it said, test by test: the answer about the session, which comes below `---`; NULL where it runs again, and why is said. */
static struct cJSON *
look_at_tests(struct wisp_record *r, const struct wisp_tree *t, enum wisp_verify *verify, bool again)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *answer;
	char *why, *note;
	int rc;

	why = wisp_turn_tests(r, verify, again, &rc, &err);
	wisp_cli_must(rc, &err, r);
	wisp_tree_answer("again", why);
	if (why != NULL) {
		free(why);
		return NULL;
	}
	if (t->top != NULL)
		puts("---");
	note = wisp_turn_tests_note(wisp_json_get(r->doc, "step"));
	answer = wisp_json_object();
	wisp_json_set_str(answer, "note", *note != '\0' ? note : NULL);
	free(note);
	return answer;
}

/* What verify said of the step's claims, by the loop: those it refused are open again. And the tests that it printed. */
static int
reconcile(struct wisp_cli *cli)
{
	const char *seal = NULL, *parent = NULL;
	struct wisp_tree t = {0};
	struct wisp_work_tree work = {0};
	bool again = false;
	const struct wisp_option own[] = {
		{"seal", .text = &seal}, {"tree", .text = &t.tree}, {"credited", .text = &work.credited},
		{"work", .text = &work.dir}, {"not-work", .text = &work.not_work}, {"again", .flag = &again},
	};
	struct wisp_option options[WISP_TREE_OPTIONS + sizeof own / sizeof *own + 1] = {0};
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *answer = NULL;
	struct wisp_record r;
	enum wisp_verify verify;

	memcpy(options + wisp_tree_options(&t, &parent, options), own, sizeof own);
	wisp_cli_read_loop(cli, options, 1, 1);
	verify = wisp_cli_verify(cli->argv[0]);
	wisp_cli_need_loop(cli, &r, seal);
	work.end = wisp_config_text(wisp_record_config(&r), "verify.metrics") == NULL;
	if (t.top != NULL)
		wisp_tree_begin(&t, parent);
	if ((t.top != NULL && look_after(&t, &work, cli->argv[0], again)) ||
	    (answer = look_at_tests(&r, &t, &verify, again)) == NULL) {
		wisp_record_release(&r);
		return 0;
	}
	wisp_cli_must(wisp_turn_verified(&r, verify, answer, &err), &err, &r);
	wisp_cli_seal(&r, answer);
	wisp_cli_answer(cli, answer);
	wisp_record_release(&r);
	return 0;
}

/* Formats whose files are JSON are left to wisp-filter, so that nothing else here waits for libjq. */
static int
import(struct wisp_cli *cli)
{
	return wisp_verb_import(cli, NULL);
}

static int
export(struct wisp_cli *cli)
{
	return wisp_verb_export(cli, NULL);
}

static int
sync_file(struct wisp_cli *cli)
{
	return wisp_verb_sync(cli, NULL);
}

int
main(int argc, char **argv)
{
	static const struct wisp_verb verbs[] = {
		{"list", list, "[--open | --done]", "one line for each task"},
		{"next", next, "", "the task to do next; 1 where there is none"},
		{"count", count, "", "how many there are, and how many pass"},
		{"show", show, "N|ID", "a task as it stands in the file"},
		{"pass", wisp_verb_mark, "N|ID", "sets `passes` of a task"},
		{"open", wisp_verb_mark, "N|ID", "takes it back"},
		{"add", wisp_verb_add, "--category C [--id I] [--step S]... DESCRIPTION",
		 "adds a task at the end, prints the number it has by now"},
		{"check", check, "", "is the list as it should be? 102 if not"},
		{"diff", diff, "OLD NEW", "what became of a list; 0 if an agent may do that"},
		{"reconcile", reconcile, "[--seal S] WORD",
		 "for the loop, after verify: claims it refused go back"},
		{"import", import, WISP_FORMAT_IMPORTS " FILE [--category C]", "prints the list that another tool's file holds"},
		{"export", export, WISP_FORMAT_EXPORTS, "prints the list as another tool has it"},
		{"sync", sync_file, WISP_FORMAT_SYNCS " FILE [--dry-run]", "ticks in such a file what passes here"},
		{0}
	};

	wisp_cli_main(argc, argv, "asks and changes the task list of a session", verbs);
}
