/*
 * block_parse: reads a PRP_PHASE_STATUS block. See block.h.
 *
 * A member is `NAME: value` on its line; a name without a value begins a
 * section of the lines that are indented deeper. A value is the JSON that it
 * spells, `true` and `false` in any case, else text. What should be a count and
 * is none (`five`, -1) is left out: a gate must not take a word for a number.
 * What the controller knows better itself (TIMESTAMP, ITERATION,
 * PROGRESS_PERCENT, CIRCUIT_BREAKER, DUAL_GATE, RATE_LIMIT) is passed over.
 */
#include "block.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define BEGIN "---PRP_PHASE_STATUS---"
#define END "---END_PRP_PHASE_STATUS---"
#define NAME_MAX_LEN 64	/* of a member; a longer one is prose */

/* A line without its white space at either end, and how far it is indented. */
struct line {
	const char *text;
	size_t len, indent;
};

enum section { TOP, TESTS, FILES, METRICS, BLOCKERS, IGNORED };

struct reader {
	struct cJSON *block, *metrics;
	enum section section;
	size_t indent;		/* of the line that began the section */
	char list[NAME_MAX_LEN + 1];	/* the metric that the next `- item` lines belong to, or "" */
	size_t list_indent;
};

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* Takes the line at *p, and moves *p behind it; false at the end. */
static bool
next_line(const char **p, struct line *l)
{
	const char *end;

	if (**p == '\0')
		return false;
	end = *p + strcspn(*p, "\n");
	l->text = *p;
	l->len = (size_t)(end - *p);
	*p = *end == '\n' ? end + 1 : end;
	for (l->indent = 0; l->len > 0 && is_blank(*l->text); l->len--, l->text++)
		l->indent++;
	while (l->len > 0 && is_blank(l->text[l->len - 1]))
		l->len--;
	return true;
}

static bool
is(const struct line *l, const char *text)
{
	return l->len == strlen(text) && memcmp(l->text, text, l->len) == 0;
}

/* Where the last whole block begins, behind its first marker; NULL where there is none. */
static const char *
last_whole(const char *text)
{
	const char *p = text, *open = NULL, *whole = NULL;
	struct line l;

	while (next_line(&p, &l)) {
		if (is(&l, BEGIN))
			open = p;
		else if (is(&l, END))
			whole = open;
	}
	return whole;
}

/* The name before the colon in lower case; *value is what follows. False where the line is no member. */
static bool
split(const struct line *l, char name[NAME_MAX_LEN + 1], struct line *value)
{
	size_t n = 0;

	while (n < l->len && n < NAME_MAX_LEN && (isalnum((unsigned char)l->text[n]) || l->text[n] == '_')) {
		name[n] = (char)tolower((unsigned char)l->text[n]);
		n++;
	}
	name[n] = '\0';
	if (n == 0 || n == l->len || l->text[n] != ':')
		return false;
	value->text = l->text + n + 1;
	value->len = l->len - n - 1;
	while (value->len > 0 && is_blank(*value->text)) {
		value->text++;
		value->len--;
	}
	return true;
}

/* The value of a member; the caller owns it. */
static struct cJSON *
value_of(const struct line *l)
{
	char *text = wisp_str("%.*s", (int)l->len, l->text);
	struct cJSON *v;

	if (strcasecmp(text, "true") == 0 || strcasecmp(text, "false") == 0)
		v = wisp_json_boolean(tolower((unsigned char)*text) == 't');
	else
		v = wisp_json_parse(l->text, l->len, NULL, NULL);
	if (v == NULL)
		v = wisp_json_string(text);
	free(text);
	return v;
}

/* tests_total and the like, where it is a count. */
static void
set_count(struct reader *r, const char *before, const char *name, const struct line *value)
{
	struct cJSON *v = value_of(value);
	char *key = wisp_str("%s_%s", before, name);

	if (wisp_json_number(v, -1) >= 0)
		wisp_json_set(r->metrics, key, v);
	else
		wisp_json_free(v);
	free(key);
}

static void
set_text(struct cJSON *object, const char *key, const struct line *value)
{
	char *text = wisp_str("%.*s", (int)value->len, value->text);

	wisp_json_set_str(object, key, text);
	free(text);
}

/* A metric; without a value it may be a list, whose items follow. */
static void
set_metric(struct reader *r, const char *name, const struct line *l, const struct line *value)
{
	if (value->len > 0) {
		wisp_json_set(r->metrics, name, value_of(value));
		return;
	}
	memcpy(r->list, name, strlen(name) + 1);
	r->list_indent = l->indent;
}

/* `- item`: of a list, or a blocker; false where the line is none. */
static bool
read_item(struct reader *r, const struct line *l)
{
	struct line item = *l;

	if (l->len < 2 || l->text[0] != '-' || !is_blank(l->text[1]))
		return false;
	for (item.text++, item.len--; is_blank(*item.text); item.text++)
		item.len--;
	if (r->section == BLOCKERS && !is(&item, "none")) {
		char *text = wisp_str("%.*s", (int)item.len, item.text);

		wisp_json_push(wisp_json_get(r->block, "blockers"), wisp_json_string(text));
		free(text);
	} else if (r->section != BLOCKERS && r->list[0] != '\0' && l->indent >= r->list_indent) {
		wisp_json_push(wisp_json_array_at(r->metrics, r->list), value_of(&item));
	}
	return true;
}

/* A member of no section: a section, a field of the block, or a metric. */
static void
read_top(struct reader *r, const struct line *l, const char *name, const struct line *value)
{
	static const struct {
		const char *name;
		enum section section;
	} sections[] = {
		{"tests", TESTS}, {"files", FILES}, {"metrics", METRICS}, {"blockers", BLOCKERS},
		{"circuit_breaker", IGNORED}, {"dual_gate", IGNORED}, {"rate_limit", IGNORED},
		{"timestamp", IGNORED}, {"iteration", IGNORED}, {"progress_percent", IGNORED}
	};

	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
		if (strcmp(sections[i].name, name) == 0) {
			r->section = sections[i].section;
			return;
		}
	}
	if (strcmp(name, "phase") == 0 || strcmp(name, "status") == 0 || strcmp(name, "recommendation") == 0) {
		set_text(r->block, name, value);
	} else if (strcmp(name, "exit_signal") == 0) {
		struct cJSON *v = value_of(value);

		wisp_json_set_bool(r->block, name, wisp_json_true(v));
		wisp_json_free(v);
	} else {
		set_metric(r, name, l, value);
	}
}

static void
read_line(struct reader *r, const struct line *l)
{
	char name[NAME_MAX_LEN + 1];
	struct line value;

	if (read_item(r, l) || !split(l, name, &value))
		return;
	r->list[0] = '\0';
	if (r->section != TOP && l->indent <= r->indent)
		r->section = TOP;
	switch (r->section) {
	case TOP:
		r->indent = l->indent;
		read_top(r, l, name, &value);
		break;
	case TESTS:
		set_count(r, "tests", name, &value);
		break;
	case FILES:
		set_count(r, "files", name, &value);
		break;
	case METRICS:
		set_metric(r, name, l, &value);
		break;
	default:
		break;
	}
}

struct cJSON *
wisp_block_parse(const char *text)
{
	const char *p = text == NULL ? NULL : last_whole(text);
	struct reader r = {0};
	struct line l;

	if (p == NULL)
		return NULL;
	r.block = wisp_json_object();
	wisp_json_set_null(r.block, "phase");
	wisp_json_set_null(r.block, "status");
	wisp_json_set_bool(r.block, "exit_signal", false);
	wisp_json_set_null(r.block, "recommendation");
	wisp_json_array_at(r.block, "blockers");
	r.metrics = wisp_json_object_at(r.block, "metrics");
	while (next_line(&p, &l) && !is(&l, END))
		read_line(&r, &l);
	return r.block;
}
