/*
 * scope_render: SCOPE-DISCOVERY.md, for people.
 *
 * It is made of the state, so that the two never say different things. What agents
 * wrote is brought to one line each, and cannot end a table's cell.
 */
#include "scope.h"

#include <string.h>

#include "core/lines.h"

#define TEXT_MAX 1000	/* bytes of one text */

static void
add_text(struct wisp_buf *out, const char *text)
{
	struct wisp_buf line = WISP_BUF_INIT;

	wisp_buf_line(&line, text, TEXT_MAX);
	for (size_t i = 0; i < line.len; i++) {
		if (strchr("|<`*_[", line.data[i]) != NULL)
			wisp_buf_putc(out, '\\');
		wisp_buf_putc(out, line.data[i]);
	}
	wisp_buf_release(&line);
}

static void
add_gaps(struct wisp_buf *out, const struct cJSON *gaps)
{
	static const char *const levels[] = {"critical", "high", "medium", "low"};

	wisp_buf_puts(out, "\n## Gaps\n");
	if (wisp_json_len(gaps) == 0)
		wisp_buf_puts(out, "\nNone.\n");
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
		bool any = false;

		for (const struct cJSON *g = wisp_json_first(gaps); g != NULL; g = wisp_json_next(g)) {
			if (strcmp(wisp_json_str(g, "severity", ""), levels[i]) != 0)
				continue;
			if (!any)
				wisp_buf_printf(out, "\n### %c%s\n\n", levels[i][0] - 'a' + 'A', levels[i] + 1);
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
		wisp_buf_printf(out, " | %g | ", wisp_json_num(s, "estimatedHours", 0));
		add_text(out, wisp_json_str(s, "description", ""));
		wisp_buf_puts(out, " |\n");
	}
}

void
wisp_scope_render(struct wisp_buf *out, const struct cJSON *state)
{
	const struct cJSON *scope = wisp_json_get(state, "scopeDiscovery");

	wisp_buf_puts(out, "# Scope discovery\n\n");
	wisp_buf_printf(out, "Mode %s, loop %lld; %lld loops are estimated, with up to %lld agents at once.\n",
			wisp_json_str(state, "mode", "not confirmed"), wisp_json_int(state, "currentLoop", 1),
			wisp_json_int(scope, "estimatedLoops", 0), wisp_json_int(scope, "parallelizationFactor", 1));
	add_gaps(out, wisp_json_get(scope, "gaps"));
	add_systems(out, wisp_json_get(scope, "systems"));
}
