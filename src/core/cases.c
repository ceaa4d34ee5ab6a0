/*
 * cases: see cases.h.
 */
#include "cases.h"

#include <stdlib.h>
#include <string.h>

#define FNV_BASIS 2166136261u
#define FNV_PRIME 16777619u

const char *
wisp_case_word(enum wisp_case_result r)
{
	static const char *const words[WISP_CASE_RESULTS] = {"passed", "failed", "skipped"};

	return words[r];
}

static void
put_escaped(struct wisp_buf *out, unsigned char c)
{
	static const char known[] = "\n\t\r", letters[] = "ntr";
	const char *p = c != '\0' ? strchr(known, c) : NULL;

	if (p != NULL)
		wisp_buf_printf(out, "\\%c", letters[p - known]);
	else
		wisp_buf_printf(out, "\\x%02x", c);
}

static bool
is_plain(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)s[i] < ' ' || (unsigned char)s[i] > '~')
			return false;
	return true;
}

static void
put_name(struct wisp_buf *out, const char *s, size_t len)
{
	size_t at = 0;
	int n;

	if (is_plain(s, len)) {
		wisp_buf_add(out, s, len);
		return;
	}
	for (; at < len; at += (size_t)(n < 0 ? -n : n)) {
		n = wisp_utf8_char(s + at, len - at);
		if (n < 0 || wisp_utf8_turns(s + at, n))
			wisp_buf_puts(out, "\xef\xbf\xbd");
		else if (n == 1 && ((unsigned char)s[at] < ' ' || s[at] == 0x7f))
			put_escaped(out, (unsigned char)s[at]);
		else
			wisp_buf_add(out, s + at, (size_t)n);
	}
}

size_t
wisp_cases_name(struct wisp_cases *c, const char *name, size_t len)
{
	size_t at = c->text.len;

	if (at == 0)
		wisp_buf_add(&c->text, "", 1), at = 1;	/* offset 0 is no name */
	if (len == 0)
		return 0;
	put_name(&c->text, name, wisp_utf8_cut(name, len, WISP_CASE_NAME_MAX));
	if (c->text.len - at > WISP_CASE_NAME_MAX)
		c->text.len = at + wisp_utf8_cut(c->text.data + at, c->text.len - at, WISP_CASE_NAME_MAX);
	wisp_buf_add(&c->text, "", 1);
	return at;
}

struct wisp_case *
wisp_cases_add(struct wisp_cases *c, size_t suite, size_t name, enum wisp_case_result result)
{
	struct wisp_case *new;

	if (c->count == WISP_CASES_MAX) {
		c->cut = true;
		return NULL;
	}
	if (c->count == c->room) {
		c->room = c->room == 0 ? 256 : c->room * 2;
		c->list = wisp_realloc(c->list, c->room, sizeof *c->list);
	}
	new = &c->list[c->count++];
	*new = (struct wisp_case){.suite = suite, .name = name, .result = (unsigned char)result};
	memcpy(new->command, c->command, sizeof new->command);
	return new;
}

void
wisp_cases_settle(struct wisp_cases *c, size_t first, bool keep)
{
	size_t to = first;

	for (size_t i = first; i < c->count; i++) {
		if (c->list[i].pending && !keep)
			continue;
		c->list[i].pending = false;
		c->list[to++] = c->list[i];
	}
	c->count = to;
}

static uint32_t
hash(uint32_t h, const char *s)
{
	for (; *s != '\0'; s++)
		h = (h ^ (unsigned char)*s) * FNV_PRIME;
	return (h ^ 0xff) * FNV_PRIME;	/* "ab", "c" is not "a", "bc" */
}

/* Where it is in the index, or where it belongs. */
static uint32_t *
slot_of(const struct wisp_cases *c, const char *command, const char *suite, const char *name, uint32_t nth)
{
	size_t i = hash(hash(hash(FNV_BASIS ^ nth, command), suite), name) & (c->slots - 1);

	for (;; i = (i + 1) & (c->slots - 1)) {
		const struct wisp_case *k = c->index[i] != 0 ? &c->list[c->index[i] - 1] : NULL;

		if (k == NULL || (k->nth == nth && strcmp(wisp_case_text(c, k->name), name) == 0 &&
				  strcmp(wisp_case_text(c, k->suite), suite) == 0 && strcmp(k->command, command) == 0))
			return &c->index[i];
	}
}

void
wisp_cases_index(struct wisp_cases *c)
{
	for (c->slots = 16; c->slots < 2 * c->count; c->slots *= 2)
		;
	free(c->index);
	c->index = wisp_alloc(c->slots, sizeof *c->index);
	for (size_t i = 0; i < c->count; i++) {
		struct wisp_case *k = &c->list[i];
		const char *suite = wisp_case_text(c, k->suite), *name = wisp_case_text(c, k->name);
		uint32_t *at = slot_of(c, k->command, suite, name, 1);

		k->nth = *at == 0 ? 1 : ++c->list[*at - 1].same;
		k->same = 1;
		if (*at != 0)
			at = slot_of(c, k->command, suite, name, k->nth);
		*at = (uint32_t)i + 1;
	}
}

struct wisp_case *
wisp_cases_find(struct wisp_cases *c, const char *command, const char *suite, const char *name, uint32_t nth)
{
	uint32_t at = c->slots == 0 ? 0 : *slot_of(c, command, suite, name, nth);

	return at == 0 ? NULL : &c->list[at - 1];
}

void
wisp_cases_print(const struct wisp_cases *c, struct wisp_buf *out)
{
	wisp_buf_grow(out, c->text.len + c->count * 64);
	for (size_t i = 0; i < c->count; i++) {
		const struct wisp_case *k = &c->list[i];

		wisp_buf_puts(out, wisp_case_word(k->result));
		wisp_buf_putc(out, ' ');
		wisp_buf_puts(out, k->command);
		if (k->nth == 1)
			wisp_buf_puts(out, " 1");
		else
			wisp_buf_printf(out, " %u", (unsigned int)k->nth);
		wisp_buf_putc(out, '\t');
		wisp_buf_puts(out, wisp_case_text(c, k->suite));
		wisp_buf_putc(out, '\t');
		wisp_buf_puts(out, wisp_case_text(c, k->name));
		wisp_buf_putc(out, '\t');
		wisp_buf_puts(out, wisp_case_text(c, k->file));
		wisp_buf_putc(out, '\n');
	}
}

/* The field at *p, which is moved behind it; NULL where there is none. */
static char *
field(char **p, char end)
{
	char *from = *p, *at = from != NULL ? strchr(from, end) : NULL;

	if (from == NULL)
		return NULL;
	*p = at != NULL ? at + 1 : NULL;
	if (at != NULL)
		*at = '\0';
	return from;
}

static int
result_of(const char *word)
{
	for (int i = 0; i < WISP_CASE_RESULTS; i++)
		if (strcmp(wisp_case_word((enum wisp_case_result)i), word) == 0)
			return i;
	return -1;
}

static void
parse_line(struct wisp_cases *c, char *line)
{
	char *word = field(&line, ' '), *command = field(&line, ' '), *nth = field(&line, '\t');
	char *suite = field(&line, '\t'), *name = field(&line, '\t'), *file = field(&line, '\t');
	int result = result_of(word);
	struct wisp_case *k;
	size_t at_suite;

	if (file == NULL || nth == NULL || result < 0 || strlen(command) >= sizeof c->command)
		return;
	memcpy(c->command, command, strlen(command) + 1);
	at_suite = wisp_cases_name(c, suite, strlen(suite));
	k = wisp_cases_add(c, at_suite, wisp_cases_name(c, name, strlen(name)), (enum wisp_case_result)result);
	if (k != NULL)
		k->file = wisp_cases_name(c, file, strlen(file));
}

void
wisp_cases_parse(struct wisp_cases *c, char *data)
{
	char *line;

	while (data != NULL && *data != '\0') {
		line = field(&data, '\n');
		parse_line(c, line);
	}
	wisp_cases_index(c);
}

void
wisp_case_label(struct wisp_buf *out, const char *suite, const char *name, uint32_t nth)
{
	wisp_buf_printf(out, "%s%s%s", suite, *suite != '\0' && *name != '\0' ? " > " : "", name);
	if (nth > 1)
		wisp_buf_printf(out, " (%u)", (unsigned int)nth);
}

void
wisp_cases_release(struct wisp_cases *c)
{
	wisp_buf_release(&c->text);
	free(c->list);
	free(c->index);
	*c = (struct wisp_cases){0};
}
