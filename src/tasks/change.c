/*
 * change: the verbs of wisp-tasks that change the list. While a session's step
 * is open the list is the agent's: a change is then asked of the loop.
 */
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/request.h"
#include "core/turn.h"

/* What became of a change. */
enum outcome { DONE, ASKED, NO_TASK };

/* The record of a session; false where there is none, and the file is all there is. */
static bool
open_record(struct wisp_record *r, struct wisp_cli *cli)
{
	const char *home = cli->place.home;

	return home != NULL && wisp_record_there(home) && wisp_cli_record(cli, r, WISP_WRITE);
}

/* While a step is open the file is the agent's; what a step that was lost left of it goes back to what it was. */
static bool
belongs_to_agent(struct wisp_record *r)
{
	return strcmp(wisp_json_str(wisp_json_get(r->doc, "step"), "stage", "recorded"), "recorded") != 0;
}

/* What was asked before comes first. */
static void
apply_waiting(struct wisp_record *r)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_asked asked;

	if (wisp_turn_requests(r, &asked, &err) < 0 && err.text != NULL)
		die_err(&err);
	if (asked.requests.count > 0) {
		wisp_cli_commit(r);
		wisp_turn_requests_done(&asked, false);
	}
	wisp_requests_release(&asked.requests);
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
	warn("a step is open: this is applied %s", wisp_cli_owned(r) ? "after it" : "when the session goes on");
	return ASKED;
}

/* Changes the file. The record of a session learns that a person did it: a task's `verify` then counts. */
static enum outcome
change_file(struct wisp_record *r, const char *path, const struct cJSON *change, struct wisp_tasks *t)
{
	struct wisp_err err = WISP_ERR_INIT;
	size_t passed, total;
	int rc;

	wisp_verb_load(t, path);
	passed = t->passed;
	total = t->count;
	rc = wisp_tasks_apply(t, change, &err);
	if (rc < 0)
		die_usage("%s", err.text);
	if (rc > 0)
		return NO_TASK;
	if ((t->passed != passed || t->count != total) && wisp_tasks_write(t, path) < 0)
		die_sys("cannot write '%s'", path);
	if (r != NULL && (wisp_record_keep_tasks(r, t) < 0 || wisp_record_commit(r) < 0))
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
	char *path = wisp_verb_path(cli);
	struct wisp_record r;
	enum outcome outcome;

	*t = (struct wisp_tasks){0};
	wisp_cli_refuse_step(&cli->place, "changing tasks");
	if (open_record(&r, cli)) {
		if (!belongs_to_agent(&r))
			apply_waiting(&r);
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
int
wisp_verb_mark(struct wisp_cli *cli)
{
	struct cJSON *change = wisp_json_object();
	enum outcome outcome;
	struct wisp_tasks t;

	wisp_cli_read(cli, NULL, 1, 1);
	wisp_json_set_str(change, "op", cli->verb->name);
	wisp_json_set_str(change, "task", cli->argv[0]);
	outcome = carry_out(cli, change, &t);
	wisp_tasks_release(&t);
	return outcome == NO_TASK ? wisp_verb_no_task(cli->argv[0]) : 0;
}

int
wisp_verb_add(struct wisp_cli *cli)
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
