/*
 * verb: the verbs of wisp-state that change the record as the loop does: begin,
 * record, move.
 */
#include "machine.h"
#include "verb.h"

#include <stdlib.h>
#include <string.h>

#include "core/session.h"
#include "core/turn.h"

/* To begin or record a step by hand. A loop at work has steps of its own: then false, and the record is closed. */
static bool
open_to_step(struct wisp_record *r, struct wisp_cli *cli, const char *what)
{
	bool owned;

	wisp_cli_place(cli);
	wisp_cli_refuse_step(&cli->place, what);
	wisp_cli_need_record(cli, r, WISP_WRITE);
	owned = wisp_cli_owned(r);
	if (owned) {
		warn("a loop is at work on '%s'", cli->place.dir);
		wisp_record_release(r);
	}
	return !owned;
}

/* `completed` is final, and `halted` ends only by `move running`: no step begins, and act= names the status. */
static bool
is_over(const struct wisp_record *r, struct cJSON *answer)
{
	const struct cJSON *session = wisp_json_get(r->doc, "session");
	const char *status = wisp_json_str(session, "status", "");

	if (strcmp(status, "completed") != 0 && strcmp(status, "halted") != 0)
		return false;
	wisp_json_set_str(answer, "act", status);
	wisp_json_set_str(answer, "reason", wisp_json_str(session, "halt_reason", NULL));
	return true;
}

int
wisp_verb_begin(struct wisp_cli *cli)
{
	struct wisp_begin o = {.head = NULL, .tree = NULL};
	const struct wisp_option options[] = {{"head", .text = &o.head}, {"tree", .text = &o.tree},
					      {"wait", .flag = &o.wait}, {0}};
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *answer;
	struct wisp_record r;
	int rc;

	wisp_cli_read(cli, options, 0, 0);
	if (!open_to_step(&r, cli, "beginning a step"))
		return 1;
	answer = wisp_json_object();
	if (!is_over(&r, answer))
		wisp_cli_must(wisp_turn_begin(&r, &o, answer, &err), &err, &r);
	rc = strcmp(wisp_json_str(answer, "act", ""), "step") == 0 ? 0 : 1;
	wisp_cli_answer(cli, answer);
	wisp_record_release(&r);
	return rc;
}

/* A script that runs its agent without wisp-agent has no step.json: it says how that ended, or that it went well. */
static void
make_result(struct wisp_record *r, const char *outcome, bool promise)
{
	char *path = wisp_turn_step_path(r, "step.json"), *dir = wisp_turn_step_path(r, "");
	struct cJSON *result;

	if (!wisp_file_exists(path)) {
		result = wisp_json_object();
		wisp_json_set_str(result, "outcome", outcome);
		wisp_json_set_null(result, "reason");
		wisp_json_set_null(result, "cost_usd");
		wisp_json_set_bool(result, "promise", promise);
		if (wisp_dir_make(dir) != 0 || wisp_json_write(path, result, WISP_NOSYNC) != 0)
			die_sys("cannot write '%s'", path);
		wisp_json_free(result);
	}
	free(path);
	free(dir);
}

int
wisp_verb_record(struct wisp_cli *cli)
{
	const char *outcome = "ok", *verify = NULL;
	bool promise = false;
	struct wisp_seen o = {0};
	const struct wisp_option options[] = {
		{"outcome", .text = &outcome}, {"verify", .text = &verify}, {"promise", .flag = &promise},
		{"head", .text = &o.head}, {"tree", .text = &o.tree}, {"files", .text = &o.files},
		{"once", .flag = &o.once}, {0}
	};
	struct cJSON *answer, *part;
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_record r;
	const char *stage;

	wisp_cli_read(cli, options, 0, 0);
	if (verify != NULL && wisp_verify_parse(verify) < 0)
		die_usage("expected none, skipped, passed or failed, not '%s'", verify);
	if (wisp_outcome_parse(outcome) < 0)
		die_usage("'%s' is no outcome", outcome);
	if (!open_to_step(&r, cli, "recording a step"))
		return 1;
	answer = wisp_json_object();
	part = wisp_json_object();
	stage = wisp_json_str(wisp_turn_step(&r), "stage", "");
	if (strcmp(stage, "begun") == 0) {
		make_result(&r, outcome, promise);
		wisp_cli_must(wisp_turn_ran(&r, part, &err), &err, &r);
	}
	stage = wisp_json_str(wisp_turn_step(&r), "stage", "");
	if (verify != NULL && strcmp(stage, "ran") == 0)
		wisp_cli_must(wisp_turn_verified(&r, (enum wisp_verify)wisp_verify_parse(verify), part, &err), &err, &r);
	if (strcmp(wisp_json_str(wisp_turn_step(&r), "stage", "recorded"), "recorded") != 0)
		wisp_cli_must(wisp_turn_observe(&r, &o, &err), &err, &r);
	wisp_cli_must(wisp_turn_record(&r, answer, &err), &err, &r);
	wisp_json_free(part);
	wisp_cli_answer(cli, answer);
	wisp_record_release(&r);
	return 0;
}

int
wisp_verb_move(struct wisp_cli *cli)
{
	const char *reason = NULL;
	const struct wisp_option options[] = {{"reason", 'r', .text = &reason}, {0}};
	struct cJSON *moved;
	struct wisp_loop l;
	char *from;
	int rc;

	wisp_cli_read(cli, options, 1, 1);
	wisp_cli_place(cli);
	if (wisp_words_find(WISP_SESSION_STATUS, cli->argv[0]) < 0)
		die_usage("'%s' is no status: expected one of %s", cli->argv[0], WISP_SESSION_STATUS);
	wisp_cli_refuse_step(&cli->place, "moving the status");
	wisp_loop_open(&l, cli, WISP_WRITE);
	moved = l.session ? wisp_record_session(&l.r) : l.loop;
	from = wisp_strdup(wisp_json_str(moved, "status", ""));
	rc = wisp_session_move(moved, cli->argv[0], reason);
	if (rc == 0)
		wisp_loop_keep(&l, cli);
	else
		warn("no move from %s to '%s'", from, cli->argv[0]);
	wisp_loop_release(&l);
	free(from);
	return rc;
}
