/*
 * tick: says in the source of a list that a task is done. See import.h.
 */
#include <stdlib.h>
#include <string.h>

#include "core/scan.h"
#include "import.h"

/* Element `index` of what has an element on each line that is not blank. */
static bool
element(const struct wisp_buf *lines, size_t start, size_t index, struct wisp_span *span)
{
	const char *data = lines->data, *end;

	for (size_t at = start; at < lines->len; at = span->end + 1) {
		end = memchr(data + at, '\n', lines->len - at);
		span->start = at + strspn(data + at, " \t\r");
		span->end = end != NULL ? (size_t)(end - data) : lines->len;
		if (span->start < span->end && index-- == 0)
			return true;
	}
	return false;
}

static void
splice(struct wisp_buf *bytes, const struct wisp_span *span, const struct wisp_buf *part)
{
	struct wisp_buf whole = WISP_BUF_INIT;

	wisp_buf_add(&whole, bytes->data, span->start);
	wisp_buf_add(&whole, part->data, part->len);
	wisp_buf_add(&whole, bytes->data + span->end, bytes->len - span->end);
	wisp_buf_release(bytes);
	*bytes = whole;
}

/* The value on that line: `  status: pending`. */
static void
set_status(struct wisp_buf *bytes, size_t line)
{
	static const struct wisp_buf done = {.data = " completed", .len = sizeof " completed" - 1};
	const char *p = bytes->data;
	struct wisp_span span;

	while (--line > 0)
		p = strchr(p, '\n') + 1;
	span.start = (size_t)(p - bytes->data) + strcspn(p, ":") + 1;
	span.end = (size_t)(p - bytes->data) + strcspn(p, "\r\n");
	splice(bytes, &span, &done);
}

/* Sets a value: of the document, or where its elements are lines, of the one that the path begins with. */
static bool
set(const struct wisp_import *im, struct wisp_buf *bytes, struct wisp_path *path, const char *value)
{
	struct wisp_path rest = {path->steps + 1, path->count - 1};
	struct wisp_buf line = WISP_BUF_INIT;
	struct wisp_span span;
	bool done;

	if (im->json.len == 0)
		return wisp_scan_set(bytes, path, value, NULL) == 0;
	if (path->count < 2 || path->steps->key != NULL || !element(bytes, im->start, path->steps->index, &span))
		return false;
	while (strchr(" \t\r", bytes->data[span.end - 1]) != NULL)
		span.end--;
	wisp_buf_add(&line, bytes->data + span.start, span.end - span.start);
	done = wisp_scan_set(&line, &rest, value, NULL) == 0;
	if (done)
		splice(bytes, &span, &line);
	wisp_buf_release(&line);
	return done;
}

static bool
set_all(const struct wisp_import *im, const struct cJSON *changes, struct wisp_buf *bytes)
{
	struct wisp_buf value = WISP_BUF_INIT;
	bool done = true;

	for (const struct cJSON *c = wisp_json_first(changes); c != NULL && done; c = wisp_json_next(c)) {
		struct wisp_path path = {0};

		wisp_buf_reset(&value);
		wisp_json_print_compact(&value, wisp_json_get(c, "value"));
		done = wisp_path_parse(&path, wisp_json_str(c, "at", ""), NULL) == 0 && set(im, bytes, &path, value.data);
		wisp_path_release(&path);
	}
	wisp_buf_release(&value);
	return done;
}

bool
wisp_import_tick(const struct wisp_import *im, size_t task, struct wisp_buf *bytes)
{
	size_t from = 0, to = im->n_boxes, at;

	if (im->origins[task].set != NULL)
		return set_all(im, im->origins[task].set, bytes);
	if (im->origins[task].status > 0) {
		set_status(bytes, im->origins[task].status);
		return true;
	}
	/* The boxes stand in the order of their tasks. */
	while (from < to) {
		at = from + (to - from) / 2;
		if (im->boxes[at].task < task)
			from = at + 1;
		else
			to = at;
	}
	for (at = from; at < im->n_boxes && im->boxes[at].task == task; at++)
		bytes->data[im->boxes[at].offset] = 'x';
	return at > from;
}
