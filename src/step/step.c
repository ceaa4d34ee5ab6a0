/*
 * step: see step.h.
 */
#include "step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "signame.h"

#define NAME_MAX_BYTES 80
#define DENIAL_MAX_BYTES 200

static const char *const token_names[WISP_TOKENS] = {"input", "output", "cache_read", "cache_write"};

void
wisp_step_init(struct wisp_step *s)
{
	int i;

	memset(s, 0, sizeof *s);
	s->started_at = s->ended_at = s->resets_at = -1;
	s->exit_code = s->overage = -1;
	s->outcome = WISP_ERROR;
	s->turns = s->retries = -1;
	s->peak_rss_kb = -1;
	s->duration_s = s->cost_usd = NAN;
	for (i = 0; i < WISP_TOKENS; i++)
		s->tokens[i] = NAN;
}

void
wisp_step_release(struct wisp_step *s)
{
	size_t i;

	free(s->agent_version);
	free(s->model);
	free(s->agent_session);
	free(s->final_text);
	wisp_buf_release(&s->reason);
	free(s->withheld);
	for (i = 0; i < s->denial_count; i++)
		free(s->denials[i]);
	for (i = 0; i < s->tool_count; i++)
		free(s->tools[i].name);
	wisp_step_init(s);
}

void
wisp_step_end(struct wisp_step *s, enum wisp_outcome outcome, const char *fmt, ...)
{
	struct wisp_buf text = WISP_BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	wisp_buf_vprintf(&text, fmt, ap);
	va_end(ap);
	s->outcome = outcome;
	wisp_buf_reset(&s->reason);
	wisp_buf_line(&s->reason, text.data != NULL ? text.data : "", WISP_STEP_REASON);
	wisp_buf_release(&text);
}

static char *
one_line(const char *text, size_t max)
{
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_buf_line(&b, text, max);
	return wisp_buf_detach(&b);
}

/* Where a tool stands in the list, or would. */
static size_t
find_tool(const struct wisp_step *s, const char *name)
{
	size_t i;

	for (i = 0; i < s->tool_count && strcmp(s->tools[i].name, name) != 0; i++)
		;
	return i;
}

void
wisp_step_tool(struct wisp_step *s, const char *name)
{
	char *line = one_line(name, NAME_MAX_BYTES);
	size_t i = find_tool(s, line);

	if (i >= WISP_STEP_TOOLS - 1) {
		free(line);
		line = wisp_strdup("other");
		i = find_tool(s, line);
	}
	if (i == s->tool_count) {
		s->tools[i].name = line;
		s->tool_count++;
	} else {
		free(line);
	}
	s->tools[i].calls++;
}

void
wisp_step_denial(struct wisp_step *s, const char *tool, const char *what)
{
	char *text;

	if (s->denial_count == WISP_STEP_DENIALS)
		return;
	text = wisp_str("%s%s%s", tool, *what != '\0' ? ": " : "", what);
	s->denials[s->denial_count++] = one_line(text, DENIAL_MAX_BYTES);
	free(text);
}

void
wisp_step_note(char **field, const char *text)
{
	if (*text == '\0')
		return;
	free(*field);
	*field = wisp_strdup(text);
}

/* What a program printed may be no UTF-8; JSON must be. */
static void
set_text(struct cJSON *o, const char *key, const char *s)
{
	struct wisp_buf b = WISP_BUF_INIT;
	size_t left = strlen(s);
	int n;

	wisp_buf_grow(&b, left);
	for (; left > 0; s += abs(n), left -= (size_t)abs(n)) {
		n = wisp_utf8_char(s, left);
		if (n > 0)
			wisp_buf_add(&b, s, (size_t)n);
		else
			wisp_buf_puts(&b, "\xef\xbf\xbd");
	}
	wisp_json_set_str(o, key, b.data != NULL ? b.data : "");
	wisp_buf_release(&b);
}

/* Negative stands for "not known", in numbers and in times. */
static void
set_known(struct cJSON *o, const char *key, double d)
{
	wisp_json_set_num(o, key, d < 0 ? NAN : d);
}

static void
set_time(struct cJSON *o, const char *key, wisp_ms t, char *text(wisp_ms))
{
	char *s = t >= 0 ? text(t) : NULL;

	wisp_json_set_str(o, key, s);
	free(s);
}

static void
add_limit(struct cJSON *o, const struct wisp_step *s)
{
	struct cJSON *limit;

	if (s->limit_kind == NULL) {
		wisp_json_set_null(o, "limit");
		return;
	}
	limit = wisp_json_object_at(o, "limit");
	wisp_json_set_str(limit, "kind", s->limit_kind);
	set_time(limit, "resets_at", s->resets_at, wisp_time_utc);
}

static void
add_lists(struct cJSON *o, const struct wisp_step *s)
{
	struct cJSON *denials = wisp_json_array_at(o, "denials"), *tools;
	size_t i;

	for (i = 0; i < s->denial_count; i++)
		wisp_json_push(denials, wisp_json_string(s->denials[i]));
	tools = wisp_json_object_at(o, "tools");
	for (i = 0; i < s->tool_count; i++)
		wisp_json_set_num(tools, s->tools[i].name, (double)s->tools[i].calls);
}

/* How it ended. */
static void
add_end(struct cJSON *o, const struct wisp_step *s)
{
	char name[WISP_SIGNAME_SIZE];

	set_time(o, "started_at", s->started_at, wisp_time_iso);
	set_time(o, "ended_at", s->ended_at, wisp_time_iso);
	set_known(o, "duration_s", s->duration_s);
	set_known(o, "exit_code", s->exit_code);
	wisp_json_set_str(o, "signal", s->signal != 0 ? wisp_signal_name(s->signal, name) : NULL);
	wisp_json_set_str(o, "outcome", wisp_outcome_name(s->outcome));
	wisp_json_set_str(o, "reason", s->reason.len > 0 ? s->reason.data : NULL);
	if (s->withheld != NULL)
		wisp_json_set_str(o, "withheld", s->withheld);
	set_known(o, "api_status", s->api_status == 0 ? -1 : s->api_status);
	add_limit(o, s);
	wisp_json_set_str(o, "auth", s->auth);
	if (s->overage >= 0)
		wisp_json_set_bool(o, "overage", s->overage > 0);
	else
		wisp_json_set_null(o, "overage");
}

struct cJSON *
wisp_step_json(const struct wisp_step *s)
{
	struct cJSON *o = wisp_json_object(), *tokens;
	int i;

	wisp_json_set_str(o, "agent", s->agent);
	wisp_json_set_str(o, "format", s->format);
	if (s->sandbox != NULL)
		wisp_json_set_str(o, "sandbox", s->sandbox);
	wisp_json_set_str(o, "agent_version", s->agent_version);
	wisp_json_set_str(o, "model", s->model);
	wisp_json_set_str(o, "agent_session", s->agent_session);
	add_end(o, s);
	set_known(o, "cost_usd", s->cost_usd);
	tokens = wisp_json_object_at(o, "tokens");
	for (i = 0; i < WISP_TOKENS; i++)
		set_known(tokens, token_names[i], s->tokens[i]);
	set_known(o, "turns", (double)s->turns);
	set_known(o, "retries", (double)s->retries);
	set_text(o, "final_text", s->final_text != NULL ? s->final_text : "");
	wisp_json_set_bool(o, "promise", s->promise);
	add_lists(o, s);
	wisp_json_set_num(o, "events", (double)s->events);
	wisp_json_set_num(o, "unknown_events", (double)s->unknown_events);
	wisp_json_set_num(o, "bad_lines", (double)s->bad_lines);
	wisp_json_set_num(o, "output_bytes", (double)s->output_bytes);
	wisp_json_set_num(o, "survivors_killed", (double)s->survivors_killed);
	set_known(o, "peak_rss_kb", (double)s->peak_rss_kb);
	return o;
}
