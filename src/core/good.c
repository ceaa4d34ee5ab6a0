/*
 * good: the project's good copy of config, templates and agents, under its lock; what
 * an agent changed is put back from it (docs/record.md).
 */
#include "guard.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const folders[] = {"templates", "agents"};

/* What is kept is its owner's alone, what is put back as the umask has it. */
#define KEPT 077

static mode_t
put_back(void)
{
	mode_t mask = umask(KEPT);

	(void)umask(mask);
	return mask;
}

/* An agent is executable, or none. */
static int
copy_file(const char *from, const char *to, mode_t mask)
{
	struct stat st;

	if (stat(from, &st) != 0 || wisp_file_copy(from, to, WISP_NOSYNC) != 0)
		return -1;
	return chmod(to, ((st.st_mode & S_IXUSR) != 0 ? 0777 : 0666) & ~mask);
}

/* Copies a file, a link or a folder with all below it. -1 with errno. */
static int
copy_tree(const char *from, const char *to, mode_t mask)
{
	struct stat st;
	char **names = NULL;
	size_t count = 0;
	int rc;

	if (lstat(from, &st) != 0)
		return -1;
	if (S_ISREG(st.st_mode))
		return copy_file(from, to, mask);
	if (!S_ISDIR(st.st_mode))
		return 0;
	if (wisp_dir_make(to) != 0 || wisp_dir_list(from, &names, &count) != 0)
		return -1;
	rc = 0;
	for (size_t i = 0; rc == 0 && i < count; i++) {
		char *a = wisp_str("%s/%s", from, names[i]), *b = wisp_str("%s/%s", to, names[i]);

		rc = copy_tree(a, b, mask);
		free(a);
		free(b);
	}
	wisp_dir_list_free(names, count);
	return rc;
}

static bool
same_file(const char *a, const char *b)
{
	struct wisp_buf x = WISP_BUF_INIT, y = WISP_BUF_INIT;
	bool have_x = wisp_file_read(a, WISP_FILE_MAX, &x) == 0, have_y = wisp_file_read(b, WISP_FILE_MAX, &y) == 0;
	bool same = have_x == have_y && x.len == y.len && (x.len == 0 || memcmp(x.data, y.data, x.len) == 0);
	struct stat p, q;
	bool have_p = stat(a, &p) == 0, have_q = stat(b, &q) == 0;

	/* What is there and cannot be read, such as a pipe, is not the same as nothing. */
	if (!have_x && !have_y)
		same = !have_p && !have_q;
	else if (same)
		same = (p.st_mode & S_IXUSR) == (q.st_mode & S_IXUSR);
	wisp_buf_release(&x);
	wisp_buf_release(&y);
	return same;
}

int
wisp_guard_keep(const char *path, const char *keep, const char *name)
{
	char *to = wisp_str("%s/%s", keep, name), *slash;
	int rc = 0;

	if (wisp_file_exists(path)) {
		slash = strrchr(to, '/');
		*slash = '\0';
		rc = wisp_dir_make(to);
		*slash = '/';
		if (rc == 0)
			rc = copy_tree(path, to, KEPT);
		/* What is too large to be copied is moved; what is in its place is put there by the caller. */
		if (rc != 0 && errno == EFBIG && wisp_dir_remove(to) == 0)
			rc = wisp_file_move(path, to, WISP_NOSYNC);
		/* What may not be read cannot be kept; it is put back all the same. */
		if (rc != 0 && errno == EACCES)
			rc = 0;
	}
	free(to);
	return rc;
}

void
wisp_guard_name(struct cJSON *names, const char *name)
{
	for (struct cJSON *n = wisp_json_first(names); n != NULL; n = wisp_json_next(n))
		if (strcmp(wisp_json_text(n, ""), name) == 0)
			return;
	wisp_json_push(names, wisp_json_string(name));
}

/* A file that may be read and written: it can be replaced as it is. */
static bool
is_plain(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, R_OK | W_OK) == 0;
}

/*
 * Puts `live` back to what `good` is, a file or nothing; where that can be, in
 * one rename: a start would take a file that is missing for a person's wish.
 * `name` is what people see.
 */
static int
guard_file(const char *live, const char *good, const char *keep, const char *name, struct cJSON *names)
{
	int rc;

	if (same_file(live, good))
		return 0;
	wisp_guard_name(names, name);
	rc = wisp_guard_keep(live, keep, name);
	if (rc == 0 && !(wisp_file_exists(good) && is_plain(live)))
		rc = wisp_dir_remove(live);
	if (rc == 0 && wisp_file_exists(good))
		rc = copy_file(good, live, put_back());
	return rc;
}

/* Puts the folder `live` back to what `good` is, naming each file that differs. */
static int
guard_folder(const char *live, const char *good, const char *keep, const char *name, struct cJSON *names)
{
	const char *side[2] = {good, live};
	int rc = 0;

	wisp_file_sweep(live);
	for (int s = 0; s < 2 && rc == 0; s++) {
		char **list = NULL;
		size_t count = 0;

		if (wisp_dir_list(side[s], &list, &count) != 0)
			continue;
		for (size_t i = 0; i < count && rc == 0; i++) {
			char *l = wisp_str("%s/%s", live, list[i]), *g = wisp_str("%s/%s", good, list[i]);
			char *n = wisp_str("%s/%s", name, list[i]);
			struct stat a, b;
			bool both = lstat(l, &a) == 0 && lstat(g, &b) == 0;

			if (both && S_ISDIR(a.st_mode) && S_ISDIR(b.st_mode))
				rc = guard_folder(l, g, keep, n, names);
			else if (s == 0 && lstat(g, &b) == 0 && S_ISDIR(b.st_mode)) {
				wisp_guard_name(names, n);
				rc = wisp_guard_keep(l, keep, n) != 0 || wisp_dir_remove(l) != 0 ? -1 : copy_tree(g, l, put_back());
			} else {
				rc = wisp_dir_make(live) != 0 ? -1 : guard_file(l, g, keep, n, names);
			}
			free(l);
			free(g);
			free(n);
		}
		wisp_dir_list_free(list, count);
	}
	return rc;
}

/* All parts, under the lock; where there is no good copy there is nothing to compare with. */
static int
guard_all(const char *wisp, const char *good, const char *keep, struct cJSON *names)
{
	char *live = wisp_str("%s/config", wisp), *copy = wisp_str("%s/config", good);
	int rc = 0;

	if (wisp_file_exists(good)) {
		wisp_file_sweep(wisp);
		rc = guard_file(live, copy, keep, ".wisp/config", names);
		for (size_t i = 0; rc == 0 && i < sizeof folders / sizeof *folders; i++) {
			char *name = wisp_str(".wisp/%s", folders[i]);

			free(live);
			free(copy);
			live = wisp_str("%s/%s", wisp, folders[i]);
			copy = wisp_str("%s/%s", good, folders[i]);
			rc = guard_folder(live, copy, keep, name, names);
			free(name);
		}
	}
	free(live);
	free(copy);
	return rc;
}

int
wisp_good_guard(const struct wisp_record *r, const char *keep, struct cJSON *names)
{
	char *lock, *wisp, *good;
	int fd, rc = 0;

	if (r->place->shared == NULL)
		return 0;
	lock = wisp_str("%s/.good.lock", r->place->shared);
	wisp = wisp_str("%s/.wisp", r->place->project);
	good = wisp_str("%s/.good", r->place->shared);
	fd = wisp_lock(lock);
	if (fd < 0) {
		rc = errno == ENOENT ? 0 : -1;
	} else {
		rc = guard_all(wisp, good, keep, names);
		(void)close(fd);
	}
	free(lock);
	free(wisp);
	free(good);
	return rc;
}

static int
copy_project(const char *wisp, const char *to)
{
	char *config = wisp_str("%s/config", wisp), *copy = wisp_str("%s/config", to);
	int rc = wisp_dir_remove(to);

	if (rc == 0)
		rc = wisp_dir_make(to);
	if (rc == 0 && wisp_file_exists(config))
		rc = copy_file(config, copy, KEPT);
	for (size_t i = 0; rc == 0 && i < sizeof folders / sizeof *folders; i++) {
		char *folder = wisp_str("%s/%s", wisp, folders[i]), *copied = wisp_str("%s/%s", to, folders[i]);

		if (wisp_file_exists(folder))
			rc = copy_tree(folder, copied, KEPT);
		free(folder);
		free(copied);
	}
	free(config);
	free(copy);
	return rc;
}

/* Half a copy would have other sessions call the rest tampering: it is made beside the old one, and is then put there. */
int
wisp_good_renew(const struct wisp_place *place)
{
	char *lock = wisp_str("%s/.good.lock", place->shared), *wisp = wisp_str("%s/.wisp", place->project);
	char *good = wisp_str("%s/.good", place->shared), *fresh = wisp_str("%s/.good.new", place->shared);
	char *old = wisp_str("%s/.good.old", place->shared);
	int fd = -1, rc = -1;

	if (wisp_dir_make(place->shared) == 0)
		fd = wisp_lock(lock);
	if (fd >= 0) {
		rc = copy_project(wisp, fresh);
		if (rc == 0)
			rc = wisp_dir_remove(old);
		if (rc == 0 && wisp_file_exists(good))
			rc = wisp_file_move(good, old, WISP_NOSYNC);
		if (rc == 0)
			rc = wisp_file_move(fresh, good, WISP_NOSYNC);
		if (rc == 0)
			rc = wisp_dir_remove(old);
		(void)close(fd);
	}
	free(lock);
	free(wisp);
	free(good);
	free(fresh);
	free(old);
	return rc;
}
