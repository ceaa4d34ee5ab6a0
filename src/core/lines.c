/*
 * lines: see lines.h.
 */
#include "lines.h"

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
