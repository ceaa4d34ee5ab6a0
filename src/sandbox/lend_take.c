/*
 * lend_take: see lend.h.
 */
#include "lend.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "lent.h"

#define REFS_MAX ((size_t)16 << 20)	/* bytes of packed-refs */
#define REF_MAX 4096			/* bytes of the file of a reference */
#define ID_CHARS "0123456789abcdef"

static const char *
noted(const char *before, const char *name)
{
	char *path = wisp_str("%s/%s", before, name);
	struct wisp_buf text = WISP_BUF_INIT;

	if (wisp_file_read(path, REF_MAX, &text) < 0 || text.len == 0)
		die_sys("cannot read '%s'", path);
	free(path);
	return wisp_buf_detach(&text);
}

/* --- references, as data ------------------------------------------------------- */

/* A file of an id and a line end: the id, "" for anything else. */
static const char *
id_in(const char *path)
{
	struct wisp_buf text = WISP_BUF_INIT;
	size_t len;

	if (!wisp_lent_is_file(path) || wisp_file_read(path, REF_MAX, &text) < 0 || text.len == 0)
		return "";
	len = strspn(text.data, ID_CHARS);
	if ((len != 40 && len != 64) || strcmp(text.data + len, "\n") != 0)
		return "";
	text.data[len] = '\0';
	return wisp_buf_detach(&text);
}

/* The line of a reference in the text of packed-refs, `ID NAME`, or NULL. */
static const char *
packed_line(const char *text, const char *ref)
{
	const char *end;
	size_t len = strlen(ref);

	for (; text != NULL && *text != '\0'; text = end != NULL ? end + 1 : NULL) {
		size_t id = strspn(text, ID_CHARS);

		end = strchr(text, '\n');
		if ((id == 40 || id == 64) && text[id] == ' ' && strncmp(text + id + 1, ref, len) == 0 &&
		    text[id + 1 + len] == '\n')
			return text;
	}
	return NULL;
}

static const char *
packed_refs(const char *folder)
{
	struct wisp_buf text = WISP_BUF_INIT;
	char *path = wisp_str("%s/packed-refs", folder);

	if (wisp_lent_is_file(path) && wisp_file_read(path, REFS_MAX, &text) < 0)
		die_sys("cannot read '%s'", path);
	free(path);
	return wisp_buf_detach(&text);
}

/* Its value in a folder of references, whose packed-refs are given; "": there is none. */
static const char *
value(const char *folder, const char *packed, const char *ref)
{
	const char *id = id_in(wisp_str("%s/%s", folder, ref)), *line;

	if (*id != '\0')
		return id;
	line = packed_line(packed, ref);
	return line != NULL ? wisp_str("%.*s", (int)strspn(line, ID_CHARS), line) : "";
}

static void
add_ref(struct wisp_texts *list, const char *ref)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		if (strcmp(list->list[i], ref) == 0)
			return;
	wisp_texts_add(list, wisp_strdup(ref));
}

/* All references in files below FOLDER/NAME; links are none. */
static void
loose_refs(struct wisp_texts *list, const char *folder, const char *name)
{
	char *path = wisp_str("%s/%s", folder, name), **names;
	size_t count, i;

	if (wisp_lent_is_file(path))
		add_ref(list, name);
	if (wisp_lent_is_folder(path) && wisp_dir_list(path, &names, &count) == 0) {
		for (i = 0; i < count; i++)
			loose_refs(list, folder, wisp_str("%s/%s", name, names[i]));
		wisp_dir_list_free(names, count);
	}
	free(path);
}

static void
packed_names(struct wisp_texts *list, const char *packed)
{
	size_t id, len;

	for (; *packed != '\0'; packed += len + (packed[len] == '\n')) {
		len = strcspn(packed, "\n");
		id = strspn(packed, ID_CHARS);
		if ((id == 40 || id == 64) && packed[id] == ' ')
			add_ref(list, wisp_str("%.*s", (int)(len - id - 1), packed + id + 1));
	}
}

/* Those that are not in the copy as they were; the session's own is another matter. */
static void
find_others(struct wisp_lent *l, const char *ref, const char *before, const char *git)
{
	const char *was = packed_refs(before), *now = packed_refs(git);
	struct wisp_texts all = {NULL, 0};
	size_t i;

	loose_refs(&all, before, "refs");
	loose_refs(&all, git, "refs");
	/* git packs all or none: where the text is the same, so are they. */
	if (strcmp(was, now) != 0) {
		packed_names(&all, was);
		packed_names(&all, now);
	}
	for (i = 0; i < all.count; i++)
		if (strcmp(all.list[i], ref) != 0 && strcmp(value(before, was, all.list[i]), value(git, now, all.list[i])) != 0)
			wisp_texts_add(&l->others, all.list[i]);
}

/* --- taking over --------------------------------------------------------------- */

/* Is the file what it was? Both missing is the same, too. */
static bool
unchanged(const char *path, const char *before)
{
	struct wisp_buf was = WISP_BUF_INIT;
	struct stat st;
	bool same;

	if (lstat(before, &st) < 0)
		return lstat(path, &st) < 0 || S_ISDIR(st.st_mode);
	same = wisp_file_read(before, REF_MAX, &was) == 0 && wisp_lent_is_file(path) && wisp_file_holds(path, was.data, was.len);
	wisp_buf_release(&was);
	return same;
}

static const char *
find_tampered(const struct wisp_tree *t, const char *before)
{
	const struct { const char *folder, *name, *kept; } files[] = {
		{t->top, ".git", "gitfile"}, {t->git, "commondir", "commondir"}, {t->git, "gitdir", "gitdir"},
	};
	size_t i;

	for (i = 0; i < 3; i++) {
		char *path = wisp_str("%s/%s", files[i].folder, files[i].name);

		if (!unchanged(path, wisp_str("%s/%s", before, files[i].kept)))
			return path;
		free(path);
	}
	return NULL;
}

/* Of the objects of the copy nothing but files and folders is left: git would wait at a pipe, and follow a link. */
static void
only_files(const char *folder)
{
	char **names, *path;
	size_t count, i;

	if (wisp_dir_list(folder, &names, &count) < 0)
		die_sys("cannot read '%s'", folder);
	for (i = 0; i < count; i++) {
		path = wisp_str("%s/%s", folder, names[i]);
		if (wisp_lent_is_folder(path))
			only_files(path);
		else if (!wisp_lent_is_file(path) && unlink(path) < 0)
			die_sys("cannot remove '%s'", path);
		free(path);
	}
	wisp_dir_list_free(names, count);
}

static void
set(const char *name, const char *value)
{
	if ((value != NULL ? setenv(name, value, 1) : unsetenv(name)) < 0)
		die_sys("cannot set %s", name);
}

/* What git said, on one line. */
static const char *
said(const struct wisp_tree *t)
{
	struct wisp_buf line = WISP_BUF_INIT;

	wisp_buf_line(&line, t->said.data != NULL ? t->said.data : "", 300);
	return wisp_buf_detach(&line);
}

/* The objects of the copy, beside those of the repository; NULL: those of the repository alone. */
static void
use_objects(const struct wisp_tree *t, const char *objects)
{
	set("GIT_OBJECT_DIRECTORY", objects);
	set("GIT_ALTERNATE_OBJECT_DIRECTORIES", objects != NULL ? wisp_str("%s/objects", t->common) : NULL);
}

/* Adds the objects that the step's index, which is wisp.temp, has and the commit has not. */
static bool
staged_objects(struct wisp_tree *t, const char *commit, struct wisp_buf *revs)
{
	const char *name;
	size_t at = 0, skip;
	bool path = false;

	if (*commit == '\0' || wisp_git(t, WISP_GIT_TEMP | WISP_GIT_KEEP, NULL,
					 wisp_git_args("diff-index", "--cached", "--raw", "--no-abbrev", "--no-renames", "-z", commit)) != 0)
		return false;
	/* `:MODE MODE ID ID STATUS`, then the name. */
	for (; (name = wisp_git_next(&t->out, &at)) != NULL; path = !path) {
		if (path || *name != ':')
			continue;
		skip = strcspn(name, " ") + 1;
		if (strncmp(name + skip, "160000", 6) == 0 || strncmp(name + skip, "000000", 6) == 0)
			continue;
		name += skip + 7;
		name += strcspn(name, " ") + 1;
		wisp_buf_printf(revs, "%.*s\n", (int)strspn(name, ID_CHARS), name);
	}
	return true;
}

/* What `revs` says, out of the copy into the repository. git reads both, by the repository's own configuration. NULL, or why not. */
static const char *
move_objects(struct wisp_tree *t, const char *objects, const struct wisp_buf *revs)
{
	struct wisp_buf pack = WISP_BUF_INIT;
	const char *why = NULL;
	int rc;

	use_objects(t, objects);
	rc = wisp_git(t, WISP_GIT_KEEP, revs, wisp_git_args("pack-objects", "--quiet", "--revs", "--stdout"));
	use_objects(t, NULL);
	if (rc != 0)
		return said(t);
	wisp_buf_add(&pack, t->out.data, t->out.len);
	if (wisp_git(t, WISP_GIT_KEEP, &pack, wisp_git_args("index-pack", "--stdin", "--strict", "--fix-thin")) != 0)
		why = said(t);
	wisp_buf_release(&pack);
	return why;
}

/* Is the index of the copy another one than that of the work tree? It becomes wisp.temp then. */
static bool
new_index(const struct wisp_tree *t, const char *git)
{
	char *from = wisp_str("%s%s/index", git, t->git + strlen(t->common)), *mine = wisp_str("%s/index", t->git);
	struct wisp_buf text = WISP_BUF_INIT;
	char *temp = wisp_tree_file(t, "wisp.temp");
	bool is_new = wisp_lent_is_file(from) && wisp_file_read(from, WISP_FILE_MAX, &text) == 0 && text.len > 0 &&
		      !wisp_file_holds(mine, text.data, text.len);

	if (is_new && wisp_file_write(temp, text.data, text.len, WISP_NOSYNC) < 0)
		die_sys("cannot write '%s'", temp);
	wisp_buf_release(&text);
	free(from);
	free(mine);
	free(temp);
	return is_new;
}

static void
take_index(const struct wisp_tree *t)
{
	char *temp = wisp_tree_file(t, "wisp.temp"), *index = wisp_str("%s/index", t->git);

	if (wisp_file_move(temp, index, WISP_NOSYNC) < 0)
		die_sys("cannot write '%s'", index);
	free(temp);
	free(index);
}

/* Objects, then the branch, then the index: NULL, or why not. An index whose objects are not there stays what it was. */
static const char *
take_branch(struct wisp_tree *t, const struct wisp_lent *l, const char *git, const char *ref, const char *now)
{
	const char *objects = wisp_str("%s/objects", git), *info = wisp_str("%s/info", objects), *why = NULL;
	struct wisp_buf revs = WISP_BUF_INIT, staged = WISP_BUF_INIT;
	bool moved = strcmp(now, l->was) != 0, index = new_index(t, git);

	if (!moved && !index)
		return NULL;
	if (!wisp_lent_is_folder(objects))
		return "its objects are gone";
	if (wisp_dir_remove(info) < 0)
		die_sys("cannot remove '%s'", info);
	only_files(objects);
	wisp_buf_printf(&revs, "%s%s", moved ? now : "", moved ? "\n" : "");
	if (*l->was != '\0')
		wisp_buf_printf(&revs, "^%s\n", l->was);
	use_objects(t, objects);
	index = index && staged_objects(t, now, &staged);
	use_objects(t, NULL);
	if (index && staged.len > 0) {
		wisp_buf_add(&staged, revs.data, revs.len);
		index = move_objects(t, objects, &staged) == NULL;
	}
	if (moved && !(index && staged.len > 0))
		why = move_objects(t, objects, &revs);
	if (why == NULL && moved &&
	    wisp_git(t, WISP_GIT_KEEP, NULL, wisp_git_args("update-ref", "-m", "step", ref, now, l->was)) != 0)
		why = said(t);
	if (why == NULL && index)
		take_index(t);
	wisp_buf_release(&revs);
	wisp_buf_release(&staged);
	return why;
}

void
wisp_lend_take(struct wisp_tree *t, struct wisp_lent *l)
{
	char *git = wisp_str("%s/git", l->to), *before = wisp_str("%s/before", l->to);
	char *ref = wisp_str("refs/heads/%s", l->branch);
	const char *now;

	t->git = noted(before, "git");
	t->common = noted(before, "common");
	l->tampered = find_tampered(t, before);
	l->was = l->now = value(before, packed_refs(before), ref);
	if (l->tampered != NULL)
		return;
	now = value(git, packed_refs(git), ref);
	find_others(l, ref, before, git);
	/* A kill after the reference was written: its objects are there. */
	if (strcmp(now, l->was) != 0 && strcmp(now, value(t->common, packed_refs(t->common), ref)) == 0)
		l->was = now;
	if (*now != '\0')
		l->why = take_branch(t, l, git, ref, now);
	else if (*l->was != '\0')
		l->why = "it was removed";
	if (l->why == NULL)
		l->now = now;
}
