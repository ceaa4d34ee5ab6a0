/*
 * format: the formats of other tools, and the verbs that read and write them.
 *
 * Those whose files are JSON are read and written by filters (libexec/formats), which
 * need libjq: wisp-tasks hands such a call over to wisp-filter, which runs the
 * same verb, with `by`.
 */
#ifndef WISP_TASKS_FORMAT_H
#define WISP_TASKS_FORMAT_H

#include "core/cli.h"
#include "import.h"

/* A list in a format, as text. -1 with `err`. */
typedef int wisp_export_print(const struct cJSON *tasks, struct wisp_buf *out, struct wisp_err *err);
wisp_export_print wisp_export_fixplan, wisp_export_ralphex, wisp_export_csv, wisp_export_lines;

struct wisp_format {
	const char *name;
	wisp_import_parse *parse;	/* NULL: a filter */
	wisp_export_print *print;	/* NULL: a filter, or not at all */
	bool writes, syncs;
};

/* How filters are run, by whoever links libjq. */
struct wisp_by_filter {
	int (*parse)(const char *format, struct wisp_import *im, struct wisp_err *err);
	int (*print)(const char *format, const struct cJSON *tasks, struct wisp_buf *out, struct wisp_err *err);
};

/*
 * The format that is the first operand; dies 100 with their list where it is none. Becomes
 * wisp-filter where it needs a filter and `by` is NULL, with `option` if that is not NULL.
 */
const struct wisp_format *wisp_format_pick(struct wisp_cli *cli, const struct wisp_by_filter *by, const char *option);
/* Reads what is there in that format; `im` as after wisp_import_finish. -1 with `err`. */
int wisp_format_parse(const struct wisp_format *f, const struct wisp_by_filter *by, const char *category,
		      const char *path, struct wisp_buf *bytes, struct wisp_import *im, struct wisp_err *err) WISP_CHECK;
/* The bytes of a file, or of standard input for `-`. Dies where it cannot be read. Returns what messages call it. */
const char *wisp_format_read(const char *file, struct wisp_buf *bytes);

/* What the formats' verbs say in a usage. */
#define WISP_FORMAT_IMPORTS "prd|fixplan|ralphex|criteria|beads|taskmaster|issues|csv|lines"
#define WISP_FORMAT_EXPORTS "prd|fixplan|ralphex|criteria|beads|csv|lines"
#define WISP_FORMAT_SYNCS "prd|fixplan|ralphex|criteria|beads|taskmaster"

int wisp_verb_import(struct wisp_cli *cli, const struct wisp_by_filter *by);
int wisp_verb_export(struct wisp_cli *cli, const struct wisp_by_filter *by);
int wisp_verb_sync(struct wisp_cli *cli, const struct wisp_by_filter *by);

#endif
