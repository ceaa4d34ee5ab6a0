/*
 * turn_phase: see turn_phase.h.
 */
#include "turn_phase.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "breaker.h"
#include "session.h"
#include "template.h"

#define PASSED "Dual-Gate satisfied"	/* 000_, exit_reason */

const struct cJSON *
wisp_turn_machine(const struct wisp_record *r)
{
	const struct cJSON *machine = wisp_json_get(r->doc, "machine");

	return wisp_json_type(machine) == WISP_T_OBJECT ? machine : NULL;
}

struct cJSON *
wisp_turn_loop(const struct wisp_record *r)
{
	return wisp_json_get(r->doc, "phases");
}

/*
 * Rules that are about a task list are not asked; the breaker of the phase takes
 * their place, and with it their threshold where the phase has none of its own.
 */
static void
leave_task_rules(struct wisp_record *r, struct cJSON *machine)
{
	struct cJSON *config = wisp_record_config(r), *p;

	for (p = wisp_json_first(wisp_json_get(machine, "phases")); p != NULL; p = wisp_json_next(p)) {
		int n = wisp_breaker_thresholds(machine, wisp_json_str(p, "name", ""), config).no_progress;

		if (n > 0)
			wisp_json_set_num(wisp_json_object_at(p, "breaker"), "no_progress", n);
	}
	wisp_json_set_null(config, "stuck.noProgress");
	wisp_json_set_null(config, "stuck.falseDone");
}

int
wisp_turn_phase_start(struct wisp_record *r, const char *dir, struct wisp_err *err)
{
	const struct cJSON *session = wisp_json_get(r->doc, "session");
	char *path = wisp_record_dir_path(r, "loop-state.json");
	struct wisp_source src = {.path = path, .name = "loop"};
	struct cJSON *template = NULL, *machine;
	int rc = wisp_template_load(dir, NULL, &template, err);

	machine = rc == 0 ? wisp_template_machine(template) : NULL;
	if (machine != NULL) {
		leave_task_rules(r, machine);
		if (wisp_json_type(wisp_turn_loop(r)) != WISP_T_OBJECT)
			wisp_json_set(r->doc, "phases", wisp_phase_new(machine, wisp_json_str(session, "session_id", ""),
								       wisp_json_str(session, "spec", NULL)));
		rc = wisp_phase_check(&src, wisp_turn_loop(r), machine, err);
	}
	if (rc == 0)
		wisp_json_set(r->doc, "machine", machine);
	else
		wisp_json_free(machine);
	wisp_json_free(template);
	free(path);
	return rc;
}

/*
 * The model that a reviewing phase runs with where it names none: not the one that implemented (003_, model diversity). Only
 * of agents that print Claude's stream is it known how their models are called; a provider's name before that stays. The
 * caller frees it.
 */
static char *
other_model(const struct wisp_record *r, const char *phase, const char **note)
{
	const char *reviewer = wisp_json_str(wisp_json_get(wisp_turn_machine(r), "reject"), "phase", NULL);
	const char *green = wisp_json_str(wisp_turn_loop(r), "green_model", ""), *slash = strrchr(green, '/');
	const char *format = wisp_json_str(r->doc, "green_format", NULL);

	if (reviewer == NULL || strcmp(reviewer, phase) != 0)
		return NULL;
	/* Nothing ran yet: the agent's name has to do. */
	if (format == NULL)
		format = wisp_json_str(wisp_json_get(r->doc, "session"), "agent", "");
	if (strcmp(format, "claude") == 0)
		return wisp_str("%.*s%s", slash != NULL ? (int)(slash - green) + 1 : 0, green,
				strstr(green, "opus") != NULL ? "sonnet" : "opus");
	*note = "it uses the session's model; set `model` for this phase in loop.json to use another";
	return NULL;
}

void
wisp_turn_phase_tell(const struct wisp_record *r, struct cJSON *answer)
{
	const struct cJSON *machine = wisp_turn_machine(r), *loop = wisp_turn_loop(r), *now;
	const char *name = wisp_json_str(loop, "current_phase", ""), *agent, *model, *note = NULL;
	char *other = NULL;

	if (machine == NULL)
		return;
	now = wisp_phase_now(machine, loop);
	agent = wisp_json_str(now, "agent", NULL);
	model = wisp_json_str(now, "model", NULL);
	if (model == NULL && agent == NULL)
		model = other = other_model(r, name, &note);
	wisp_json_set_str(answer, "phase", name);
	wisp_json_set_str(answer, "prompt", wisp_json_str(now, "prompt", NULL));
	wisp_json_set_str(answer, "agent", agent);
	wisp_json_set_str(answer, "model", model);
	wisp_json_set_str(answer, "note", note);
	free(other);
}

char *
wisp_turn_phase_spent(const struct wisp_record *r)
{
	const struct cJSON *machine = wisp_turn_machine(r), *loop = wisp_turn_loop(r);

	if (machine == NULL || wisp_phase_allowed(machine, loop))
		return NULL;
	return wisp_str("phase %s has used its %lld iterations", wisp_json_str(loop, "current_phase", ""),
			wisp_json_int(loop, "current_iteration", 0));
}

/* What was noted of the step that is judged, turn_phase_ask.c. */
void
wisp_turn_phase_facts(struct wisp_turn *t)
{
	const struct cJSON *a = wisp_json_get(t->step, "phase");
	struct wisp_facts *f = &t->facts;

	f->phases = true;
	if (f->state == WISP_VALID) {
		f->gate_1 = wisp_json_bool(a, "gate_1", false);
		f->gate_2 = wisp_json_bool(a, "gate_2", false);
		f->last_phase = wisp_json_bool(a, "last", false);
		f->reject = wisp_json_bool(a, "reject", false);
		f->rejects = (int)wisp_json_int(a, "rejects", 0);
		f->rejects_max = (int)wisp_json_int(a, "rejects_max", 0);
		t->metrics = wisp_json_get(a, "metrics");
	}
}

void
wisp_turn_phase_count(struct wisp_turn *t)
{
	/* A usage limit without a valid state is no iteration. */
	if (t->facts.phases && (t->facts.state == WISP_VALID || t->facts.outcome != WISP_LIMITED))
		wisp_phase_count(wisp_turn_loop(t->r), wisp_json_bool(wisp_json_get(t->step, "phase"), "green", false));
}

int
wisp_turn_phase_halt(struct wisp_record *r, const struct wisp_err *why, struct cJSON *answer)
{
	char *text = wisp_err_string(why);

	wisp_json_set_str(wisp_turn_step(r), "stage", "ran");
	wisp_session_put(wisp_record_session(r), "halted", text);
	wisp_json_set_num(r->doc, "exit", WISP_EXIT_DATA);
	wisp_json_set_str(r->doc, "reason", text);
	wisp_json_set_str(answer, "action", "halted");
	wisp_json_set_num(answer, "exit", WISP_EXIT_DATA);
	wisp_json_set_str(answer, "reason", "filter");
	wisp_json_set_str(answer, "tree", "keep");
	wisp_json_set_str(answer, "text", text);
	free(text);
	return wisp_record_commit(r);
}

/* The model of the implementing phase, as the agent named it. */
static void
note_model(struct wisp_turn *t)
{
	struct cJSON *loop = wisp_turn_loop(t->r);
	const char *implementer = wisp_json_str(wisp_json_get(wisp_turn_machine(t->r), "reject"), "goto", "");
	const char *model = wisp_json_str(t->result, "model", NULL);

	if (strcmp(wisp_json_str(loop, "current_phase", ""), implementer) != 0)
		return;
	wisp_json_set_str(t->r->doc, "green_format", wisp_json_str(t->result, "format", NULL));
	if (model != NULL)
		wisp_json_set_str(loop, "green_model", model);
}

/* The status block of the iteration: to the log, and for the loop to show. */
static void
put_block(struct wisp_turn *t, struct cJSON *answer)
{
	bool halted = t->decision.action == WISP_DO_HALT;
	const struct cJSON *asked = wisp_json_get(t->step, "phase");
	char *reason = halted ? wisp_turn_reason(t) : NULL;
	const struct wisp_block b = {
		.loop = wisp_turn_loop(t->r), .machine = wisp_turn_machine(t->r), .metrics = t->metrics,
		.breaker = wisp_json_get(t->r->doc, "breaker"), .limits = wisp_json_get(t->r->doc, "limits"),
		.gate_1 = t->facts.gate_1, .gate_2 = t->facts.gate_2,
		.status = halted ? "BLOCKED" : t->decision.action == WISP_DO_COMPLETE ? "COMPLETE" : "IN_PROGRESS",
		.blocker = halted ? reason : t->error, .blockers = wisp_json_get(asked, "blockers"),
		.state = t->state.doc, .files = wisp_json_get(t->seen, "files"), .limited = t->facts.outcome == WISP_LIMITED,
		.recommendation = wisp_json_str(t->state.doc, "recommendation", wisp_json_str(asked, "recommendation", NULL))
	};
	char *log = wisp_record_dir_path(t->r, "phase-status.log"), *file = wisp_turn_step_path(t->r, "phase-status.txt");
	struct wisp_buf text = WISP_BUF_INIT;

	wisp_block_print(&text, &b);
	/* It is there for people who look on: where it cannot be written the iteration counts all the same. */
	if (wisp_turn_clear(log, false) != 0 || wisp_block_log(log, &text) != 0)
		errno = 0;
	if (wisp_turn_clear(file, false) == 0 && wisp_file_write(file, text.data, text.len, WISP_NOSYNC) == 0)
		wisp_json_set_str(answer, "block", file);
	wisp_buf_release(&text);
	free(reason);
	free(log);
	free(file);
}

void
wisp_turn_phase_act(struct wisp_turn *t, struct cJSON *answer)
{
	const struct cJSON *machine = wisp_turn_machine(t->r);
	struct cJSON *loop = wisp_turn_loop(t->r);

	if (t->error != NULL)
		wisp_phase_error(loop, t->error);
	note_model(t);
	put_block(t, answer);
	if (t->decision.phase == WISP_PHASE_REJECTED)
		wisp_phase_reject(machine, loop, t->state.summary);
	else if (t->decision.phase == WISP_PHASE_PASSED)
		(void)wisp_phase_pass(machine, loop, PASSED);
	else if (t->facts.state == WISP_VALID)
		wisp_phase_keep(loop, t->metrics);
}

char *
wisp_turn_phase_rejected(const struct wisp_turn *t)
{
	const struct cJSON *reject = wisp_json_get(wisp_turn_machine(t->r), "reject");
	const char *phase = wisp_json_str(reject, "phase", ""), *back = wisp_json_str(reject, "goto", "");

	if (t->decision.action == WISP_DO_ASK)
		return wisp_str("%s rejected the work %d time%s. How is %s to go on?", phase, t->facts.rejects,
				t->facts.rejects == 1 ? "" : "s", back);
	return wisp_str("%s rejected the work (%d of at most %d): back to %s", phase, t->facts.rejects,
			t->facts.rejects_max, back);
}

char *
wisp_turn_phase_report(const struct wisp_turn *t)
{
	static const char *const parts[] = {"summary", "recommendation", "error"};
	struct wisp_buf b = WISP_BUF_INIT;
	char *head = wisp_turn_phase_rejected(t);

	wisp_buf_printf(&b, "%s\n", head);
	free(head);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const char *text = wisp_json_str(t->state.doc, parts[i], NULL);

		if (text != NULL && *text != '\0')
			wisp_buf_printf(&b, "\n%s: %s\n", parts[i], text);
	}
	wisp_buf_puts(&b, "\nmetrics: ");
	wisp_json_print_compact(&b, t->metrics);
	wisp_buf_putc(&b, '\n');
	return wisp_buf_detach(&b);
}
