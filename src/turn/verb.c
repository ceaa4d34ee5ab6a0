/*
 * verb: see verb.h.
 */
#include "verb.h"

#include <errno.h>
#include <string.h>

#include "core/create.h"
#include "core/decide.h"
#include "core/request.h"

int
wisp_verb_place(struct wisp_cli *cli)
{
	const char *project = NULL, *branch = NULL;
	const struct wisp_option options[] = {{"project", .text = &project}, {"branch", .text = &branch}, {0}};
	struct wisp_err err = WISP_ERR_INIT;

	wisp_cli_read(cli, options, 0, 0);
	if (project == NULL || branch == NULL)
		die_usage("place needs --project and --branch");
	if (wisp_place_session(&cli->place, project, branch, &err) != 0 || wisp_create_check(&cli->place, &err) != 0)
		die_usage("%s", err.text);
	wisp_cli_pair("dir", cli->place.dir);
	wisp_cli_pair("home", cli->place.home);
	wisp_cli_pair("shared", cli->place.shared);
	return 0;
}

int
wisp_verb_create(struct wisp_cli *cli)
{
	struct wisp_create c = {0};
	const struct wisp_option options[] = {
		{"template", .text = &c.template}, {"template-dir", .text = &c.template_dir}, {"agent", .text = &c.agent},
		{"spec", .text = &c.spec}, {"base", .text = &c.base}, {"base-branch", .text = &c.base_branch},
		{"worktree", .text = &c.worktree}, {"tasks", .text = &c.tasks}, {"replace", .flag = &c.replace},
		{"parent", .text = &c.parent}, {0}
	};
	struct wisp_err err = WISP_ERR_INIT;
	int rc;

	wisp_cli_read(cli, options, 0, 0);
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
	return rc;
}

int
wisp_verb_renew(struct wisp_cli *cli)
{
	wisp_cli_read(cli, NULL, 0, 0);
	wisp_cli_place(cli);
	wisp_cli_refuse_step(&cli->place, "changing the configuration");
	if (cli->place.home != NULL && wisp_good_renew(&cli->place) != 0)
		die_sys("cannot keep copies of '%s/.wisp'", cli->place.project);
	return 0;
}

/* A person's command has made the work tree, or its registration, again: its .git is the one to keep. */
int
wisp_verb_gitfile(struct wisp_cli *cli)
{
	struct wisp_record r;

	wisp_cli_read(cli, NULL, 0, 0);
	wisp_cli_need_record(cli, &r, WISP_WRITE);
	wisp_record_gitfile(&r);
	if (wisp_record_save(&r) != 0)
		die_sys("cannot change the record of '%s'", cli->place.dir);
	wisp_record_release(&r);
	return 0;
}

int
wisp_verb_guide(struct wisp_cli *cli)
{
	struct cJSON *request = wisp_json_object();

	wisp_cli_read(cli, NULL, 1, 1);
	if (cli->argv[0][strspn(cli->argv[0], " \t\r\n")] == '\0')
		die_usage("the guidance is empty");
	wisp_cli_place(cli);
	wisp_cli_refuse_step(&cli->place, "guiding");
	wisp_json_set_str(request, "verb", "guide");
	wisp_json_set_str(request, "text", cli->argv[0]);
	if (wisp_request_add(cli->place.home != NULL ? cli->place.home : cli->place.dir, request) != 0)
		die_sys("cannot leave a request for '%s'", cli->place.dir);
	return 0;
}

/* 0 if the program whose step.json that is ended well. */
int
wisp_verb_outcome(struct wisp_cli *cli)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *result = NULL;
	int rc;

	wisp_cli_read(cli, NULL, 1, 1);
	if (wisp_json_load(cli->argv[0], &result, &err) != WISP_VALID)
		die_err(&err);
	rc = strcmp(wisp_json_str(result, "outcome", ""), wisp_outcome_name(WISP_OK)) == 0 ? 0 : 1;
	wisp_json_free(result);
	return rc;
}
