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

/* What of the git folder, and of the work tree's own in it, the step has: by name, files and folders alike. */
static const char *const folders[] = {"refs", "logs", "info"};

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

/* The files of a folder; of its folders those that `deep` is true for, or that are in `folders`. No link is followed. */
static void
copy_folder(const char *from, const char *to, bool deep)
{
	char **names, *inner, *copy;
	size_t count, i, k;

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
		for (k = 0; k < 3 && strcmp(names[i], folders[k]) != 0; k++)
			;
		if (wisp_lent_is_folder(inner) && (deep || k < 3))
			copy_folder(inner, copy, true);
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

/* What lies where, so that `take` can tell whether it is still that: TO/before. */
static void
note_before(const struct wisp_tree *t, const char *to)
{
	char *before = wisp_str("%s/before", to), *file = wisp_str("%s/.git", t->top);

	make_folder(before);
	note(before, "git", t->git);
	note(before, "common", t->common);
	if (wisp_lent_is_file(file))
		copy_file(file, wisp_str("%s/gitfile", before));
	free(file);
	copy_file(wisp_str("%s/commondir", t->git), wisp_str("%s/commondir", before));
	copy_file(wisp_str("%s/gitdir", t->git), wisp_str("%s/gitdir", before));
	copy_file(wisp_str("%s/packed-refs", t->common), wisp_str("%s/packed-refs", before));
	copy_folder(wisp_str("%s/refs", t->common), wisp_str("%s/refs", before), true);
}

void
wisp_lend(struct wisp_tree *t, const char *to)
{
	char *git = wisp_str("%s/git", to), *alternates = wisp_str("%s/objects/info/alternates", git);

	if (wisp_dir_remove(to) < 0)
		die_sys("cannot remove '%s'", to);
	note_before(t, to);
	copy_folder(t->common, git, false);
	make_folder(wisp_str("%s/objects/info", git));
	make_folder(wisp_str("%s/objects/pack", git));
	make_folder(wisp_str("%s/hooks", git));
	make_folder(wisp_str("%s/info", git));
	if (strcmp(t->git, t->common) != 0)
		copy_folder(t->git, wisp_str("%s%s", git, t->git + strlen(t->common)), true);
	if (wisp_file_write(alternates, WISP_SANDBOX_OBJECTS "\n", strlen(WISP_SANDBOX_OBJECTS) + 1, WISP_NOSYNC) < 0)
		die_sys("cannot write '%s'", alternates);
	free(git);
	free(alternates);
}
