/*
 * json_print: a document as text (json.h), in the layout of JSON.stringify(v, null, 2).
 */
#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scan.h"

#define DIGITS_MAX 17	/* always enough to read the same double back */

static void
print_number(struct wisp_buf *out, double d)
{
	char text[32];
	int digits;

	if (d == trunc(d) && fabs(d) <= WISP_JSON_EXACT) {
		wisp_buf_printf(out, "%.0f", d + 0.0);	/* + 0.0: no -0 */
		return;
	}
	for (digits = 1; digits <= DIGITS_MAX; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, d);
		if (strtod(text, NULL) == d)
			break;
	}
	wisp_buf_puts(out, text);
}

/* `depth` < 0: compact. */
static void
new_line(struct wisp_buf *out, int depth)
{
	if (depth < 0)
		return;
	wisp_buf_putc(out, '\n');
	for (; depth > 0; depth--)
		wisp_buf_puts(out, "  ");
}

static void print_value(struct wisp_buf *out, const struct cJSON *v, int depth);

static void
print_container(struct wisp_buf *out, const struct cJSON *v, int depth, bool object)
{
	int inner = depth < 0 ? depth : depth + 1;
	const struct cJSON *e;
	const char *key;

	wisp_buf_putc(out, object ? '{' : '[');
	for (e = wisp_json_first(v); e != NULL; e = wisp_json_next(e)) {
		new_line(out, inner);
		if (object) {
			key = wisp_json_key(e);
			wisp_scan_quote(out, key, strlen(key));
			wisp_buf_puts(out, depth < 0 ? ":" : ": ");
		}
		print_value(out, e, inner);
		if (wisp_json_next(e) != NULL)
			wisp_buf_putc(out, ',');
	}
	if (wisp_json_first(v) != NULL)
		new_line(out, depth);
	wisp_buf_putc(out, object ? '}' : ']');
}

static void
print_value(struct wisp_buf *out, const struct cJSON *v, int depth)
{
	const char *s;

	switch (wisp_json_type(v)) {
	case WISP_T_OBJECT:
	case WISP_T_ARRAY:
		print_container(out, v, depth, wisp_json_type(v) == WISP_T_OBJECT);
		break;
	case WISP_T_STRING:
		s = wisp_json_text(v, "");
		wisp_scan_quote(out, s, strlen(s));
		break;
	case WISP_T_NUMBER:
		print_number(out, wisp_json_number(v, 0));
		break;
	case WISP_T_BOOL:
		wisp_buf_puts(out, wisp_json_true(v) ? "true" : "false");
		break;
	default:
		wisp_buf_puts(out, "null");
	}
}

void
wisp_json_print(struct wisp_buf *out, const struct cJSON *v)
{
	print_value(out, v, 0);
	wisp_buf_putc(out, '\n');
}

void
wisp_json_print_compact(struct wisp_buf *out, const struct cJSON *v)
{
	print_value(out, v, -1);
}

int
wisp_json_write(const char *path, const struct cJSON *v, enum wisp_sync sync)
{
	struct wisp_buf out = WISP_BUF_INIT;
	int rc;

	wisp_json_print(&out, v);
	rc = wisp_file_write(path, out.data, out.len, sync);
	wisp_buf_release(&out);
	return rc;
}
