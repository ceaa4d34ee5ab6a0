/*
 * report_orchestra: where an orchestration stands: its phase, each system with what its
 * agent is at, and the gates that wait for a person.
 */
#include "status.h"

#include <string.h>

#include "lines.h"
#include "orchestra.h"

/* What a system is at: merged, its agent's status, or waiting for its turn. */
static const char *
word_of(const struct cJSON *state, const char *system, const struct cJSON *agent, bool runs)
{
	if (wisp_orchestra_completed(state, system))
		return "merged";
	return agent == NULL ? "open" : wisp_orchestra_word(agent, runs);
}

static void
put_system(struct wisp_buf *out, const struct cJSON *state, const char *system, bool runs, bool last)
{
	const struct cJSON *agent = wisp_orchestra_agent(state, system);
	const char *word = word_of(state, system, agent, runs);
	const char *progress = wisp_json_str(agent, "progress", "");
	struct wisp_buf line = WISP_BUF_INIT;

	wisp_buf_printf(&line, "%s %-16s %-12s", last ? "`-" : "|-", system, word);
	if (strcmp(word, "merged") != 0 && *progress != '\0') {
		wisp_buf_putc(&line, ' ');
		wisp_buf_line(&line, progress, WISP_LINE_TEXT);
	}
	while (line.len > 0 && line.data[line.len - 1] == ' ')
		line.data[--line.len] = '\0';
	wisp_line_field(out, "", line.data);
	wisp_buf_release(&line);
}

void
wisp_status_gate(struct wisp_buf *out, const struct cJSON *gate)
{
	wisp_buf_printf(out, "%s: %s of %s: ", wisp_json_str(gate, "id", ""), wisp_json_str(gate, "type", ""),
			wisp_json_str(gate, "agent", ""));
	wisp_buf_line(out, wisp_json_str(gate, "description", ""), WISP_LINE_TEXT);
}

static void
put_gates(struct wisp_buf *out, const struct cJSON *state)
{
	const struct cJSON *pending = wisp_json_get(wisp_json_get(state, "gates"), "pending");
	struct wisp_buf line = WISP_BUF_INIT;

	for (const struct cJSON *g = wisp_json_first(pending); g != NULL; g = wisp_json_next(g)) {
		wisp_buf_reset(&line);
		wisp_status_gate(&line, g);
		wisp_line_field(out, "gate", line.data);
	}
	wisp_buf_release(&line);
}

void
wisp_report_orchestra(struct wisp_buf *out, const struct wisp_record *r)
{
	const struct cJSON *state = wisp_orchestra_of(r), *systems, *s;
	struct wisp_buf line = WISP_BUF_INIT;
	size_t merged, total = 0;
	bool runs;

	if (state == NULL)
		return;
	runs = strcmp(wisp_json_str(wisp_json_get(r->doc, "session"), "status", ""), "running") == 0;
	wisp_buf_printf(&line, "%s, loop %lld, %s", wisp_json_str(state, "currentPhase", ""), wisp_json_int(state, "currentLoop", 1),
			wisp_json_str(state, "mode", "mode not confirmed"));
	wisp_line_field(out, "phase", line.data);
	merged = wisp_orchestra_systems(state, &total);
	wisp_buf_reset(&line);
	wisp_buf_printf(&line, "%zu of %zu merged", merged, total);
	wisp_line_field(out, "systems", line.data);
	systems = wisp_json_get(wisp_json_get(state, "scopeDiscovery"), "systems");
	for (s = wisp_json_first(systems); s != NULL; s = wisp_json_next(s))
		put_system(out, state, wisp_json_str(s, "name", ""), runs, wisp_json_next(s) == NULL);
	put_gates(out, state);
	wisp_buf_release(&line);
}

struct cJSON *
wisp_status_orchestra(const struct wisp_record *r)
{
	const struct cJSON *state = wisp_orchestra_of(r);
	struct cJSON *v;
	size_t total = 0;

	if (state == NULL)
		return NULL;
	v = wisp_json_object();
	wisp_json_set_num(v, "loop", wisp_json_num(state, "currentLoop", 1));
	wisp_json_set_str(v, "mode", wisp_json_str(state, "mode", NULL));
	wisp_json_set_num(v, "merged", (double)wisp_orchestra_systems(state, &total));
	wisp_json_set_num(v, "systems", (double)total);
	wisp_json_set(v, "agents", wisp_json_copy(wisp_json_get(state, "subAgents")));
	wisp_json_set(v, "gates", wisp_json_copy(wisp_json_get(wisp_json_get(state, "gates"), "pending")));
	return v;
}
