/*
 * observe: the end of a step. For the loop it is git's part of it, too: what was verified is committed, what the step
 * changed is found, a checkpoint is made; and all that is noted.
 */
#include "loop.h"

#include <stdlib.h>
#include <string.h>

#include "core/config.h"
#include "core/turn.h"
#include "tree/tree.h"

/* What is due of it: a commit, where wisp_turn_due has said so, and a checkpoint of a step with a valid state. */
static void
due_of(struct wisp_record *r, struct wisp_close *c)
{
	const struct cJSON *step = wisp_turn_step(r), *config = wisp_record_config(r);

	c->branch = r->place->branch;
	c->session = wisp_json_str(wisp_record_session(r), "session_id", "");
	c->n = wisp_json_int(step, "iteration", 0);
	c->keep = wisp_config_count(config, "steps.keep");
	c->observes = wisp_config_bool(config, "checkpoint.save");
	c->save = strcmp(wisp_json_str(step, "state", ""), "valid") == 0;
	c->done = strcmp(wisp_json_str(step, "verify", ""), "passed") == 0 &&
		  strcmp(wisp_json_str(step, "status", ""), "DONE") == 0;
	if (wisp_json_bool(step, "commit", false)) {
		c->commit.message = wisp_turn_step_path(r, WISP_TURN_MESSAGE);
		c->commit.trailer = wisp_str("Wisp-Step: %s/%lld", c->session, c->n);
	}
}

static void
close_tree(struct wisp_tree *t, struct wisp_close *c, struct wisp_seen *o)
{
	c->interrupted = o->cut != 0;
	c->files = o->files;
	t->head = o->head != NULL ? o->head : "";
	t->tree = o->tree != NULL ? o->tree : "";
	wisp_tree_close(t, c);
	o->head = t->head;
	o->tree = t->tree;
	o->files = c->files;
	o->commit = c->checkpoint;
	o->uncommitted = c->uncommitted;
	o->deletes = c->deletes;
	o->deleted = c->deleted;
	o->rest = c->rest;
	wisp_tree_end("wisp-state");
}

static void
answer_tree(const struct wisp_tree *t, const struct wisp_close *c)
{
	if (c->observed)
		wisp_tree_answer_state(t);
	wisp_tree_answer("at", t->head);
	wisp_tree_answer("line-ends", c->commit.line_ends);
	wisp_tree_answer("uncommitted", c->uncommitted);
	wisp_tree_answer("deletes", c->deletes);
}

int
wisp_verb_observe(struct wisp_cli *cli)
{
	struct wisp_seen o = {0};
	struct wisp_tree t = {0};
	struct wisp_close c = {.worked = "", .credited = "", .listed = "", .since = "", .commit = {.line_ends = ""}};
	const char *seal = NULL, *parent = NULL;
	long long cut = 0;
	const struct wisp_option own[] = {
		{"seal", .text = &seal}, {"head", .text = &o.head}, {"tree", .text = &o.tree}, {"files", .text = &o.files},
		{"commit", .text = &o.commit}, {"uncommitted", .text = &o.uncommitted}, {"deletes", .text = &o.deletes},
		{"deleted", .text = &o.deleted}, {"wrote", .text = &o.wrote}, {"rest", .text = &o.rest},
		{"refused", .text = &o.refused}, {"signal", .number = &cut}, {"once", .flag = &o.once},
		{"line-ends", .text = &c.commit.line_ends}, {"not-work", .text = &c.not_work}, {"work", .text = &c.dir},
		{"worked", .text = &c.worked}, {"diff", .text = &c.diff}, {"credited", .text = &c.credited},
		{"listed", .text = &c.listed}, {"since", .text = &c.since}, {"line", .list = &c.lines},
	};
	struct wisp_option options[WISP_TREE_OPTIONS + sizeof own / sizeof *own + 1] = {0};
	struct wisp_work w;
	int rc;

	memcpy(options + wisp_tree_options(&t, &parent, options), own, sizeof own);
	wisp_cli_read_loop(cli, options, 0, 0);
	o.cut = (int)cut;
	if (t.top != NULL && (c.dir == NULL || c.not_work == NULL || o.files == NULL))
		die_usage("with --top: --work, --not-work and --files are needed");
	wisp_work_open(&w, cli, seal);
	if (t.top != NULL) {
		due_of(&w.r, &c);
		wisp_tree_begin(&t, parent);
		close_tree(&t, &c, &o);
	}
	rc = wisp_turn_observe(&w.r, &o, &w.err);
	if (rc == 0)
		rc = wisp_record_save(&w.r);
	if (rc == 0 && t.top != NULL)
		answer_tree(&t, &c);
	return wisp_work_close(&w, cli, rc);
}
