/*
 * loop: the verbs of wisp-state that one iteration of the loop is made of (core/turn.h).
 *
 * Each is one change of the record under its write lock, and may be repeated. While a loop
 * is at work they are for its process alone (wisp_cli_need_loop); with no loop at work
 * a person gets the loop's own answer, by the same function. `begin` and `record`
 * are in verb.c.
 */
#include "loop.h"
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/given.h"
#include "core/turn.h"

void
wisp_work_open(struct wisp_work *w, struct wisp_cli *cli, const char *seal)
{
	memset(w, 0, sizeof *w);
	w->loop = wisp_cli_need_loop(cli, &w->r, seal);
	w->answer = wisp_json_object();
}

void
wisp_work_seal(struct wisp_work *w)
{
	if (w->loop)
		wisp_cli_seal(&w->r, w->answer);
}

int
wisp_work_close(struct wisp_work *w, struct wisp_cli *cli, int rc)
{
	wisp_cli_must(rc, &w->err, &w->r);
	wisp_cli_answer(cli, w->answer);
	wisp_err_release(&w->err);
	wisp_record_release(&w->r);
	return 0;
}

int
wisp_verb_start(struct wisp_cli *cli)
{
	const char *config = NULL;
	long long pid = 0;
	struct wisp_start s = {0};
	struct wisp_texts kept = {0}, env = {0};
	const struct wisp_option options[] = {
		{"config", .text = &config}, {"pid", .number = &pid}, {"resume", .flag = &s.resume}, {"lost", .flag = &s.lost},
		{"agent", .text = &s.agent}, {"template", .text = &s.template_dir}, {"option", .list = &kept},
		{"login", .text = &s.login}, {"sandbox", .text = &s.sandbox}, {0}
	};
	struct cJSON *thresholds = NULL;
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_work w;

	wisp_cli_read_loop(cli, options, 0, 0);
	if (config != NULL && wisp_json_load(config, &thresholds, &err) != WISP_VALID)
		die_err(&err);
	s.config = thresholds;
	s.pid = (long)pid;
	s.options = kept.list;
	s.n_options = kept.count;
	wisp_given(WISP_GIVEN_ENV, &env, NULL);
	s.env = env.list;
	s.n_env = env.count;
	wisp_work_open(&w, cli, NULL);
	wisp_work_close(&w, cli, wisp_turn_start(&w.r, &s, w.answer, &w.err));
	wisp_json_free(thresholds);
	free(kept.list);
	free(env.list);
	return 0;
}

int
wisp_verb_restore(struct wisp_cli *cli)
{
	struct wisp_restore o = {.head = "", .tree = ""};
	const struct wisp_option options[] = {
		{"head", .text = &o.head}, {"tree", .text = &o.tree}, {"again", .flag = &o.again}, {0}
	};
	struct wisp_work w;

	wisp_cli_read_loop(cli, options, 0, 0);
	wisp_work_open(&w, cli, NULL);
	return wisp_work_close(&w, cli, wisp_turn_restore(&w.r, &o, w.answer));
}

int
wisp_verb_restored(struct wisp_cli *cli)
{
	struct wisp_restored o = {.did = "none", .head = "", .tree = ""};
	const struct wisp_option options[] = {
		{"did", .text = &o.did}, {"head", .text = &o.head}, {"tree", .text = &o.tree},
		{"ref", .text = &o.ref}, {"commits", .text = &o.commits}, {"files", .text = &o.files},
		{"commit", .text = &o.commit}, {0}
	};
	struct wisp_work w;

	wisp_cli_read_loop(cli, options, 0, 0);
	wisp_work_open(&w, cli, NULL);
	return wisp_work_close(&w, cli, wisp_turn_restored(&w.r, &o, w.answer));
}

int
wisp_verb_checked(struct wisp_cli *cli)
{
	struct wisp_work w;

	wisp_cli_read_loop(cli, NULL, 1, 1);
	wisp_work_open(&w, cli, NULL);
	return wisp_work_close(&w, cli, wisp_turn_checked(&w.r, wisp_cli_verify(cli->argv[0]), w.answer));
}

void
wisp_work_commands(struct wisp_work *w, bool configured)
{
	struct cJSON *list = wisp_turn_commands(&w->r, configured);

	for (const struct cJSON *c = wisp_json_first(list); c != NULL; c = wisp_json_next(c))
		wisp_cli_pair_whole("command", wisp_json_text(c, ""));
	wisp_json_free(list);
}

/* Verify runs between two steps: until it has, no other program changes the record; with a seal: it has. */
int
wisp_verb_checking(struct wisp_cli *cli)
{
	const char *seal = NULL;
	const struct wisp_option options[] = {{"seal", .text = &seal}, {0}};
	struct wisp_work w;
	int rc;

	wisp_cli_read_loop(cli, options, 0, 0);
	wisp_work_open(&w, cli, seal);
	if (seal == NULL)
		wisp_json_set_bool(w.r.doc, "checking", true);
	else
		wisp_json_drop(w.r.doc, "checking");
	wisp_work_commands(&w, true);
	rc = wisp_record_save(&w.r);
	wisp_work_seal(&w);
	return wisp_work_close(&w, cli, rc);
}

int
wisp_verb_lost(struct wisp_cli *cli)
{
	const char *seal = NULL;
	bool commits = false;
	const struct wisp_option options[] = {{"commits", .flag = &commits}, {"seal", .text = &seal}, {0}};
	struct wisp_work w;

	wisp_cli_read_loop(cli, options, 0, 1);
	wisp_work_open(&w, cli, seal);
	return wisp_work_close(&w, cli, wisp_turn_lost(&w.r, cli->argc > 0 ? cli->argv[0] : NULL, commits, w.answer));
}

int
wisp_verb_ran(struct wisp_cli *cli)
{
	const char *seal = NULL;
	const struct wisp_option options[] = {{"seal", .text = &seal}, {0}};
	struct wisp_work w;
	int rc;

	wisp_cli_read_loop(cli, options, 0, 0);
	wisp_work_open(&w, cli, seal);
	rc = wisp_turn_ran(&w.r, w.answer, &w.err);
	wisp_work_commands(&w, false);
	wisp_work_seal(&w);
	return wisp_work_close(&w, cli, rc);
}

int
wisp_verb_commands(struct wisp_cli *cli)
{
	struct wisp_work w;

	wisp_cli_read_loop(cli, NULL, 0, 0);
	wisp_work_open(&w, cli, NULL);
	wisp_work_commands(&w, true);
	return wisp_work_close(&w, cli, 0);
}

int
wisp_verb_end(struct wisp_cli *cli)
{
	long long cut = 0;
	bool stop = false;
	const struct wisp_option options[] = {{"signal", .number = &cut}, {"stop", .flag = &stop}, {0}};
	struct wisp_work w;

	wisp_cli_read_loop(cli, options, 0, 0);
	wisp_work_open(&w, cli, NULL);
	return wisp_work_close(&w, cli, wisp_turn_end(&w.r, stop ? WISP_CUT_STOP : (int)cut, w.answer));
}

/* Changes nothing: for a loop that is interrupted where there is nothing to record. 0: no signal, and no stop. */
int
wisp_verb_cut(struct wisp_cli *cli)
{
	long long cut = 0;
	const struct wisp_option options[] = {{"signal", .number = &cut}, {0}};
	struct wisp_record r;
	int code;

	wisp_cli_read_loop(cli, options, 0, 0);
	wisp_cli_need_record(cli, &r, WISP_READ);
	code = wisp_cut_exit(wisp_turn_cut(&r, cut != 0 ? (int)cut : 1));
	printf("%d\n", cut != 0 || code == WISP_END_PAUSED ? code : 0);
	wisp_record_release(&r);
	return 0;
}

int
wisp_verb_rollback(struct wisp_cli *cli)
{
	long long n = -1;
	const char *head = NULL, *tree = "";
	const struct wisp_option options[] = {{"n", .number = &n}, {"head", .text = &head}, {"tree", .text = &tree}, {0}};
	struct wisp_work w;
	int rc;

	wisp_cli_read_loop(cli, options, 0, 0);
	wisp_work_open(&w, cli, NULL);
	rc = wisp_turn_rollback(&w.r, n, head, tree, &w.err);
	return rc == 1 ? 1 : wisp_work_close(&w, cli, rc);
}
