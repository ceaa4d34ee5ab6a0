/*
 * state: see state.h.
 */
#include "state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/file.h"
#include "core/hash.h"
#include "core/json.h"
#include "plan.h"

#define LOGIN_MAX ((size_t)1 << 20)	/* bytes */
#define DEPTH_MAX 16			/* folders in each other: a link may lead back to one above */

/* A path of the table, absolute. */
static char *
absolute(const struct wisp_agent_state *s, const char *path)
{
	return *path == '~' ? wisp_str("%s%s", s->home, path + 1) : wisp_strdup(path);
}

static const char *
config_line(const struct wisp_sandbox_agent *a)
{
	size_t i;

	for (i = 0; a != NULL && i < a->count; i++)
		if (strcmp(a->lines[i].word, "config") == 0)
			return a->lines[i].value;
	return NULL;
}

/* Where a path of the table lies outside, and in TO/config: below the folder of `config` as there, else by its name. */
static void
both(const struct wisp_agent_state *s, const char *path, char **outside, char **inside)
{
	const char *config = config_line(s->agent);
	size_t len = strcspn(config, " \t");
	char *name = wisp_str("%.*s", (int)len, config), *folder = absolute(s, config + len + strspn(config + len, " \t"));
	char *full = absolute(s, path);
	const char *moved = getenv(name);
	const char *rest = wisp_sandbox_below(full, folder) ? full + strlen(folder) : strrchr(full, '/');

	*inside = wisp_str("%s/config%s", s->to, rest);
	*outside = moved != NULL && *moved == '/' ? wisp_str("%s%s", moved, rest) : wisp_strdup(full);
	free(name);
	free(folder);
	free(full);
}

static _Noreturn void
die_copy(const char *path)
{
	die_sys("cannot copy '%s'", path);
}

static void
moved_away(void *arg, const char *name)
{
	(void)arg;
	(void)name;
}

/* What the step made a link of, on the way to a path in its folder, would lead out of it. */
static void
only_folders(const struct wisp_agent_state *s, const char *inside)
{
	char *top = wisp_str("%s/config", s->to), *folder = wisp_strdup(inside);

	if (!wisp_dir_up(folder) || (wisp_file_exists(top) && wisp_dir_own(top, folder, moved_away, NULL) < 0))
		die_copy(inside);
	free(top);
	free(folder);
}

static void
make_parent(const char *path)
{
	char *folder = wisp_strdup(path);

	if (!wisp_dir_up(folder) || wisp_dir_make(folder) < 0)
		die_copy(path);
	free(folder);
}

/* The user's own links are followed. What is no file and no folder, or larger than a settings file can be, is left out. */
static void
copy_tree(const char *from, const char *to, int depth)
{
	char **names, *inner, *copy;
	struct stat st;
	size_t count, i;

	if (depth > DEPTH_MAX || stat(from, &st) < 0 || (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode)))
		return;
	if (S_ISREG(st.st_mode)) {
		if (wisp_file_copy(from, to, WISP_NOSYNC) < 0 ? errno != ENOENT && errno != EFBIG && errno != EACCES
							       : chmod(to, (st.st_mode & 0100) | 0600) < 0)
			die_copy(from);
		return;
	}
	if (wisp_dir_make(to) < 0)
		die_copy(from);
	if (wisp_dir_list(from, &names, &count) < 0)
		return;
	for (i = 0; i < count; i++) {
		inner = wisp_str("%s/%s", from, names[i]);
		copy = wisp_str("%s/%s", to, names[i]);
		copy_tree(inner, copy, depth + 1);
		free(inner);
		free(copy);
	}
	wisp_dir_list_free(names, count);
}

/* --- logins -------------------------------------------------------------------- */

static int
lock_login(const struct wisp_agent_state *s, const char *login)
{
	char hash[WISP_HASH_SIZE], *real = realpath(login, NULL), *path;
	const char *name = real != NULL ? real : login;
	int fd;

	wisp_hash(name, strlen(name), hash);
	path = wisp_str("%s/.login-%.16s", s->records, hash);
	make_parent(path);
	fd = wisp_lock(path);
	if (fd < 0)
		die_sys("cannot lock '%s'", path);
	free(path);
	free(real);
	return fd;
}

/* The file of a login, no link; false where there is none. */
static bool
read_login(const char *path, struct wisp_buf *out, struct stat *st)
{
	wisp_buf_reset(out);
	return lstat(path, st) == 0 && S_ISREG(st->st_mode) && wisp_file_read(path, LOGIN_MAX, out) == 0 && out->len > 0;
}

static bool
is_object(const struct wisp_buf *text)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *doc = wisp_json_parse(text->data, text->len, "", &err);
	bool is = doc != NULL && wisp_json_type(doc) == WISP_T_OBJECT;

	wisp_json_free(doc);
	wisp_err_release(&err);
	return is;
}

static bool
later(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec > b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec > b->tv_nsec);
}

static void
write_login(const char *path, const struct wisp_buf *text, const struct timespec *time)
{
	const struct timespec both_times[2] = {*time, *time};

	if (wisp_file_write(path, text->data, text->len, WISP_SYNC) < 0 || chmod(path, 0600) < 0 ||
	    utimensat(AT_FDCWD, path, both_times, 0) < 0)
		die_sys("cannot write '%s'", path);
}

static void
lend_login(const struct wisp_agent_state *s, const char *outside, const char *inside, const char *before)
{
	struct wisp_buf text = WISP_BUF_INIT;
	char *real = realpath(outside, NULL);
	int lock = lock_login(s, outside);
	struct stat st;

	if (wisp_dir_remove(inside) < 0 || wisp_dir_remove(before) < 0)
		die_copy(outside);
	if (real != NULL && read_login(real, &text, &st)) {
		make_parent(inside);
		make_parent(before);
		write_login(before, &text, &st.st_mtim);
		write_login(inside, &text, &st.st_mtim);
	}
	wisp_buf_release(&text);
	free(real);
	(void)close(lock);
}

/* NULL, or why what the step made of a login is not taken. A time in the future is now: it would be the newest for ever. */
static const char *
take_login(const struct wisp_agent_state *s, const char *outside, const char *inside, const char *before)
{
	struct wisp_buf was = WISP_BUF_INIT, now = WISP_BUF_INIT, own = WISP_BUF_INIT;
	char *real = realpath(outside, NULL);
	const char *why = NULL;
	struct timespec time;
	struct stat st, mine;
	int lock;

	if (read_login(before, &was, &mine) && read_login(inside, &now, &st) &&
	    (was.len != now.len || memcmp(was.data, now.data, now.len) != 0)) {
		lock = lock_login(s, outside);
		(void)clock_gettime(CLOCK_REALTIME, &time);
		if (later(&time, &st.st_mtim))
			time = st.st_mtim;
		if (!is_object(&now))
			why = "it is no JSON object";
		else if (real == NULL || !read_login(real, &own, &mine))
			why = "there is none any more";
		else if (own.len == was.len && memcmp(own.data, was.data, was.len) == 0)
			write_login(real, &now, &time);
		else if (later(&time, &mine.st_mtim))
			write_login(real, &now, &time);
		(void)close(lock);
	}
	if (wisp_dir_remove(inside) < 0 || wisp_dir_remove(before) < 0)
		die_sys("cannot remove '%s'", inside);
	wisp_buf_release(&was);
	wisp_buf_release(&now);
	wisp_buf_release(&own);
	free(real);
	return why;
}

/* --- a step -------------------------------------------------------------------- */

void
wisp_agent_state_take(struct wisp_agent_state *s)
{
	char *outside, *inside, *before;
	const char *why;
	size_t i;

	for (i = 0; config_line(s->agent) != NULL && i < s->agent->count; i++) {
		if (strcmp(s->agent->lines[i].word, "login") != 0)
			continue;
		both(s, s->agent->lines[i].value, &outside, &inside);
		before = wisp_str("%s/before/%zu", s->to, i);
		only_folders(s, inside);
		why = take_login(s, outside, inside, before);
		if (why != NULL)
			wisp_buf_printf(&s->said, "'%s' was changed and is not taken over: %s\n", outside, why);
		free(outside);
		free(inside);
		free(before);
	}
}

/* Is it what an agent's program has as settings? Of what it writes, files alone: a folder has its histories. */
static bool
is_setting(const struct wisp_sandbox_line *l, const char *outside)
{
	struct stat st;

	return strcmp(l->word, "fixed") == 0 || (strcmp(l->word, "write") == 0 && stat(outside, &st) == 0 && S_ISREG(st.st_mode));
}

char *
wisp_agent_state_lend(struct wisp_agent_state *s)
{
	const struct wisp_sandbox_line *l;
	char *outside, *inside, *before;
	size_t i;

	if (config_line(s->agent) == NULL)
		return NULL;
	wisp_agent_state_take(s);
	inside = wisp_str("%s/config", s->to);
	if (wisp_dir_make(inside) < 0)
		die_sys("cannot make '%s'", inside);
	free(inside);
	for (i = 0; i < s->agent->count; i++) {
		l = &s->agent->lines[i];
		if (*l->value != '~' && *l->value != '/')
			continue;
		both(s, l->value, &outside, &inside);
		only_folders(s, inside);
		if (strcmp(l->word, "login") == 0) {
			before = wisp_str("%s/before/%zu", s->to, i);
			lend_login(s, outside, inside, before);
			free(before);
		} else if (is_setting(l, outside)) {
			if (wisp_dir_remove(inside) < 0)
				die_copy(outside);
			make_parent(inside);
			copy_tree(outside, inside, 0);
		}
		free(outside);
		free(inside);
	}
	return wisp_str("%s/config", s->to);
}
