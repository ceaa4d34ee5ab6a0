/*
 * lend: see lend.h.
 */
#include "lend.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "lent.h"
#include "plan.h"

/* Which folders are copied: those of a git folder; of a work tree's own all but `modules`, repositories of their own; all. */
enum what { COMMON, OWN, ALL };

static _Noreturn void
die_copy(const char *path)
{
	die_sys("cannot copy '%s'", path);
}

bool
wisp_lent_is_folder(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool
wisp_lent_is_file(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static void
copy_file(const char *from, const char *to)
{
	if (wisp_file_copy(from, to, WISP_NOSYNC) < 0 && errno != ENOENT)
		die_copy(from);
}

/* Files of wisp's own, and locks that someone holds at this moment, are not the step's. */
static bool
is_ours(const char *name)
{
	size_t len = strlen(name);

	return strncmp(name, "wisp.", 5) == 0 || (len > 5 && strcmp(name + len - 5, ".lock") == 0);
}

static bool
is_lent(const char *name, enum what what)
{
	static const char *const folders[] = {"refs", "logs", "info"};
	size_t i;

	for (i = 0; i < 3 && strcmp(name, folders[i]) != 0; i++)
		;
	return what == ALL || (what == COMMON ? i < 3 : strcmp(name, "modules") != 0);
}

/* The files of a folder, and of its folders those that are lent. No link is followed. */
static void
copy_folder(const char *from, const char *to, enum what what)
{
	char **names, *inner, *copy;
	size_t count, i;

	if (wisp_dir_make(to) < 0)
		die_copy(from);
	if (wisp_dir_list(from, &names, &count) < 0) {
		if (errno != ENOENT)
			die_copy(from);
		return;
	}
	for (i = 0; i < count; i++) {
		inner = wisp_str("%s/%s", from, names[i]);
		copy = wisp_str("%s/%s", to, names[i]);
		if (wisp_lent_is_folder(inner) && is_lent(names[i], what))
			copy_folder(inner, copy, ALL);
		else if (wisp_lent_is_file(inner) && !is_ours(names[i]))
			copy_file(inner, copy);
		free(inner);
		free(copy);
	}
	wisp_dir_list_free(names, count);
}

static void
make_folder(const char *path)
{
	if (wisp_dir_make(path) < 0)
		die_sys("cannot make '%s'", path);
}

static void
note(const char *before, const char *name, const char *text)
{
	char *path = wisp_str("%s/%s", before, name);

	if (wisp_file_write(path, text, strlen(text), WISP_NOSYNC) < 0)
		die_sys("cannot write '%s'", path);
	free(path);
}

char *
wisp_lent_inode(const struct wisp_tree *t)
{
	struct stat st = {0};

	(void)lstat(t->common, &st);
	return wisp_str("%llu", (unsigned long long)st.st_ino);
}

/* What lies where, so that `take` can tell whether it is still that. */
static void
note_before(const struct wisp_tree *t, const char *before)
{
	make_folder(before);
	note(before, "top", t->top);
	note(before, "git", t->git);
	note(before, "common", t->common);
	note(before, "inode", wisp_lent_inode(t));
	if (wisp_lent_is_file(wisp_str("%s/.git", t->top)))
		copy_file(wisp_str("%s/.git", t->top), wisp_str("%s/gitfile", before));
	copy_file(wisp_str("%s/commondir", t->git), wisp_str("%s/commondir", before));
	copy_file(wisp_str("%s/gitdir", t->git), wisp_str("%s/gitdir", before));
	copy_file(wisp_str("%s/HEAD", t->git), wisp_str("%s/HEAD", before));
	copy_file(wisp_str("%s/packed-refs", t->common), wisp_str("%s/packed-refs", before));
	copy_folder(wisp_str("%s/refs", t->common), wisp_str("%s/refs", before), ALL);
}

char *
wisp_lent_quoted(const char *path)
{
	struct wisp_buf text = WISP_BUF_INIT;

	wisp_buf_putc(&text, '"');
	for (; *path != '\0'; path++) {
		if (*path == '"' || *path == '\\' || *path == '\n')
			wisp_buf_putc(&text, '\\');
		wisp_buf_putc(&text, *path == '\n' ? 'n' : *path);
	}
	wisp_buf_putc(&text, '"');
	return wisp_buf_detach(&text);
}

/* A submodule's own says where its work tree is, by a path from there. */
static void
note_top(const struct wisp_tree *t, const char *file)
{
	struct wisp_buf text = WISP_BUF_INIT;

	if (wisp_file_read(file, WISP_FILE_MAX, &text) == 0) {
		wisp_buf_printf(&text, "\n[core]\n\tworktree = %s\n", wisp_lent_quoted(t->top));
		if (wisp_file_write(file, text.data, text.len, WISP_NOSYNC) < 0)
			die_sys("cannot write '%s'", file);
	}
	wisp_buf_release(&text);
}

/* A copy at another place than the git folder, with `git` in it the work tree's own: .git is to lead there. */
static void
note_lead(const struct wisp_tree *t, const char *git, const char *before)
{
	note(before, "lead", wisp_str("gitdir: %s\n", git));
	note(git, WISP_GIT_REAL, t->git);
	if (strcmp(t->git, t->common) == 0) {
		note_top(t, wisp_str("%s/config", git));
		note_top(t, wisp_str("%s/config.worktree", git));
	}
}

/* `seen`: where the step reads the real one's objects. */
static void
copy_repository(const struct wisp_tree *t, const char *copy, const char *seen)
{
	char *alternates = wisp_str("%s/objects/info/alternates", copy);
	char *line = wisp_str("%s\n", wisp_lent_quoted(wisp_str("%s/objects", seen)));

	copy_folder(t->common, copy, COMMON);
	make_folder(wisp_str("%s/objects/info", copy));
	make_folder(wisp_str("%s/objects/pack", copy));
	make_folder(wisp_str("%s/hooks", copy));
	make_folder(wisp_str("%s/info", copy));
	if (strcmp(t->git, t->common) != 0)
		copy_folder(t->git, wisp_str("%s%s", copy, t->git + strlen(t->common)), OWN);
	if (wisp_file_write(alternates, line, strlen(line), WISP_NOSYNC) < 0)
		die_sys("cannot write '%s'", alternates);
	free(alternates);
	free(line);
}

struct lender {
	const struct wisp_tree *t;
	const char *to;
	bool bound;
	size_t modules;
};

static void
lend_repository(const struct lender *l, const struct wisp_tree *t, const char *before)
{
	const char *below = t->common + strlen(l->t->common);
	char *copy = wisp_str("%s/git%s", l->to, below);

	note_before(t, before);
	copy_repository(t, copy, l->bound ? wisp_str(WISP_SANDBOX_GIT "%s", below) : t->common);
	if (!l->bound)
		note_lead(t, wisp_str("%s%s", copy, t->git + strlen(t->common)), before);
	free(copy);
}

static void
lend_module(void *arg, const struct wisp_tree *module)
{
	struct lender *l = arg;

	lend_repository(l, module, wisp_str("%s/modules/%zu", l->to, l->modules++));
}

void
wisp_lend(const struct wisp_tree *t, const char *to, bool bound)
{
	struct lender l = {.t = t, .to = to, .bound = bound};

	if (!bound && !wisp_lent_is_file(wisp_str("%s/.git", t->top))) {
		note_before(t, wisp_str("%s/before", to));
		return;
	}
	lend_repository(&l, t, wisp_str("%s/before", to));
	wisp_lent_modules(t, lend_module, &l);
}

/* The .git of a work tree becomes `to`, another file in `before`, where it is `from`, a third. */
static void
lead_one(const char *before, const char *from, const char *to)
{
	struct wisp_buf top = WISP_BUF_INIT, is = WISP_BUF_INIT, becomes = WISP_BUF_INIT;
	char *file;

	if (wisp_file_read(wisp_str("%s/%s", before, from), WISP_LENT_REF_MAX, &is) == 0 &&
	    wisp_file_read(wisp_str("%s/%s", before, to), WISP_LENT_REF_MAX, &becomes) == 0 &&
	    wisp_file_read(wisp_str("%s/top", before), WISP_LENT_REF_MAX, &top) == 0) {
		file = wisp_str("%s/.git", top.data);
		if (wisp_lent_is_file(file) && wisp_file_holds(file, is.data, is.len) &&
		    wisp_file_write(file, becomes.data, becomes.len, WISP_NOSYNC) < 0)
			die_sys("cannot write '%s'", file);
		free(file);
	}
	wisp_buf_release(&top);
	wisp_buf_release(&is);
	wisp_buf_release(&becomes);
}

void
wisp_lend_lead(const char *to, bool there)
{
	char *folder = wisp_str("%s/modules", to), **names;
	const char *from = there ? "gitfile" : "lead", *becomes = there ? "lead" : "gitfile";
	size_t count, i;

	lead_one(wisp_str("%s/before", to), from, becomes);
	if (wisp_dir_list(folder, &names, &count) == 0) {
		for (i = 0; i < count; i++)
			lead_one(wisp_str("%s/%s", folder, names[i]), from, becomes);
		wisp_dir_list_free(names, count);
	}
	free(folder);
}
