/*
 * stage: the stage gates of an orchestration: what waits for a person, and a
 * person's decision. The first one counts: it is made under the lock of the
 * orchestration's record, and recorded with who and when. The agent that waits is
 * told in the same command.
 */
#include "stage.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/handoff.h"
#include "core/inside.h"
#include "core/lines.h"
#include "core/orchestra.h"
#include "core/stage.h"
#include "core/time.h"

#define FEEDBACK_MAX ((size_t)1 << 20)

static const char *const lists[] = {"pending", "approved", "rejected"};

/* --- list ------------------------------------------------------------------- */

struct listed {
	bool all;
	struct cJSON *entries;	/* for --json, and to be printed */
};

static void
collect(const struct wisp_stage *s, void *arg)
{
	struct listed *l = arg;
	const struct cJSON *gates = wisp_json_get(s->state, "gates");

	for (size_t i = 0; i < (l->all ? sizeof lists / sizeof *lists : 1); i++)
		for (const struct cJSON *g = wisp_json_first(wisp_json_get(gates, lists[i])); g != NULL; g = wisp_json_next(g)) {
			struct cJSON *entry = wisp_json_copy(g);

			wisp_json_set_str(entry, "decision", lists[i]);
			wisp_json_set_str(entry, "orchestration", s->place.branch);
			wisp_json_push(l->entries, entry);
		}
}

/* `  approved 2026-01-21T11:05:00Z by anna: looks good` */
static void
add_decision(struct wisp_buf *out, const struct cJSON *gate)
{
	bool approved = strcmp(wisp_json_str(gate, "decision", ""), "approved") == 0;
	const char *by = wisp_json_str(gate, approved ? "approvedBy" : "rejectedBy", NULL);
	const char *feedback = wisp_json_str(gate, "feedback", NULL);

	wisp_buf_printf(out, "  %s %s", approved ? "approved" : "rejected",
			wisp_json_str(gate, approved ? "approvedAt" : "rejectedAt", ""));
	if (by != NULL) {
		wisp_buf_puts(out, " by ");
		wisp_buf_line(out, by, WISP_LINE_NAMES);
	}
	if (feedback != NULL) {
		wisp_buf_puts(out, ": ");
		wisp_buf_line(out, feedback, WISP_LINE_TEXT);
	}
}

static void
add_gate(struct wisp_buf *out, const struct cJSON *gate)
{
	static const char *const columns[] = {"id", "type", "agent"};

	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
		wisp_buf_puts(out, i > 0 ? "  " : "");
		wisp_buf_line(out, wisp_json_str(gate, columns[i], ""), WISP_LINE_NAMES);
	}
	if (strcmp(wisp_json_str(gate, "decision", ""), "pending") != 0) {
		add_decision(out, gate);
	} else {
		wisp_buf_puts(out, "  ");
		wisp_buf_line(out, wisp_json_str(gate, "description", ""), WISP_LINE_TEXT);
	}
	wisp_buf_putc(out, '\n');
	for (const struct cJSON *a = wisp_json_first(wisp_json_get(gate, "artifacts")); a != NULL; a = wisp_json_next(a)) {
		wisp_buf_puts(out, "  ");
		wisp_buf_line(out, wisp_json_text(a, ""), WISP_LINE_TEXT);
		wisp_buf_putc(out, '\n');
	}
}

/* A heading for each orchestration, where there are gates of several. */
static void
print_list(const struct cJSON *entries)
{
	const char *first = wisp_json_str(wisp_json_first(entries), "orchestration", ""), *last = NULL;
	struct wisp_buf out = WISP_BUF_INIT;
	const struct cJSON *g;
	bool several = false;

	for (g = wisp_json_first(entries); g != NULL; g = wisp_json_next(g))
		several = several || strcmp(wisp_json_str(g, "orchestration", ""), first) != 0;
	for (g = wisp_json_first(entries); g != NULL; g = wisp_json_next(g)) {
		const char *name = wisp_json_str(g, "orchestration", "");

		if (several && (last == NULL || strcmp(name, last) != 0))
			wisp_buf_printf(&out, "%s:\n", name);
		last = name;
		add_gate(&out, g);
	}
	wisp_cli_print(&out);
}

int
wisp_gate_list(struct wisp_cli *cli)
{
	struct listed l = {.entries = wisp_json_array()};
	const struct wisp_option options[] = {{"all", .flag = &l.all}, {0}};

	wisp_cli_read(cli, options, 0, 0);
	wisp_stage_each(cli, collect, &l);
	if (cli->json) {
		wisp_cli_json(l.entries);
		return 0;
	}
	if (wisp_json_first(l.entries) == NULL)
		warn(l.all ? "no gates" : "no gate waits for a decision");
	print_list(l.entries);
	wisp_json_free(l.entries);
	return 0;
}

/* --- approve and reject ----------------------------------------------------- */

/* Who decides: what was given, else the name of the account; the caller frees it. */
static char *
who(const char *by)
{
	const char *user = by != NULL ? by : getenv("USER");
	const struct passwd *pw;

	if (user != NULL && user[strspn(user, " \t\r\n")] != '\0')
		return wisp_strdup(user);
	pw = getpwuid(getuid());
	return pw != NULL ? wisp_strdup(pw->pw_name) : wisp_str("uid %lu", (unsigned long)getuid());
}

static void
check_text(const char *what, const char *text)
{
	size_t len = strlen(text);

	if (text[strspn(text, " \t\r\n")] == '\0')
		die_usage("the %s is empty", what);
	if (len > FEEDBACK_MAX)
		die_usage("the %s is longer than %zu bytes", what, FEEDBACK_MAX);
	for (size_t i = 0; i < len;) {
		int n = wisp_utf8_char(text + i, len - i);

		if (n < 0)
			die_usage("the %s is not a text: byte %zu is not UTF-8", what, i + 1);
		i += (size_t)n;
	}
}

/* The decision that stands, as an answer. */
static struct cJSON *
decision(const struct cJSON *state, const char *id)
{
	const char *list = NULL;
	const struct cJSON *gate = wisp_orchestra_gate(state, id, &list);
	bool approved = strcmp(list, "approved") == 0;
	struct cJSON *v = wisp_json_object();

	wisp_json_set_str(v, "gate", id);
	wisp_json_set_str(v, "type", wisp_json_str(gate, "type", ""));
	wisp_json_set_str(v, "agent", wisp_json_str(gate, "agent", ""));
	wisp_json_set_str(v, "decision", list);
	wisp_json_set_str(v, "at", wisp_json_str(gate, approved ? "approvedAt" : "rejectedAt", NULL));
	wisp_json_set_str(v, "by", wisp_json_str(gate, approved ? "approvedBy" : "rejectedBy", NULL));
	wisp_json_set_str(v, "feedback", wisp_json_str(gate, "feedback", NULL));
	return v;
}

static void
warn_decided(const struct cJSON *v)
{
	const char *by = wisp_json_str(v, "by", NULL);

	warn("%s was %s already%s%s, at %s", wisp_json_str(v, "gate", ""), wisp_json_str(v, "decision", ""),
	     by != NULL ? " by " : "", by != NULL ? by : "", wisp_json_str(v, "at", ""));
}

/* Tells the waiting agent; the orchestration's own lock is free by now. */
static void
tell(const struct wisp_stage *s, const struct cJSON *state, const char *id, const struct cJSON *pending, struct cJSON *answer)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_told t;

	errno = 0;
	if (wisp_stage_tell(&t, &s->place, state, id, pending, &err) != 0) {
		if (err.text != NULL)
			die_err(&err);
		die_sys("%s is %s, but its agent cannot be notified", id, wisp_json_str(answer, "decision", "decided"));
	}
	wisp_json_set_bool(answer, "told", t.why == NULL);
	if (t.branch != NULL)
		wisp_json_set_str(answer, "branch", t.branch);
	if (t.why != NULL)
		wisp_json_set_str(answer, "why", t.why);
	else
		wisp_json_set_bool(answer, "alive", t.alive);
	wisp_told_release(&t);
}

static int
decide(struct wisp_cli *cli, bool approve)
{
	const char *feedback = NULL, *by = NULL, *id;
	const struct wisp_option options[] = {{"feedback", .text = &feedback}, {"by", .text = &by}, {0}};
	struct cJSON *pending, *state, *answer;
	struct wisp_stage s;
	char *name;
	int rc;

	wisp_cli_read(cli, options, 1, 1);
	/* No agent decides about its own work, or another's. */
	if (wisp_inside())
		die_usage("deciding a gate is not possible from inside a step");
	if (!approve && feedback == NULL)
		die_usage("reject needs --feedback TEXT: the agent must know what to change");
	if (feedback != NULL)
		check_text("feedback", feedback);
	name = who(by);
	check_text("name", name);
	id = cli->argv[0];
	wisp_stage_open(&s, cli, id);
	pending = wisp_json_copy(wisp_orchestra_gate(s.state, id, NULL));
	rc = wisp_orchestra_decide(s.state, id, approve, name, feedback, wisp_time_now());
	if (rc < 0)
		die_usage("there is no gate '%s' any more", id);
	if (rc == 0 && s.recorded)
		wisp_handoff(&s.r, NULL);
	if (rc == 0)
		wisp_stage_keep(&s);
	state = wisp_json_copy(s.state);
	answer = decision(state, id);
	if (s.recorded)
		wisp_record_release(&s.r);
	if (rc != 0)
		warn_decided(answer);
	tell(&s, state, id, rc == 0 ? pending : NULL, answer);
	wisp_cli_answer(cli, answer);
	s.recorded = false;
	wisp_stage_close(&s);
	wisp_json_free(pending);
	wisp_json_free(state);
	free(name);
	return rc;
}

int
wisp_gate_approve(struct wisp_cli *cli)
{
	return decide(cli, true);
}

int
wisp_gate_reject(struct wisp_cli *cli)
{
	return decide(cli, false);
}
