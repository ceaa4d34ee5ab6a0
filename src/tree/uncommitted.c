/*
 * uncommitted: what git's status finds in a work tree, and what hides files from it.
 */
#include "tree.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/file.h"
#include "names.h"

/* May files be other in the work tree than in the repository? */
static bool
has_attributes(const struct wisp_tree *t)
{
	char *own = wisp_str("%s/.gitattributes", t->top), *common = wisp_str("%s/info/attributes", t->common);
	bool yes = wisp_file_exists(own) || wisp_file_exists(common);

	free(own);
	free(common);
	return yes;
}

static bool
same_bytes(const char *a, const char *b)
{
	FILE *x = fopen(a, "re"), *y = fopen(b, "re");
	int c = EOF;

	if (x != NULL && y != NULL)
		while ((c = getc(x)) == getc(y) && c != EOF)
			;
	c = x != NULL && y != NULL && c == EOF && feof(x) && feof(y) && !ferror(x) && !ferror(y);
	if (x != NULL)
		fclose(x);
	if (y != NULL)
		fclose(y);
	return c;
}

/* Regular files, the same byte by byte, and both programs or none? */
static bool
same_file(const char *a, const char *b)
{
	struct stat s, t;

	return lstat(a, &s) == 0 && lstat(b, &t) == 0 && S_ISREG(s.st_mode) && S_ISREG(t.st_mode) && s.st_size == t.st_size &&
	       (s.st_mode & S_IXUSR) == (t.st_mode & S_IXUSR) && same_bytes(a, b);
}

/*
 * Of what is modified those files go that are just as a checkout makes them: where a repository has other line ends than
 * .gitattributes ask for, git calls those modified for ever.
 */
static void
drop_untouched(struct wisp_tree *t, int how, struct wisp_buf *left, const struct wisp_buf *modified)
{
	char *copies = wisp_tree_file(t, "wisp.copies");
	struct wisp_buf same = WISP_BUF_INIT;
	const char *name;
	size_t at = 0;

	if (wisp_dir_remove(copies) < 0)
		die_sys("cannot remove '%s'", copies);
	if (wisp_git(t, how, modified,
		     wisp_git_args("checkout-index", "-q", "-z", "--stdin", wisp_str("--prefix=%s/", copies))) != 0)
		t->partial = true;	/* it has said why */
	while ((name = wisp_git_next(modified, &at)) != NULL) {
		char *copy = wisp_str("%s/%s", copies, name), *own = wisp_str("%s/%s", t->top, name);

		if (same_file(copy, own))
			wisp_names_add(&same, name);
		free(copy);
		free(own);
	}
	wisp_names_join(&same, NULL);
	wisp_names_minus(left, &same);
	if (wisp_dir_remove(copies) < 0)
		die_sys("cannot remove '%s'", copies);
	wisp_buf_release(&same);
	free(copies);
}

void
wisp_tree_left(struct wisp_tree *t, int how, const char *untracked, struct wisp_buf *left)
{
	struct wisp_buf modified = WISP_BUF_INIT;
	const char *entry;
	size_t at = 0;

	wisp_git_must(t, how | WISP_GIT_PATIENT, NULL,
		      wisp_git_args("status", "--porcelain", "-z", "--no-renames", wisp_str("--untracked-files=%s", untracked),
				    "--ignore-submodules=dirty", "--", WISP_GIT_NO_WISP));
	while ((entry = wisp_git_next(&t->out, &at)) != NULL) {
		if (strlen(entry) < 4)
			continue;
		wisp_names_add(left, entry + 3);
		if (strncmp(entry, " M ", 3) == 0)
			wisp_names_add(&modified, entry + 3);
	}
	if (modified.len > 0 && has_attributes(t))
		drop_untouched(t, how, left, &modified);
	wisp_buf_release(&modified);
}

void
wisp_tree_links(struct wisp_tree *t, struct wisp_texts *links)
{
	const char *entry, *name;
	size_t at = 0;
	char *path;

	wisp_git_must(t, 0, NULL, wisp_git_args("ls-files", "-s", "-z"));
	while ((entry = wisp_git_next(&t->out, &at)) != NULL) {
		name = strchr(entry, '\t');
		if (strncmp(entry, "160000 ", 7) != 0 || name++ == NULL)
			continue;
		path = wisp_str("%s/%s/.git", t->top, name);
		if (wisp_file_exists(path))
			wisp_texts_add(links, wisp_strdup(name));
		free(path);
	}
}

void
wisp_tree_unhide(struct wisp_tree *t, bool assumed)
{
	struct wisp_buf names = WISP_BUF_INIT;
	const char *entry;
	size_t at = 0;

	if (wisp_git(t, WISP_GIT_KEEP, NULL, wisp_git_args("ls-files", "-v", "-z")) != 0)
		return; /* a torn index hides nothing */
	while ((entry = wisp_git_next(&t->out, &at)) != NULL)
		if (assumed ? islower((unsigned char)*entry) : toupper((unsigned char)*entry) == 'S')
			wisp_names_add(&names, entry + 2);
	if (names.len > 0)
		wisp_git_must(t, 0, &names,
			      wisp_git_args("update-index", assumed ? "--no-assume-unchanged" : "--no-skip-worktree", "-z",
					    "--stdin"));
	wisp_buf_release(&names);
}
