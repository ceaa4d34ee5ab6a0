/*
 * reports: see reports.h.
 */
#include "reports.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "glob.h"
#include "secrets.h"

#define DEPTH_MAX 64
#define NS 1000000000

struct walk {
	const struct cJSON *patterns;	/* those that were walked */
	const char *pattern;
	int64_t since;
	void (*take)(void *arg, int64_t changed, const char *text, size_t len);
	void *arg;
	struct wisp_buf path, text;	/* below the top; of a file */
	size_t files, bytes, looked;
	char *left_out;
};

static void walk_into(struct walk *w, int dir, const char *rest, int depth);

static void
leave_out(struct walk *w, const char *why)
{
	if (w->left_out == NULL)
		w->left_out = wisp_str("%s: %s", w->path.len > 0 ? w->path.data : ".", why);
}

/* Has a pattern before this one matched it? */
static bool
is_read(const struct walk *w)
{
	for (const struct cJSON *p = wisp_json_first(w->patterns); p != NULL; p = wisp_json_next(p)) {
		const char *pattern = wisp_json_text(p, "");

		if (pattern == w->pattern)
			return false;
		if (wisp_glob(pattern, w->path.data))
			return true;
	}
	return false;
}

static bool
read_all(struct walk *w, int fd, size_t size)
{
	ssize_t n = 1;

	wisp_buf_reset(&w->text);
	wisp_buf_grow(&w->text, size + 1);
	while (w->text.len < size && n > 0) {
		n = read(fd, w->text.data + w->text.len, size - w->text.len);
		if (n < 0 && errno == EINTR)
			n = 1;
		else if (n > 0)
			w->text.len += (size_t)n;
	}
	w->text.data[w->text.len] = '\0';
	return n >= 0;
}

static void
read_file(struct walk *w, int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	int64_t changed;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		leave_out(w, "it cannot be read");
	} else if ((changed = (int64_t)st.st_ctim.tv_sec * NS + st.st_ctim.tv_nsec) < w->since) {
		;	/* of a run before */
	} else if (w->files == WISP_REPORTS_MAX) {
		leave_out(w, "there are too many reports");
	} else if ((size_t)st.st_size > WISP_REPORTS_BYTES - w->bytes) {
		leave_out(w, "the reports are too large");
	} else if (read_all(w, fd, (size_t)st.st_size)) {
		w->files++;
		w->bytes += w->text.len;
		wisp_secrets_hide(&w->text);	/* as it was done with what was printed */
		w->take(w->arg, changed, w->text.data, w->text.len);
	} else {
		leave_out(w, "it cannot be read");
	}
	if (fd >= 0)
		(void)close(fd);
}

/* One name in a folder; `rest` is what the pattern says of what lies in it, NULL: anything. */
static void
visit(struct walk *w, int dir, const char *name, const char *rest, int depth)
{
	size_t len = w->path.len;
	struct stat st;
	int fd;

	if (strcmp(name, "..") == 0 || fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return;
	wisp_buf_printf(&w->path, "%s%s", len > 0 ? "/" : "", name);
	if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX && strcmp(name, ".git") != 0) {
		fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		if (fd >= 0)
			walk_into(w, fd, rest, depth + 1);
	} else if (S_ISREG(st.st_mode) && wisp_glob(w->pattern, w->path.data) && !is_read(w)) {
		read_file(w, dir, name);
	}
	w->path.len = len;
	w->path.data[len] = '\0';
}

static void
visit_all(struct walk *w, DIR *d, const char *part, const char *rest, int depth)
{
	const struct dirent *e;

	while ((e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || (part != NULL && !wisp_glob(part, e->d_name)))
			continue;
		if (w->looked++ == WISP_REPORTS_LOOKED) {
			leave_out(w, "there are too many files to look for reports");
			return;
		}
		visit(w, dirfd(d), e->d_name, rest, depth);
	}
}

/* Goes over the open folder, which is closed: by one name where the pattern has one, else by all that match its next part. */
static void
walk_into(struct walk *w, int dir, const char *rest, int depth)
{
	size_t len = rest != NULL ? strcspn(rest, "/") : 0;
	char *part = len > 0 && strncmp(rest, "**", len) != 0 ? wisp_str("%.*s", (int)len, rest) : NULL;
	DIR *d;

	if (part != NULL)
		rest = rest[len] == '/' ? rest + len + 1 : NULL;
	else
		rest = NULL;	/* from `**` on the whole pattern is asked, of each file */
	if (part != NULL && strpbrk(part, "*?[\\") == NULL) {
		visit(w, dir, part, rest, depth);
		(void)close(dir);
	} else if ((d = fdopendir(dir)) == NULL) {
		(void)close(dir);
	} else {
		visit_all(w, d, part, rest, depth);
		(void)closedir(d);
	}
	free(part);
}

char *
wisp_reports_read(const char *top, const struct cJSON *patterns, int64_t since,
		  void (*take)(void *arg, int64_t changed, const char *text, size_t len), void *arg)
{
	const struct cJSON *p = wisp_json_type(patterns) == WISP_T_ARRAY ? wisp_json_first(patterns) : patterns;
	struct walk w = {.patterns = patterns, .since = since, .take = take, .arg = arg};
	int dir;

	for (; p != NULL && (w.pattern = wisp_json_text(p, NULL)) != NULL; p = p == patterns ? NULL : wisp_json_next(p)) {
		dir = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (dir < 0)
			break;
		walk_into(&w, dir, w.pattern + strspn(w.pattern, "/"), 0);
	}
	wisp_buf_release(&w.path);
	wisp_buf_release(&w.text);
	return w.left_out;
}
