/*
 * loop: see loop.h.
 */
#include "loop.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/scan.h"
#include "core/schema.h"

static const struct wisp_field fields[] = {
	{"spec", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"criteria", WISP_T_ARRAY, 0, NULL, WISP_T_STRING},
	{"criteriaStatus", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{"steps", WISP_T_ARRAY, 0, NULL, WISP_T_STRING},
	{"completedSteps", WISP_T_ARRAY, 0, NULL, WISP_T_STRING},
	{"remainingSteps", WISP_T_ARRAY, 0, NULL, WISP_T_STRING},
	{"iteration", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"status", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"session_id", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"verify", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{"metadata", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{0}
};

/* The folder at or above `from` that holds `name`; NULL where none does. The caller frees it. */
static char *
above(const char *from, const char *name)
{
	char *dir = wisp_strdup(from), *path, *slash;

	for (;;) {
		path = wisp_str("%s/%s", dir, name);
		if (access(path, F_OK) == 0) {
			free(path);
			return dir;
		}
		free(path);
		slash = strrchr(dir, '/');
		if (slash == NULL || dir[1] == '\0') {
			free(dir);
			return NULL;
		}
		slash[slash == dir] = '\0';
	}
}

static int
check_members(const struct wisp_source *src, const struct cJSON *object, const char *key, enum wisp_type type,
	      struct wisp_err *err)
{
	const struct wisp_at up = {NULL, key, 0};

	for (const struct cJSON *m = wisp_json_first(wisp_json_get(object, key)); m != NULL; m = wisp_json_next(m)) {
		const struct wisp_at at = {&up, wisp_json_key(m), 0};

		if (wisp_json_type(m) != type)
			return wisp_schema_refuse(src, &at, err, "expected %s, not %s", wisp_type_name(type),
						  wisp_type_name(wisp_json_type(m)));
	}
	return 0;
}

static void
read_file(struct wisp_hook_loop *h)
{
	struct wisp_source src = {.path = h->path, .name = "loop"};

	wisp_buf_reset(&h->bytes);
	wisp_err_release(&h->err);
	wisp_json_free(h->doc);
	h->doc = NULL;
	h->verdict = wisp_json_read(h->path, &h->bytes, &h->doc, &h->err);
	src.data = h->bytes.data;
	src.len = h->bytes.len;
	if (h->verdict == WISP_VALID && (wisp_schema_check(&src, NULL, h->doc, fields, NULL, &h->err) != 0 ||
					 check_members(&src, h->doc, "criteriaStatus", WISP_T_BOOL, &h->err) != 0 ||
					 check_members(&src, h->doc, "verify", WISP_T_STRING, &h->err) != 0)) {
		h->verdict = WISP_INVALID;
		wisp_json_free(h->doc);
		h->doc = NULL;
	}
}

void
wisp_hook_reopen(struct wisp_hook_loop *h)
{
	char *lock = wisp_str("%s/.loop/.lock", h->root), *dir = wisp_str("%s/.loop", h->root);

	/* Where there is no loop there is nothing to be locked, and nothing to be made. */
	if (h->lock < 0 && wisp_file_exists(dir))
		h->lock = wisp_lock(lock);
	read_file(h);
	free(lock);
	free(dir);
}

void
wisp_hook_open(struct wisp_hook_loop *h, const char *from)
{
	memset(h, 0, sizeof *h);
	h->lock = -1;
	h->root = above(from, ".loop/state.json");
	if (h->root == NULL)
		h->root = above(from, ".git");
	if (h->root == NULL)
		h->root = wisp_strdup(from);
	h->path = wisp_str("%s/.loop/state.json", h->root);
	wisp_hook_reopen(h);
}

void
wisp_hook_unlock(struct wisp_hook_loop *h)
{
	if (h->lock >= 0)
		(void)close(h->lock);
	h->lock = -1;
}

void
wisp_hook_release(struct wisp_hook_loop *h)
{
	wisp_hook_unlock(h);
	wisp_buf_release(&h->bytes);
	wisp_err_release(&h->err);
	wisp_json_free(h->doc);
	free(h->root);
	free(h->path);
}

/* The first `n` keys as a path; `steps` has room for them. */
static int
set_at(struct wisp_hook_loop *h, const char *const *keys, size_t n, const char *json)
{
	struct wisp_path_step steps[8];
	struct wisp_path path = {steps, n};

	for (size_t i = 0; i < n; i++)
		steps[i] = (struct wisp_path_step){(char *)keys[i], 0};
	return wisp_scan_set(&h->bytes, &path, json, NULL);
}

int
wisp_hook_set(struct wisp_hook_loop *h, const char *const *keys, const char *json)
{
	const struct cJSON *at = h->doc;
	size_t n = 0;
	int rc;

	while (keys[n] != NULL)
		n++;
	rc = set_at(h, keys, n, json);
	for (size_t i = 1; rc == 1 && i < n; i++) {
		at = wisp_json_get(at, keys[i - 1]);
		if (at == NULL && set_at(h, keys, i, "{}") != 0)
			return -1;
	}
	if (rc == 1)
		rc = set_at(h, keys, n, json);
	if (rc != 0)
		return -1;
	wisp_json_free(h->doc);
	h->doc = wisp_json_parse(h->bytes.data, h->bytes.len, h->path, NULL);
	return h->doc != NULL ? 0 : -1;
}

int
wisp_hook_set_str(struct wisp_hook_loop *h, const char *const *keys, const char *text)
{
	struct wisp_buf b = WISP_BUF_INIT;
	int rc;

	if (text == NULL)
		wisp_buf_puts(&b, "null");
	else
		wisp_scan_quote(&b, text, strlen(text));
	rc = wisp_hook_set(h, keys, b.data);
	wisp_buf_release(&b);
	return rc;
}

int
wisp_hook_set_num(struct wisp_hook_loop *h, const char *const *keys, double n)
{
	char *text = wisp_str("%.15g", n);
	int rc = wisp_hook_set(h, keys, text);

	free(text);
	return rc;
}

int
wisp_hook_save(struct wisp_hook_loop *h)
{
	return wisp_file_write(h->path, h->bytes.data, h->bytes.len, WISP_NOSYNC);
}

bool
wisp_hook_in_progress(const struct wisp_hook_loop *h)
{
	return strcmp(wisp_json_str(h->doc, "status", ""), "in_progress") == 0;
}

bool
wisp_hook_other(struct wisp_hook_loop *h, const char *id)
{
	static const char *const keys[] = {"session_id", NULL};
	const char *owner = wisp_json_str(h->doc, "session_id", NULL);

	if (owner == NULL) {
		if (id != NULL)
			(void)!wisp_hook_set_str(h, keys, id);
		return false;
	}
	return id == NULL || strcmp(owner, id) != 0;
}

const char **
wisp_hook_criteria(const struct wisp_hook_loop *h, size_t *count)
{
	const struct cJSON *named = wisp_json_get(h->doc, "criteria"), *status = wisp_json_get(h->doc, "criteriaStatus");
	const char **list = wisp_alloc(wisp_json_len(named) + wisp_json_len(status) + 1, sizeof *list);
	size_t n = 0, own;

	for (const struct cJSON *c = wisp_json_first(named); c != NULL; c = wisp_json_next(c))
		list[n++] = wisp_json_text(c, "");
	own = n;
	for (const struct cJSON *s = wisp_json_first(status); s != NULL; s = wisp_json_next(s)) {
		size_t i = 0;

		while (i < own && strcmp(list[i], wisp_json_key(s)) != 0)
			i++;
		if (i == own)
			list[n++] = wisp_json_key(s);
	}
	*count = n;
	return list;
}

bool
wisp_hook_met(const struct wisp_hook_loop *h, const char *criterion)
{
	return wisp_json_bool(wisp_json_get(h->doc, "criteriaStatus"), criterion, false);
}

const char *
wisp_hook_check(const struct wisp_hook_loop *h, const char *criterion)
{
	return wisp_json_str(wisp_json_get(h->doc, "verify"), criterion, NULL);
}

double
wisp_hook_meta(const struct wisp_hook_loop *h, const char *key, double otherwise)
{
	return wisp_json_num(wisp_json_get(h->doc, "metadata"), key, otherwise);
}
