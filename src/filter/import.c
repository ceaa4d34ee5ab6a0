/*
 * import: formats whose files are JSON, by the filters of libexec/formats.
 *
 * FORMAT.jq gets the document and gives {"tasks": [...], "lost": [{"what", "at",
 * "text"}]}: rough tasks (tasks/import.h), each with `at`, its path in the source, and
 * `set`, what to write where that says that it is done; and where its id is a number
 * that jq would not keep, `id_at`, the path of it. Or it gives {"fault": {"at",
 * "text"}}. FORMAT-export.jq gets a task list and gives one document, or
 * of beads a line for each task. common.jq stands before each of them.
 */
#include "import.h"

#include <stdlib.h>
#include <string.h>

#include "core/filter.h"
#include "core/scan.h"
#include "core/self.h"

static char *
below(const char *base, const char *part, const char *name)
{
	char *path = wisp_str("%s%s/formats/%s.jq", base, part, name);

	if (wisp_file_exists(path))
		return path;
	free(path);
	return NULL;
}

/* The file of a filter: below $WISP_LIBEXEC, which `wisp` sets, else below what belongs to this program's own folder. */
static char *
installed(const char *name)
{
	/* In PREFIX/libexec/wisp/bin, or built in a folder of the source tree; where only the name of the caller is known, in PREFIX/bin. */
	static const char *const parts[] = {"/..", "/../libexec", "/../libexec/wisp"};
	const char *libexec = getenv("WISP_LIBEXEC");
	char *path = NULL, *own;

	if (libexec != NULL && *libexec != '\0')
		return below(libexec, "", name);
	own = wisp_self_folder();
	for (size_t i = 0; own != NULL && path == NULL && i < sizeof parts / sizeof *parts; i++)
		path = below(own, parts[i], name);
	free(own);
	return path;
}

static int
add_filter(struct wisp_buf *filter, const char *name, struct wisp_err *err)
{
	char *path = installed(name);
	int rc = 0;

	if (path == NULL)
		rc = wisp_err_set(err, NULL, 0, 0, "there is no filter '%s.jq' in the folder formats of wisp", name);
	else if (wisp_file_read(path, WISP_FILE_MAX, filter) != 0)
		rc = wisp_err_set(err, path, 0, 0, "cannot be read");
	free(path);
	return rc;
}

/* Runs the filter NAME: its results, a line each, in `out`. */
static int
run(const char *name, const struct cJSON *input, struct wisp_buf *out, struct wisp_err *err)
{
	struct wisp_buf filter = WISP_BUF_INIT;
	int rc = add_filter(&filter, "common", err);

	if (rc == 0)
		rc = add_filter(&filter, name, err);
	if (rc == 0)
		rc = wisp_filter_run_own(filter.data, input, out, err);
	wisp_buf_release(&filter);
	return rc;
}

/* Lines of JSON as one document, an array; what stood on a line stands there still. */
static int
join_lines(struct wisp_import *im, struct wisp_err *err)
{
	struct wisp_text_line line = {0};
	bool first = true;
	int rc = 0;

	wisp_buf_putc(&im->json, '[');
	while (rc == 0 && wisp_import_next(im, &line)) {
		size_t blank = 0;

		while (blank < line.len && strchr(" \t", line.text[blank]) != NULL)
			blank++;
		if (blank < line.len) {
			rc = wisp_scan_check(line.text, line.len, im->path, err);
			if (rc != 0)
				err->line += line.number - 1;
			if (!first)
				wisp_buf_putc(&im->json, ',');
			first = false;
			wisp_buf_add(&im->json, line.text, line.len);
		}
		wisp_buf_putc(&im->json, '\n');
	}
	wisp_buf_putc(&im->json, ']');
	return rc;
}

static struct cJSON *
source(const char *format, struct wisp_import *im, struct wisp_err *err)
{
	size_t at = im->start + strspn(im->bytes.data + im->start, " \t\r\n");

	if (strcmp(format, "beads") == 0 && im->bytes.data[at] != '[') {
		if (join_lines(im, err) != 0)
			return NULL;
		return wisp_json_parse(im->json.data, im->json.len, im->path, err);
	}
	return wisp_json_parse(im->bytes.data, im->bytes.len, im->path, err);
}

/* A number as an id: with the digits that stand in the source. */
static void
add_digits(const struct wisp_import *im, struct cJSON *rough)
{
	const struct wisp_buf *doc = im->json.len > 0 ? &im->json : &im->bytes;
	struct wisp_path path = {0};
	struct wisp_span span;
	char *id;

	if (wisp_path_parse(&path, wisp_json_str(rough, "id_at", ""), NULL) == 0 &&
	    wisp_scan_find(doc->data, doc->len, &path, &span, NULL) == 0) {
		id = wisp_str("%s%.*s", wisp_json_str(rough, "id", ""), (int)(span.end - span.start), doc->data + span.start);
		wisp_json_set_str(rough, "id", id);
		free(id);
	}
	wisp_path_release(&path);
}

/* What a filter answered, put into `im`. */
static int
take(struct wisp_import *im, struct cJSON *answer, struct wisp_err *err)
{
	const struct cJSON *fault = wisp_json_get(answer, "fault");
	struct cJSON *tasks = wisp_json_take(answer, "tasks"), *t;

	if (fault != NULL) {
		const char *at = wisp_json_str(fault, "at", ".");

		wisp_json_free(tasks);
		return wisp_err_set(err, im->path, wisp_import_line_at(im, at), 0, "%s: %s", at, wisp_json_str(fault, "text", ""));
	}
	for (t = wisp_json_first(tasks); t != NULL; t = wisp_json_next(t)) {
		struct cJSON *rough = wisp_json_copy(t);

		if (wisp_json_get(rough, "id_at") != NULL)
			add_digits(im, rough);
		wisp_import_take(im, rough, 0);
	}
	for (t = wisp_json_first(wisp_json_get(answer, "lost")); t != NULL; t = wisp_json_next(t)) {
		size_t before = im->n_losses;

		wisp_import_lose(im, wisp_json_str(t, "what", ""), 0, wisp_json_str(t, "text", ""));
		if (im->n_losses > before)
			im->losses[before].at = wisp_strdup(wisp_json_str(t, "at", "."));
	}
	wisp_json_free(tasks);
	return 0;
}

static int
parse(const char *format, struct wisp_import *im, struct wisp_err *err)
{
	struct cJSON *doc = source(format, im, err), *answer = NULL;
	struct wisp_buf out = WISP_BUF_INIT;
	struct wisp_err why = WISP_ERR_INIT;
	const char *text;
	int rc = doc == NULL ? -1 : 0;

	if (rc == 0 && run(format, doc, &out, &why) != 0) {
		/* Without the filter's own text, which is no business of the source's. */
		text = strncmp(why.text, "filter '", 8) == 0 ? strstr(why.text, "': ") : NULL;
		rc = wisp_err_set(err, im->path, 0, 0, "cannot be read as %s: %s", format, text != NULL ? text + 3 : why.text);
	}
	if (rc == 0 && (answer = wisp_json_parse(out.data, out.len, "the filter's answer", err)) == NULL)
		rc = -1;
	if (rc == 0)
		rc = take(im, answer, err);
	wisp_err_release(&why);
	wisp_json_free(answer);
	wisp_json_free(doc);
	wisp_buf_release(&out);
	return rc;
}

static int
print(const char *format, const struct cJSON *tasks, struct wisp_buf *out, struct wisp_err *err)
{
	struct wisp_buf answer = WISP_BUF_INIT;
	char *name = wisp_str("%s-export", format);
	struct cJSON *doc;
	int rc = run(name, tasks, &answer, err);

	if (rc == 0 && strcmp(format, "beads") == 0) {
		wisp_buf_add(out, answer.data, answer.len);
	} else if (rc == 0) {
		doc = wisp_json_parse(answer.data, answer.len, "the filter's answer", err);
		rc = doc == NULL ? -1 : 0;
		if (doc != NULL)
			wisp_json_print(out, doc);
		wisp_json_free(doc);
	}
	wisp_buf_release(&answer);
	free(name);
	return rc;
}

static const struct wisp_by_filter by = {parse, print};

int
wisp_filter_import(struct wisp_cli *cli)
{
	return wisp_verb_import(cli, &by);
}

int
wisp_filter_export(struct wisp_cli *cli)
{
	return wisp_verb_export(cli, &by);
}

int
wisp_filter_sync(struct wisp_cli *cli)
{
	return wisp_verb_sync(cli, &by);
}
