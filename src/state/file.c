/*
 * file: the verbs of wisp-state that work on one file: get, set, query.
 */
#include "machine.h"
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/filter.h"
#include "core/orchestra.h"
#include "core/scan.h"

void
wisp_target_find(struct wisp_target *t, struct wisp_cli *cli, const char *file)
{
	t->kind = wisp_kind_find(file);
	t->word = t->kind != NULL && strcmp(t->kind->name, file) == 0;
	if (t->word && cli->place.dir == NULL)
		wisp_cli_place(cli);
	t->path = t->word ? wisp_str("%s/%s", cli->place.dir, t->kind->file) : wisp_strdup(file);
}

/* Reads a document that must be whole, or dies; its bytes go into `b`. */
static struct cJSON *
read_doc(const struct wisp_target *t, struct wisp_buf *b)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *doc = NULL;

	if (wisp_json_read_max(t->path, t->kind != NULL ? t->kind->max : WISP_FILE_MAX, b, &doc, &err) != WISP_VALID)
		die_err(&err);
	return doc;
}

static void
parse_path(struct wisp_path *path, const char *text)
{
	struct wisp_err err = WISP_ERR_INIT;

	if (wisp_path_parse(path, text, &err) != 0)
		die_usage("%s", err.text);
}

/* One value: a string's text as it is, all else, and all of it with --json, as the bytes stand. */
static void
print_value(const struct wisp_cli *cli, const char *data, size_t len)
{
	struct cJSON *v = cli->json || data[0] != '"' ? NULL : wisp_json_parse(data, len, NULL, NULL);

	if (v != NULL)
		puts(wisp_json_text(v, ""));
	else if (fwrite(data, 1, len, stdout) == len)
		putchar('\n');
	wisp_json_free(v);
}

int
wisp_verb_get(struct wisp_cli *cli)
{
	const char *file = "state";
	const struct wisp_option options[] = {{"file", 'f', .text = &file}, {0}};
	struct wisp_buf b = WISP_BUF_INIT;
	struct wisp_path path;
	struct wisp_span span;
	struct wisp_target t;
	int rc;

	wisp_cli_read(cli, options, 1, 1);
	parse_path(&path, cli->argv[0]);
	wisp_target_find(&t, cli, file);
	wisp_json_free(read_doc(&t, &b));
	rc = wisp_scan_find(b.data, b.len, &path, &span, NULL);
	if (rc == 0)
		print_value(cli, b.data + span.start, span.end - span.start);
	wisp_path_release(&path);
	wisp_buf_release(&b);
	free(t.path);
	return rc;
}

/*
 * Sets the value in bytes that are whole, and holds the result against its
 * schema; dies where it breaks it. *doc is then the result. 1: a step of the
 * path is missing.
 */
static int
set_bytes(const struct wisp_cli *cli, const struct wisp_target *t, struct wisp_buf *b, struct cJSON **doc)
{
	struct wisp_source src = {.path = t->path, .name = t->kind != NULL ? t->kind->name : ""};
	struct wisp_err err = WISP_ERR_INIT;
	char *const *argv = cli->argv;
	struct wisp_path path;
	int rc;

	parse_path(&path, argv[0]);
	if (wisp_scan_check(argv[1], strlen(argv[1]), NULL, &err) != 0)
		die_usage("'%s' is not JSON: %s", argv[1], err.text);
	rc = wisp_scan_set(b, &path, argv[1], &err);
	wisp_path_release(&path);
	if (rc > 0) {
		warn("there is no place for '%s' in '%s'", argv[0], t->path);
		return 1;
	}
	src.data = b->data;
	src.len = b->len;
	if (rc == 0)
		*doc = wisp_json_parse(b->data, b->len, t->path, &err);
	if (*doc == NULL || (t->kind != NULL && wisp_kind_hold(t->kind, &src, *doc, &err) != 0) ||
	    !wisp_machine_holds(cli, NULL, t->kind, &src, *doc, &err))
		die_err(&err);
	return 0;
}

/* A loop state is that of phases, or of an orchestration. */
static const char *
member_of(const struct wisp_kind *kind, const struct wisp_record *r)
{
	return strcmp(kind->name, "loop") == 0 && wisp_orchestra_of(r) != NULL ? "orchestration" : kind->member;
}

/* A member of the record: changed as the text it is published as, then committed. */
static int
set_owned(struct wisp_cli *cli, const struct wisp_target *t)
{
	struct wisp_buf b = WISP_BUF_INIT;
	struct cJSON *doc = NULL;
	const char *member;
	struct wisp_record r;
	int rc;

	wisp_cli_refuse_step(&cli->place, "changing what the controller owns");
	wisp_cli_need_record(cli, &r, WISP_WRITE);
	member = member_of(t->kind, &r);
	if (wisp_json_type(wisp_json_get(r.doc, member)) <= WISP_T_NULL)
		die_data("there is no '%s'", t->path);
	wisp_json_print(&b, wisp_json_get(r.doc, member));
	rc = set_bytes(cli, t, &b, &doc);
	if (rc == 0) {
		wisp_json_set(r.doc, member, doc);
		wisp_cli_commit(&r);
	}
	wisp_record_release(&r);
	wisp_buf_release(&b);
	return rc;
}

static int
set_file(struct wisp_cli *cli, const struct wisp_target *t)
{
	struct wisp_buf b = WISP_BUF_INIT;
	struct cJSON *doc = NULL;
	int rc;

	if (t->word) {
		wisp_cli_refuse_step(&cli->place, "changing a session's files with wisp-state");
		wisp_cli_lock(&cli->place);
	}
	wisp_json_free(read_doc(t, &b));
	rc = set_bytes(cli, t, &b, &doc);
	if (rc == 0 && wisp_file_write(t->path, b.data, b.len, WISP_SYNC) != 0)
		die_sys("cannot write '%s'", t->path);
	wisp_json_free(doc);
	wisp_buf_release(&b);
	return rc;
}

int
wisp_verb_set(struct wisp_cli *cli)
{
	const char *file = "state";
	const struct wisp_option options[] = {{"file", 'f', .text = &file}, {0}};
	struct wisp_target t;
	int rc;

	wisp_cli_read(cli, options, 2, 2);
	wisp_target_find(&t, cli, file);
	/* In a folder of no session the files themselves are the authority (record.h). */
	if (t.word && t.kind->member != NULL && cli->place.home != NULL)
		rc = set_owned(cli, &t);
	else
		rc = set_file(cli, &t);
	free(t.path);
	return rc;
}

int
wisp_verb_query(struct wisp_cli *cli)
{
	const char *file = "state";
	const struct wisp_option options[] = {{"file", 'f', .text = &file}, {0}};
	struct wisp_buf b = WISP_BUF_INIT, out = WISP_BUF_INIT;
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *doc;
	struct wisp_target t;

	wisp_cli_read(cli, options, 1, 1);
	wisp_target_find(&t, cli, file);
	doc = read_doc(&t, &b);
	if (wisp_filter_run(cli->argv[0], doc, &out, &err) != 0)
		die_err(&err);
	for (size_t at = 0; at < out.len;) {
		size_t len = strcspn(out.data + at, "\n");

		print_value(cli, out.data + at, len);
		at += len + 1;
	}
	wisp_json_free(doc);
	wisp_buf_release(&b);
	wisp_buf_release(&out);
	free(t.path);
	return 0;
}
