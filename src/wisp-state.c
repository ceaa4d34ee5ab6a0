/*
 * wisp-state: reads, checks and changes the files of a session.
 *
 * FILE is session, state, tasks, history, loop, breaker, limits, response, or a
 * path; PATH is .a.b[0]["c d"]. `set` changes the bytes of one value and no
 * others. What the controller owns is changed in the record, and published
 * from it.
 *
 * Exit: 0 yes, 1 no (no such value, not a legal move, not the same error), 100,
 * 101, 102, 111.
 */
#include <errno.h>

#include "core/create.h"
#include "state/loop.h"
#include "state/verb.h"

static int
init(struct wisp_cli *cli)
{
	struct wisp_create c = {.template = "default", .agent = "claude"};
	const struct wisp_option options[] = {
		{"template", .text = &c.template}, {"agent", .text = &c.agent}, {"spec", .text = &c.spec},
		{"tasks", .text = &c.tasks}, {0}
	};
	struct wisp_err err = WISP_ERR_INIT;
	int rc;

	wisp_cli_read(cli, options, 0, 0);
	if (cli->dir != NULL && wisp_dir_make(cli->dir) != 0)
		die_sys("cannot make '%s'", cli->dir);
	wisp_cli_place(cli);
	wisp_cli_refuse_step(&cli->place, "making a session");
	errno = 0;
	rc = wisp_create(&cli->place, &c, &err);
	if (rc < 0 && err.text != NULL)
		die_err(&err);
	if (rc < 0)
		die_sys("cannot make a session in '%s'", cli->place.dir);
	if (rc > 0)
		warn("there is a session in '%s' already", cli->place.dir);
	return rc;
}

int
main(int argc, char **argv)
{
	static const struct wisp_verb verbs[] = {
		{"get", wisp_verb_get, "[-f FILE] PATH", "print a value; 1 if there is none"},
		{"set", wisp_verb_set, "[-f FILE] PATH JSON", "change a value, and no other byte; 1: no place for it"},
		{"query", wisp_verb_query, "[-f FILE] FILTER", "what a jq filter gives, a line each"},
		{"check", wisp_verb_check, "[--template DIR] [FILE...]", "files against their schema: FILE:LINE:COL: PATH: why"},
		{"init", init, "[--template T] [--agent A] [--spec F] [--tasks F]", "make a session's files; 1 if they are there"},
		{"begin", wisp_verb_begin, "[--head H] [--tree T] [--wait] [--template DIR] [--plan WORD] [--first COMMIT]",
		 "reserve a step and write its prompt; 1: not now"},
		{"record", wisp_verb_record,
		 "[--outcome WORD] [--verify WORD] [--promise] [--head H] [--tree T] [--files F] [--once] [--begin [--wait] [--template DIR]]",
		 "judge the step, make it history; --begin: the next one"},
		{"move", wisp_verb_move, "STATUS [--reason R]", "move the session's status; 1 if that is not legal"},
		{"error", wisp_verb_error, "[--same] [TEXT]", "note an error, print its SHA-256; --same: the last?"},
		{"progress", wisp_verb_progress, "[--template DIR]", "percent of the work that is done"},
		{"show", wisp_verb_show, "[--detail] [--template DIR]", "the status line, or the box"},
		{"start", wisp_verb_start, "[--config FILE] [--pid N] [--resume] [--lost] [--agent A] [--template DIR] [--option KEY=VALUE]...",
		 "for the loop, as all that follows: it takes the session"},
		{"restore", wisp_verb_restore, "--head H --tree T [--again]", "what is to become of the work tree"},
		{"restored", wisp_verb_restored, "--did WORD --head H --tree T [--ref R] [--commits TEXT] [--files FILE] [--commit C]", "it has"},
		{"checking", wisp_verb_checking, "[--seal S] [--commands FILE]", "verify is about to run between steps; --seal: it has"},
		{"checked", wisp_verb_checked, "WORD", "what verify said before the first step"},
		{"lost", wisp_verb_lost, "[--seal S] [[--commits] TEXT]", "the work tree is gone: the open step counts as failed"},
		{"ran", wisp_verb_ran, "[--seal S] [--commands FILE]", "the agent has ended; into FILE what `commands` prints"},
		{"commands", wisp_verb_commands, "", "command= each of verify.command"},
		{"observe", wisp_verb_observe,
		 "[--seal S] [--head H --tree T --files FILE --commit C] [--uncommitted WHY | --deletes TEXT --deleted FILE] "
		 "[--wrote FILE] [--refused FILE] [--rest FILE] [--signal N] [--once]", "what was seen of the step; for the loop git's part, too"},
		{"end", wisp_verb_end, "--signal N | --stop", "the loop ends between steps"},
		{"cut", wisp_verb_cut, "--signal N", "the exit code of an interrupted loop"},
		{"rollback", wisp_verb_rollback, "--n N [--head H --tree T]", "tasks and counters as after iteration N; 1: not there"},
		{0}
	};

	wisp_cli_main(argc, argv, "reads, checks and changes the files of a session", verbs);
}
