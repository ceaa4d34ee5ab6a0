/*
 * phase: the dual gate of a phase, asked by hand. Gate 1 is the filter of its
 * template, gate 2 the agent's word: DONE, or `exit_signal`.
 */
#include "context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/phase.h"
#include "core/template.h"
#include "core/turn_phase.h"

/* The phases of a template's folder; dies where there are none, or it does not hold. */
static struct cJSON *
load_machine(const char *dir)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *doc = NULL, *machine;

	if (wisp_template_load(dir, NULL, &doc, &err) != 0)
		die_err(&err);
	machine = wisp_template_machine(doc);
	if (machine == NULL)
		die_data("the template '%s' has no phases", dir);
	wisp_json_free(doc);
	return machine;
}

/* What is in force: that of --template, the record's, or where a loop state knows its phases that of tdd. */
static struct cJSON *
find_machine(const struct wisp_context *c, const struct wisp_cli *cli, const char *template)
{
	struct cJSON *tdd = wisp_template_tdd(), *machine;
	bool known = wisp_phase_now(tdd, c->loop) != NULL;
	char *dir;

	wisp_json_free(tdd);
	if (template != NULL)
		return load_machine(template);
	if (c->machine != NULL)
		return wisp_json_copy(c->machine);
	if (c->loop == NULL)
		die_data("'%s' has no phases: there is no loop-state.json", cli->place.dir);
	if (!known)
		die_data("'%s/loop-state.json' is in phase '%s': its template is needed (--template)", cli->place.dir,
			 wisp_json_str(c->loop, "current_phase", ""));
	dir = wisp_template_installed("tdd");
	if (dir == NULL)
		die_data("the template 'tdd' is not installed where it can be found: WISP_SHARE or --template must tell");
	machine = load_machine(dir);
	free(dir);
	return machine;
}

/* A loop state that can be trusted, or one at its beginning where there is none. */
static void
settle_loop(struct wisp_context *c, const struct wisp_cli *cli, const struct cJSON *machine)
{
	char *path = wisp_str("%s/loop-state.json", cli->place.dir);
	const struct wisp_source src = {.path = path, .name = "loop"};
	struct wisp_err err = WISP_ERR_INIT;

	if (c->loop == NULL)
		c->loop = wisp_phase_new(machine, "", NULL);
	else if (wisp_phase_check(&src, c->loop, machine, &err) != 0)
		die_err(&err);
	free(path);
}

/* Turns the loop state to the phase that was asked for. */
static void
turn_to(struct wisp_context *c, const struct cJSON *machine, const char *name)
{
	struct wisp_buf names = WISP_BUF_INIT;

	if (wisp_template_phase(machine, name) != NULL) {
		wisp_json_set_str(c->loop, "current_phase", name);
		return;
	}
	for (const struct cJSON *p = wisp_json_first(wisp_json_get(machine, "phases")); p != NULL; p = wisp_json_next(p))
		wisp_buf_printf(&names, "%s%s", names.len > 0 ? ", " : "", wisp_json_str(p, "name", ""));
	die_usage("there is no phase '%s': expected one of %s", name, names.data);
}

static void
print(const struct wisp_cli *cli, const struct wisp_context *c, const struct wisp_phase_answer *a)
{
	bool can_exit = a->gate_1 && a->gate_2;
	struct cJSON *v;

	if (!cli->json) {
		printf("gate_1=%s\ngate_2=%s\ncan_exit=%s\n", a->gate_1 ? "true" : "false", a->gate_2 ? "true" : "false",
		       can_exit ? "true" : "false");
		return;
	}
	v = wisp_json_object();
	wisp_json_set_str(v, "phase", wisp_json_str(c->loop, "current_phase", ""));
	wisp_json_set_bool(v, "gate_1", a->gate_1);
	wisp_json_set_bool(v, "gate_2", a->gate_2);
	wisp_json_set_bool(v, "can_exit", can_exit);
	wisp_json_set_bool(v, "progress", a->progress);
	wisp_json_set_bool(v, "reject", a->reject);
	wisp_json_set(v, "metrics", wisp_json_copy(c->metrics));
	wisp_cli_json(v);
}

void
wisp_gate_ask(struct wisp_context *c, const struct wisp_cli *cli, const char *template, const char *name,
	      struct wisp_phase_answer *a)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *machine = find_machine(c, cli, template), *doc;

	settle_loop(c, cli, machine);
	if (name != NULL)
		turn_to(c, machine, name);
	doc = wisp_context_document(c);
	if (wisp_phase_ask(a, machine, c->loop, doc, c->claim.exit, &err) != 0)
		die_err(&err);
	wisp_json_free(doc);
	wisp_json_free(machine);
}

/* For the loop: the gates of the step that ran are asked and noted with it; action= where no filter answers. */
static int
note_phase(struct wisp_cli *cli)
{
	struct cJSON *answer = wisp_json_object();
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_record r;
	int rc;

	wisp_cli_need_loop(cli, &r, NULL);
	rc = wisp_turn_phase_ask(&r, &err);
	if (rc < 0)
		die_err(&err);
	if (rc == 1)
		rc = wisp_turn_phase_halt(&r, &err, answer);
	else
		rc = wisp_turn_due(&r, WISP_DUE_GATES, answer) == 0 ? wisp_record_save(&r) : -1;
	if (rc != 0)
		die_sys("cannot change the record in '%s'", r.home);
	wisp_cli_answer(cli, answer);
	wisp_err_release(&err);
	wisp_record_release(&r);
	return 0;
}

int
wisp_gate_phase(struct wisp_cli *cli)
{
	const char *template = NULL;
	bool note = false, open;
	const struct wisp_option options[] = {{"template", .text = &template}, {"note", .flag = &note}, {0}};
	struct wisp_phase_answer a;
	struct wisp_context c;

	wisp_cli_read(cli, options, 0, 1);
	if (note && (template != NULL || cli->argc > 0))
		die_usage("what is noted is asked of the phase in force");
	if (note)
		return note_phase(cli);
	wisp_context_load(&c, cli);
	/* Without a claim there is nothing that the gates could be asked about. */
	if (c.state.verdict != WISP_VALID && (c.state.verdict != WISP_MISSING || c.claim.block == NULL))
		die_err(&c.state_err);
	wisp_gate_ask(&c, cli, template, cli->argc > 0 ? cli->argv[0] : NULL, &a);
	print(cli, &c, &a);
	open = a.gate_1 && a.gate_2;
	wisp_context_release(&c);
	return open ? 0 : 1;
}
