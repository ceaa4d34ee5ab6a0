/*
 * show_orchestra: the status line, the box and the document of an orchestration
 * (001_): its phase and mode, each system with what its agent is at, the gates that
 * wait for a person, and the hours.
 */
#include "shown.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "box.h"
#include "core/orchestra.h"

static const struct cJSON *
pending(const struct cJSON *state)
{
	return wisp_json_get(wisp_json_get(state, "gates"), "pending");
}

static const struct cJSON *
systems(const struct cJSON *state)
{
	return wisp_json_get(wisp_json_get(state, "scopeDiscovery"), "systems");
}

void
wisp_orchestra_line(const struct wisp_shown *s)
{
	size_t gates = wisp_json_len(pending(s->orchestra));

	printf("[%s] Loop %lld | %lld/%lld systems completed | ", s->name, s->iteration, s->passed, s->total);
	if (gates > 0)
		printf("%zu %s pending | ", gates, gates == 1 ? "gate" : "gates");
	printf("Status: %s\n", s->status);
}

struct cJSON *
wisp_orchestra_document(const struct wisp_shown *s)
{
	struct cJSON *v = wisp_json_object();

	wisp_json_set_str(v, "phase", s->name);
	wisp_json_set_str(v, "orchestrator_id", s->id);
	wisp_json_set_str(v, "mode", wisp_json_str(s->orchestra, "mode", NULL));
	wisp_json_set_num(v, "loop", (double)s->iteration);
	wisp_json_set_num(v, "systems_completed", (double)s->passed);
	wisp_json_set_num(v, "systems_total", (double)s->total);
	wisp_json_set_num(v, "gates_pending", (double)wisp_json_len(pending(s->orchestra)));
	wisp_json_set_str(v, "status", s->status);
	wisp_json_set_num(v, "progress", s->percent);
	return v;
}

/* What a system is at; the caller frees it. */
static char *
doing(const struct cJSON *state, const char *name, bool runs, bool utf8)
{
	const struct cJSON *a = wisp_orchestra_agent(state, name);
	const char *status = wisp_orchestra_word(a, runs), *stage = wisp_json_str(a, "currentStage", NULL);

	if (wisp_orchestra_completed(state, name))
		return wisp_str("%s Complete", utf8 ? "\xe2\x9c\x85" : "[x]");
	if (a == NULL)
		return wisp_str("%s Pending", utf8 ? "\xe2\x8f\xb3" : "[ ]");
	if (strcmp(status, "running") == 0 && stage != NULL)
		return wisp_str("%s %s", utf8 ? "\xe2\x8f\xb3" : "[>]", stage);
	return wisp_str("%s %s", utf8 ? strcmp(status, "failed") == 0 ? "\xe2\x9d\x8c" : "\xe2\x8f\xb3"
				      : strcmp(status, "failed") == 0 ? "[!]" : "[>]", status);
}

static void
system_rows(bool utf8, const struct cJSON *state, bool runs)
{
	static const char *const branches[2][2] = {
		{"|--", "`--"}, {"\xe2\x94\x9c\xe2\x94\x80\xe2\x94\x80", "\xe2\x94\x94\xe2\x94\x80\xe2\x94\x80"}
	};

	if (wisp_json_len(systems(state)) == 0)
		return;
	wisp_box_row(utf8, "", "");
	wisp_box_row(utf8, "Systems:", "");
	for (const struct cJSON *s = wisp_json_first(systems(state)); s != NULL; s = wisp_json_next(s)) {
		const char *name = wisp_json_str(s, "name", "");
		char *what = doing(state, name, runs, utf8);
		char *text = wisp_str("%s %.20s: %s", branches[utf8][wisp_json_next(s) == NULL], name, what);

		wisp_box_row(utf8, "", text);
		free(text);
		free(what);
	}
}

static void
gate_rows(bool utf8, const struct cJSON *state)
{
	if (wisp_json_len(pending(state)) == 0)
		return;
	wisp_box_row(utf8, "", "");
	wisp_box_row(utf8, "Gates that wait for a person:", "");
	for (const struct cJSON *g = wisp_json_first(pending(state)); g != NULL; g = wisp_json_next(g)) {
		char *text = wisp_str("%s %s (%s)", wisp_json_str(g, "id", ""), wisp_json_str(g, "type", ""),
				      wisp_json_str(g, "agent", ""));

		wisp_box_row(utf8, "  ", text);
		free(text);
	}
}

void
wisp_orchestra_box(bool utf8, const struct wisp_shown *s)
{
	const struct cJSON *metrics = wisp_json_get(s->orchestra, "metrics"), *d = wisp_json_get(s->orchestra, "modeDetection");
	const char *mode = wisp_json_str(s->orchestra, "mode", NULL);
	char *loop = wisp_str("%lld", s->iteration), *count = wisp_str("%lld/%lld completed", s->passed, s->total);
	char *found = mode == NULL ? wisp_strdup("not confirmed")
			    : wisp_json_bool(d, "overridden", false) ? wisp_str("%s (chosen)", mode)
				   : wisp_str("%s (%.2f)", mode, wisp_json_num(d, "confidence", 0));
	char *hours = wisp_str("%g of %g estimated", wisp_json_num(metrics, "actualHours", 0),
			       wisp_json_num(metrics, "estimatedHours", 0));

	wisp_box_row(utf8, "Run:        ", s->id);
	wisp_box_row(utf8, "Mode:       ", found);
	wisp_box_row(utf8, "Phase:      ", s->name);
	wisp_box_row(utf8, "Loop:       ", loop);
	wisp_box_row(utf8, "Status:     ", s->status);
	wisp_box_row(utf8, "Systems:    ", count);
	wisp_box_row(utf8, "Hours:      ", hours);
	system_rows(utf8, s->orchestra, strcmp(s->status, "running") == 0);
	gate_rows(utf8, s->orchestra);
	wisp_box_row(utf8, "", "");
	free(hours);
	free(found);
	free(count);
	free(loop);
}
