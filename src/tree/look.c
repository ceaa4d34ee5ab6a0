/*
 * look: HEAD by reading files where that is enough, locks that a killed git left, and scratch files.
 */
#include "tree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/file.h"

#define STALE_S 10 /* a lock that stays as it is for so long is held by no git at work */
#define OLD_S 60   /* one of this age is not waited for */

char *
wisp_tree_file(const struct wisp_tree *t, const char *name)
{
	return wisp_str("%s/%s", t->git, name);
}

bool
wisp_tree_is_id(const char *s)
{
	size_t n = strspn(s, "0123456789abcdef");

	return s[n] == '\0' && (n == 40 || n == 64);
}

static const char *
first_line(const char *folder, const char *name)
{
	char *path = wisp_str("%s/%s", folder, name), *line = wisp_file_line(path, "");

	free(path);
	return line != NULL ? line : "";
}

void
wisp_tree_head(struct wisp_tree *t)
{
	const char *line = first_line(t->git, "HEAD"), *id;

	t->head = t->ref = "";
	if (strcmp(line, "ref: refs/heads/.invalid") == 0) { /* the refs are in a reftable */
		t->ref = wisp_git_line(t, WISP_GIT_WARM, wisp_git_args("symbolic-ref", "-q", "HEAD"));
	} else if (wisp_tree_is_id(line)) {
		t->head = line;
		return;
	} else if (strncmp(line, "ref: ", 5) == 0) {
		t->ref = line + 5;
	} else {
		warn("cannot read '%s/HEAD'", t->git);
		wisp_exit(WISP_EXIT_SYS);
	}
	id = *t->ref != '\0' ? first_line(t->common, t->ref) : "";
	t->head = wisp_tree_is_id(id)
			  ? id
			  : wisp_git_line(t, WISP_GIT_WARM, wisp_git_args("rev-parse", "-q", "--verify", "HEAD"));
}

const char *
wisp_tree_commit_of(struct wisp_tree *t, const char *name)
{
	return wisp_git_line(t, WISP_GIT_WARM,
			     wisp_git_args("rev-parse", "-q", "--verify", wisp_str("%s^{commit}", name)));
}

static void
remove_or_die(const char *path)
{
	if (wisp_dir_remove(path) < 0)
		die_sys("cannot remove '%s'", path);
}

/* Removes FOLDER/NAME where it is a file. */
static void
unlock_file(const char *folder, const char *name)
{
	char *path = wisp_str("%s/%s", folder, name);
	struct stat st;

	if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
		remove_or_die(path);
	free(path);
}

/* Removes FOLDER/NAME.lock, whatever the name. */
static void
unlock_folder(const char *folder)
{
	char **names;
	size_t count, len;

	(void)!wisp_dir_list(folder, &names, &count);
	for (size_t i = 0; i < count; i++) {
		len = strlen(names[i]);
		if (len > 5 && strcmp(names[i] + len - 5, ".lock") == 0)
			unlock_file(folder, names[i]);
	}
	wisp_dir_list_free(names, count);
}

static void
unlock_refs(const struct wisp_tree *t, const char *kind, const char *branch)
{
	char *folder = wisp_str("%s/refs/wisp/%s/%s", t->common, kind, branch);

	unlock_folder(folder);
	free(folder);
}

/* A scratch file is a file: a folder, a pipe or a link in its place was put there by an agent. */
static void
unlock_scratch(const struct wisp_tree *t)
{
	char **names, *path;
	size_t count;
	struct stat st;

	(void)!wisp_dir_list(t->git, &names, &count);
	for (size_t i = 0; i < count; i++) {
		if (strncmp(names[i], "wisp.", 5) != 0)
			continue;
		path = wisp_tree_file(t, names[i]);
		if (lstat(path, &st) == 0 && !S_ISREG(st.st_mode))
			remove_or_die(path);
		free(path);
	}
	wisp_dir_list_free(names, count);
}

/* Who deletes a ref takes it for a moment: while a killed git's is there no ref of the repository can be deleted. */
static void
unlock_packed(const struct wisp_tree *t)
{
	char *path = wisp_str("%s/packed-refs.lock", t->common);
	struct stat st, now;

	if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
		if (st.st_mtime > time(NULL) - OLD_S)
			warn("'%s' is held by a git: waiting for it, %d s at most", path, STALE_S);
		for (int left = st.st_mtime > time(NULL) - OLD_S ? STALE_S : 0; left > 0; left--) {
			sleep(1);
			if (stat(path, &now) < 0 || now.st_ino != st.st_ino) {
				free(path);
				return;
			}
		}
		remove_or_die(path);
		warn("removed '%s', which a git that was killed has left", path);
	}
	free(path);
}

void
wisp_tree_unlock(const struct wisp_tree *t, const char *branch)
{
	char *ref = wisp_str("refs/heads/%s.lock", branch);

	unlock_file(t->git, "wisp.index.lock");
	unlock_file(t->git, "wisp.temp.lock");
	unlock_file(t->git, "wisp.nested.lock");
	unlock_file(t->common, ref);
	free(ref);
	unlock_refs(t, "checkpoints", branch);
	unlock_refs(t, "failed", branch);
	/* There these may be those of a person's git that runs right now: of the index, of HEAD, of AUTO_MERGE and its like. */
	if (!t->persons) {
		unlock_folder(t->git);
		unlock_file(t->git, "reftable/tables.list.lock");
	}
	unlock_scratch(t);
	unlock_packed(t);
}
