/*
 * state: see state.h.
 */
#include "state.h"

#include <string.h>

#include "metrics.h"
#include "secrets.h"

static const char *const names[] = {"CONTINUE", "DONE", "NEEDS_INPUT", "BLOCKED"};

static const struct wisp_field fields[] = {
	{"status", WISP_T_STRING, WISP_REQUIRED, "CONTINUE|DONE|NEEDS_INPUT|BLOCKED", WISP_T_NONE},
	{"summary", WISP_T_STRING, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"question", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"choices", WISP_T_ARRAY, 0, NULL, WISP_T_STRING},
	{"error", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"files_modified", WISP_T_NUMBER, 0, NULL, WISP_T_NONE},
	{"tests_run", WISP_T_NUMBER, 0, NULL, WISP_T_NONE},
	{"tests_passed", WISP_T_NUMBER, 0, NULL, WISP_T_NONE},
	{"verification", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{"phase", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"exit_signal", WISP_T_BOOL, 0, NULL, WISP_T_NONE},
	{"metrics", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{"recommendation", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"gate", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{"tests_removed", WISP_T_ARRAY, 0, NULL, WISP_T_OBJECT},
	{0}
};

static const struct wisp_field verification[] = {
	{"method", WISP_T_STRING, 0, "tests|typecheck|build|manual|none", WISP_T_NONE},
	{"passed", WISP_T_BOOL, 0, NULL, WISP_T_NONE},
	{"details", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{0}
};

static const struct wisp_field gate[] = {
	{"type", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"description", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"artifacts", WISP_T_ARRAY, 0, NULL, WISP_T_STRING},
	{0}
};

/* What a status asks for beside itself. */
static const struct wisp_field with_needs_input[] = {
	{"question", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE}, {0}
};
static const struct wisp_field with_blocked[] = {
	{"error", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE}, {0}
};

/* An optional field: NULL where it is absent or null. */
static const struct cJSON *
optional(const struct cJSON *doc, const char *key)
{
	const struct cJSON *v = wisp_json_get(doc, key);

	return wisp_json_type(v) == WISP_T_NULL ? NULL : v;
}

int
wisp_state_check(const struct wisp_source *src, const struct cJSON *doc, struct wisp_err *err)
{
	static const struct wisp_at in_verification = {NULL, "verification", 0}, in_gate = {NULL, "gate", 0};
	const struct cJSON *part;
	const char *status, *fault;

	if (wisp_schema_check(src, NULL, doc, fields, NULL, err) < 0)
		return -1;
	status = wisp_json_str(doc, "status", "");
	if (strcmp(status, "NEEDS_INPUT") == 0 && wisp_schema_check(src, NULL, doc, with_needs_input, NULL, err) < 0)
		return -1;
	if (strcmp(status, "BLOCKED") == 0 && wisp_schema_check(src, NULL, doc, with_blocked, NULL, err) < 0)
		return -1;
	part = optional(doc, "verification");
	if (part != NULL && wisp_schema_check(src, &in_verification, part, verification, NULL, err) < 0)
		return -1;
	part = optional(doc, "gate");
	if (part != NULL && wisp_schema_check(src, &in_gate, part, gate, NULL, err) < 0)
		return -1;
	fault = wisp_metrics_fault(part);
	if (fault != NULL)
		return wisp_schema_refuse(src, &in_gate, err, "%s", fault);
	return 0;
}

static void
fill(struct wisp_state *st)
{
	st->status = (enum wisp_status)wisp_status_parse(wisp_json_str(st->doc, "status", ""));
	st->summary = wisp_json_str(st->doc, "summary", NULL);
	st->question = wisp_json_str(st->doc, "question", NULL);
	st->error = wisp_json_str(st->doc, "error", NULL);
	st->phase = wisp_json_str(st->doc, "phase", NULL);
	st->dropped = wisp_metrics_fault(optional(st->doc, "metrics"));
	if (st->dropped != NULL)
		wisp_json_drop(st->doc, "metrics");
	st->choices = optional(st->doc, "choices");
	st->metrics = optional(st->doc, "metrics");
	st->gate = optional(st->doc, "gate");
	st->exit_signal = wisp_json_bool(st->doc, "exit_signal", false);
}

enum wisp_verdict
wisp_state_load(struct wisp_state *st, const char *path, struct wisp_err *err)
{
	struct wisp_buf bytes = WISP_BUF_INIT;
	struct wisp_source src = {.path = path, .name = "state"};

	*st = (struct wisp_state){0};
	st->verdict = wisp_json_read_max(path, WISP_STATE_MAX, &bytes, &st->doc, err);
	src.data = bytes.data;
	src.len = bytes.len;
	if (st->verdict == WISP_VALID && wisp_state_check(&src, st->doc, err) < 0)
		st->verdict = WISP_INVALID;
	if (st->verdict == WISP_VALID) {
		wisp_secrets_hide_json(st->doc);
		fill(st);
	} else {
		wisp_json_free(st->doc);
		st->doc = NULL;
	}
	wisp_buf_release(&bytes);
	return st->verdict;
}

void
wisp_state_release(struct wisp_state *st)
{
	wisp_json_free(st->doc);
	*st = (struct wisp_state){0};
}

const char *
wisp_status_name(enum wisp_status s)
{
	return names[s];
}

int
wisp_status_parse(const char *name)
{
	for (int i = WISP_CONTINUE; i <= WISP_BLOCKED; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return -1;
}
