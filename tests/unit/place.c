/*
 * place: sessions found by reading git's files. The repositories are made by
 * hand here, so that each layout is exactly what is written.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/hash.h"
#include "core/file.h"
#include "core/place.h"
#include "unit.h"

static char top[] = "/tmp/wisp-unit-place-XXXXXX";

/* Below `top`; the strings live as long as the program. */
static const char *
at(const char *path)
{
	static char *kept[64];
	static size_t n;
	char **slot = &kept[n++ % 64];

	free(*slot);
	*slot = wisp_str("%s/%s", top, path);
	return *slot;
}

static void
folder(const char *path)
{
	if (wisp_dir_make(at(path)) < 0)
		die_sys("cannot make '%s'", path);
}

static void
file(const char *path, const char *content)
{
	char *dir = wisp_strdup(path);

	*strrchr(dir, '/') = '\0';
	folder(dir);
	free(dir);
	if (wisp_file_write(at(path), content, strlen(content), WISP_NOSYNC) < 0)
		die_sys("cannot write '%s'", path);
}

static void
session(const char *project, const char *branch)
{
	char *path = wisp_str("%s/.wisp/sessions/%s/session.json", project, branch);

	file(path, "{}\n");
	free(path);
}

static void
branch_names(void)
{
	static const char *const good[] = {
		"a", "a/b", "a./b", "a@", "{", "@/a", "a/-b", "a/HEAD", "refs/heads/x", "a.lockb", "\xc3\xa4", NULL
	};
	static const char *const bad[] = {
		"", "a.", ".a", "a/.b", "a.lock", "a.lock/b", "a..b", "a b", "a~", "a^", "a:b", "a?", "a*", "a[",
		"a\\b", "/a", "a/", "a//b", "@", "a@{b", "-a", "HEAD", "a\tb", "a\x7f", "../a", "a/..",
		"\xff", "a/\xc3", "\xed\xa0\x80", NULL
	};
	size_t i;

	for (i = 0; good[i] != NULL; i++)
		CHECK(wisp_branch_ok(good[i]), good[i]);
	for (i = 0; bad[i] != NULL; i++)
		CHECK(!wisp_branch_ok(bad[i]), "a bad branch name");
}

static void
root(void)
{
	char *r;

	setenv("HOME", "/h", 1);
	setenv("XDG_STATE_HOME", "/x", 1);
	setenv("WISP_HOME", "/w", 1);
	r = wisp_place_root();
	CHECK_STR(r, "/w", "WISP_HOME is the root");
	free(r);
	setenv("WISP_HOME", "", 1);
	r = wisp_place_root();
	CHECK_STR(r, "/x/wisp", "else XDG_STATE_HOME/wisp");
	free(r);
	setenv("XDG_STATE_HOME", "relative", 1);
	r = wisp_place_root();
	CHECK_STR(r, "/h/.local/state/wisp", "a relative XDG_STATE_HOME is ignored");
	free(r);
	unsetenv("XDG_STATE_HOME");
	unsetenv("HOME");
	r = wisp_place_root();
	CHECK_STR(r, NULL, "no HOME, no root");
	free(r);
	setenv("WISP_HOME", "/w", 1);
}

/* p: a repository with work tree p/.wisp/worktrees/feature/x of branch feature/x, and one beside it. */
static void
make_project(void)
{
	char *link;

	file("p/.git/HEAD", "ref: refs/heads/main\n");
	folder("p/src/deep");
	file("p/.git/worktrees/x/HEAD", "ref: refs/heads/feature/x\n");
	file("p/.git/worktrees/x/commondir", "../..\n");
	link = wisp_str("gitdir: %s/p/.git/worktrees/x\n", top);
	file("p/.wisp/worktrees/feature/x/.git", link);
	free(link);
	folder("p/.wisp/worktrees/feature/x/lib");
	file("p/.git/worktrees/beside/HEAD", "ref: refs/heads/other\n");
	file("p/.git/worktrees/beside/commondir", "../..\n");
	file("beside/.git", "gitdir: ../p/.git/worktrees/beside\r\n");
}

static void
project_is(const char *start, const char *project, const char *worktree, const char *gitdir)
{
	char *tree, *git, *found = wisp_place_project(at(start), &tree, &git);

	CHECK_STR(found, project != NULL ? at(project) : NULL, start);
	CHECK_STR(tree, worktree != NULL ? at(worktree) : NULL, "  its work tree");
	CHECK_STR(git, gitdir != NULL ? at(gitdir) : NULL, "  its git folder");
	free(found);
	free(tree);
	free(git);
}

static void
projects(void)
{
	project_is("p", "p", "p", "p/.git");
	project_is("p/src/deep", "p", "p", "p/.git");
	project_is("p/.wisp/worktrees/feature/x/lib", "p", "p/.wisp/worktrees/feature/x", "p/.git/worktrees/x");
	project_is("beside", "p", "beside", "p/.git/worktrees/beside");
	folder("nowhere");
	project_is("nowhere", NULL, NULL, NULL);
	project_is("missing", NULL, NULL, NULL);
	file("p/broken/.git", "gitdir: /nowhere\n");
	project_is("p/broken", "p", "p", "p/.git");
	folder("p/empty/.git");
	project_is("p/empty", "p", "p", "p/.git");

	/* A submodule, and a work tree of it where wisp would make one. */
	file("p/.git/modules/sub/HEAD", "ref: refs/heads/main\n");
	file("p/sub/.git", "gitdir: ../.git/modules/sub\n");
	project_is("p/sub", "p/sub", "p/sub", "p/.git/modules/sub");
	file("p/.git/modules/sub/worktrees/y/HEAD", "ref: refs/heads/y\n");
	file("p/.git/modules/sub/worktrees/y/commondir", "../..\n");
	file("p/sub/.wisp/worktrees/y/.git", "gitdir: ../../../../.git/modules/sub/worktrees/y\n");
	project_is("p/sub/.wisp/worktrees/y", "p/sub", "p/sub/.wisp/worktrees/y", "p/.git/modules/sub/worktrees/y");

	/* Work trees of a bare repository have no main one: each is its own. */
	file("bare.git/HEAD", "ref: refs/heads/main\n");
	file("bare.git/worktrees/a/HEAD", "ref: refs/heads/a\n");
	file("bare.git/worktrees/a/commondir", "../..\n");
	file("a/.git", "gitdir: ../bare.git/worktrees/a\n");
	project_is("a", "a", "a", "bare.git/worktrees/a");
}

/* Bare repositories in the folder of their work trees: as .git, and beside a .git that names them. */
static void
bare(void)
{
	static const char *const said[] = {
		"[core]\n\tbare = true\n", "[x]\n\tbare = no\n [Core] Bare=YES\n[core \"y\"]\nbare = false\n", "[core]\r\nbare\r\n", NULL
	};
	char *link;
	size_t i;

	file("c/.bare/HEAD", "ref: refs/heads/main\n");
	file("c/.git", "gitdir: ./.bare\n");
	file("c/.bare/worktrees/main/HEAD", "ref: refs/heads/main\n");
	file("c/.bare/worktrees/main/commondir", "../..\n");
	file("c/main/.git", "gitdir: ../.bare/worktrees/main\n");
	file("c/.bare/worktrees/x/HEAD", "ref: refs/heads/x\n");
	file("c/.bare/worktrees/x/commondir", "../..\n");
	link = wisp_str("gitdir: %s/c/.bare/worktrees/x\n", top);
	file("c/main/.wisp/worktrees/x/.git", link);
	free(link);
	file("d/.git/HEAD", "ref: refs/heads/main\n");
	file("d/.git/worktrees/main/HEAD", "ref: refs/heads/main\n");
	file("d/.git/worktrees/main/commondir", "../..\n");
	file("d/main/.git", "gitdir: ../.git/worktrees/main\n");
	for (i = 0; said[i] != NULL; i++) {
		file("c/.bare/config", said[i]);
		file("d/.git/config", said[i]);
		project_is("c/main", "c/main", "c/main", "c/.bare/worktrees/main");
		project_is("c/main/.wisp/worktrees/x", "c/main", "c/main/.wisp/worktrees/x", "c/.bare/worktrees/x");
		project_is("c", NULL, NULL, NULL);
		project_is("c/.bare", NULL, NULL, NULL);
		project_is("d/main", "d/main", "d/main", "d/.git/worktrees/main");
		project_is("d", NULL, NULL, NULL);
	}
	/* extensions.worktreeConfig: the word moves to a file of its own. */
	file("d/.git/config", "[core]\n\tbare = false\n");
	project_is("d/main", "d", "d/main", "d/.git/worktrees/main");
	file("d/.git/config.worktree", "[core]\n\tbare = true\n");
	project_is("d/main", "d/main", "d/main", "d/.git/worktrees/main");
	project_is("d", NULL, NULL, NULL);
}

/* A .git that is a link to a folder of that name: the work tree is where the link is. */
static void
linked(void)
{
	char *target = wisp_str("%s/store/.git", top), *link;

	file("store/.git/HEAD", "ref: refs/heads/main\n");
	folder("l");
	link = wisp_str("%s/l/.git", top);
	CHECK(symlink(target, link) == 0, "a link is made");
	project_is("l", "l", "l", "store/.git");
	file("store/.git/worktrees/x/HEAD", "ref: refs/heads/x\n");
	file("store/.git/worktrees/x/commondir", "../..\n");
	file("l/.wisp/worktrees/x/.git", "gitdir: ../../../.git/worktrees/x\n");
	project_is("l/.wisp/worktrees/x", "l", "l/.wisp/worktrees/x", "store/.git/worktrees/x");
	free(link);
	free(target);
}

static void
names(void)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_place p;
	char hex[WISP_HASH_SIZE], *want;

	CHECK(wisp_place_session(&p, at("p"), "feature/x", &err) == 0, "a session by name");
	CHECK_STR(p.project, at("p"), "  its project");
	CHECK_STR(p.branch, "feature/x", "  its branch");
	CHECK_STR(p.dir, at("p/.wisp/sessions/feature/x"), "  its folder");
	wisp_hash(at("p"), strlen(at("p")), hex);
	want = wisp_str("/w/p-%.16s", hex);
	CHECK_STR(p.shared, want, "  its project's home");
	free(want);
	want = wisp_str("/w/p-%.16s/feature/x", hex);
	CHECK_STR(p.home, want, "  its home");
	free(want);
	wisp_place_release(&p);
	wisp_place_release(&p);

	CHECK(wisp_place_session(&p, "/no/.such \xc3\xa4", "b", &err) == 0, "a project that is not there");
	CHECK(strncmp(p.shared, "/w/_such___-", 12) == 0, "  has a home with a plain name");
	wisp_place_release(&p);
	CHECK(wisp_place_session(&p, at("p"), "../x", &err) < 0, "a bad branch is refused");
	CHECK_STR(err.text, "'../x' is no name for a branch", "  and named");
	unsetenv("WISP_HOME");
	CHECK(wisp_place_session(&p, at("p"), "b", &err) < 0, "no home, no session");
	setenv("WISP_HOME", "/w", 1);
	wisp_err_release(&err);
}

static void
folders(void)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_place p;

	folder("p/.wisp/sessions/new");
	CHECK(wisp_place_dir(&p, at("p/.wisp/sessions/new/"), &err) == 0, "-C of a session that only begins");
	CHECK_STR(p.branch, "new", "  its branch");
	CHECK_STR(p.project, at("p"), "  its project");
	wisp_place_release(&p);

	session("p", "feature/x");
	folder("p/.wisp/sessions/feature/x/steps");
	CHECK(wisp_place_dir(&p, at("p/.wisp/sessions/feature/x/steps"), &err) == 0, "-C inside a session");
	CHECK_STR(p.dir, at("p/.wisp/sessions/feature/x/steps"), "  is that folder");
	CHECK_STR(p.branch, NULL, "  and no session");
	wisp_place_release(&p);

	if (chdir(at("p/.wisp/sessions/feature")) < 0)
		die_sys("cannot go there");
	CHECK(wisp_place_dir(&p, "x", &err) == 0, "-C with a relative path");
	CHECK_STR(p.dir, at("p/.wisp/sessions/feature/x"), "  its folder");
	CHECK_STR(p.branch, "feature/x", "  its branch");
	wisp_place_release(&p);
	CHECK(wisp_place_dir(&p, at("p/src/../src"), &err) == 0, "-C of any folder");
	CHECK_STR(p.dir, at("p/src"), "  is that folder, resolved");
	CHECK_STR(p.home, NULL, "  and has no home");
	wisp_place_release(&p);

	CHECK(wisp_place_dir(&p, at("missing"), &err) < 0, "-C of nothing");
	CHECK_STR(err.text, "No such file or directory", "  says so");
	CHECK(wisp_place_dir(&p, at("p/.git/HEAD"), &err) < 0, "-C of a file");
	CHECK_STR(err.text, "Not a directory", "  says so");
	wisp_err_release(&err);

	/* .wisp on another disk: the session is still that of the project. */
	session("disk", "far");
	file("q/.git/HEAD", "ref: refs/heads/main\n");
	if (symlink(at("disk/.wisp"), at("q/.wisp")) < 0)
		die_sys("cannot link");
	CHECK(wisp_place_dir(&p, at("q/.wisp/sessions/far"), &err) == 0, "-C through a linked .wisp");
	CHECK_STR(p.project, at("q"), "  its project");
	wisp_place_release(&p);
}

static void
listing(void)
{
	char **list;
	size_t n;

	CHECK(wisp_place_sessions(at("beside"), &list, &n) == 0 && n == 0, "no .wisp, no session");
	wisp_dir_list_free(list, n);
	session("p", "feature/x/inside");	/* cannot be: x is a session */
	session("p", "feature-z");
	session("p", "feature.lock");		/* no branch */
	if (symlink(at("disk/.wisp/sessions/far"), at("p/.wisp/sessions/linked")) < 0)
		die_sys("cannot link");
	CHECK(wisp_place_sessions(at("p"), &list, &n) == 0 && n == 2, "sessions are found");
	CHECK_STR(n > 0 ? list[0] : NULL, "feature-z", "  sorted by name");
	CHECK_STR(n > 1 ? list[1] : NULL, "feature/x", "  not by folder");
	wisp_dir_list_free(list, n);
}

static void
pick_is(const char *start, const char *branch, int rc, const char *want)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_place p;
	int got = wisp_place_pick(&p, at(start), branch, &err);

	CHECK_INT(got, rc, start);
	CHECK_STR(rc == 0 ? p.branch : err.text, want, "  with");
	wisp_place_release(&p);
	wisp_err_release(&err);
}

static void
picking(void)
{
	unsetenv("WISP_SESSION_DIR");
	pick_is("p", "feature/x", 0, "feature/x");
	pick_is("p", "nope", 1, "no session 'nope'; there is feature-z, feature/x");
	pick_is("p", "-x", -1, "'-x' is no name for a branch");
	pick_is("p", NULL, 1, "which session? There is feature-z, feature/x");
	pick_is("p/.wisp/worktrees/feature/x/lib", NULL, 0, "feature/x");
	session("p", "main");
	pick_is("p/src", NULL, 0, "main");
	session("p", "other");
	pick_is("beside", NULL, 0, "other");
	file("beside/.git", "gitdir: /nowhere\n");
	pick_is("beside", NULL, 1, "not in a git repository");
	pick_is("q", NULL, 0, "far");

	/* The agent damaged the pointer of its work tree: the path still tells. */
	file("p/.wisp/worktrees/feature/x/.git", "gitdir: /nowhere\n");
	pick_is("p/.wisp/worktrees/feature/x/lib", NULL, 0, "feature/x");

	file("one/.git/HEAD", "0123456789012345678901234567890123456789\n");
	session("one", "only");
	pick_is("one", NULL, 0, "only");
	file("none/.git/HEAD", "ref: refs/heads/main\n");
	pick_is("none", NULL, 1, "no session here: `wisp run --spec FILE` or `--tasks FILE` begins one");
	pick_is("nowhere", NULL, 1, "not in a git repository");

	setenv("WISP_SESSION_DIR", at("p/.wisp/sessions/other"), 1);
	pick_is("one", NULL, 0, "other");
	pick_is("one", "only", 0, "only");
	setenv("WISP_SESSION_DIR", at("missing"), 1);
	pick_is("one", NULL, -1, "No such file or directory");
}

int
main(void)
{
	char *resolved;

	if (mkdtemp(top) == NULL || (resolved = realpath(top, NULL)) == NULL)
		die_sys("cannot make a folder");
	free(resolved);
	branch_names();
	root();
	make_project();
	projects();
	bare();
	linked();
	names();
	folders();
	listing();
	picking();
	if (chdir("/") < 0 || wisp_dir_remove(top) < 0)
		die_sys("cannot remove '%s'", top);
	return unit_done();
}
