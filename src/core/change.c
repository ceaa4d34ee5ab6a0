/*
 * change: see change.h; what is lawful and how it is shown is in
 * change_check.c, what a person's word makes of it in change_take.c.
 */
#include "change.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "turn.h"

#define TOLD_MAX ((size_t)256 << 10)	/* bytes of a diff or a review that the record holds; feedback.c shows as much */

int
wisp_change_load(struct wisp_buf *text, const char *path, struct wisp_err *err)
{
	size_t line = 1, start = 0;

	if (wisp_file_read(path, WISP_FILE_MAX, text) != 0)
		return wisp_err_set(err, path, 0, 0, "%s", errno == EFBIG ? "it is larger than 64 MiB" :
				    errno == EINVAL ? "it is no file" : strerror(errno));
	for (size_t i = 0; i < text->len;) {
		int n = wisp_utf8_char(text->data + i, text->len - i);

		if (text->data[i] == '\0' || n < 0)
			return wisp_err_set(err, path, line, i - start + 1, "it is not a text file: %s", n < 0 ? "this is not UTF-8" : "a NUL");
		i += (size_t)n;
		if (text->data[i - 1] == '\n') {
			line++;
			start = i;
		}
	}
	if (text->len == 0 || strspn(text->data, " \t\r\n") == text->len)
		return wisp_err_set(err, path, 0, 0, "it is empty");
	return 0;
}

struct cJSON *
wisp_change_now(const struct wisp_record *r)
{
	struct cJSON *change = wisp_json_get(r->doc, "change");

	return wisp_json_type(change) == WISP_T_OBJECT ? change : NULL;
}

bool
wisp_change_is(const struct cJSON *change, const char *key, const char *word)
{
	return word != NULL && strcmp(wisp_json_str(change, key, ""), word) == 0;
}

int
wisp_change_look(const struct wisp_record *r, const char *file, struct cJSON *answer, struct wisp_err *err)
{
	const char *spec = wisp_json_str(r->doc, "spec", NULL);
	struct wisp_buf text = WISP_BUF_INIT;
	char sha[WISP_HASH_SIZE] = "", *name, *old;
	int rc = file == NULL ? 0 : wisp_change_load(&text, file, err);

	if (rc == 0 && file != NULL)
		wisp_hash(text.data, text.len, sha);
	wisp_json_set_bool(answer, "same", spec != NULL && strcmp(spec, sha) == 0);
	if (spec != NULL) {
		name = wisp_str("good/%s", spec);
		old = wisp_record_home_path(r, name);
		if (wisp_file_exists(old))
			wisp_json_set_str(answer, "old", old);
		free(name);
		free(old);
	}
	wisp_change_tell(r, answer);
	wisp_buf_release(&text);
	return rc;
}

void
wisp_change_tell(const struct wisp_record *r, struct cJSON *answer)
{
	const struct cJSON *change = wisp_change_now(r);

	wisp_json_set_str(answer, "change", wisp_json_str(change, "kind", NULL));
	wisp_json_set_str(answer, "change_stage", wisp_json_str(change, "stage", NULL));
	wisp_json_set_bool(answer, "change_yes", wisp_json_bool(change, "yes", false));
}

/* What the agent is told, as an entry of `feedback`: of what is too long the beginning, and where all of it is. */
static struct cJSON *
told_of(const struct wisp_record *r, const struct wisp_change *c, const struct wisp_buf *text, const char *sha)
{
	struct cJSON *told = wisp_json_object();
	bool review = strcmp(c->kind, "review") == 0;
	size_t n = wisp_utf8_cut(text->data, text->len, TOLD_MAX);
	char *cut = wisp_str("%.*s%s", (int)n, text->data, n < text->len ? "\n[...]\n" : ""), *name, *path;

	wisp_json_set_str(told, "kind", review ? "review" : "spec");
	wisp_json_set_str(told, "text", cut);
	if (review && n < text->len) {
		name = wisp_str("good/%s", sha);
		path = wisp_record_home_path(r, name);
		wisp_json_set_str(told, "file", path);
		free(path);
		free(name);
	}
	free(cut);
	return told;
}

/* Is there a list that the change would be about? */
static bool
has_list(const struct wisp_record *r, const struct wisp_change *c)
{
	char *path = wisp_record_dir_path(r, "tasks.json");
	bool there = wisp_json_str(r->doc, "good", NULL) != NULL || wisp_file_exists(path);

	free(path);
	return there && !c->phases;
}

/* Notes what was asked for; `told` becomes the record's. The answer's `act`. */
static const char *
note(struct wisp_record *r, const struct wisp_change *c, const char *sha, struct cJSON *told)
{
	struct cJSON *change = wisp_change_now(r);

	if (!has_list(r, c)) {
		wisp_json_push(wisp_record_feedback(r), told);
		if (c->spec != NULL)
			wisp_change_put_spec(r, c->spec, sha);
		wisp_json_set_null(r->doc, "change");
		return "told";
	}
	if (change == NULL || !wisp_change_is(change, "kind", c->kind) || !wisp_change_is(change, "sha", sha)) {
		change = wisp_json_object();
		wisp_json_set_str(change, "kind", c->kind);
		wisp_json_set_str(change, "stage", "asked");
		wisp_json_set_str(change, "sha", sha);
		wisp_json_set(r->doc, "change", change);
	}
	if (c->spec != NULL)
		wisp_json_set_str(change, "spec", c->spec);
	wisp_json_set(change, "told", told);
	wisp_json_set_bool(change, "yes", c->yes);
	return wisp_json_str(change, "stage", "asked");
}

int
wisp_change_ask(struct wisp_record *r, const struct wisp_change *c, struct cJSON *answer, struct wisp_err *err)
{
	struct wisp_buf text = WISP_BUF_INIT, told = WISP_BUF_INIT;
	char sha[WISP_HASH_SIZE];
	int rc = wisp_change_load(&text, c->file, err);

	if (rc == 0 && c->told != NULL)
		rc = wisp_change_load(&told, c->told, err);
	if (rc == 0)
		rc = wisp_record_keep(r, text.data, text.len, sha);
	if (rc == 0) {
		wisp_json_set_str(answer, "act", note(r, c, sha, told_of(r, c, c->told != NULL ? &told : &text, sha)));
		rc = wisp_record_commit(r);
	}
	wisp_buf_release(&text);
	wisp_buf_release(&told);
	return rc;
}

int
wisp_change_propose(struct wisp_record *r, const struct wisp_tasks *t, const char *base)
{
	struct cJSON *change = wisp_change_now(r);
	char sha[WISP_HASH_SIZE];

	/* The step may be of a change that another one has taken the place of. */
	if (change == NULL || !wisp_change_is(change, "sha", wisp_json_str(wisp_turn_step(r), "change", NULL)))
		return 0;
	if (wisp_record_keep(r, t->bytes.data, t->bytes.len, sha) != 0)
		return -1;
	wisp_json_set_str(change, "list", sha);
	wisp_json_set_str(change, "tasks", base);
	wisp_json_set_str(change, "stage", "proposed");
	return 0;
}
