/*
 * loop: see loop.h. Changes of the file are in edit.c.
 */
#include "loop.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/loop_file.h"
#include "core/schema.h"
#include "core/time.h"

#define LOOP_FILE ".loop/state.json"
#define LOCK_MS 1000		/* others hold it for a moment: who is stopped in it must not stop a session's end */

/* The folder at or above `from` that holds `name`; NULL where none does. The caller frees it. */
static char *
above(const char *from, const char *name)
{
	char *dir = wisp_strdup(from), *path;
	bool there;

	do {
		path = wisp_str("%s/%s", dir, name);
		there = access(path, F_OK) == 0;
		free(path);
	} while (!there && wisp_dir_up(dir));
	if (!there) {
		free(dir);
		dir = NULL;
	}
	return dir;
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
	if (h->verdict == WISP_VALID && wisp_loop_file_check(&src, h->doc, &h->err) != 0) {
		h->verdict = WISP_INVALID;
		wisp_json_free(h->doc);
		h->doc = NULL;
	}
}

/* The lock, unless somebody keeps it: -1. */
static int
lock_in_time(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600), rc = fd < 0 ? -1 : 1;
	wisp_ms end = wisp_time_monotonic() + LOCK_MS;

	while (rc == 1 && (rc = wisp_lock_fd(fd)) == 1 && wisp_time_monotonic() < end)
		;
	if (rc == 1)
		warn("'%s' is locked by another process, and read without it", path);
	if (rc != 0 && fd >= 0)
		(void)close(fd);
	return rc == 0 ? fd : -1;
}

void
wisp_hook_reopen(struct wisp_hook_loop *h)
{
	char *lock = wisp_str("%s/.loop/.lock", h->root), *dir = wisp_str("%s/.loop", h->root);

	/* Where there is no loop there is nothing to be locked, and nothing to be made. */
	if (h->lock < 0 && wisp_file_exists(dir))
		h->lock = lock_in_time(lock);
	read_file(h);
	free(lock);
	free(dir);
}

void
wisp_hook_open(struct wisp_hook_loop *h, const char *from)
{
	memset(h, 0, sizeof *h);
	h->lock = -1;
	h->root = above(from, LOOP_FILE);
	if (h->root == NULL)
		h->root = above(from, ".git");
	if (h->root == NULL)
		h->root = wisp_strdup(from);
	h->path = wisp_str("%s/" LOOP_FILE, h->root);
	wisp_hook_reopen(h);
}

enum nearness { LAST, FREE, OWN };

/* How near a loop is to session `id`, or to a person (NULL). */
static enum nearness
nearness(const struct wisp_hook_loop *h, const char *id)
{
	const char *status = wisp_json_str(h->doc, "status", ""), *owner = wisp_json_str(h->doc, "session_id", "");

	if (wisp_words_find("paused|in_progress", status) < 0)
		return LAST;
	if (id == NULL)
		return FREE;
	if (strcmp(owner, id) == 0)
		return OWN;
	return *owner == '\0' && wisp_hook_in_progress(h) ? FREE : LAST;
}

void
wisp_hook_find(struct wisp_hook_loop *h, const char *from, const char *id)
{
	char *dir = above(from, LOOP_FILE), *best = NULL, *why = NULL, *next;
	enum nearness most = LAST, n;

	while (dir != NULL && most < OWN) {
		struct wisp_hook_loop at = {.path = wisp_str("%s/" LOOP_FILE, dir), .lock = -1};

		read_file(&at);
		if ((n = nearness(&at, id)) > most || best == NULL) {
			free(best);
			best = wisp_strdup(dir);
			most = n;
		}
		if (at.doc == NULL && why == NULL && most == LAST)
			why = wisp_err_string(&at.err);
		wisp_hook_release(&at);
		next = wisp_dir_up(dir) ? above(dir, LOOP_FILE) : NULL;
		free(dir);
		dir = next;
	}
	wisp_hook_open(h, best != NULL ? best : from);
	if (why != NULL && most > LAST)
		warn("passed over: %s", why);
	free(why);
	free(best);
	free(dir);
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

bool
wisp_hook_in_progress(const struct wisp_hook_loop *h)
{
	return strcmp(wisp_json_str(h->doc, "status", ""), "in_progress") == 0;
}

bool
wisp_hook_other(struct wisp_hook_loop *h, const char *id)
{
	static const char *const keys[] = {"session_id", NULL};
	const char *owner = wisp_json_str(h->doc, "session_id", "");

	if (*owner == '\0') {
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

const struct cJSON *
wisp_hook_member(const struct wisp_hook_loop *h, const char *key)
{
	const struct cJSON *v = wisp_json_get(h->doc, key);

	return v != NULL ? v : wisp_json_get(wisp_json_get(h->doc, "metadata"), key);
}

const char *
wisp_hook_spec_text(const struct wisp_hook_loop *h, const char *otherwise)
{
	const char *subject = wisp_json_str(h->doc, "subject", otherwise);

	return wisp_json_str(h->doc, "spec", wisp_json_str(h->doc, "description", subject));
}

long long
wisp_hook_iteration(const struct wisp_hook_loop *h)
{
	long long top = wisp_json_int(h->doc, "iteration", 0), meta = (long long)wisp_hook_meta(h, "iteration", 0);

	return top > meta ? top : meta;
}
