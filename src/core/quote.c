/*
 * quote: see quote.h.
 */
#include "quote.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "json.h"
#include "secrets.h"

#define INDENT "    "
#define LEFT_OUT INDENT "[...]\n"

static void
add_lines(struct wisp_buf *out, const char *text, size_t len)
{
	bool start = true;

	for (const char *p = text; p < text + len; p++) {
		if (start)
			wisp_buf_puts(out, INDENT);
		start = *p == '\n';
		if (*p == '\n' || *p == '\t' || ((unsigned char)*p >= ' ' && *p != 127))
			wisp_buf_putc(out, *p);
	}
	if (!start)
		wisp_buf_putc(out, '\n');
}

/* Where the last `max` bytes begin: at a line's beginning, or at a character's where the last line is longer. */
static const char *
find_end(const char *text, size_t len, size_t max)
{
	const char *from = text + len - max, *line;

	while (((unsigned char)*from & 0xc0) == 0x80)
		from++;
	line = strchr(from, '\n');
	return line != NULL && line[1] != '\0' ? line + 1 : from;
}

void
wisp_quote(struct wisp_buf *out, const char *text, size_t max, bool end)
{
	/* Before it is cut, and its lines are taken apart. */
	char *whole = wisp_secrets_hidden(text);
	size_t len = strlen(whole);

	if (len > max && end) {
		text = find_end(whole, len, max);
		wisp_buf_puts(out, LEFT_OUT);
		add_lines(out, text, strlen(text));
	} else {
		add_lines(out, whole, wisp_utf8_cut(whole, len, max));
		if (len > max)
			wisp_buf_puts(out, LEFT_OUT);
	}
	free(whole);
}

void
wisp_quote_list(struct wisp_buf *out, const char *heading, const struct cJSON *list, const char *bullet, size_t most)
{
	const struct cJSON *v = wisp_json_first(list);
	char *item;
	size_t n;

	if (v != NULL)
		wisp_buf_puts(out, heading);
	for (n = 0; v != NULL && n < most; n++) {
		if (bullet != NULL)
			item = wisp_str("%s %s", bullet, wisp_json_text(v, ""));
		else
			item = wisp_str("%zu. %s", n + 1, wisp_json_text(v, ""));
		wisp_quote(out, item, SIZE_MAX, false);
		free(item);
		v = wisp_json_next(v);
	}
	if (v != NULL)
		wisp_buf_printf(out, INDENT "[... and %zu more]\n", wisp_json_len(list) - n);
}

void
wisp_quote_disarm(char *text, size_t len)
{
	static const char *const tags[] = {"<promise", "</promise"};

	for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
		for (size_t at = 0, n = strlen(tags[i]); at + n <= len; at++) {
			if (strncasecmp(text + at, tags[i], n) == 0)
				text[at] = '(';
		}
	}
}
