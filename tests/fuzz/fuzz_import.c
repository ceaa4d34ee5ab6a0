/*
 * fuzz_import: any bytes as a plan in markdown, a table, or lines.
 *
 * What must hold: what is refused has a reason; a list that is made holds as wisp-tasks
 * check says; boxes stand between brackets; and what was written of a list
 * can be read again, or is refused with a reason.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/tasks.h"
#include "tasks/format.h"

static const struct parser {
	wisp_import_parse *parse;
	wisp_export_print *print;
} parsers[] = {
	{wisp_import_fixplan, wisp_export_fixplan},
	{wisp_import_ralphex, wisp_export_ralphex},
	{wisp_import_csv, wisp_export_csv},
	{wisp_import_lines, wisp_export_lines},
};

static void
must(bool ok, const char *what)
{
	if (ok)
		return;
	warn("%s", what);
	abort();
}

static int
read_all(const struct parser *p, struct wisp_buf *bytes, struct wisp_import *im)
{
	struct wisp_err err = WISP_ERR_INIT;
	int rc = wisp_import_open(im, "fuzz", bytes, &err);

	if (rc == 0)
		rc = p->parse(im, &err);
	if (rc == 0)
		rc = wisp_import_finish(im, "docs", &err);
	must((rc == 0) == (err.text == NULL), "a refusal has its reason");
	wisp_err_release(&err);
	return rc;
}

static void
hold(const struct wisp_import *im)
{
	struct wisp_buf text = WISP_BUF_INIT;
	struct wisp_tasks t;

	wisp_json_print(&text, im->tasks);
	must(wisp_tasks_parse(&t, text.data, text.len, NULL, NULL) == WISP_VALID && t.count == im->count, "the list holds");
	for (size_t i = 0; i < im->n_boxes; i++) {
		const char *box = im->bytes.data + im->boxes[i].offset;

		must(im->boxes[i].task < im->count && box[-1] == '[' && box[1] == ']' && *box != 'x', "a box stands between brackets");
	}
	wisp_tasks_release(&t);
	wisp_buf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < sizeof parsers / sizeof *parsers; i++) {
		struct wisp_buf source = WISP_BUF_INIT, written = WISP_BUF_INIT;
		struct wisp_import im, back;

		wisp_buf_add(&source, bytes, len);
		if (read_all(&parsers[i], &source, &im) == 0) {
			hold(&im);
			must(parsers[i].print(im.tasks, &written, NULL) == 0, "a list can be written");
			if (read_all(&parsers[i], &written, &back) == 0)
				hold(&back);
			wisp_import_release(&back);
		}
		wisp_import_release(&im);
	}
	return 0;
}
