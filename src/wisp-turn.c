/*
 * wisp-turn: the turns of a session's record, for the loop (core/turn.h).
 *
 * Private: the loop in lib/loop.bash calls it between what bash does. Each verb
 * is one change of the record under its write lock, and may be repeated.
 *
 * Exit: 0, or 1 where the verb asks a question and the answer is no; 100, 101,
 * 102, 111 as everywhere.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cli.h"
#include "core/config.h"
#include "core/turn.h"
#include "prompt/prompt.h"

/* One record, opened to change, and what a verb fills in. */
struct work {
	struct wisp_record r;
	struct cJSON *answer;
	struct wisp_err err;
};

static void
open_work(struct work *w, struct wisp_cli *cli)
{
	memset(w, 0, sizeof *w);
	wisp_cli_need_record(cli, &w->r, WISP_WRITE);
	w->answer = wisp_json_object();
}

/* Prints the answer of a verb that did its work, or dies with what was wrong. */
static int
close_work(struct work *w, struct wisp_cli *cli, int rc)
{
	wisp_cli_must(rc, &w->err, &w->r);
	wisp_cli_answer(cli, w->answer);
	wisp_err_release(&w->err);
	wisp_record_release(&w->r);
	return 0;
}

/* Opened after what had the record within its reach: `seal` is what the verb before it has answered. */
static void
open_sealed(struct work *w, struct wisp_cli *cli, const char *seal)
{
	memset(w, 0, sizeof *w);
	wisp_cli_need_sealed(cli, &w->r, seal);
	w->answer = wisp_json_object();
}

static void
answer_seal(struct work *w, const struct wisp_cli *cli)
{
	struct wisp_buf seal = WISP_BUF_INIT;

	wisp_record_seal(&cli->place, &seal);
	wisp_json_set_str(w->answer, "seal", seal.data);
	wisp_buf_release(&seal);
}

static int
start(struct wisp_cli *cli)
{
	const char *config = NULL;
	long long pid = 0;
	struct wisp_start s = {0};
	struct wisp_texts kept = {0}, env = {0}, passed = {0};
	const struct wisp_option options[] = {
		{"config", .text = &config}, {"pid", .number = &pid}, {"resume", .flag = &s.resume}, {"lost", .flag = &s.lost},
		{"agent", .text = &s.agent}, {"template", .text = &s.template_dir}, {"option", .list = &kept},
		{"login", .text = &s.login}, {"env", .list = &env}, {"env-pass", .list = &passed}, {0}
	};
	struct cJSON *thresholds = NULL;
	struct wisp_err err = WISP_ERR_INIT;
	struct work w;

	wisp_cli_read_loop(cli, options, 0, 0);
	if (config != NULL && wisp_json_load(config, &thresholds, &err) != WISP_VALID)
		die_err(&err);
	s.config = thresholds;
	s.pid = (long)pid;
	s.options = kept.list;
	s.n_options = kept.count;
	s.env = env.list;
	s.n_env = env.count;
	open_work(&w, cli);
	close_work(&w, cli, wisp_turn_start(&w.r, &s, w.answer, &w.err));
	wisp_json_free(thresholds);
	free(kept.list);
	free(env.list);
	free(passed.list);
	return 0;
}

static int
restore(struct wisp_cli *cli)
{
	struct wisp_restore o = {.head = "", .tree = ""};
	const struct wisp_option options[] = {
		{"head", .text = &o.head}, {"tree", .text = &o.tree}, {"again", .flag = &o.again}, {0}
	};
	struct work w;

	wisp_cli_read_loop(cli, options, 0, 0);
	open_work(&w, cli);
	return close_work(&w, cli, wisp_turn_restore(&w.r, &o, w.answer));
}

static int
restored(struct wisp_cli *cli)
{
	struct wisp_restored o = {.did = "none", .head = "", .tree = ""};
	const struct wisp_option options[] = {
		{"did", .text = &o.did}, {"head", .text = &o.head}, {"tree", .text = &o.tree},
		{"ref", .text = &o.ref}, {"commits", .text = &o.commits}, {"files", .text = &o.files},
		{"commit", .text = &o.commit}, {0}
	};
	struct work w;

	wisp_cli_read_loop(cli, options, 0, 0);
	open_work(&w, cli);
	return close_work(&w, cli, wisp_turn_restored(&w.r, &o, w.answer));
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
begun(struct work *w, const struct wisp_begin *o, const char *template)
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

static int
begin(struct wisp_cli *cli)
{
	struct wisp_begin o = {.head = "", .tree = ""};
	const char *template = NULL;
	const struct wisp_option options[] = {
		{"head", .text = &o.head}, {"tree", .text = &o.tree}, {"wait", .flag = &o.wait},
		{"plan", .text = &o.plan}, {"template", .text = &template}, {0}
	};
	struct work w;
	int rc;

	wisp_cli_read_loop(cli, options, 0, 0);
	open_work(&w, cli);
	rc = begun(&w, &o, template);
	answer_seal(&w, cli);
	return close_work(&w, cli, rc);
}

/* The word of an operand: none, skipped, passed, failed. */
static enum wisp_verify
verify_word(const char *word)
{
	int verify = wisp_verify_parse(word);

	if (verify < 0)
		die_usage("expected none, skipped, passed or failed, not '%s'", word);
	return (enum wisp_verify)verify;
}

static int
checked(struct wisp_cli *cli)
{
	struct work w;

	wisp_cli_read_loop(cli, NULL, 1, 1);
	open_work(&w, cli);
	return close_work(&w, cli, wisp_turn_checked(&w.r, verify_word(cli->argv[0]), w.answer));
}

/* Verify runs between two steps: until it has, nobody else changes the record; with a seal: it has. */
static int
checking(struct wisp_cli *cli)
{
	const char *seal = NULL;
	const struct wisp_option options[] = {{"seal", .text = &seal}, {0}};
	struct work w;
	int rc;

	wisp_cli_read_loop(cli, options, 0, 0);
	open_sealed(&w, cli, seal);
	if (seal == NULL)
		wisp_json_set_bool(w.r.doc, "checking", true);
	else
		wisp_json_drop(w.r.doc, "checking");
	rc = wisp_record_save(&w.r);
	answer_seal(&w, cli);
	return close_work(&w, cli, rc);
}

static int
lost(struct wisp_cli *cli)
{
	const char *seal = NULL;
	bool commits = false;
	const struct wisp_option options[] = {{"commits", .flag = &commits}, {"seal", .text = &seal}, {0}};
	struct work w;

	wisp_cli_read_loop(cli, options, 0, 1);
	open_sealed(&w, cli, seal);
	return close_work(&w, cli, wisp_turn_lost(&w.r, cli->argc > 0 ? cli->argv[0] : NULL, commits, w.answer));
}

static int
ran(struct wisp_cli *cli)
{
	const char *seal = NULL;
	const struct wisp_option options[] = {{"seal", .text = &seal}, {0}};
	struct work w;
	int rc;

	wisp_cli_read_loop(cli, options, 0, 0);
	open_sealed(&w, cli, seal);
	rc = wisp_turn_ran(&w.r, w.answer, &w.err);
	answer_seal(&w, cli);
	return close_work(&w, cli, rc);
}

static int
commands(struct wisp_cli *cli)
{
	bool configured = false;
	const struct wisp_option options[] = {{"configured", .flag = &configured}, {0}};
	struct wisp_buf out = WISP_BUF_INIT;
	struct work w;

	wisp_cli_read_loop(cli, options, 0, 0);
	open_work(&w, cli);
	wisp_turn_commands(&w.r, configured, &out);
	wisp_cli_print(&out);
	wisp_json_free(w.answer);
	wisp_record_release(&w.r);
	return 0;
}

static int
observe(struct wisp_cli *cli)
{
	struct wisp_seen o = {0};
	const char *seal = NULL;
	long long cut = 0;
	const struct wisp_option options[] = {
		{"seal", .text = &seal}, {"head", .text = &o.head}, {"tree", .text = &o.tree}, {"files", .text = &o.files}, {"commit", .text = &o.commit},
		{"uncommitted", .text = &o.uncommitted}, {"deletes", .text = &o.deletes}, {"deleted", .text = &o.deleted},
		{"wrote", .text = &o.wrote}, {"rest", .text = &o.rest},
		{"signal", .number = &cut}, {"once", .flag = &o.once}, {0}
	};
	struct work w;
	int rc;

	wisp_cli_read_loop(cli, options, 0, 0);
	o.cut = (int)cut;
	open_sealed(&w, cli, seal);
	rc = wisp_turn_observe(&w.r, &o, &w.err);
	if (rc == 0)
		rc = wisp_record_save(&w.r);
	return close_work(&w, cli, rc);
}

/*
 * The next step is begun by the same call where it follows at once: with the same tree, and nobody waits. What `begin`
 * answers then stands below a line `---`. Where it fails, it is asked for once more, and says why.
 */
static void
begin_next(struct work *w, struct wisp_cli *cli, bool wait, const char *template)
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
		answer_seal(w, cli);
	} else {
		wisp_json_free(w->answer);
		w->answer = recorded;
		wisp_err_release(&w->err);
	}
}

static bool
goes_on(const struct work *w)
{
	const struct cJSON *config = wisp_json_get(w->r.doc, "config");

	return strcmp(wisp_json_str(w->answer, "action", ""), "continue") == 0 &&
	       strcmp(wisp_json_str(w->answer, "tree", ""), "keep") == 0 && wisp_json_num(w->answer, "delay", 0) == 0 &&
	       wisp_turn_plan(&w->r) == NULL && strcmp(wisp_config_text(config, "checkpoint.restore"), "always") != 0;
}

static int
record(struct wisp_cli *cli)
{
	bool next = false, wait = false;
	const char *template = NULL;
	const struct wisp_option options[] = {
		{"begin", .flag = &next}, {"wait", .flag = &wait}, {"template", .text = &template}, {0}
	};
	struct work w;
	int rc;

	wisp_cli_read_loop(cli, options, 0, 0);
	open_work(&w, cli);
	rc = wisp_turn_record(&w.r, w.answer, &w.err);
	if (rc == 0 && next && goes_on(&w))
		begin_next(&w, cli, wait, template);
	return close_work(&w, cli, rc);
}

static int
end(struct wisp_cli *cli)
{
	long long cut = 0;
	bool stop = false;
	const struct wisp_option options[] = {{"signal", .number = &cut}, {"stop", .flag = &stop}, {0}};
	struct work w;

	wisp_cli_read_loop(cli, options, 0, 0);
	open_work(&w, cli);
	return close_work(&w, cli, wisp_turn_end(&w.r, stop ? WISP_CUT_STOP : (int)cut, w.answer));
}

/* Changes nothing: for a loop that is interrupted where there is nothing to record. 0: no signal, and no stop. */
static int
cut_code(struct wisp_cli *cli)
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

static int
rollback(struct wisp_cli *cli)
{
	long long n = -1;
	const char *head = NULL, *tree = "";
	const struct wisp_option options[] = {{"n", .number = &n}, {"head", .text = &head}, {"tree", .text = &tree}, {0}};
	struct work w;
	int rc;

	wisp_cli_read_loop(cli, options, 0, 0);
	open_work(&w, cli);
	rc = wisp_turn_rollback(&w.r, n, head, tree, &w.err);
	return rc == 1 ? 1 : close_work(&w, cli, rc);
}

int
main(int argc, char **argv)
{
	static const struct wisp_verb verbs[] = {
		{"start", start, "[--config FILE] [--pid N] [--resume] [--lost] [--agent A] [--template DIR] [--option KEY=VALUE]...", "a loop takes the session"},
		{"restore", restore, "--head H --tree T [--again]", "what is to become of the work tree"},
		{"restored", restored, "--did WORD --head H --tree T [--ref R] [--commits TEXT] [--files FILE] [--commit C]", "it has"},
		{"begin", begin, "--head H --tree T [--wait] [--plan plan|update|review|discover|decompose|retrospect] [--template DIR]", "reserve a step and write its prompt, or say why not"},
		{"checking", checking, "[--seal S]", "verify is about to run between two steps; with the seal of before: it has"},
		{"checked", checked, "WORD", "what verify said before the first step"},
		{"lost", lost, "[--seal S] [[--commits] TEXT]", "the work tree is none any more: the open step counts as failed"},
		{"ran", ran, "[--seal S]", "the agent program has ended"},
		{"commands", commands, "[--configured]", "the verify commands of the step, NUL after each"},
		{"observe", observe, "[--seal S] [--head H --tree T --files FILE --commit C] [--uncommitted WHY | --deletes TEXT --deleted FILE] "
		 "[--wrote FILE] [--rest FILE] [--signal N] [--once]", "what the controller saw of the step"},
		{"record", record, "[--begin [--wait] [--template DIR]]", "judge and record the iteration; and begin the next, below a line ---, where that follows at once"},
		{"end", end, "--signal N | --stop", "the loop ends between steps"},
		{"cut", cut_code, "--signal N", "the exit code of an interrupted loop: 15 where wisp stop --now sent the signal"},
		{"rollback", rollback, "--n N [--head H --tree T]", "tasks and counters as at the end of iteration N; 1: no such one"},
		{0}
	};

	wisp_cli_main(argc, argv, "the turns of a session's record, for the loop", verbs);
}
