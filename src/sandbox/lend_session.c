/*
 * lend_session: see lend.h.
 */
#include "lend.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/kinds.h"
#include "core/state.h"
#include "core/tasks.h"

/* What a step may leave there. */
static const char *const taken[] = {
	"state.json", "tasks.json", "divergence.md", "discovery.json", "plan.json", "retrospect.json",
};

/* What the controller or a user may make there later is no artefact; a response.json would be an answer. */
static const char *const kept[] = {
	"answers", "past", "plan", "steps", "replay", "requests", "spec.md", "phase-status.log", "phase-status.txt",
	"tasks.proposed.json", "tasks.rejected.json", "divergence.md", "discovery.json", "plan.json",
	"retrospect.json", "RETROSPECT.md",
};

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define ARTEFACTS_MAX 20	/* of a gate: a person is shown as many (core/answer.c) */

static mode_t
kind(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 ? st.st_mode & S_IFMT : 0;
}

/* False for one that is too large, or that its owner may not read. */
static bool
copy(const char *from, const char *to)
{
	if (wisp_file_copy(from, to, WISP_NOSYNC) == 0 || errno == ENOENT)
		return true;
	if (errno != EFBIG && errno != EACCES)
		die_sys("cannot copy '%s'", from);
	return false;
}

void
wisp_lend_session(const char *dir, const char *to, bool links)
{
	char *session = wisp_str("%s/session", to), *before = wisp_str("%s/was", to), *from, *mine, **names;
	size_t count, i;

	if (wisp_dir_make(session) < 0 || wisp_dir_make(before) < 0)
		die_sys("cannot make '%s'", session);
	if (wisp_dir_list(dir, &names, &count) < 0)
		die_sys("cannot read '%s'", dir);
	for (i = 0; i < count; i++) {
		from = wisp_str("%s/%s", dir, names[i]);
		mine = wisp_str("%s/%s", session, names[i]);
		if (kind(from) == S_IFREG) {
			if (copy(from, mine))
				(void)copy(from, wisp_str("%s/%s", before, names[i]));
		} else if (kind(from) == S_IFDIR && links && symlink(from, mine) < 0) {
			die_sys("cannot make '%s'", mine);
		}
	}
	wisp_dir_list_free(names, count);
}

/* Are both the same file, or both no file? */
static bool
same(const char *a, const char *b)
{
	struct wisp_buf text = WISP_BUF_INIT;
	bool yes;

	if (kind(a) != S_IFREG || kind(b) != S_IFREG)
		return kind(a) == kind(b);
	yes = wisp_file_read(a, WISP_FILE_MAX, &text) == 0 && wisp_file_holds(b, text.data, text.len);
	wisp_buf_release(&text);
	return yes;
}

/* By its id, or where it has none by its description: a list that changed meanwhile may have it elsewhere. */
static const struct wisp_task *
find_same(const struct wisp_tasks *list, const struct wisp_task *t)
{
	for (const struct wisp_task *o = list->list; o < list->list + list->count; o++)
		if (t->id != NULL ? o->id != NULL && strcmp(o->id, t->id) == 0
				  : o->id == NULL && strcmp(o->description, t->description) == 0)
			return o;
	return NULL;
}

/* The user changed the list meanwhile: it gets what newly passes by the step's. */
static bool
merge_tasks(const char *was, const char *mine, const char *theirs)
{
	struct wisp_tasks old = {0}, step = {0}, list = {0};
	const struct wisp_task *before, *now;
	bool done = wisp_tasks_load(&old, was, NULL) == WISP_VALID && wisp_tasks_load(&step, mine, NULL) == WISP_VALID &&
		    wisp_tasks_load(&list, theirs, NULL) == WISP_VALID;
	bool *passes = wisp_alloc(list.count + 1, sizeof *passes);

	for (size_t i = 0; done && i < list.count; i++) {
		const struct wisp_task *t = &list.list[i];

		before = find_same(&old, t);
		now = before != NULL ? find_same(&step, before) : NULL;
		passes[i] = t->passes || (now != NULL && now->passes && !before->passes);
	}
	if (done) {
		wisp_tasks_own(&list);
		wisp_tasks_set_passes(&list, passes);
		if (wisp_tasks_write(&list, theirs) < 0)
			die_sys("cannot write '%s'", theirs);
	}
	wisp_tasks_release(&old);
	wisp_tasks_release(&step);
	wisp_tasks_release(&list);
	free(passes);
	return done;
}

static void
take_file(const char *was, const char *mine, const char *theirs, struct wisp_texts *dropped, const char *name)
{
	mode_t now = kind(mine);

	if (now != 0 && now != S_IFREG) {
		wisp_texts_add(dropped, name);
	} else if (same(was, mine) || same(mine, theirs)) {
		;
	} else if (now == 0) {
		if (unlink(theirs) < 0 && errno != ENOENT)
			die_sys("cannot remove '%s'", theirs);
	} else if (strcmp(name, "tasks.json") == 0 && !same(was, theirs) && merge_tasks(was, mine, theirs)) {
		;
	} else if (!copy(mine, theirs)) {
		wisp_texts_add(dropped, name);
	}
}

/* The name of an artefact in the session's folder, `session` inside; NULL for one that lies elsewhere. */
static const char *
artefact_name(const char *name, const char *dir, const char *session)
{
	const char *const tops[] = {dir, session};
	size_t i;

	for (i = 0; i < COUNT(tops); i++)
		if (strncmp(name, tops[i], strlen(tops[i])) == 0 && name[strlen(tops[i])] == '/')
			name += strlen(tops[i]) + 1;
	for (i = 0; i < COUNT(kept); i++)
		if (strcmp(name, kept[i]) == 0)
			return NULL;
	if (*name == '\0' || *name == '.' || strpbrk(name, "/\n") != NULL || wisp_kind_find(name) != NULL)
		return NULL;
	return name;
}

static bool
is_in(const struct wisp_buf *lines, const char *name)
{
	char *line = wisp_str("\n%s\n", name);
	bool yes = strstr(lines->data, line) != NULL;

	free(line);
	return yes;
}

/*
 * Files that the gate of a question names, added to `done` as lines. They replace only those that were taken
 * over so before, which TO.artefacts lists: all others there are the controller's, or a user's.
 */
static void
take_artefacts(const char *dir, const char *to, struct wisp_buf *done)
{
	char *session = wisp_str("%s/session", to), *file = wisp_str("%s.artefacts", to);
	char *path = wisp_str("%s/state.json", session), *mine, *theirs;
	struct wisp_buf known = WISP_BUF_INIT, text = WISP_BUF_INIT;
	const struct cJSON *a = NULL;
	struct wisp_state st = {0};
	size_t n;

	if (kind(path) == S_IFREG && wisp_state_load(&st, path, NULL) == WISP_VALID)
		a = wisp_json_first(wisp_json_get(st.gate, "artifacts"));
	if (wisp_file_read(file, WISP_FILE_MAX, &text) < 0 && errno != ENOENT)
		die_sys("cannot read '%s'", file);
	wisp_buf_printf(&known, "\n%s", text.data != NULL ? text.data : "");
	for (n = 0; a != NULL && n < ARTEFACTS_MAX; a = wisp_json_next(a), n++) {
		const char *name = artefact_name(wisp_json_text(a, ""), dir, session);

		if (name == NULL)
			continue;
		mine = wisp_str("%s/%s", session, name);
		theirs = wisp_str("%s/%s", dir, name);
		if (kind(mine) != S_IFREG || (kind(theirs) != 0 && !is_in(&known, name)))
			continue;
		if (!is_in(&known, name)) {
			wisp_buf_printf(&known, "%s\n", name);
			if (wisp_file_write(file, known.data + 1, known.len - 1, WISP_NOSYNC) < 0)
				die_sys("cannot write '%s'", file);
		}
		if (copy(mine, theirs))
			wisp_buf_printf(done, "%s\n", name);
	}
	wisp_state_release(&st);
	wisp_buf_release(&known);
	wisp_buf_release(&text);
}

void
wisp_lend_take_session(const char *dir, const char *to, struct wisp_texts *dropped)
{
	char *session = wisp_str("%s/session", to), **names, *mine;
	struct wisp_buf artefacts = WISP_BUF_INIT;
	size_t count, i, k;

	if (kind(session) != S_IFDIR || wisp_dir_list(session, &names, &count) < 0)
		return;
	for (k = 0; k < COUNT(taken); k++)
		take_file(wisp_str("%s/was/%s", to, taken[k]), wisp_str("%s/%s", session, taken[k]),
			  wisp_str("%s/%s", dir, taken[k]), dropped, taken[k]);
	wisp_buf_puts(&artefacts, "\n");
	take_artefacts(dir, to, &artefacts);
	for (i = 0; i < count; i++) {
		mine = wisp_str("%s/%s", session, names[i]);
		for (k = 0; k < COUNT(taken) && strcmp(taken[k], names[i]) != 0; k++)
			;
		/* A folder that is in the real one is where that was seen. */
		if (k == COUNT(taken) && !is_in(&artefacts, names[i]) && !same(wisp_str("%s/was/%s", to, names[i]), mine) &&
		    kind(wisp_str("%s/%s", dir, names[i])) != S_IFDIR)
			wisp_texts_add(dropped, wisp_strdup(names[i]));
	}
	wisp_dir_list_free(names, count);
}
