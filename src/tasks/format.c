/*
 * format: see format.h; and the verb import.
 */
#include "format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/schema.h"
#include "core/self.h"
#include "core/tasks.h"

static const struct wisp_format formats[] = {
	{"prd", NULL, NULL, true, true},
	{"fixplan", wisp_import_fixplan, wisp_export_fixplan, true, true},
	{"ralphex", wisp_import_ralphex, wisp_export_ralphex, true, true},
	{"criteria", NULL, NULL, true, true},
	{"beads", NULL, NULL, true, true},
	{"taskmaster", NULL, NULL, false, true},
	{"issues", NULL, NULL, false, false},
	{"csv", wisp_import_csv, wisp_export_csv, true, false},
	{"lines", wisp_import_lines, wisp_export_lines, true, false},
	{0}
};

/* Runs the same verb there, under the same name. */
static _Noreturn void
hand_over(struct wisp_cli *cli, const char *option)
{
	char *program = wisp_self_find("wisp-filter"), *argv[12];
	size_t n = 0;

	argv[n++] = (char *)wisp_die_program();
	if (cli->dir != NULL) {
		argv[n++] = (char *)"-C";
		argv[n++] = (char *)cli->dir;
	}
	if (cli->json)
		argv[n++] = (char *)"--json";
	argv[n++] = (char *)cli->verb->name;
	if (option != NULL)
		argv[n++] = (char *)option;
	argv[n++] = (char *)"--";
	for (int i = 0; i < cli->argc && i < 2; i++)
		argv[n++] = cli->argv[i];
	argv[n] = NULL;
	if (program == NULL)
		errno = ENOENT;
	else
		execv(program, argv);
	die_sys("cannot run wisp-filter, which reads and writes the format %s", cli->argv[0]);
}

const struct wisp_format *
wisp_format_pick(struct wisp_cli *cli, const struct wisp_by_filter *by, const char *option)
{
	bool export = strcmp(cli->verb->name, "export") == 0, sync = strcmp(cli->verb->name, "sync") == 0;
	const struct wisp_format *f = formats;

	while (f->name != NULL && (strcmp(f->name, cli->argv[0]) != 0 || (export && !f->writes) || (sync && !f->syncs)))
		f++;
	if (f->name == NULL)
		die_usage("'%s' is not a format of %s: expected one of %s", cli->argv[0], cli->verb->name,
			  export ? WISP_FORMAT_EXPORTS : sync ? WISP_FORMAT_SYNCS : WISP_FORMAT_IMPORTS);
	if (cli->argc < 2 && !export)
		die_usage("a file is missing (- is standard input)");
	if (f->parse == NULL && by == NULL)
		hand_over(cli, option);
	return f;
}

int
wisp_format_parse(const struct wisp_format *f, const struct wisp_by_filter *by, const char *category,
		  const char *path, struct wisp_buf *bytes, struct wisp_import *im, struct wisp_err *err)
{
	if (wisp_import_open(im, path, bytes, err) != 0)
		return -1;
	if ((f->parse != NULL ? f->parse(im, err) : by->parse(f->name, im, err)) != 0)
		return -1;
	return wisp_import_finish(im, category, err);
}

static int
read_stdin(struct wisp_buf *bytes)
{
	ssize_t n;

	do {
		wisp_buf_grow(bytes, 65536);
		n = read(STDIN_FILENO, bytes->data + bytes->len, 65536);
		if (n > 0)
			bytes->len += (size_t)n;
		if (bytes->len > WISP_TASKS_MAX) {
			errno = EFBIG;
			return -1;
		}
	} while (n > 0 || (n < 0 && errno == EINTR));
	bytes->data[bytes->len] = '\0';
	return n == 0 ? 0 : -1;
}

const char *
wisp_format_read(const char *file, struct wisp_buf *bytes)
{
	bool input = strcmp(file, "-") == 0;
	const char *name = input ? "standard input" : file;

	if ((input ? read_stdin(bytes) : wisp_file_read(file, WISP_TASKS_MAX, bytes)) == 0)
		return name;
	if (errno == ENOENT || errno == ENOTDIR)
		die_data("%s: missing", name);
	if (errno == EFBIG)
		die_data("%s: larger than %zu MiB", name, WISP_TASKS_MAX >> 20);
	if (errno == EINVAL || errno == EISDIR)
		die_data("%s: not a regular file", name);
	die_sys("cannot read '%s'", name);
}

/* A line for each kind of what was not taken over. */
static void
tell_losses(const struct wisp_import *im)
{
	struct wisp_buf text = WISP_BUF_INIT;

	for (size_t i = 0; i < im->n_losses; i++) {
		const struct wisp_loss *l = &im->losses[i];

		wisp_buf_reset(&text);
		wisp_buf_puts(&text, im->path);
		if (l->line > 0)
			wisp_buf_printf(&text, ":%zu", l->line);
		wisp_buf_printf(&text, ": not taken over: %s", l->what);
		if (*l->example != '\0')
			wisp_buf_printf(&text, ": '%s'", l->example);
		if (l->count > 1)
			wisp_buf_printf(&text, ", and %zu more", l->count - 1);
		warn("%s", text.data);
	}
	wisp_buf_release(&text);
}

int
wisp_verb_import(struct wisp_cli *cli, const struct wisp_by_filter *by)
{
	const char *category = "feature";
	const struct wisp_option options[] = {{"category", .text = &category}, {0}};
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_buf bytes = WISP_BUF_INIT;
	const struct wisp_format *f;
	struct wisp_import im;
	const char *path;
	char *option;

	wisp_cli_read(cli, options, 1, 2);
	if (wisp_words_find(WISP_CATEGORIES, category) < 0)
		die_usage("--category: one of %s, not '%s'", WISP_CATEGORIES, category);
	option = wisp_str("--category=%s", category);
	f = wisp_format_pick(cli, by, option);
	free(option);
	path = wisp_format_read(cli->argv[1], &bytes);
	if (wisp_format_parse(f, by, category, path, &bytes, &im, &err) != 0) {
		if (im.tasks != NULL && wisp_json_len(im.tasks) == 0)
			tell_losses(&im);	/* why nothing is left */
		die_err(&err);
	}
	tell_losses(&im);
	wisp_cli_json(im.tasks);
	im.tasks = NULL;
	wisp_import_release(&im);
	return 0;
}
