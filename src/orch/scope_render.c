/*
 * scope_render: SCOPE-DISCOVERY.md and RETROSPECT.md, for people.
 *
 * The first is made of the state, so that the two never say different things. What agents
 * wrote is brought to one line each, and cannot end a table's cell.
 */
#include "scope.h"

#include <stdlib.h>
#include <string.h>

#include "core/lines.h"
#include "core/orchestra.h"
#include "systems.h"

#define TEXT_MAX 1000	/* bytes of one text */

static void
add_text(struct wisp_buf *out, const char *text)
{
	struct wisp_buf line = WISP_BUF_INIT;

	wisp_buf_line(&line, text, TEXT_MAX);
	for (size_t i = 0; i < line.len; i++) {
		if (strchr("\\|<>`*_[]#~&", line.data[i]) != NULL)
			wisp_buf_putc(out, '\\');
		wisp_buf_putc(out, line.data[i]);
	}
	wisp_buf_release(&line);
}

size_t
wisp_scope_open(const struct cJSON *gaps)
{
	size_t n = 0;

	for (const struct cJSON *g = wisp_json_first(gaps); g != NULL; g = wisp_json_next(g))
		n += !wisp_json_bool(g, "closed", false);
	return n;
}

/* The open ones by their severity, then those that are closed. */
static void
add_gaps(struct wisp_buf *out, const struct cJSON *gaps)
{
	static const char *const parts[] = {"critical", "high", "medium", "low", "closed"};

	wisp_buf_puts(out, "\n## Gaps\n");
	if (wisp_scope_open(gaps) == 0)
		wisp_buf_puts(out, "\nNone.\n");
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		bool any = false;

		for (const struct cJSON *g = wisp_json_first(gaps); g != NULL; g = wisp_json_next(g)) {
			bool closed = wisp_json_bool(g, "closed", false);

			if (strcmp(closed ? "closed" : wisp_json_str(g, "severity", ""), parts[i]) != 0)
				continue;
			if (!any)
				wisp_buf_printf(out, "\n### %c%s\n\n", parts[i][0] - 'a' + 'A', parts[i] + 1);
			any = true;
			wisp_buf_puts(out, "- ");
			add_text(out, wisp_json_str(g, "category", ""));
			wisp_buf_puts(out, ": ");
			add_text(out, wisp_json_str(g, "description", ""));
			wisp_buf_putc(out, '\n');
		}
	}
}

static void
add_needs(struct wisp_buf *out, const struct cJSON *needs)
{
	for (const struct cJSON *n = wisp_json_first(needs); n != NULL; n = wisp_json_next(n)) {
		wisp_buf_puts(out, n != wisp_json_first(needs) ? ", " : "");
		add_text(out, wisp_json_text(n, ""));
	}
}

static void
add_systems(struct wisp_buf *out, const struct cJSON *systems)
{
	wisp_buf_puts(out, "\n## Systems\n\n");
	if (wisp_json_len(systems) == 0) {
		wisp_buf_puts(out, "None.\n");
		return;
	}
	wisp_buf_puts(out, "| system | type | priority | runs | depends on | hours | what |\n|---|---|---|---|---|---|---|\n");
	for (const struct cJSON *s = wisp_json_first(systems); s != NULL; s = wisp_json_next(s)) {
		wisp_buf_puts(out, "| ");
		add_text(out, wisp_json_str(s, "name", ""));
		wisp_buf_puts(out, " | ");
		add_text(out, wisp_json_str(s, "type", ""));
		wisp_buf_printf(out, " | %s | %s | ", wisp_json_str(s, "priority", ""),
				wisp_json_bool(s, "parallelizable", false) ? "beside others" : "alone");
		add_needs(out, wisp_json_get(s, "depends_on"));
		if (wisp_json_get(s, "estimatedHours") != NULL)
			wisp_buf_printf(out, " | %g | ", wisp_json_num(s, "estimatedHours", 0));
		else
			wisp_buf_puts(out, " | - | ");
		add_text(out, wisp_json_str(s, "description", ""));
		wisp_buf_puts(out, " |\n");
	}
}

/* Rounds, if all took equally long. */
static void
add_order(struct wisp_buf *out, const struct wisp_record *r)
{
	size_t parallel = (size_t)wisp_json_int(wisp_json_get(r->doc, "orchestra"), "parallel", 1), *waves;
	struct wisp_systems s = {0};

	/* What does not hold was never taken. */
	if (wisp_systems_read(&s, r, NULL) != 0)
		return;
	waves = wisp_alloc(s.count + 1, sizeof *waves);
	wisp_schedule_waves(waves, s.list, s.count, parallel);
	wisp_buf_puts(out, "\n## Order\n\n");
	for (size_t wave = 0; wave < s.count; wave++) {
		bool any = false;

		for (size_t i = 0; i < s.count; i++) {
			if (waves[i] != wave || s.list[i].status == WISP_SYSTEM_MERGED)
				continue;
			if (any)
				wisp_buf_puts(out, ", ");
			else
				wisp_buf_printf(out, "%zu. ", wave + 1);
			any = true;
			add_text(out, s.list[i].name);
			wisp_buf_puts(out, s.list[i].parallelizable ? "" : ", alone");
		}
		wisp_buf_puts(out, any ? "\n" : "");
	}
	if (out->data[out->len - 2] == '\n')
		wisp_buf_puts(out, "Nothing is left.\n");
	free(waves);
	wisp_systems_release(&s);
}

void
wisp_scope_render(struct wisp_buf *out, const struct wisp_record *r)
{
	const struct cJSON *state = wisp_orchestra_of(r), *scope = wisp_json_get(state, "scopeDiscovery");

	wisp_buf_puts(out, "# Scope discovery\n\n");
	wisp_buf_printf(out, "Mode %s, loop %lld; %lld loops are estimated, with up to %lld agents at once.\n",
			wisp_json_str(state, "mode", "not confirmed"), wisp_json_int(state, "currentLoop", 1),
			wisp_json_int(scope, "estimatedLoops", 0), wisp_json_int(scope, "parallelizationFactor", 1));
	add_gaps(out, wisp_json_get(scope, "gaps"));
	add_systems(out, wisp_json_get(scope, "systems"));
	add_order(out, r);
}

void
wisp_scope_retrospect(struct wisp_buf *out, const struct cJSON *state, const char *lessons)
{
	const struct cJSON *metrics = wisp_json_get(state, "metrics");

	wisp_buf_printf(out, "\n%g hours estimated so far, %g worked: factor %g.\n\n", wisp_json_num(metrics, "estimatedHours", 0),
			wisp_json_num(metrics, "actualHours", 0), wisp_json_num(metrics, "calibrationFactor", 1));
	for (const struct cJSON *a = wisp_json_first(wisp_json_get(state, "subAgents")); a != NULL; a = wisp_json_next(a)) {
		wisp_buf_puts(out, "- ");
		add_text(out, wisp_json_str(a, "system", ""));
		wisp_buf_printf(out, ": %s, ", wisp_json_str(a, "status", ""));
		add_text(out, wisp_json_str(a, "progress", ""));
		wisp_buf_putc(out, '\n');
	}
	if (lessons != NULL) {
		wisp_buf_putc(out, '\n');
		add_text(out, lessons);
		wisp_buf_putc(out, '\n');
	}
}
