/*
 * checkpoint: what was observed as a commit under refs/wisp/checkpoints, and pruning.
 *
 * The commit and its ref are written as git would, object first, each synced before it gets its name. git does it where
 * anything is unusual: the repository's own configuration is in force, or it says who may read objects or that each ref has
 * a log; the refs are in a reftable; the tree is in a pack.
 */
#include "tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/file.h"
#include "object.h"

#define CONFIG_MAX ((size_t)1 << 20)

static bool
is_there(const char *folder, const char *name)
{
	char *path = wisp_str("%s/%s", folder, name);
	bool yes = wisp_file_exists(path);

	free(path);
	return yes;
}

bool
wisp_tree_has_loose(const struct wisp_tree *t, const char *id)
{
	char *name = wisp_str("objects/%.2s/%s", id, id + 2);
	bool yes = is_there(t->common, name);

	free(name);
	return yes;
}

/* Does one of the copies of the configuration say anything of how objects and refs are written? */
static bool
is_configured(const struct wisp_tree *t)
{
	static const char *const files[] = {"common/config", "global", "system"};
	static const char *const words[] = {"sharedrepository", "compatobjectformat", "refstorage",
					    "logallrefupdates = \"always\""};
	struct wisp_buf b = WISP_BUF_INIT;
	bool yes = false;
	char *path;

	for (size_t i = 0; i < sizeof files / sizeof *files && !yes; i++) {
		path = wisp_str("%s/%s", t->known, files[i]);
		wisp_buf_reset(&b);
		yes = wisp_file_read(path, CONFIG_MAX, &b) < 0;
		for (size_t w = 0; w < sizeof words / sizeof *words && !yes; w++)
			yes = strcasestr(b.data, words[w]) != NULL;
		free(path);
	}
	wisp_buf_release(&b);
	return yes;
}

static bool
is_plain(const struct wisp_tree *t, const char *tree)
{
	return t->known != NULL && getenv("GIT_AUTHOR_DATE") == NULL && getenv("GIT_COMMITTER_DATE") == NULL &&
	       getenv("GIT_CONFIG_COUNT") == NULL && getenv("GIT_CONFIG_PARAMETERS") == NULL &&
	       !is_there(t->common, "reftable") && !is_there(t->common, "logs/refs/wisp") && !is_configured(t) &&
	       wisp_tree_has_loose(t, tree);
}

/* A new file, visible once it is whole and on the disk. */
static bool
write_new(const char *temp, const char *path, mode_t mode, const void *data, size_t len)
{
	int fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	bool good;

	if (fd < 0)
		return false;
	good = wisp_fd_write(fd, data, len) == 0 && fsync(fd) == 0;
	good = close(fd) == 0 && good && rename(temp, path) == 0;
	if (!good)
		(void)unlink(temp);
	return good;
}

static bool
write_object(const struct wisp_tree *t, const char *id, const struct wisp_buf *file)
{
	char *path, *temp, *folder;
	bool good;

	if (wisp_tree_has_loose(t, id))
		return true;
	folder = wisp_str("%s/objects/%.2s", t->common, id);
	path = wisp_str("%s/%s", folder, id + 2);
	temp = wisp_str("%s/tmp_obj_wisp%ld", folder, (long)getpid()); /* git's housekeeping removes such a one */
	good = (mkdir(folder, 0777) == 0 || errno == EEXIST) && write_new(temp, path, 0444, file->data, file->len);
	free(folder);
	free(path);
	free(temp);
	return good;
}

/* The commit written here; NULL where that is git's. */
static const char *
commit_plain(const struct wisp_tree *t, const char *tree, const char *text, const char *const *parents)
{
	struct wisp_buf body = WISP_BUF_INIT, file = WISP_BUF_INIT;
	char zone[8], *id = wisp_alloc(1, WISP_HASH_SIZE);
	time_t now = time(NULL);
	struct tm tm;

	if (localtime_r(&now, &tm) == NULL || strftime(zone, sizeof zone, "%z", &tm) != 5)
		return NULL;
	wisp_buf_printf(&body, "tree %s\n", tree);
	while (*parents != NULL)
		wisp_buf_printf(&body, "parent %s\n", *parents++);
	wisp_buf_printf(&body,
			"author wisp <wisp@localhost> %lld %s\n"
			"committer wisp <wisp@localhost> %lld %s\n"
			"\n"
			"%s\n",
			(long long)now, zone, (long long)now, zone, text);
	wisp_object_commit(&body, strlen(tree) == 64, id, &file);
	if (!write_object(t, id, &file))
		id = NULL;
	wisp_buf_release(&body);
	wisp_buf_release(&file);
	return id;
}

static const char *
commit_by_git(struct wisp_tree *t, const char *tree, const char *text, const char *const *parents)
{
	struct wisp_texts args = {0};
	const char *id;

	wisp_texts_add(&args, "commit-tree");
	wisp_texts_add(&args, "-m");
	wisp_texts_add(&args, text);
	for (; *parents != NULL; parents++) {
		wisp_texts_add(&args, "-p");
		wisp_texts_add(&args, *parents);
	}
	wisp_texts_add(&args, tree);
	wisp_texts_add(&args, NULL);
	id = wisp_git_line(t, WISP_GIT_WARM | WISP_GIT_WISP, args.list);
	if (*id == '\0')
		wisp_exit(WISP_EXIT_SYS);
	free(args.list);
	return id;
}

/*
 * Makes the folders of a ref, as git would. One of digits alone (issue/0042) could be a packed checkpoint of another
 * branch: there git has to look.
 */
static bool
make_folders(const struct wisp_tree *t, const char *ref)
{
	char *path = wisp_str("%s/%s", t->common, ref), *slash = path + strlen(t->common);
	struct stat st;
	bool good = true;

	while (good && (slash = strchr(slash + 1, '/')) != NULL) {
		*slash = '\0';
		good = stat(path, &st) == 0
			       ? S_ISDIR(st.st_mode)
			       : strspn(strrchr(path, '/') + 1, "0123456789") < strlen(strrchr(path, '/') + 1) &&
					 mkdir(path, 0777) == 0;
		*slash = '/';
	}
	free(path);
	return good;
}

static bool
ref_plain(const struct wisp_tree *t, const char *ref, const char *id)
{
	char *path = wisp_str("%s/%s", t->common, ref), *lock = wisp_str("%s.lock", path), *line = wisp_str("%s\n", id);
	bool good = make_folders(t, ref) && write_new(lock, path, 0666, line, strlen(line));

	free(path);
	free(lock);
	free(line);
	return good;
}

const char *
wisp_tree_store(struct wisp_tree *t, const char *ref, const char *tree, const char *text, const char *const *parents)
{
	bool plain = is_plain(t, tree);
	const char *id = plain ? commit_plain(t, tree, text, parents) : NULL;

	if (id == NULL)
		id = commit_by_git(t, tree, text, parents);
	if (!plain || !ref_plain(t, ref, id))
		wisp_git_must(t, WISP_GIT_WISP, NULL, wisp_git_args("update-ref", "--no-deref", ref, id));
	return id;
}

const char *
wisp_tree_store_staged(struct wisp_tree *t, const char *staged)
{
	const char *id = wisp_git_line(
		t, WISP_GIT_WARM | WISP_GIT_WISP,
		wisp_git_args("commit-tree", "-m", "wisp: what was staged", "-p", t->head, staged));

	if (*id == '\0')
		wisp_exit(WISP_EXIT_SYS);
	return id;
}

/* A folder's name on a line of its own. */
static void
put_nested(struct wisp_buf *text, const char *name)
{
	wisp_buf_puts(text, "\nWisp-Nested: ");
	for (; *name != '\0'; name++)
		if (*name == '%' || *name == '\n')
			wisp_buf_printf(text, "%%%02X", *name);
		else
			wisp_buf_putc(text, *name);
}

const char *
wisp_tree_checkpoint(struct wisp_tree *t, const char *branch, long long n, const char *session,
		     const struct wisp_texts *lines)
{
	const char *parents[3] = {NULL}, *id, *staged;
	char *ref = wisp_str("refs/wisp/checkpoints/%s/%04lld", branch, n);
	struct wisp_buf text = WISP_BUF_INIT;

	wisp_buf_printf(&text, "wisp checkpoint %s/%lld\n\nWisp-Step: %s/%lld", branch, n, session, n);
	for (size_t i = 0; i < t->nested.count; i++)
		put_nested(&text, t->nested.list[i]);
	for (size_t i = 0; i < lines->count; i++)
		wisp_buf_printf(&text, "\n%s", lines->list[i]);
	if (*t->head != '\0') {
		parents[0] = t->head;
		staged = wisp_tree_staged(t);
		if (*staged != '\0')
			parents[1] = wisp_tree_store_staged(t, staged);
	}
	id = wisp_tree_store(t, ref, t->tree, text.data, parents);
	wisp_buf_release(&text);
	free(ref);
	return id;
}

/* Are there more loose ones of a kind than are kept? */
static bool
has_more(const struct wisp_tree *t, const char *kind, const char *branch, long long keep)
{
	char *folder = wisp_str("%s/refs/wisp/%s/%s", t->common, kind, branch), **names;
	bool first = strcmp(kind, "checkpoints") == 0;
	long long more = 0;
	size_t count;

	(void)!wisp_dir_list(folder, &names, &count);
	for (size_t i = 0; i < count; i++)
		if (*names[i] >= '0' && *names[i] <= '9' && !(first && strcmp(names[i], "0000") == 0))
			more++;
	wisp_dir_list_free(names, count);
	free(folder);
	return more > keep;
}

void
wisp_tree_prune(struct wisp_tree *t, const char *branch, long long keep)
{
	static const char *const kinds[] = {"checkpoints", "failed"};
	struct wisp_buf list = WISP_BUF_INIT, gone = WISP_BUF_INIT;
	char *prefix[2], *first, *ref, *rest;
	long long seen[2] = {0, 0};

	if (!is_there(t->common, "reftable") && !has_more(t, kinds[0], branch, keep) &&
	    !has_more(t, kinds[1], branch, keep))
		return;
	for (int i = 0; i < 2; i++)
		prefix[i] = wisp_str("refs/wisp/%s/%s/", kinds[i], branch);
	first = wisp_str("%s0000", prefix[0]);
	wisp_git_must(
		t, 0, NULL,
		wisp_git_args("for-each-ref", "--sort=-version:refname", "--format=%(refname)", prefix[0], prefix[1]));
	wisp_buf_add(&list, t->out.data, t->out.len);
	for (ref = list.len > 0 ? strtok_r(list.data, "\n", &rest) : NULL; ref != NULL;
	     ref = strtok_r(NULL, "\n", &rest))
		for (int i = 0; i < 2; i++)
			if (strncmp(ref, prefix[i], strlen(prefix[i])) == 0 && strcmp(ref, first) != 0 &&
			    ++seen[i] > keep) {
				wisp_buf_printf(&gone, "delete %s", ref);
				wisp_buf_add(&gone, "\0", 2);
			}
	if (gone.len > 0)
		wisp_git_must(t, 0, &gone, wisp_git_args("update-ref", "--no-deref", "--stdin", "-z"));
	wisp_buf_release(&gone);
	wisp_buf_release(&list);
}

void
wisp_tree_drop(struct wisp_tree *t, const char *branch)
{
	struct wisp_buf gone = WISP_BUF_INIT;
	char *ref, *rest, *path, **names;
	size_t count;

	wisp_tree_unlock(t, branch);
	wisp_git_must(t, 0, NULL,
		      wisp_git_args("for-each-ref", "--format=%(refname)", wisp_str("refs/wisp/*/%s/*", branch)));
	for (ref = strtok_r(t->out.data, "\n", &rest); ref != NULL; ref = strtok_r(NULL, "\n", &rest)) {
		wisp_buf_printf(&gone, "delete %s", ref);
		wisp_buf_add(&gone, "\0", 2);
	}
	if (gone.len > 0)
		wisp_git_must(t, 0, &gone, wisp_git_args("update-ref", "--no-deref", "--stdin", "-z"));
	wisp_buf_release(&gone);
	(void)!wisp_dir_list(t->git, &names, &count);
	for (size_t i = 0; i < count; i++) {
		path = wisp_tree_file(t, names[i]);
		if (strncmp(names[i], "wisp.", 5) == 0 && wisp_dir_remove(path) < 0)
			die_sys("cannot remove '%s'", path);
		free(path);
	}
	wisp_dir_list_free(names, count);
}
