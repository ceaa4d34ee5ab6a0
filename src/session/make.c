/*
 * make: making a session, and what the commands must know of one to run it.
 */
#include "verb.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/create.h"
#include "core/decide.h"
#include "core/turn.h"

int
wisp_verb_place(struct wisp_cli *cli)
{
	const char *project = NULL, *branch = NULL;
	const struct wisp_option options[] = {{"project", .text = &project}, {"branch", .text = &branch}, {0}};
	struct wisp_err err = WISP_ERR_INIT;

	wisp_cli_read_loop(cli, options, 0, 0);
	if (project == NULL || branch == NULL)
		die_usage("place needs --project and --branch");
	if (wisp_place_session(&cli->place, project, branch, &err) != 0 || wisp_create_check(&cli->place, &err) != 0)
		die_usage("%s", err.text);
	wisp_cli_pair("dir", cli->place.dir);
	wisp_cli_pair("home", cli->place.home);
	wisp_cli_pair("shared", cli->place.shared);
	return 0;
}

/* A folder of the caller's own, in which it ends up with what it must not leave. */
static void
make_scratch(const char *prefix)
{
	char *path = wisp_str("%s.XXXXXX", prefix);

	if (mkdtemp(path) == NULL)
		die_sys("cannot make a temporary folder");
	wisp_cli_pair("scratch", path);
	free(path);
}

/* What a command that starts a loop must know first. inside= and nothing else: no person asks. No project=: there is none. */
int
wisp_verb_here(struct wisp_cli *cli)
{
	const char *scratch = NULL, *branch = NULL;
	const struct wisp_option options[] = {{"scratch", .text = &scratch}, {"branch", .text = &branch}, {0}};
	struct wisp_place *p = &cli->place;
	struct wisp_err err = WISP_ERR_INIT;
	char *top, *why;

	wisp_cli_read(cli, options, 0, 0);
	top = wisp_place_project(".", NULL, NULL);
	why = wisp_verb_inside_why(top);
	if (why == NULL && top != NULL) {
		if (wisp_place_session(p, top, branch != NULL ? branch : "main", &err) != 0 ||
		    (branch != NULL && wisp_create_check(p, &err) != 0))
			die_usage("%s", err.text);
		wisp_cli_pair("project", p->project);
		wisp_cli_pair("shared", p->shared);
		wisp_cli_pair("dir", branch != NULL ? p->dir : NULL);
		wisp_cli_pair("home", branch != NULL ? p->home : NULL);
	}
	if (why == NULL && scratch != NULL)
		make_scratch(scratch);
	wisp_cli_pair("inside", why);
	free(top);
	free(why);
	return 0;
}

/* list= that the task list was empty, as a power cut leaves it, and is put back. */
static int
list_back(struct wisp_record *r, struct cJSON *answer)
{
	char *path = wisp_record_dir_path(r, "tasks.json");
	struct wisp_tasks t = {0};
	int rc = 0;

	if (wisp_tasks_blank(path) && wisp_record_good_tasks(r, NULL, &t, NULL) == 0) {
		rc = wisp_turn_put_tasks(r, &t);
		wisp_json_set_str(answer, "list", "tasks.json was empty: the list of the record takes its place");
	}
	wisp_tasks_release(&t);
	free(path);
	return rc;
}

/* Config, templates and agents as they are become the last valid ones: the user has said so. */
static void
renew_good(struct wisp_cli *cli)
{
	wisp_cli_refuse_step(&cli->place, "changing the configuration");
	if (cli->place.home != NULL && wisp_good_renew(&cli->place) != 0)
		die_sys("cannot keep copies of '%s/.wisp'", cli->place.project);
}

/* What bash must know of a session to run it. */
static void
answer_facts(struct wisp_cli *cli)
{
	static const char *const shown[] = {"session_id", "template", "agent", "spec", "status", "base", "base_branch"};
	static const char *const limits[][2] = {
		{"max_iterations", "limits.maxIterations"}, {"max_hours", "limits.maxHours"}, {"max_cost", "limits.maxCostUsd"}
	};
	const struct cJSON *session, *step;
	struct cJSON *answer = wisp_json_object();
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_record r;
	char *back;

	wisp_cli_need_record(cli, &r, WISP_WRITE);
	session = wisp_json_get(r.doc, "session");
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		wisp_json_set_str(answer, shown[i], wisp_json_str(session, shown[i], NULL));
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
		wisp_json_set_str(answer, limits[i][0], wisp_json_str(wisp_json_get(r.doc, "options"), limits[i][1], NULL));
	wisp_json_set_num(answer, "loop_count", wisp_json_num(session, "loop_count", 0));
	wisp_json_set_str(answer, "worktree", wisp_json_str(r.doc, "worktree", NULL));
	wisp_json_set_str(answer, "parent", wisp_json_str(r.doc, "parent", NULL));
	wisp_json_set_bool(answer, "rebuilt", r.rebuilt && !r.back);
	step = wisp_json_get(r.doc, "step");
	if (strcmp(wisp_json_str(step, "stage", "recorded"), "recorded") == 0)
		step = wisp_json_get(r.doc, "after");
	wisp_json_set_str(answer, "head", wisp_json_str(step, "head", NULL));
	back = wisp_record_back_text(&r);
	wisp_json_set_str(answer, "back", back);
	free(back);
	wisp_cli_must(list_back(&r, answer), &err, &r);
	wisp_cli_answer(cli, answer);
	wisp_record_release(&r);
}

int
wisp_verb_create(struct wisp_cli *cli)
{
	struct wisp_create c = {0};
	bool facts = false;
	const struct wisp_option options[] = {
		{"template", .text = &c.template}, {"template-dir", .text = &c.template_dir}, {"agent", .text = &c.agent},
		{"spec", .text = &c.spec}, {"base", .text = &c.base}, {"base-branch", .text = &c.base_branch},
		{"worktree", .text = &c.worktree}, {"tasks", .text = &c.tasks}, {"replace", .flag = &c.replace},
		{"parent", .text = &c.parent}, {"facts", .flag = &facts}, {0}
	};
	struct wisp_err err = WISP_ERR_INIT;
	int rc;

	wisp_cli_read_loop(cli, options, 0, 0);
	if (cli->dir == NULL)
		die_usage("create needs -C DIR");
	if (wisp_dir_make(cli->dir) != 0)
		die_sys("cannot make '%s'", cli->dir);
	wisp_cli_place(cli);
	errno = 0;
	rc = wisp_create(&cli->place, &c, &err);
	if (rc < 0 && err.text != NULL)
		die_err(&err);
	if (rc < 0)
		die_sys("cannot make a session in '%s'", cli->place.dir);
	if (rc >= 0)
		wisp_making_over(&cli->place);
	if (rc == 0 && facts) {
		renew_good(cli);
		answer_facts(cli);
	}
	return rc;
}

int
wisp_verb_renew(struct wisp_cli *cli)
{
	wisp_cli_read_loop(cli, NULL, 0, 0);
	wisp_cli_place(cli);
	renew_good(cli);
	return 0;
}

int
wisp_verb_facts(struct wisp_cli *cli)
{
	bool renew = false;
	const struct wisp_option options[] = {{"renew", .flag = &renew}, {0}};

	wisp_cli_read_loop(cli, options, 0, 0);
	if (renew) {
		wisp_cli_place(cli);
		renew_good(cli);
	}
	answer_facts(cli);
	return 0;
}

/* A person's command has made the work tree, or its registration, again: its .git is the one to keep. */
int
wisp_verb_gitfile(struct wisp_cli *cli)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_record r;

	wisp_cli_read_loop(cli, NULL, 0, 0);
	(void)wisp_cli_need_loop(cli, &r, NULL);
	wisp_record_gitfile(&r);
	wisp_cli_must(wisp_record_save(&r), &err, &r);
	wisp_record_release(&r);
	return 0;
}

int
wisp_verb_release(struct wisp_cli *cli)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_record r;

	wisp_cli_read_loop(cli, NULL, 0, 0);
	(void)wisp_cli_need_loop(cli, &r, NULL);
	wisp_cli_must(wisp_turn_release(&r), &err, &r);
	wisp_record_release(&r);
	return 0;
}

/* 0 if the program whose step.json that is ended well. */
int
wisp_verb_outcome(struct wisp_cli *cli)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *result = NULL;
	int rc;

	wisp_cli_read_loop(cli, NULL, 1, 1);
	if (wisp_json_load(cli->argv[0], &result, &err) != WISP_VALID)
		die_err(&err);
	rc = strcmp(wisp_json_str(result, "outcome", ""), wisp_outcome_name(WISP_OK)) == 0 ? 0 : 1;
	wisp_json_free(result);
	return rc;
}
