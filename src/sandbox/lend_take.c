/*
 * lend_take: see lend.h.
 */
#include "lend.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "lent.h"
#include "plan.h"

#define REFS_MAX ((size_t)16 << 20)	/* bytes of packed-refs */
#define ID_CHARS "0123456789abcdef"

static const char *
noted(const char *before, const char *name)
{
	char *path = wisp_str("%s/%s", before, name);
	struct wisp_buf text = WISP_BUF_INIT;

	if (wisp_file_read(path, WISP_LENT_REF_MAX, &text) < 0 || text.len == 0)
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

	if (!wisp_lent_is_file(path) || wisp_file_read(path, WISP_LENT_REF_MAX, &text) < 0 || text.len == 0)
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

/* What HEAD in a folder says: `ref: NAME`, or an id; "" for anything else. */
static const char *
head_in(const char *folder)
{
	char *path = wisp_str("%s/HEAD", folder), *line = wisp_lent_is_file(path) ? wisp_file_line(path, "") : NULL;

	free(path);
	return line != NULL ? line : "";
}

/* The commit that such a HEAD stands for, in a folder of references. */
static const char *
head_value(const char *folder, const char *head)
{
	if (strncmp(head, "ref: ", 5) == 0)
		return value(folder, packed_refs(folder), head + 5);
	return strspn(head, ID_CHARS) == strlen(head) ? head : "";
}

/* What the reference that is taken over is by now. */
static const char *
real_value(const struct wisp_lent_repo *r)
{
	return strcmp(r->ref, "HEAD") == 0 ? head_value(r->t->common, head_in(r->t->git))
					   : value(r->t->common, packed_refs(r->t->common), r->ref);
}

/* The work tree's own folder in the copy. */
static char *
copied_git(const struct wisp_lent_repo *r)
{
	return wisp_str("%s%s", r->copy, r->t->git + strlen(r->t->common));
}

/* References of a folder, some of them more than once: a loose one counts before a packed one. */
struct refs {
	struct ref {
		const char *name, *id;
		bool packed;
	} *list;
	size_t count;
};

static void
add_ref(struct refs *all, const char *name, const char *id, bool packed)
{
	if ((all->count & (all->count + 1)) == 0)
		all->list = wisp_realloc(all->list, 2 * all->count + 1, sizeof *all->list);
	all->list[all->count++] = (struct ref){name, id, packed};
}

/* All in files below FOLDER/NAME; links are none. */
static void
loose_refs(struct refs *all, const char *folder, const char *name)
{
	char *path = wisp_str("%s/%s", folder, name), **names;
	const char *id = id_in(path);
	size_t count, i;

	if (*id != '\0')
		add_ref(all, wisp_strdup(name), id, false);
	if (wisp_lent_is_folder(path) && wisp_dir_list(path, &names, &count) == 0) {
		for (i = 0; i < count; i++)
			loose_refs(all, folder, wisp_str("%s/%s", name, names[i]));
		wisp_dir_list_free(names, count);
	}
	free(path);
}

static void
packed_names(struct refs *all, const char *packed)
{
	size_t id, len;

	for (; *packed != '\0'; packed += len + (packed[len] == '\n')) {
		len = strcspn(packed, "\n");
		id = strspn(packed, ID_CHARS);
		if ((id == 40 || id == 64) && packed[id] == ' ')
			add_ref(all, wisp_str("%.*s", (int)(len - id - 1), packed + id + 1), wisp_str("%.*s", (int)id, packed), true);
	}
}

static int
by_name(const void *a, const void *b)
{
	const struct ref *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order != 0 ? order : x->packed - y->packed;
}

/* The id of a name in a sorted list, of which *i is moved behind it; "": it has none. */
static const char *
id_of(const struct refs *all, size_t *i, const char *name)
{
	const char *id = *i < all->count && strcmp(all->list[*i].name, name) == 0 ? all->list[*i].id : "";

	while (*i < all->count && strcmp(all->list[*i].name, name) == 0)
		(*i)++;
	return id;
}

/* Those that are not in the copy as they were; the one that is taken over is another matter. */
static void
find_others(const struct wisp_lent_repo *r, struct wisp_texts *others)
{
	const char *packed = packed_refs(r->before), *packed_now = packed_refs(r->copy), *name, *a, *b;
	struct refs was = {NULL, 0}, now = {NULL, 0};
	bool same = strcmp(packed, packed_now) == 0;
	size_t i = 0, k = 0;

	loose_refs(&was, r->before, "refs");
	loose_refs(&now, r->copy, "refs");
	/* git packs all or none: where the text is the same, so are they. */
	if (!same) {
		packed_names(&was, packed);
		packed_names(&now, packed_now);
	}
	if (was.count > 0)
		qsort(was.list, was.count, sizeof *was.list, by_name);
	if (now.count > 0)
		qsort(now.list, now.count, sizeof *now.list, by_name);
	while (i < was.count || k < now.count) {
		name = k == now.count || (i < was.count && strcmp(was.list[i].name, now.list[k].name) < 0) ? was.list[i].name
													   : now.list[k].name;
		a = id_of(&was, &i, name);
		b = id_of(&now, &k, name);
		if (same && (*a == '\0' || *b == '\0')) {
			a = value(r->before, packed, name);
			b = value(r->copy, packed, name);
		}
		if (strcmp(name, r->ref) != 0 && strcmp(a, b) != 0)
			wisp_texts_add(others, *r->name != '\0' ? wisp_str("%s: %s", r->name, name) : name);
	}
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
	same = wisp_file_read(before, WISP_LENT_REF_MAX, &was) == 0 && wisp_lent_is_file(path) && wisp_file_holds(path, was.data, was.len);
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
	return strcmp(noted(before, "inode"), wisp_lent_inode(t)) != 0 ? t->common : NULL;
}

/*
 * Where git reads the objects of the copy nothing but files and folders is left: it would wait at a pipe, and follow a link.
 * What lies deeper than it looks stays: it may be too deep for a path.
 */
static void
only_files(const char *folder, bool top)
{
	char **names, *path;
	size_t count, i;

	if (wisp_dir_list(folder, &names, &count) < 0)
		die_sys("cannot read '%s'", folder);
	for (i = 0; i < count; i++) {
		path = wisp_str("%s/%s", folder, names[i]);
		if (!wisp_lent_is_folder(path) && !wisp_lent_is_file(path) && unlink(path) < 0)
			die_sys("cannot remove '%s'", path);
		if (top && wisp_lent_is_folder(path))
			only_files(path, false);
		free(path);
	}
	wisp_dir_list_free(names, count);
}

/* What a step has made too large to be read is none of git's. */
static void
drop_large(const char *copy)
{
	char *path = wisp_str("%s/packed-refs", copy);
	struct stat st;

	if (wisp_lent_is_file(path) && lstat(path, &st) == 0 && (uintmax_t)st.st_size > REFS_MAX && unlink(path) < 0)
		die_sys("cannot remove '%s'", path);
	free(path);
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
	set("GIT_ALTERNATE_OBJECT_DIRECTORIES",
	    objects != NULL ? wisp_lent_quoted(wisp_str("%s/objects", t->common)) : NULL);
}

/* The objects of an index in which a merge is half done. False: it is none. */
static bool
add_unmerged(struct wisp_tree *t, struct wisp_buf *revs)
{
	bool unmerged = false;
	char *line, *end;

	if (wisp_git(t, WISP_GIT_TEMP | WISP_GIT_KEEP, NULL, wisp_git_args("ls-files", "-s")) != 0)
		return false;
	/* MODE OBJECT STAGE<tab>PATH */
	for (line = t->out.data; line != NULL && (end = strchr(line, '\n')) != NULL; line = end + 1) {
		size_t mode = strcspn(line, " "), object = strcspn(line + mode + 1, " ");

		unmerged = unmerged || line[mode + object + 2] != '0';
		if (strncmp(line, "160000", 6) != 0)
			wisp_buf_printf(revs, "%.*s\n", (int)object, line + mode + 1);
	}
	return unmerged;
}

/* Adds what the step's index, wisp.temp, has and the commit `was` has not. False: it says nothing of use. */
static bool
add_staged(struct wisp_tree *t, const char *was, struct wisp_buf *revs)
{
	const char *tree = wisp_git_line(t, WISP_GIT_TEMP | WISP_GIT_KEEP, wisp_git_args("write-tree", "--missing-ok"));

	if (*tree != '\0')
		wisp_buf_printf(revs, "%s\n", tree);
	else if (!add_unmerged(t, revs))
		return false;
	if (*was != '\0')
		wisp_buf_printf(revs, "^%s^{tree}\n", was);
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

/* A full disk is no fault of the step's: what it was lent stays, and is taken over once there is room. */
static const char *
of_step(const char *why)
{
	static const int full[] = {ENOSPC, EDQUOT, EIO};
	size_t i;

	for (i = 0; why != NULL && i < sizeof full / sizeof *full; i++)
		if (strstr(why, strerror(full[i])) != NULL) {
			warn("what the step committed cannot be stored: %s", why);
			wisp_exit(WISP_EXIT_SYS);
		}
	return why;
}

/* Is the index of the copy another one than that of the work tree? It becomes wisp.temp then. */
static bool
new_index(const struct wisp_lent_repo *r)
{
	char *from = wisp_str("%s/index", copied_git(r)), *mine = wisp_str("%s/index", r->t->git);
	struct wisp_buf text = WISP_BUF_INIT;
	char *temp = wisp_tree_file(r->t, "wisp.temp");
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
	char *temp = wisp_tree_file(t, "wisp.temp"), *index = wisp_str("%s/index", t->git), *lock = wisp_str("%s.lock", index);
	int fd = open(lock, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);

	/* A git of a user's may be at work there. */
	if (fd < 0)
		die_sys("cannot make '%s'", lock);
	(void)close(fd);
	if (wisp_file_move(temp, lock, WISP_NOSYNC) < 0 || wisp_file_move(lock, index, WISP_NOSYNC) < 0)
		die_sys("cannot write '%s'", index);
	free(lock);
	free(temp);
	free(index);
}

/* A step may have made a link of any folder on the way there. */
static bool
is_in(const char *to, const char *path)
{
	char *top = realpath(to, NULL), *real = realpath(path, NULL);
	bool yes = top != NULL && real != NULL && wisp_sandbox_below(real, top) &&
		   strcmp(real + strlen(top), path + strlen(to)) == 0;

	free(top);
	free(real);
	return yes && wisp_lent_is_folder(path);
}

/* False: it has another value by now. What git fails at after it has written it is the log alone. */
static bool
update(const struct wisp_lent_repo *r)
{
	if (wisp_git(r->t, WISP_GIT_KEEP, NULL,
		     wisp_git_args("update-ref", "--no-deref", "-m", "step", r->ref, r->now, r->was)) == 0 ||
	    strcmp(real_value(r), r->now) == 0)
		return true;
	if (strcmp(real_value(r), r->was) != 0)
		return false;
	warn("%s cannot become what the step committed: %s", r->ref, said(r->t));
	wisp_exit(WISP_EXIT_SYS);
}

/* Objects, then the reference, then the index: NULL, or why not. An index whose objects are not there stays what it was. */
static const char *
take_commits(const struct wisp_lent_repo *r, const char *to)
{
	const char *objects = wisp_str("%s/objects", r->copy), *info = wisp_str("%s/info", objects), *why = NULL;
	struct wisp_buf revs = WISP_BUF_INIT, staged = WISP_BUF_INIT;
	bool moved = strcmp(r->now, r->was) != 0, index = new_index(r);

	if (!moved && !index)
		return NULL;
	if (!is_in(to, objects))
		return "its objects are gone";
	if (rename(info, wisp_str("%s/wisp.%ld", objects, (long)getpid())) < 0 && errno != ENOENT)
		die_sys("cannot move '%s'", info);
	only_files(objects, true);
	wisp_buf_printf(&revs, "%s%s", moved ? r->now : "", moved ? "\n" : "");
	if (*r->was != '\0')
		wisp_buf_printf(&revs, "^%s\n", r->was);
	wisp_buf_add(&staged, revs.data, revs.len);
	use_objects(r->t, objects);
	index = index && add_staged(r->t, r->was, &staged);
	use_objects(r->t, NULL);
	index = index && of_step(move_objects(r->t, objects, &staged)) == NULL;
	if (moved && !index)
		why = of_step(move_objects(r->t, objects, &revs));
	if (why == NULL && moved && !update(r))
		why = said(r->t);
	if (why == NULL && index)
		take_index(r->t);
	wisp_buf_release(&revs);
	wisp_buf_release(&staged);
	return why;
}

/* It may have the new value: after a kill, its objects are there. */
static void
take_repository(struct wisp_lent_repo *r, const char *to, struct wisp_texts *others)
{
	find_others(r, others);
	if (strcmp(r->now, r->was) != 0 && strcmp(r->now, real_value(r)) == 0)
		r->was = r->now;
	if (is_in(to, wisp_str("%s/lfs", r->copy)))
		wisp_lent_lfs(r);
	if (*r->now != '\0') {
		r->why = take_commits(r, to);
		(void)unlink(wisp_tree_file(r->t, "wisp.temp"));
	} else if (*r->was != '\0') {
		r->why = "it was removed";
	}
}

/* Is a branch checked out in another work tree? It may move meanwhile; what is wisp's own, too. */
static bool
is_anothers(const struct wisp_tree *t, const char *ref)
{
	char *folder = wisp_str("%s/worktrees", t->common), **names;
	bool yes = strncmp(ref, "refs/wisp/", 10) == 0;
	const char *head;
	size_t count, i;

	if (wisp_dir_list(folder, &names, &count) < 0)
		return yes;
	for (i = 0; i < count && !yes; i++) {
		head = head_in(wisp_str("%s/%s", folder, names[i]));
		yes = strncmp(head, "ref: ", 5) == 0 && strcmp(head + 5, ref) == 0;
	}
	wisp_dir_list_free(names, count);
	free(folder);
	return yes;
}

/* A step that had the git folder itself: those that it made first, since they may be in the way of others. */
static void
put_back(const struct wisp_lent_repo *r, struct wisp_texts *others)
{
	const char *packed = packed_refs(r->before), *was;
	size_t i, n = 0;
	int pass;

	for (i = 0; i < others->count; i++)
		if (!is_anothers(r->t, others->list[i]))
			others->list[n++] = others->list[i];
	others->count = n;
	for (pass = 0; pass < 2; pass++)
		for (i = 0; i < n; i++) {
			was = value(r->before, packed, others->list[i]);
			if (pass == (*was != '\0') &&
			    wisp_git(r->t, WISP_GIT_KEEP, NULL,
				     *was == '\0' ? wisp_git_args("update-ref", "--no-deref", "-d", others->list[i])
						  : wisp_git_args("update-ref", "--no-deref", "-m", "wisp: put back",
								  others->list[i], was)) != 0)
				warn("%s is not as it was: %s", others->list[i], said(r->t));
		}
}

/* Where it was on a branch and is there still, that branch; else its HEAD is what is its own, and becomes detached. */
static void
take_module(struct wisp_lent_repo *m, const char *to, struct wisp_texts *others)
{
	const char *was = head_in(m->before), *now = head_in(copied_git(m));

	drop_large(m->copy);
	m->ref = strcmp(was, now) == 0 && strncmp(now, "ref: ", 5) == 0 ? now + 5 : "HEAD";
	m->was = head_value(m->before, was);
	m->now = head_value(m->copy, now);
	take_repository(m, to, others);
}

/* One that the step has removed is none. */
static struct wisp_lent_repo *
find_module(const struct wisp_lent *l, const struct wisp_tree *t, const char *top, const char *before)
{
	struct wisp_tree *module = wisp_alloc(1, sizeof *module);
	struct wisp_lent_repo *m = wisp_alloc(1, sizeof *m);
	const char *tampered;

	*module = (struct wisp_tree){.top = noted(before, "top"), .git = noted(before, "git"), .common = noted(before, "common"),
				     .patience = t->patience};
	*m = (struct wisp_lent_repo){.t = module, .name = module->top + strlen(top) + 1, .before = before,
				     .copy = wisp_str("%s/git%s", l->to, module->common + strlen(t->common))};
	if (!wisp_file_exists(wisp_str("%s/.git", module->top)))
		return NULL;
	tampered = find_tampered(module, before);
	if (tampered != NULL)
		m->why = wisp_str("'%s' is not what it was", tampered);
	return m;
}

void
wisp_lend_take(struct wisp_tree *t, struct wisp_lent *l)
{
	char *before = wisp_str("%s/before", l->to), *folder = wisp_str("%s/modules", l->to), **names;
	struct wisp_lent_repo own = {.t = t, .name = "", .copy = wisp_str("%s/git", l->to), .before = before,
				     .ref = wisp_str("refs/heads/%s", l->branch)}, **modules;
	size_t count = 0, i;

	wisp_lend_lead(l->to, false);
	t->git = noted(before, "git");
	t->common = noted(before, "common");
	if (!wisp_lent_is_folder(own.copy))
		own.copy = t->common;
	l->tampered = find_tampered(t, before);
	l->was = l->now = own.was = value(before, packed_refs(before), own.ref);
	if (l->tampered != NULL)
		return;
	if (own.copy != t->common)
		drop_large(own.copy);
	own.now = value(own.copy, packed_refs(own.copy), own.ref);
	/* All are looked at before the first git is started. */
	if (wisp_dir_list(folder, &names, &count) < 0)
		count = 0;
	modules = wisp_alloc(count + 1, sizeof *modules);
	for (i = 0; i < count; i++)
		modules[i] = find_module(l, t, noted(before, "top"), wisp_str("%s/%s", folder, names[i]));
	t->persons = t->persons || strcmp(t->git, t->common) == 0;
	wisp_tree_unlock(t, l->branch);
	/* What a commit of the project's says of them is there before it. */
	for (i = 0; i < count; i++) {
		if (modules[i] == NULL)
			continue;
		if (modules[i]->why == NULL)
			take_module(modules[i], l->to, &l->others);
		if (modules[i]->why != NULL)
			wisp_texts_add(&l->modules, wisp_str("%s: %s", modules[i]->name, modules[i]->why));
	}
	if (own.copy == t->common) {
		find_others(&own, &l->others);
		put_back(&own, &l->others);
		l->now = own.now;
		return;
	}
	take_repository(&own, l->to, &l->others);
	l->was = own.was;
	l->why = own.why;
	if (l->why == NULL)
		l->now = own.now;
}
