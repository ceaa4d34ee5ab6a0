/*
 * known: git's configuration as a person left it, which lib/git-known.bash has git read in place of what an agent may
 * have written since.
 *
 * It lies in a folder, DIR, whose files are replaced one by one; `entries`, by which a change is known, is the last.
 *
 *	DIR/entries			`SCOPE KEY\nVALUE` and a NUL for each entry, as git has listed them
 *	DIR/system, global, config	the same as configuration files
 *	DIR/common/			a common folder of links to the repository's own, but for its `config`
 */
#include "verb.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Git runs what these keys say, sends to where they say, or needs what another such key says. */
static const char *const programs[] = {
	"filter.*.clean", "filter.*.smudge", "filter.*.process", "filter.*.required", "diff.external", "diff.*.command",
	"diff.*.textconv", "merge.*.driver", "core.fsmonitor", "core.hookspath", "core.sshcommand", "core.gitproxy",
	"core.askpass", "core.editor", "core.pager", "core.alternaterefscommand", "sequence.editor", "pager.*", "gpg.program",
	"gpg.*.program", "gpg.*defaultkeycommand", "credential.helper", "credential.*.helper", "remote.*.uploadpack",
	"remote.*.receivepack", "remote.*.vcs", "remote.*.proxy", "url.*.insteadof", "url.*.pushinsteadof",
	"submodule.*.update", "protocol.*allow", "uploadpack.packobjectshook", "gc.recentobjectshook",
	"interactive.difffilter", "trailer.*.command", "trailer.*.cmd", "tar.*.command", "hook.*.command", "http.*proxy",
	"http.*sslverify", "http.*sslcainfo", "http.*sslcapath", "http.*curloptresolve", "lfs.customtransfer.*",
	"lfs.extension.*", "lfs.standalonetransferagent", "lfs.*url",
};

static const char *const linked[] = {
	"HEAD", "index", "objects", "refs", "reftable", "logs", "packed-refs", "info", "shallow", "worktrees", "modules",
	"hooks", "lfs", "rr-cache", "remotes", "branches",
};

/* `SCOPE KEY\nVALUE`, or without the line end where the key has no value. */
static char *
key_of(const char *entry)
{
	const char *key = strchr(entry, ' ') + 1;

	return wisp_str("%.*s", (int)strcspn(key, "\n"), key);
}

static bool
runs(const char *entry)
{
	char *key = key_of(entry);
	bool yes = false;

	for (size_t i = 0; !yes && i < sizeof programs / sizeof *programs; i++)
		yes = fnmatch(programs[i], key, 0) == 0;
	free(key);
	return yes;
}

static bool
among(const char *entry, const struct wisp_texts *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->list[i], entry) == 0)
			return true;
	return false;
}

static bool
same(const struct wisp_texts *a, const struct wisp_texts *b)
{
	for (size_t i = 0; i < a->count && i < b->count; i++)
		if (strcmp(a->list[i], b->list[i]) != 0)
			return false;
	return a->count == b->count;
}

/* What `git config --list -z` has written: a scope and an entry, each with a NUL, or entries alone, which are local. */
static void
read_listed(const char *path, bool scoped, struct wisp_texts *out)
{
	struct wisp_buf text = WISP_BUF_INIT;
	const char *scope = "local", *at, *end;

	if (wisp_file_read(path, WISP_FILE_MAX, &text) != 0)
		die_sys("cannot read '%s'", path);
	for (at = text.data, end = at + text.len; at != NULL && at < end; at += strlen(at) + 1) {
		if (scoped) {
			scope = at;
			at += strlen(at) + 1;
		}
		if (at < end)
			wisp_texts_add(out, wisp_str("%s %s", scope, at));
	}
	wisp_buf_release(&text);
}

static void
read_entries(const char *path, struct wisp_texts *out)
{
	struct wisp_buf text = WISP_BUF_INIT;
	const char *at;

	if (wisp_file_read(path, WISP_FILE_MAX, &text) != 0 && errno != ENOENT)
		die_sys("cannot read '%s'", path);
	for (at = text.data; at != NULL && at < text.data + text.len; at += strlen(at) + 1)
		if (strchr(at, ' ') != NULL)
			wisp_texts_add(out, wisp_strdup(at));
	wisp_buf_release(&text);
}

static void
put_quoted(struct wisp_buf *out, const char *text, size_t len)
{
	wisp_buf_putc(out, '"');
	for (size_t i = 0; i < len; i++)
		if (text[i] == '\n') {
			wisp_buf_puts(out, "\\n");
		} else {
			if (text[i] == '\\' || text[i] == '"')
				wisp_buf_putc(out, '\\');
			wisp_buf_putc(out, text[i]);
		}
	wisp_buf_putc(out, '"');
}

/* What included files say is among the entries; the configuration of a work tree of its own is an agent's. */
static bool
is_left_out(const char *key)
{
	return strcmp(key, "include.path") == 0 || fnmatch("includeif.*.path", key, 0) == 0 ||
	       strcmp(key, "extensions.worktreeconfig") == 0;
}

static void
print_entry(struct wisp_buf *out, const char *entry)
{
	char *key = key_of(entry), *dot = strchr(key, '.'), *last = strrchr(key, '.');
	const char *value = strchr(entry, '\n');

	if (!is_left_out(key) && dot != NULL) {
		wisp_buf_printf(out, "[%.*s", (int)(dot - key), key);
		if (last != dot) {
			wisp_buf_putc(out, ' ');
			put_quoted(out, dot + 1, (size_t)(last - dot - 1));
		}
		wisp_buf_printf(out, "]\n\t%s", last + 1);
		if (value != NULL) {
			wisp_buf_puts(out, " = ");
			put_quoted(out, value + 1, strlen(value + 1));
		}
		wisp_buf_putc(out, '\n');
	}
	free(key);
}

static bool
has_scope(const char *entry, const char *scope)
{
	return strncmp(entry, scope, strlen(scope)) == 0 && entry[strlen(scope)] == ' ';
}

/* Of a work tree's own what says that it is bare, or sparse, is for that one alone. */
static bool
is_own(const char *entry)
{
	return has_scope(entry, "local") || (has_scope(entry, "worktree") && fnmatch("worktree core.*", entry, 0) != 0 &&
					     fnmatch("worktree index.*", entry, 0) != 0);
}

static void
write_file(const char *dir, const char *name, struct wisp_buf *text)
{
	char *path = wisp_str("%s/%s", dir, name);

	if (wisp_file_write(path, text->len > 0 ? text->data : "", text->len, WISP_NOSYNC) != 0)
		die_sys("cannot write '%s'", path);
	wisp_buf_reset(text);
	free(path);
}

static bool
is_same_file(const char *dir, const char *name, const char *other_dir, const char *other)
{
	char *a = wisp_str("%s/%s", dir, name), *b = wisp_str("%s/%s", other_dir, other);
	struct stat here, there;
	bool yes = stat(a, &here) == 0 && stat(b, &there) == 0 && here.st_dev == there.st_dev && here.st_ino == there.st_ino;

	free(a);
	free(b);
	return yes;
}

/* DIR/common/NAME is a link to `to`, unless it is one already. */
static void
link_at(const char *dir, const char *name, const char *to)
{
	char *path = wisp_str("%s/common/%s", dir, name);
	struct stat st;

	if ((lstat(path, &st) != 0 || !S_ISLNK(st.st_mode)) && symlink(to, path) != 0)
		die_sys("cannot make '%s'", path);
	free(path);
}

static void
make_folder(const char *dir, const char *name)
{
	char *path = wisp_str("%s/%s", dir, name);

	if (wisp_dir_make(path) != 0)
		die_sys("cannot make '%s'", path);
	free(path);
}

static bool
has_lfs(const struct wisp_texts *entries)
{
	for (size_t i = 0; i < entries->count; i++)
		if (strstr(entries->list[i], "filter.lfs.") != NULL)
			return true;
	return false;
}

/* What git, or LFS, would make in a folder that is not there must not end in the copy. */
static void
link_common(const char *dir, const char *common, bool lfs)
{
	char *copy = wisp_str("%s/common", dir), *to;

	if (wisp_file_exists(copy) && !is_same_file(dir, "common/objects", common, "objects") && wisp_dir_remove(copy) != 0)
		die_sys("cannot remove '%s'", copy);
	make_folder(dir, "common");
	make_folder(common, "logs");
	if (lfs)
		make_folder(common, "lfs");
	for (size_t i = 0; i < sizeof linked / sizeof *linked; i++) {
		to = wisp_str("%s/%s", common, linked[i]);
		link_at(dir, linked[i], to);
		free(to);
	}
	link_at(dir, "config", "../config");
	free(copy);
}

static void
print_scope(struct wisp_buf *out, const struct wisp_texts *entries, const char *scope)
{
	for (size_t i = 0; i < entries->count; i++)
		if (scope == NULL ? is_own(entries->list[i]) : has_scope(entries->list[i], scope))
			print_entry(out, entries->list[i]);
}

static void
store(const char *dir, const char *common, const struct wisp_texts *now)
{
	struct wisp_buf text = WISP_BUF_INIT;

	if (wisp_dir_make(dir) != 0)
		die_sys("cannot make '%s'", dir);
	wisp_file_sweep(dir);
	link_common(dir, common, has_lfs(now));
	print_scope(&text, now, "system");
	write_file(dir, "system", &text);
	print_scope(&text, now, "global");
	write_file(dir, "global", &text);
	print_scope(&text, now, NULL);
	write_file(dir, "config", &text);
	for (size_t i = 0; i < now->count; i++)
		wisp_buf_add(&text, now->list[i], strlen(now->list[i]) + 1);
	write_file(dir, "entries", &text);
	wisp_buf_release(&text);
}

static void
add_key(struct wisp_texts *keys, const char *entry)
{
	char *key = key_of(entry);

	if (!among(key, keys))
		wisp_texts_add(keys, key);
}

/*
 * Programs that are not among those of before are left out, unless a person trusts them, and the keys of both go into
 * `other`; without programs `now` is as it is listed.
 */
static void
choose(const struct wisp_texts *listed, const struct wisp_texts *kept, bool trust, struct wisp_texts *now,
       struct wisp_texts *other)
{
	for (size_t i = 0; i < listed->count; i++)
		if (trust || !runs(listed->list[i]))
			wisp_texts_add(now, listed->list[i]);
		else if (!among(listed->list[i], kept))
			add_key(other, listed->list[i]);
	for (size_t i = 0; !trust && i < kept->count; i++)
		if (runs(kept->list[i])) {
			wisp_texts_add(now, kept->list[i]);
			if (!among(kept->list[i], listed))
				add_key(other, kept->list[i]);
		}
}

/*
 * A repository that no start has seen, such as a clone or a submodule that an agent has made: nothing that names a program
 * is taken of it; what is not its own is the project's, which lies in `known`.
 */
static void
store_local(const char *dir, const char *common, const struct wisp_texts *listed, const char *known)
{
	static const char *const shared[] = {"global", "system"};
	struct wisp_buf text = WISP_BUF_INIT;
	char *from, *to;

	from = wisp_str("%s/global", known);
	if (wisp_file_read(from, WISP_FILE_MAX, &text) != 0)
		die_sys("cannot read '%s'", from);
	free(from);
	make_folder(dir, ".");
	link_common(dir, common, strstr(text.data != NULL ? text.data : "", "[filter \"lfs\"]") != NULL);
	wisp_buf_reset(&text);
	for (size_t i = 0; i < listed->count; i++)
		if (!runs(listed->list[i]))
			print_entry(&text, listed->list[i]);
	write_file(dir, "config", &text);
	for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
		from = wisp_str("%s/%s", known, shared[i]);
		to = wisp_str("%s/%s", dir, shared[i]);
		if ((unlink(to) != 0 && errno != ENOENT) || symlink(from, to) != 0)
			die_sys("cannot make '%s'", to);
		free(from);
		free(to);
	}
	wisp_buf_release(&text);
}

/* The value that counts, which is the last; "" where it has none, or one is no text. */
static const char *
value_of(const struct wisp_texts *entries, const char *key)
{
	const char *value = "", *at;

	for (size_t i = 0; i < entries->count && value != NULL; i++) {
		at = strchr(entries->list[i], ' ') + 1;
		if (strncmp(at, key, strlen(key)) == 0 && (at[strlen(key)] == '\n' || at[strlen(key)] == '\0'))
			value = at[strlen(key)] == '\n' ? at + strlen(key) + 1 : NULL;
	}
	return value != NULL ? value : "";
}

/* A role's name or address: the environment's, its own, or the user's; "": git looks further, or refuses it. */
static const char *
named(const struct wisp_texts *entries, const char *role, const char *what)
{
	char *variable = wisp_str("GIT_%s_%s", role, what), *key = wisp_str("%s.%s", role, what);
	const char *value = getenv(variable);

	for (char *c = key; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	if (value == NULL)
		value = value_of(entries, key);
	if (getenv(variable) == NULL && *value == '\0')
		value = value_of(entries, strcmp(what, "NAME") == 0 ? "user.name" : "user.email");
	free(variable);
	free(key);
	return value;
}

/* Is it plain what name and address git commits with? Else it has to be asked. */
static bool
has_identity(const struct wisp_texts *entries, const char *role)
{
	const char *name = named(entries, role, "NAME");
	char *date = wisp_str("GIT_%s_DATE", role);
	bool yes = getenv(date) == NULL && *named(entries, role, "EMAIL") != '\0', letter = false;

	for (; *name != '\0'; name++)
		letter = letter || isalnum((unsigned char)*name) || (unsigned char)*name >= 0x80;
	free(date);
	return yes && letter;
}

/* What is stored of a project's repository, or of a submodule of it. */
static void
renew(const char *dir, const char *common, const struct wisp_texts *listed, bool trust, const char *lock, long long wait)
{
	static const char *const roles[] = {"AUTHOR", "COMMITTER"};
	struct wisp_texts kept = {0}, now = {0}, other = {0};
	char *entries = wisp_str("%s/entries", dir);

	read_entries(entries, &kept);
	choose(listed, &kept, trust, &now, &other);
	if (!wisp_file_exists(entries) || !same(&now, &kept) || !is_same_file(dir, "common/objects", common, "objects")) {
		/* By one start at a time: another one's half-made folder of links would be taken for that of another repository. */
		if (lock != NULL && wisp_own_file(lock, wait) != 0)
			die_sys("another command has changed the work trees of this repository for %lld s ('%s' is locked)", wait, lock);
		(void)umask(077);
		store(dir, common, &now);
	}
	for (size_t i = 0; i < other.count; i++)
		wisp_cli_pair("key", other.list[i]);
	for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
		if (!has_identity(listed, roles[i]))
			wisp_cli_pair("unnamed", roles[i]);
	free(entries);
}

int
wisp_verb_known(struct wisp_cli *cli)
{
	const char *dir = NULL, *common = NULL, *list = NULL, *lock = NULL, *known = NULL, *home = NULL, *work = NULL;
	struct wisp_texts listed = {0};
	bool trust = false;
	long long wait = 0;
	const struct wisp_option options[] = {
		{"dir", .text = &dir}, {"common", .text = &common}, {"list", .text = &list}, {"trust", .flag = &trust},
		{"lock", .text = &lock}, {"wait", .number = &wait}, {"known", .text = &known},
		{"home", .text = &home}, {"work", .text = &work}, {0}
	};

	wisp_cli_read(cli, options, 0, 0);
	if (dir == NULL || common == NULL || list == NULL)
		die_usage("known needs --dir, --common and --list");
	/* Those of the locks that the caller opens next. */
	if (home != NULL && wisp_dir_make(home) != 0)
		die_sys("cannot make '%s'", home);
	if (work != NULL)
		wisp_own_above(work);
	read_listed(list, known == NULL, &listed);
	if (known == NULL) {
		renew(dir, common, &listed, trust, lock, wait);
	} else {
		(void)umask(077);
		store_local(dir, common, &listed, known);
	}
	return 0;
}
