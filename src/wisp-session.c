/*
 * wisp-session: which session is meant, where it stands, what it did, and what
 * a person asks of its loop. Private to the commands in libexec, which add the
 * words around it.
 *
 * Exit: 0 yes, 1 no (no such session, no loop, no question), 100 called
 * wrongly, 102 bad data, 111 the system refused.
 */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/inside.h"
#include "core/status.h"
#include "screen/plain.h"
#include "session/summary.h"
#include "session/verb.h"

/* The work tree as the record or session.json has it; NULL where neither can be read. */
static char *
worktree_of(const struct wisp_place *place)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_record r = {0};
	const char *path;
	char *worktree = NULL;

	if (wisp_record_open(&r, place, WISP_READ, &err) == 0) {
		path = wisp_json_str(r.doc, "worktree", NULL);
		if (path == NULL)
			path = wisp_json_str(wisp_json_get(r.doc, "session"), "worktree", NULL);
		if (path != NULL)
			worktree = *path == '/' || place->project == NULL ? wisp_strdup(path)
									   : wisp_str("%s/%s", place->project, path);
	}
	wisp_record_release(&r);
	wisp_err_release(&err);
	return worktree;
}

static int
find(struct wisp_cli *cli)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_place *p = &cli->place;
	char *worktree, *text;
	int rc;

	wisp_cli_read(cli, NULL, 0, 1);
	if (cli->argc > 0 && !wisp_branch_ok(cli->argv[0]))
		die_usage("'%s' is no name for a branch", cli->argv[0]);
	if (cli->argc == 0 && cli->dir != NULL)
		rc = wisp_place_dir(p, cli->dir, &err);
	else
		rc = wisp_place_pick(p, cli->dir != NULL ? cli->dir : ".", cli->argv[0], &err);
	if (rc < 0)
		die_err(&err);
	if (rc > 0) {
		text = wisp_err_string(&err);
		warn("%s", text);
		free(text);
		wisp_err_release(&err);
		return 1;
	}
	worktree = worktree_of(p);
	wisp_cli_pair("project", p->project);
	wisp_cli_pair("branch", p->branch);
	wisp_cli_pair("dir", p->dir);
	wisp_cli_pair("home", p->home);
	wisp_cli_pair("shared", p->shared);
	wisp_cli_pair("worktree", worktree);
	free(worktree);
	return 0;
}

/* The project that the folder is in; 1 outside of any repository. */
static int
project(struct wisp_cli *cli)
{
	struct wisp_err err = WISP_ERR_INIT;
	const char *start;
	char *top;

	wisp_cli_read(cli, NULL, 0, 0);
	start = cli->dir != NULL ? cli->dir : ".";
	top = wisp_place_project(start, NULL, NULL);
	if (top == NULL) {
		warn("no git repository here (git init makes one)");
		return 1;
	}
	if (wisp_place_session(&cli->place, top, "main", &err) < 0)
		die_usage("%s", err.text);
	wisp_cli_pair("project", cli->place.project);
	wisp_cli_pair("shared", cli->place.shared);
	free(top);
	return 0;
}

char *
wisp_verb_inside_why(const char *project)
{
	char *branch, *why = NULL;

	if (wisp_inside())
		return wisp_strdup("from inside a step");
	branch = wisp_inside_other(NULL, project);
	if (branch != NULL)
		why = wisp_str("from another pid namespace than that of the loop of %s", branch);
	free(branch);
	return why;
}

/* 1: it may be a person. */
static int
inside(struct wisp_cli *cli)
{
	char *top, *why;
	int rc;

	wisp_cli_read(cli, NULL, 0, 0);
	top = wisp_place_project(cli->dir != NULL ? cli->dir : ".", NULL, NULL);
	why = wisp_verb_inside_why(top);
	if (why != NULL)
		puts(why);
	free(top);
	rc = why != NULL ? 0 : 1;
	free(why);
	return rc;
}

static int
status(struct wisp_cli *cli)
{
	struct wisp_buf text = WISP_BUF_INIT;
	struct wisp_record r;
	struct cJSON *s;

	wisp_verb_open(&r, cli, NULL);
	s = wisp_status_of(&r, wisp_time_now());
	if (cli->json) {
		wisp_cli_json(s);
	} else {
		wisp_status_text(&text, &r, s);
		wisp_verb_print(&text);
		wisp_json_free(s);
	}
	wisp_record_release(&r);
	return 0;
}

static int
list(struct wisp_cli *cli)
{
	bool all = false;
	const struct wisp_option options[] = {{"all", 'a', .flag = &all}, {0}};
	struct cJSON *sessions;
	char *project = NULL;

	wisp_cli_read(cli, options, 0, 0);
	if (!all && (project = wisp_place_project(cli->dir != NULL ? cli->dir : ".", NULL, NULL)) == NULL)
		die_usage("not in a git repository; --all lists the sessions of all projects");
	if (!cli->json && wisp_plain_list(project) < 0)
		die_sys("cannot list the sessions");
	if (cli->json && wisp_status_list(project, &sessions, wisp_time_now()) < 0)
		die_sys("cannot list the sessions");
	if (cli->json)
		wisp_cli_json(sessions);
	free(project);
	return 0;
}

/* `N PASSED TOTAL` for each checkpoint the record knows, oldest first; `-` where its task list is gone. */
static int
checkpoints(struct wisp_cli *cli)
{
	const struct cJSON *list, *c;
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_tasks tasks;
	struct wisp_record r;

	wisp_verb_open(&r, cli, NULL);
	list = wisp_json_get(r.doc, "checkpoints");
	for (c = wisp_json_first(list); c != NULL; c = wisp_json_next(c)) {
		tasks = (struct wisp_tasks){0};
		printf("%lld ", wisp_json_int(c, "n", 0));
		if (wisp_json_str(c, "tasks", NULL) != NULL &&
		    wisp_record_good_tasks(&r, wisp_json_str(c, "tasks", NULL), &tasks, &err) == 0)
			printf("%zu %zu\n", tasks.passed, tasks.count);
		else
			printf("- -\n");
		wisp_tasks_release(&tasks);
		wisp_err_release(&err);
	}
	wisp_record_release(&r);
	return 0;
}

int
main(int argc, char **argv)
{
	static const struct wisp_verb verbs[] = {
		{"find", find, "[BRANCH]", "where the session lies, as key=value lines"},
		{"project", project, "", "the project's folders; 1 if there is none"},
		{"inside", inside, "", "does a step ask, and no person? Says how that is put; 1 if not"},
		{"status", status, "[BRANCH]", "where it stands"},
		{"summary", wisp_verb_summary, "[--commits FILE --count N] [--ship WORD --shipped FILE] [BRANCH]", "what it came to: the report of a run"},
		{"proposal", wisp_verb_proposal, "[--commit C] [--verify WORD] [--project DIR] [--divergence FILE] [--body FILE] [BRANCH]",
		 "the title of a pull request; its body goes to FILE"},
		{"list", list, "[--all]", "one line for each session"},
		{"log", wisp_verb_log, "[-n N] [--events [--all] | --dirs] [-f [--raw]] [BRANCH]", "its last iterations"},
		{"tests", wisp_verb_tests, "[--lost] [--flaky] [--new] [--failing] [BRANCH]", "its tests, one by one; 1 if there are none"},
		{"step", wisp_verb_step, "[BRANCH]", "the current or last step; 1 if there is none"},
		{"checkpoints", checkpoints, "[BRANCH]", "the checkpoints it knows, N PASSED TOTAL"},
		{"owner", wisp_verb_owner, "[BRANCH]", "the loop that owns it; 1 if there is none"},
		{"request", wisp_verb_request, "pause|stop [--now]", "ask its loop to end; 1 if there is none"},
		{"question", wisp_verb_question, "[BRANCH]", "what it asks; 1 if it asks nothing"},
		{"answer", wisp_verb_answer, "[--replace] TEXT|-", "answer its question; 1 if it is answered already"},
		{"live", wisp_verb_live, "--log FILE --over FILE [--title TEXT] [--parent PID]", "the run's own screen, until a file is there"},
		{"notice", wisp_verb_notice, "[--words] EVENT", "what notify.command is told, as JSON"},
		{"server", wisp_verb_server, "", "the name of its tmux server"},
		{"bar", wisp_verb_bar, "[BRANCH]", "where it stands, as the status line of its tmux"},
		{"unplug", wisp_verb_unplug, "TREE [GITDIR [GITDIR]]", "remove the named pipes that git would wait at, and name them"},
		{"kernel", wisp_verb_kernel, "", "what of the kernel is of use here"},
		{"disk", wisp_verb_disk, "DIR", "does its file system do what records need? 1 if not"},
		{"states", wisp_verb_states, "[--gone]", "a line WORD BRANCH for each session of the project; WORD HOME for those anywhere whose folder is gone"},
		{"here", wisp_verb_here, "[--scratch PREFIX] [--branch B]", "the project, a private folder, and what place says of a branch; or inside="},
		{"place", wisp_verb_place, "--project DIR --branch B", "where a session lives that need not exist"},
		{"own", wisp_verb_own, "[--fd N [--wait SECONDS]] [--making session|record|tree [--token T]]",
		 "take the lock on an open descriptor; 1: another process has it; note what is being made for the next owner"},
		{"known", wisp_verb_known, "--dir DIR --common DIR --list FILE [--known DIR | [--trust] [--lock FILE --wait SECONDS]] [--home DIR] [--work FILE]",
		 "git's configuration, as FILE lists it, becomes what is read; names the keys of programs that a person has not seen"},
		{"take", wisp_verb_take, "--lock FILE --work FILE --pid N", "take a session's two locks, open as 9 and 8; 1: who has them"},
		{"create", wisp_verb_create, "[--template T --template-dir D] [--agent A] [--spec F] [--base C] [--base-branch B] "
		 "[--worktree W] [--tasks F] [--parent B] [--replace] [--facts]", "make a session in the folder -C names; 1: one is there; then, with --facts, facts --renew"},
		{"renew", wisp_verb_renew, "", "config, templates and agents are good as they are: a person says so"},
		{"gitfile", wisp_verb_gitfile, "", "the work tree's .git is good as it is: wisp has made it again"},
		{"release", wisp_verb_release, "", "nobody owns the session any more"},
		{"facts", wisp_verb_facts, "[--renew]", "what bash must know to run it"},
		{"again", wisp_verb_again, "[--template T] [--spec F] [--tasks F] [--phases] [--change] [--resume]",
		 "due=: is it continued, begun anew, or refused?"},
		{"guide", wisp_verb_guide, "TEXT", "guidance for the next prompt"},
		{"stuck", wisp_verb_stuck, "", "is it halted for want of progress, and what is a person asked about?"},
		{"person", wisp_verb_person, "skip-phase|abort|new-hour", "what a person decided"},
		{"change", wisp_verb_change, "look|ask|show|take|wait|drop [--kind K] [--spec P] [--file F] [--told F] [--phases] [--yes]",
		 "the task list is changed for a new spec, or for a review"},
		{"outcome", wisp_verb_outcome, "FILE", "did the program of that step.json end well?"},
		{"agent", wisp_verb_agent, "FILE", "what an agent answered to --probe; 1 if it cannot run"},
		{0}
	};

	setlocale(LC_CTYPE, "");
	wisp_cli_main(argc, argv, "sessions, for the commands of wisp", verbs);
}

