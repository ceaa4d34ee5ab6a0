/*
 * show: a plan as text and as JSON. See plan.h.
 */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "core/json.h"

#define LINE_MAX 4096

static const char *
network_word(const struct wisp_sandbox_plan *p)
{
	return p->network == WISP_SANDBOX_OPEN ? "open" : p->network == WISP_SANDBOX_CLOSED ? "off" : "hosts";
}

/* Each line of the text behind a word. */
static void
print_lines(struct wisp_buf *out, const char *word, const struct wisp_buf *lines)
{
	const char *at = lines->data;
	size_t len;

	for (; at != NULL && *at != '\0'; at += len + 1) {
		len = strcspn(at, "\n");
		wisp_buf_printf(out, "%s%.*s\n", word, (int)len, at);
	}
}

static void
print_path(struct wisp_buf *out, const struct wisp_sandbox_path *e)
{
	wisp_buf_printf(out, "%-9s", wisp_sandbox_accesses[e->access]);
	wisp_buf_line(out, e->path, LINE_MAX);
	if (e->from != NULL) {
		wisp_buf_puts(out, " from ");
		wisp_buf_line(out, e->from, LINE_MAX);
	}
	wisp_buf_printf(out, "  (%s)\n", e->why);
}

void
wisp_sandbox_print(struct wisp_buf *out, const struct wisp_sandbox_plan *p)
{
	const struct wisp_sandbox_variable *v;
	const char *at;
	size_t i;

	wisp_buf_printf(out, "%-9s%s\n", "driver", wisp_sandbox_drivers[p->driver]);
	for (i = 0; i < p->count; i++)
		print_path(out, &p->paths[i]);
	wisp_buf_printf(out, "%-9s%s\n", "network", network_word(p));
	print_lines(out, "host     ", &p->hosts);
	for (v = p->variables; v < p->variables + p->variable_count; v++) {
		wisp_buf_printf(out, "%-9s%s", v->value != NULL ? "set" : "unset", v->name);
		if (v->value != NULL) {
			wisp_buf_putc(out, '=');
			wisp_buf_line(out, v->value, LINE_MAX);
		}
		wisp_buf_putc(out, '\n');
	}
	for (at = p->watched.data; at != NULL && at < p->watched.data + p->watched.len; at += strlen(at) + 1) {
		wisp_buf_puts(out, "watched  ");
		wisp_buf_line(out, at, LINE_MAX);
		wisp_buf_putc(out, '\n');
	}
	print_lines(out, "weak     ", &p->weak);
	print_lines(out, "note     ", &p->notes);
}

static struct cJSON *
lines_json(const struct wisp_buf *lines, char end)
{
	struct cJSON *list = wisp_json_array();
	const char *at = lines->data, *stop;
	char *line;

	for (; at != NULL && at < lines->data + lines->len; at = stop + 1) {
		stop = memchr(at, end, (size_t)(lines->data + lines->len - at));
		line = wisp_str("%.*s", (int)(stop - at), at);
		wisp_json_push(list, wisp_json_string(line));
		free(line);
	}
	return list;
}

static struct cJSON *
path_json(const struct wisp_sandbox_path *e)
{
	struct cJSON *o = wisp_json_object();

	wisp_json_set_str(o, "path", e->path);
	wisp_json_set_str(o, "access", wisp_sandbox_accesses[e->access]);
	wisp_json_set_str(o, "from", e->from);
	wisp_json_set_str(o, "why", e->why);
	return o;
}

struct cJSON *
wisp_sandbox_json(const struct wisp_sandbox_plan *p)
{
	struct cJSON *o = wisp_json_object(), *paths = wisp_json_array(), *set = wisp_json_object();
	size_t i;

	wisp_json_set_str(o, "driver", wisp_sandbox_drivers[p->driver]);
	for (i = 0; i < p->count; i++)
		wisp_json_push(paths, path_json(&p->paths[i]));
	wisp_json_set(o, "paths", paths);
	wisp_json_set_str(o, "network", network_word(p));
	wisp_json_set(o, "hosts", lines_json(&p->hosts, '\n'));
	for (i = 0; i < p->variable_count; i++)
		wisp_json_set_str(set, p->variables[i].name, p->variables[i].value);
	wisp_json_set(o, "environment", set);
	wisp_json_set(o, "watched", lines_json(&p->watched, '\0'));
	wisp_json_set(o, "weak", lines_json(&p->weak, '\n'));
	wisp_json_set(o, "notes", lines_json(&p->notes, '\n'));
	return o;
}
