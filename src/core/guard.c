/*
 * guard: the files that an agent cannot quietly change (record.h).
 */
#include "guard.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checkout.h"
#include "hash.h"
#include "index_flags.h"
#include "lines.h"

#define GITFILE_MAX 65536	/* one line: `gitdir: PATH` */

/* Reported, not undone: tools install hooks and settings for good reasons. */
static const char *const watched_in_project[] = {".git/config", ".git/info/attributes", ".git/info/exclude", NULL};
static const char *const watched_in_tree[] = {
	".claude/settings.json", ".claude/settings.local.json", ".mcp.json", ".codex/config.toml",
	".gemini/settings.json", ".qwen/settings.json", "opencode.json", NULL
};

static int
guard_published(struct wisp_record *r, const char *keep, struct cJSON *names)
{
	struct wisp_buf want = WISP_BUF_INIT;
	int rc = wisp_dir_make(r->place->dir);

	for (int i = 0; rc == 0 && wisp_published[i][0] != NULL; i++) {
		const struct cJSON *v = wisp_json_get(r->doc, wisp_published[i][0]);
		char *path = wisp_record_dir_path(r, wisp_published[i][1]);

		wisp_buf_reset(&want);
		if (wisp_json_type(v) == WISP_T_OBJECT || wisp_json_type(v) == WISP_T_ARRAY)
			wisp_json_print(&want, v);
		if (want.len > 0 && !wisp_file_holds(path, want.data, want.len)) {
			wisp_guard_name(names, wisp_published[i][1]);
			rc = wisp_guard_keep(path, keep, wisp_published[i][1]);
			if (rc == 0)
				rc = wisp_dir_remove(path);
		}
		free(path);
	}
	wisp_buf_release(&want);
	return rc != 0 ? -1 : wisp_record_publish(r);
}

static int
guard_gitfile(struct wisp_record *r, const char *keep, struct cJSON *names)
{
	const char *want = wisp_json_str(r->doc, "gitfile", NULL), *tree = wisp_json_str(r->doc, "worktree", NULL);
	char *path;
	int rc = 0;

	if (want == NULL || tree == NULL)
		return 0;
	path = wisp_str("%s/.git", tree);
	if (!wisp_file_holds(path, want, strlen(want))) {
		wisp_guard_name(names, ".git");
		rc = wisp_guard_keep(path, keep, "dot-git");
		if (rc == 0)
			rc = wisp_dir_remove(path);
		if (rc == 0)
			rc = wisp_dir_make(tree);
		if (rc == 0)
			rc = wisp_file_write(path, want, strlen(want), WISP_NOSYNC);
	}
	free(path);
	return rc;
}

/* The watched files as they are now: name -> hash, "" where there is none. */
static struct cJSON *
watch_now(const struct wisp_record *r)
{
	struct cJSON *now = wisp_json_object();
	const char *tree = wisp_json_str(r->doc, "worktree", NULL);
	char sha[WISP_HASH_SIZE], *path;

	if (r->place->project == NULL || tree == NULL)
		return now;
	for (int i = 0; watched_in_project[i] != NULL; i++) {
		path = wisp_str("%s/%s", r->place->project, watched_in_project[i]);
		wisp_json_set_str(now, watched_in_project[i], wisp_hash_file(path, sha) == 0 ? sha : "");
		free(path);
	}
	path = wisp_str("%s/.git/hooks", r->place->project);
	wisp_json_set_str(now, ".git/hooks", wisp_hash_tree(path, sha) == 0 ? sha : "");
	free(path);
	for (int i = 0; watched_in_tree[i] != NULL; i++) {
		path = wisp_str("%s/%s", tree, watched_in_tree[i]);
		wisp_json_set_str(now, watched_in_tree[i], wisp_hash_file(path, sha) == 0 ? sha : "");
		free(path);
	}
	return now;
}

void
wisp_record_gitfile(struct wisp_record *r)
{
	const char *tree = wisp_json_str(r->doc, "worktree", NULL);
	struct wisp_buf b = WISP_BUF_INIT;
	char *path;

	wisp_json_set_null(r->doc, "gitfile");
	if (tree == NULL)
		return;
	path = wisp_str("%s/.git", tree);
	if (wisp_file_read(path, GITFILE_MAX, &b) == 0 && b.len > 0)
		wisp_json_set_str(r->doc, "gitfile", b.data);
	wisp_buf_release(&b);
	free(path);
}

/* A file in the git folder of the work tree, or NULL; the caller frees it. */
static char *
git_path(const struct wisp_record *r, const char *name)
{
	const char *tree = wisp_json_str(r->doc, "worktree", NULL), *pointer = wisp_json_str(r->doc, "gitfile", NULL);
	const char *dir = pointer != NULL && strncmp(pointer, "gitdir: ", 8) == 0 ? pointer + 8 : NULL;
	int len = dir != NULL ? (int)strcspn(dir, "\r\n") : 0;

	if (tree == NULL)
		return NULL;
	if (dir == NULL)
		return wisp_str("%s/.git/%s", tree, name);
	return dir[0] == '/' ? wisp_str("%.*s/%s", len, dir, name) : wisp_str("%s/%.*s/%s", tree, len, dir, name);
}

static size_t
hash_size(const struct wisp_record *r)
{
	const char *base = wisp_json_str(wisp_json_get(r->doc, "session"), "base", "");

	return strlen(base) == 64 ? 32 : 20;
}

static void
read_flags(const struct wisp_record *r, const char *name, struct wisp_index_flags *f)
{
	char *path = git_path(r, name);

	wisp_index_flags(f, path != NULL ? path : "", hash_size(r));
	free(path);
}

/* The kinds of flags that were there when the loop began are a person's, such as a sparse checkout. */
static const char *const flag_names[WISP_INDEX_FLAGS] = {
	[WISP_INDEX_ASSUMED] = "assumed", [WISP_INDEX_SKIPPED] = "skipped"
};

static void
watch_flags(struct wisp_record *r)
{
	struct cJSON *known = wisp_json_object();
	struct wisp_index_flags f;

	read_flags(r, "index", &f);
	for (size_t i = 0; i < WISP_INDEX_FLAGS; i++)
		wisp_json_set_bool(known, flag_names[i], f.count[i] > 0);
	wisp_json_set(r->doc, "index_flags", known);
	wisp_index_flags_release(&f);
}

static void
name_flags(struct cJSON *names, const struct wisp_index_flags *f)
{
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_buf_puts(&b, "index flags: ");
	wisp_line_names(&b, f->names);
	b.data[b.len - 1] = '\0';
	wisp_guard_name(names, b.data);
	wisp_buf_release(&b);
}

/*
 * Flags that hide files from git. Those of the index are for git to clear: the step says which kinds. wisp's own index
 * has none, unless an agent put them there: it is made again.
 */
static void
guard_flags(struct wisp_record *r, struct cJSON *names)
{
	static const char *const own[] = {"wisp.index", "wisp.head"};
	struct cJSON *known = wisp_json_get(r->doc, "index_flags"), *step = wisp_json_get(r->doc, "step");
	struct wisp_buf kinds = WISP_BUF_INIT;
	struct wisp_index_flags f;

	read_flags(r, "index", &f);
	for (size_t i = 0; i < WISP_INDEX_FLAGS; i++)
		if (f.count[i] > 0 && !wisp_json_bool(known, flag_names[i], false))
			wisp_buf_printf(&kinds, "%s%s", kinds.len > 0 ? " " : "", flag_names[i]);
	if (kinds.len > 0) {
		name_flags(names, &f);
		wisp_json_set_str(step, "flags", kinds.data);
	}
	wisp_index_flags_release(&f);
	read_flags(r, own[0], &f);
	if (wisp_json_len(f.names) > 0 || f.split) {
		if (f.split)
			wisp_json_push(f.names, wisp_json_string("in another file"));
		name_flags(names, &f);
		for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
			char *path = git_path(r, own[i]);

			(void)unlink(path);
			free(path);
		}
	}
	wisp_index_flags_release(&f);
	wisp_buf_release(&kinds);
}

/* The person's checkout, where the session works in another work tree. */
static struct cJSON *
checkout_now(const struct wisp_record *r)
{
	const char *tree = wisp_json_str(r->doc, "worktree", NULL);

	if (r->place->project == NULL || tree == NULL || strcmp(tree, r->place->project) == 0)
		return NULL;
	return wisp_checkout_look(r->place->project, hash_size(r));
}

bool
wisp_record_checkout(struct wisp_record *r, struct wisp_buf *out)
{
	struct cJSON *now = checkout_now(r);
	bool differs = wisp_checkout_differs(wisp_json_get(r->doc, "checkout"), now, out);

	wisp_json_set(r->doc, "checkout", now != NULL ? now : wisp_json_null());
	return differs;
}

void
wisp_record_watch(struct wisp_record *r)
{
	struct cJSON *checkout = checkout_now(r);

	wisp_json_set(r->doc, "watch", watch_now(r));
	wisp_json_set(r->doc, "checkout", checkout != NULL ? checkout : wisp_json_null());
	watch_flags(r);
}

int
wisp_record_guard(struct wisp_record *r, const char *keep, struct cJSON *names)
{
	struct cJSON *now = watch_now(r), *before = wisp_json_get(r->doc, "watch");

	if (wisp_json_type(before) == WISP_T_OBJECT)
		for (struct cJSON *w = wisp_json_first(now); w != NULL; w = wisp_json_next(w))
			if (strcmp(wisp_json_text(w, ""), wisp_json_str(before, wisp_json_key(w), "")) != 0)
				wisp_guard_name(names, wisp_json_key(w));
	wisp_json_set(r->doc, "watch", now);
	guard_flags(r, names);
	for (struct cJSON *m = wisp_json_first(r->moved); m != NULL; m = wisp_json_next(m))
		wisp_guard_name(names, wisp_json_text(m, ""));
	if (r->place->home == NULL)
		return 0;
	if (guard_published(r, keep, names) != 0 || guard_gitfile(r, keep, names) != 0)
		return -1;
	return wisp_good_guard(r, keep, names);
}
