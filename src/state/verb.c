/*
 * verb: the verbs of wisp-state that change the record, by the loop and by hand: begin,
 * record, move.
 */
#include "loop.h"
#include "machine.h"
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/config.h"
#include "core/session.h"
#include "core/turn.h"
#include "prompt/prompt.h"

/* To begin or record a step, by the loop or by hand. */
static void
open_to_step(struct wisp_work *w, struct wisp_cli *cli, const char *what)
{
	wisp_cli_place(cli);
	wisp_cli_refuse_step(&cli->place, what);
	wisp_work_open(w, cli, NULL);
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

/* The prompt of a step by what it is about; by its phase, or iterate.md, where that is the work itself. */
static char *
prompt_name(const struct cJSON *answer, const char *plan)
{
	if (plan == NULL)
		return wisp_strdup(wisp_json_str(answer, "prompt", "iterate.md"));
	if (strcmp(plan, "plan") == 0)
		return wisp_strdup("create-tasks.md");
	if (strcmp(plan, "decompose") == 0)
		return wisp_strdup("plan.md");
	return wisp_str("%s%s.md", plan, wisp_turn_artefact(plan) != NULL ? "" : "-tasks");
}

/* What `begin` answers, once the prompt of the step that it has begun is written, where a template is given. */
static int
begun(struct wisp_work *w, const struct wisp_begin *o, const char *template)
{
	struct wisp_prompt prompt = {.template = template};
	char *name, *out, *system;
	int rc = wisp_turn_begin(&w->r, o, w->answer, &w->err);

	if (rc != 0)
		return rc;
	if (template != NULL && strcmp(wisp_json_str(w->answer, "act", ""), "step") == 0) {
		prompt.name = name = prompt_name(w->answer, o->plan);
		prompt.out = out = wisp_turn_step_path(&w->r, "prompt.md");
		prompt.system_out = system = wisp_turn_step_path(&w->r, "system.md");
		wisp_prompt_write(&w->r, &prompt);
		free(name);
		free(out);
		free(system);
	}
	return 0;
}

/* No step has begun: 1. To the loop that is an answer like others; by hand none begins of a session that is over. */
int
wisp_verb_begin(struct wisp_cli *cli)
{
	struct wisp_begin o = {.head = NULL, .tree = NULL};
	struct wisp_restored first = {.did = "first"};
	const char *template = NULL;
	const struct wisp_option options[] = {
		{"head", .text = &o.head}, {"tree", .text = &o.tree}, {"wait", .flag = &o.wait},
		{"plan", .text = &o.plan}, {"template", .text = &template}, {"first", .text = &first.commit}, {0}
	};
	struct wisp_work w;
	int rc = 0, step;

	wisp_cli_read(cli, options, 0, 0);
	open_to_step(&w, cli, "beginning a step");
	if (w.loop && first.commit != NULL) {
		first.head = o.head != NULL ? o.head : "";
		first.tree = o.tree != NULL ? o.tree : "";
		rc = wisp_turn_restored(&w.r, &first, w.answer);
	}
	if (rc == 0 && (w.loop || !is_over(&w.r, w.answer)))
		rc = begun(&w, &o, template);
	step = strcmp(wisp_json_str(w.answer, "act", ""), "step") == 0;
	if (w.loop && strcmp(wisp_json_str(w.answer, "act", ""), "check") == 0)
		wisp_work_commands(&w, true);
	wisp_work_seal(&w);
	wisp_work_close(&w, cli, rc);
	return step ? 0 : 1;
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

/*
 * The next step is begun by the same call where it follows at once: with the same tree, and nobody waits. What `begin`
 * answers then stands below a line `---`. Where it fails, it is asked for once more, and says why.
 */
static void
begin_next(struct wisp_work *w, struct wisp_cli *cli, bool wait, const char *template)
{
	const struct cJSON *after = wisp_json_get(w->r.doc, "after");
	const struct wisp_begin o = {
		.head = wisp_json_str(after, "head", ""), .tree = wisp_json_str(after, "tree", ""), .wait = wait
	};
	struct cJSON *recorded = w->answer;

	w->answer = wisp_json_object();
	if (begun(w, &o, template) == 0) {
		wisp_cli_answer(cli, recorded);
		puts("---");
		wisp_work_seal(w);
	} else {
		wisp_json_free(w->answer);
		w->answer = recorded;
		wisp_err_release(&w->err);
	}
}

static bool
goes_on(const struct wisp_work *w)
{
	return strcmp(wisp_json_str(w->answer, "action", ""), "continue") == 0 && wisp_json_get(w->answer, "due") == NULL &&
	       strcmp(wisp_json_str(w->answer, "tree", ""), "keep") == 0 && wisp_json_num(w->answer, "delay", 0) == 0 &&
	       wisp_turn_plan(&w->r) == NULL;
}

/* What is left to do up to there: by hand all of it, by the loop nothing. */
static int
judge(struct wisp_work *w, const char *verify, const struct wisp_seen *o)
{
	bool told = o->head != NULL || o->tree != NULL || o->files != NULL || o->once;
	struct cJSON *part = wisp_json_object();
	int rc = 0;

	if (strcmp(wisp_json_str(wisp_turn_step(&w->r), "stage", ""), "begun") == 0)
		rc = wisp_turn_ran(&w->r, part, &w->err);
	if (rc == 0 && verify != NULL && strcmp(wisp_json_str(wisp_turn_step(&w->r), "stage", ""), "ran") == 0)
		rc = wisp_turn_verified(&w->r, wisp_cli_verify(verify), part, &w->err);
	if (rc == 0 && wisp_turn_is_open(&w->r) && (told || wisp_json_get(wisp_turn_step(&w->r), "seen") == NULL))
		rc = wisp_turn_observe(&w->r, o, &w->err);
	wisp_json_free(part);
	return rc;
}

int
wisp_verb_record(struct wisp_cli *cli)
{
	const char *outcome = "ok", *verify = NULL, *template = NULL;
	bool promise = false, next = false, wait = false;
	struct wisp_seen o = {0};
	const struct wisp_option options[] = {
		{"outcome", .text = &outcome}, {"verify", .text = &verify}, {"promise", .flag = &promise},
		{"head", .text = &o.head}, {"tree", .text = &o.tree}, {"files", .text = &o.files},
		{"once", .flag = &o.once}, {"begin", .flag = &next}, {"wait", .flag = &wait},
		{"template", .text = &template}, {0}
	};
	struct wisp_work w;
	int rc;

	wisp_cli_read(cli, options, 0, 0);
	if (verify != NULL)
		(void)wisp_cli_verify(verify);
	if (wisp_outcome_parse(outcome) < 0)
		die_usage("'%s' is no outcome", outcome);
	open_to_step(&w, cli, "recording a step");
	if (strcmp(wisp_json_str(wisp_turn_step(&w.r), "stage", ""), "begun") == 0)
		make_result(&w.r, outcome, promise);
	rc = judge(&w, verify, &o);
	w.r.later = next;
	if (rc == 0)
		rc = wisp_turn_record(&w.r, w.answer, &w.err);
	w.r.later = false;
	if (rc == 0 && next && goes_on(&w))
		begin_next(&w, cli, wait, template);
	if (rc == 0 && w.r.behind)
		rc = wisp_record_publish(&w.r);
	return wisp_work_close(&w, cli, rc);
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
