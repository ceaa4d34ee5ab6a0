/*
 * lines: see lines.h.
 */
#include "lines.h"

#include <string.h>

#define WRAPPED 4	/* lines of a wrapped text */

void
wisp_line_label(struct wisp_buf *out, const char *name)
{
	wisp_buf_printf(out, "  %-10s", name);
}

void
wisp_line_field(struct wisp_buf *out, const char *name, const char *text)
{
	if (text == NULL || *text == '\0')
		return;
	wisp_line_label(out, name);
	wisp_buf_line(out, text, WISP_LINE_TEXT);
	wisp_buf_putc(out, '\n');
}

void
wisp_line_number(struct wisp_buf *out, const struct cJSON *v)
{
	if (wisp_json_type(v) == WISP_T_NUMBER)
		wisp_buf_printf(out, "%.15g", wisp_json_number(v, 0));
	else
		wisp_buf_putc(out, '-');
}

void
wisp_line_names(struct wisp_buf *out, const struct cJSON *names)
{
	const struct cJSON *name;
	size_t from = out->len, left = wisp_json_len(names);

	for (name = wisp_json_first(names); name != NULL && out->len - from < WISP_LINE_NAMES; left--) {
		if (out->len > from)
			wisp_buf_putc(out, ' ');
		wisp_buf_line(out, wisp_json_text(name, "?"), WISP_LINE_NAMES);
		name = wisp_json_next(name);
	}
	if (left > 0)
		wisp_buf_printf(out, " and %zu more", left);
	wisp_buf_putc(out, '\n');
}

void
wisp_line_unverified(struct wisp_buf *out, const struct cJSON *status)
{
	const struct cJSON *names = wisp_json_get(status, "uncommitted");

	if (wisp_json_len(names) == 0) {
		wisp_line_field(out, "verify", "unverified: no verify.command is set");
		return;
	}
	wisp_line_label(out, "verify");
	wisp_buf_puts(out, "unverified: it passed with what is not committed: ");
	wisp_line_names(out, names);
}

void
wisp_line_shell(struct wisp_buf *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+,-";

	if (*word != '\0' && word[strspn(word, plain)] == '\0') {
		wisp_buf_puts(out, word);
		return;
	}
	wisp_buf_putc(out, '\'');
	for (; *word != '\0'; word++) {
		if (*word == '\'')
			wisp_buf_puts(out, "'\\''");
		else
			wisp_buf_putc(out, *word);
	}
	wisp_buf_putc(out, '\'');
}

void
wisp_line_tests(struct wisp_buf *out, const struct cJSON *observed)
{
	double skipped = wisp_json_num(observed, "tests_skipped", 0);

	if (wisp_json_len(observed) == 0)
		return;
	if (wisp_json_num(observed, "tests_total", 1) > 0) {
		wisp_line_number(out, wisp_json_get(observed, "tests_passing"));
		wisp_buf_puts(out, " of ");
		wisp_line_number(out, wisp_json_get(observed, "tests_total"));
		wisp_buf_puts(out, " tests pass");
	} else {
		wisp_buf_puts(out, "no test ran");
	}
	if (skipped > 0)
		wisp_buf_printf(out, ", %.15g skipped", skipped);
}

void
wisp_line_observed(struct wisp_buf *out, const struct cJSON *entry)
{
	const struct cJSON *observed = wisp_json_get(entry, "observed"), *differs = wisp_json_get(entry, "claimed_differs");
	const struct cJSON *names = wisp_json_get(entry, "protected");

	if (wisp_json_len(observed) > 0) {
		wisp_line_label(out, "observed");
		wisp_line_tests(out, observed);
		wisp_buf_putc(out, '\n');
	}
	if (wisp_json_len(differs) > 0) {
		wisp_line_label(out, "");
		wisp_buf_puts(out, "observed differs from claimed: ");
		wisp_line_names(out, differs);
	}
	if (wisp_json_len(names) > 0) {
		wisp_line_label(out, "protected");
		wisp_buf_puts(out, "changed: ");
		wisp_line_names(out, names);
	}
}

void
wisp_line_some(struct wisp_buf *out, const struct cJSON *some)
{
	const struct cJSON *name = wisp_json_first(wisp_json_get(some, "names"));
	long long count = wisp_json_int(some, "count", 0), shown = 0;
	size_t from;

	if (count == 0)
		return;
	wisp_buf_printf(out, "%lld (", count);
	for (from = out->len; name != NULL && out->len - from < WISP_LINE_NAMES; name = wisp_json_next(name), shown++) {
		wisp_buf_puts(out, shown > 0 ? ", " : "");
		wisp_buf_line(out, wisp_json_text(name, "?"), WISP_LINE_NAMES);
	}
	if (shown < count)
		wisp_buf_printf(out, " and %lld more", count - shown);
	wisp_buf_putc(out, ')');
}

void
wisp_line_cases(struct wisp_buf *out, const struct cJSON *tests, const struct cJSON *removed)
{
	static const char *const members[] = {"lost", "vanished", "flaky"}, *const words[] = {"lost", "suites gone", "flaky"};
	struct wisp_buf line = WISP_BUF_INIT;

	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		if (wisp_json_get(tests, members[i]) == NULL)
			continue;
		wisp_buf_printf(&line, "%s%s ", line.len > 0 ? "; " : "", words[i]);
		wisp_line_some(&line, wisp_json_get(tests, members[i]));
	}
	if (line.len > 0) {
		wisp_line_label(out, "tests");
		wisp_buf_printf(out, "%s (wisp tests)\n", line.data);
	}
	for (const struct cJSON *e = wisp_json_first(removed); e != NULL; e = wisp_json_next(e)) {
		wisp_buf_reset(&line);
		wisp_buf_printf(&line, "%s: %s", wisp_json_str(e, "test", ""), wisp_json_str(e, "reason", ""));
		wisp_line_field(out, e == wisp_json_first(removed) ? "removed" : "", line.data);
	}
	wisp_buf_release(&line);
}

/* The bytes of `text` that fit on a line: whole words where there are some. A character has no more columns than bytes. */
static size_t
fitting(const char *text, size_t width)
{
	size_t len = strlen(text), n = wisp_utf8_cut(text, len, width), word;

	if (n == len)
		return n;
	for (word = n; word > 0 && text[word] != ' '; word--)
		;
	return word > 0 ? word : n;
}

void
wisp_line_wrapped(struct wisp_buf *out, const char *name, const char *text)
{
	struct wisp_buf line = WISP_BUF_INIT;
	const char *p;

	if (text == NULL)
		return;
	wisp_buf_line(&line, text, WRAPPED * (WISP_LINE_WIDTH - WISP_LINE_LABEL - 8));
	for (p = line.data != NULL ? line.data : ""; *p != '\0';) {
		size_t n = fitting(p, WISP_LINE_WIDTH - WISP_LINE_LABEL);

		wisp_line_label(out, p == line.data ? name : "");
		wisp_buf_printf(out, "%.*s\n", (int)n, p);
		for (p += n; *p == ' '; p++)
			;
	}
	wisp_buf_release(&line);
}

void
wisp_line_cut(struct wisp_buf *out, struct wisp_buf *head, const char *text)
{
	size_t used = head->len;

	wisp_buf_puts(out, head->data);
	if (used < WISP_LINE_WIDTH)
		wisp_buf_line(out, text, WISP_LINE_WIDTH - used);
	wisp_buf_putc(out, '\n');
	wisp_buf_release(head);
}
