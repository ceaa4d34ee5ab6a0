/*
 * import: see import.h; how tasks are made of what a parser left is in finish.c.
 */
#include "import.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/scan.h"

#define BOM "\xef\xbb\xbf"
#define EXAMPLE 60	/* bytes of what is shown of a loss */

static size_t
line_of(const char *data, size_t offset)
{
	size_t line = 1;

	for (size_t i = 0; i < offset; i++)
		line += data[i] == '\n';
	return line;
}

/* The first line on which git left a mark of a conflict, 0 where there is none. */
static size_t
conflict_line(const struct wisp_import *im)
{
	struct wisp_text_line line = {0};

	while (wisp_import_next(im, &line))
		if (line.len >= 8 && (memcmp(line.text, "<<<<<<< ", 8) == 0 || memcmp(line.text, ">>>>>>> ", 8) == 0))
			return line.number;
	return 0;
}

/* As PowerShell's `>` and Excel write it, with a byte-order mark or without. */
static bool
is_utf16(const char *p, size_t len)
{
	return len >= 2 && (memcmp(p, "\xff\xfe", 2) == 0 || memcmp(p, "\xfe\xff", 2) == 0 || (p[0] == '\0') != (p[1] == '\0'));
}

int
wisp_import_open(struct wisp_import *im, const char *path, struct wisp_buf *bytes, struct wisp_err *err)
{
	const char *p, *end;
	size_t conflict;
	int n;

	*im = (struct wisp_import){.path = path, .bytes = *bytes, .rough = wisp_json_array()};
	*bytes = (struct wisp_buf)WISP_BUF_INIT;
	wisp_buf_grow(&im->bytes, 1);	/* `data` is set, whatever comes */
	p = im->bytes.data;
	if (is_utf16(p, im->bytes.len))
		return wisp_err_set(err, path, 0, 0, "UTF-16: save it as UTF-8");
	if (im->bytes.len >= 3 && memcmp(p, BOM, 3) == 0)
		im->start = 3;
	end = p + im->bytes.len;
	for (p += im->start; p < end; p += n) {
		n = *p == '\0' ? 0 : wisp_utf8_char(p, (size_t)(end - p));
		if (n <= 0)
			return wisp_err_set(err, path, line_of(im->bytes.data, (size_t)(p - im->bytes.data)), 0,
					    n == 0 ? "a NUL: this is no text" : "not UTF-8");
	}
	conflict = conflict_line(im);
	if (conflict > 0)
		return wisp_err_set(err, path, conflict, 0, "a merge conflict marker: resolve the conflict first (git mergetool)");
	for (p = im->bytes.data + im->start; p < end && strchr(" \t\r\n", *p) != NULL; p++)
		;
	return p == end ? wisp_err_set(err, path, 0, 0, "empty") : 0;
}

void
wisp_import_release(struct wisp_import *im)
{
	for (size_t i = 0; i < im->count; i++) {
		free(im->origins[i].at);
		wisp_json_free(im->origins[i].set);
	}
	for (size_t i = 0; i < im->n_losses; i++) {
		free(im->losses[i].what);
		free(im->losses[i].example);
		free(im->losses[i].at);
	}
	free(im->origins);
	free(im->boxes);
	free(im->losses);
	wisp_json_free(im->rough);
	wisp_json_free(im->tasks);
	wisp_buf_release(&im->bytes);
	wisp_buf_release(&im->json);
	*im = (struct wisp_import){0};
}

void
wisp_import_take(struct wisp_import *im, struct cJSON *rough, size_t line)
{
	struct wisp_origin *o;

	if (im->count == im->cap) {
		im->cap = im->cap > 0 ? im->cap * 2 : 64;
		im->origins = wisp_realloc(im->origins, im->cap, sizeof *im->origins);
	}
	o = &im->origins[im->count++];
	*o = (struct wisp_origin){.line = line};
	o->at = wisp_strdup(wisp_json_str(rough, "at", NULL));
	if (wisp_json_len(wisp_json_get(rough, "set")) > 0)
		o->set = wisp_json_take(rough, "set");
	wisp_json_push(im->rough, rough);
}

struct cJSON *
wisp_import_task(struct wisp_import *im, size_t line, const char *description)
{
	struct cJSON *task = wisp_json_object();

	wisp_json_add(task, "description", wisp_json_string(description));
	wisp_import_take(im, task, line);
	return task;
}

void
wisp_import_box(struct wisp_import *im, size_t offset)
{
	if ((im->n_boxes & (im->n_boxes - 1)) == 0)	/* full: 0, 1, 2, 4 ... */
		im->boxes = wisp_realloc(im->boxes, im->n_boxes > 0 ? im->n_boxes * 2 : 1, sizeof *im->boxes);
	im->boxes[im->n_boxes++] = (struct wisp_box){im->count - 1, offset};
}

void
wisp_import_lose(struct wisp_import *im, const char *what, size_t line, const char *example)
{
	struct wisp_buf shown = WISP_BUF_INIT;

	for (size_t i = 0; i < im->n_losses; i++)
		if (strcmp(im->losses[i].what, what) == 0) {
			im->losses[i].count++;
			return;
		}
	im->losses = wisp_realloc(im->losses, im->n_losses + 1, sizeof *im->losses);
	wisp_buf_line(&shown, example, EXAMPLE);
	im->losses[im->n_losses++] = (struct wisp_loss){wisp_strdup(what), wisp_buf_detach(&shown), line, 1, NULL};
}

size_t
wisp_import_line_at(const struct wisp_import *im, const char *at)
{
	const struct wisp_buf *doc = im->json.len > 0 ? &im->json : &im->bytes;
	struct wisp_path path = {0};
	struct wisp_span span = {0};
	size_t line = 0;

	/* What is missing has the line of what it is missing in. */
	if (wisp_path_parse(&path, at, NULL) == 0 && wisp_scan_find(doc->data, doc->len, &path, &span, NULL) >= 0)
		line = line_of(doc->data, span.start);
	wisp_path_release(&path);
	return line;
}

bool
wisp_import_next(const struct wisp_import *im, struct wisp_text_line *line)
{
	const char *data = im->bytes.data, *end;
	size_t at = line->number == 0 ? im->start : line->next;

	if (at >= im->bytes.len)
		return false;
	end = memchr(data + at, '\n', im->bytes.len - at);
	line->text = data + at;
	line->offset = at;
	line->len = end != NULL ? (size_t)(end - line->text) : im->bytes.len - at;
	line->next = at + line->len + 1;
	line->number++;
	if (line->len > 0 && line->text[line->len - 1] == '\r')
		line->len--;
	return true;
}

/* Each line that is not blank is a task. */
int
wisp_import_lines(struct wisp_import *im, struct wisp_err *err)
{
	struct wisp_text_line line = {0};
	struct wisp_buf text = WISP_BUF_INIT;

	(void)err;
	while (wisp_import_next(im, &line)) {
		wisp_buf_reset(&text);
		wisp_buf_add(&text, line.text, line.len);
		if (strspn(text.data != NULL ? text.data : "", " \t\r\f\v") < text.len)
			wisp_import_task(im, line.number, text.data);
	}
	wisp_buf_release(&text);
	return 0;
}
