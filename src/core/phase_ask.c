/*
 * phase_ask: the filters of a phase are asked; see phase.h.
 *
 * All in one program, [[GATE],[PROGRESS],[REJECT]], so that libjq starts once. Where
 * that gives anything but one boolean for each, they are asked one by one: that
 * takes longer, and tells which one it is.
 */
#include "phase.h"

#include <string.h>

#include "filter.h"
#include "template.h"

#define FILTERS 3

/* What is asked; a NULL text is false. */
struct asked {
	const char *member, *text;
	bool *answer;
};

/* The line feeds end a comment, and one whose last character is a backslash. */
static int
ask_all(const struct asked *q, const struct cJSON *document)
{
	struct wisp_buf program = WISP_BUF_INIT, out = WISP_BUF_INIT;
	const struct cJSON *list, *first;
	struct cJSON *answer = NULL;
	size_t i = 0;

	wisp_buf_putc(&program, '[');
	for (i = 0; i < FILTERS; i++)
		wisp_buf_printf(&program, "%s[%s\n\n]", i > 0 ? "," : "", q[i].text != NULL ? q[i].text : "false");
	wisp_buf_putc(&program, ']');
	if (wisp_filter_run(program.data, document, &out, NULL) == 0)
		answer = wisp_json_parse(out.data, out.len, NULL, NULL);
	list = wisp_json_len(answer) == FILTERS ? wisp_json_first(answer) : NULL;
	for (i = 0; list != NULL; list = wisp_json_next(list), i++) {
		first = wisp_json_first(list);
		if (wisp_json_len(list) != 1 || wisp_json_type(first) != WISP_T_BOOL)
			break;
		*q[i].answer = wisp_json_true(first);
	}
	wisp_json_free(answer);
	wisp_buf_release(&program);
	wisp_buf_release(&out);
	return i == FILTERS ? 0 : -1;
}

static int
ask_each(const struct asked *q, const char *phase, const struct cJSON *document, struct wisp_err *err)
{
	for (size_t i = 0; i < FILTERS; i++) {
		struct wisp_err why = WISP_ERR_INIT;
		int rc = q[i].text != NULL ? wisp_filter_bool(q[i].text, document, &why) : 0;

		if (rc < 0)
			wisp_err_set(err, NULL, 0, 0, "phase %s: %s: %s", phase, q[i].member, why.text);
		wisp_err_release(&why);
		if (rc < 0)
			return -1;
		*q[i].answer = rc == 1;
	}
	return 0;
}

/* Is no phase left once this one is complete? */
static bool
is_last(const struct cJSON *machine, const struct cJSON *loop, const struct cJSON *now)
{
	for (const struct cJSON *p = wisp_json_first(wisp_json_get(machine, "phases")); p != NULL; p = wisp_json_next(p))
		if (p != now && !wisp_phase_done(loop, wisp_json_str(p, "name", "")))
			return false;
	return true;
}

int
wisp_phase_ask(struct wisp_phase_answer *a, const struct cJSON *machine, const struct cJSON *loop,
	       const struct cJSON *document, bool exit, struct wisp_err *err)
{
	const struct cJSON *now = wisp_phase_now(machine, loop), *rule = wisp_json_get(machine, "reject");
	const char *name = wisp_json_str(loop, "current_phase", "");
	bool reviews = strcmp(wisp_json_str(rule, "phase", ""), name) == 0;
	const struct asked q[FILTERS] = {
		{"gate", wisp_json_str(now, "gate", NULL), &a->gate_1},
		{"progress", wisp_json_str(now, "progress", NULL), &a->progress},
		{"reject", reviews ? wisp_json_str(rule, "when", NULL) : NULL, &a->reject}
	};

	memset(a, 0, sizeof *a);
	if (now == NULL)
		return wisp_err_set(err, NULL, 0, 0, "the template has no phase '%s'", name);
	if (q[0].text == NULL)
		return wisp_err_set(err, NULL, 0, 0, "phase %s: gate: is missing", name);
	a->gate_2 = exit;
	a->last = is_last(machine, loop, now);
	if (reviews) {
		a->attempts = (int)wisp_json_int(loop, "qa_attempts", 0) + 1;
		a->attempts_max = (int)wisp_json_int(rule, "max", 0);
	}
	return ask_all(q, document) == 0 ? 0 : ask_each(q, name, document, err);
}
