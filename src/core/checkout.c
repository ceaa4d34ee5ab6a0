/*
 * checkout: see checkout.h.
 */
#include "checkout.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"
#include "index_flags.h"
#include "lines.h"

#define PACKED_MAX ((size_t)64 << 20)
#define DIRTY_MAX 200
#define GITLINK 0160000u

struct look {
	const char *top;
	struct cJSON *files;
};

/* In packed-refs a line is `ID NAME`. */
static char *
packed(const char *git, const char *ref)
{
	char *path = wisp_str("%s/packed-refs", git), *end = wisp_str(" %s\n", ref), *id = NULL;
	struct wisp_buf b = WISP_BUF_INIT;
	const char *at, *line;

	if (wisp_file_read(path, PACKED_MAX, &b) == 0 && b.len > 0 && (at = strstr(b.data, end)) != NULL) {
		for (line = at; line > b.data && line[-1] != '\n'; line--)
			;
		id = wisp_str("%.*s", (int)(at - line), line);
	}
	wisp_buf_release(&b);
	free(path);
	free(end);
	return id;
}

static char *
commit_of(const char *git, const char *head)
{
	const char *ref = strncmp(head, "ref: ", 5) == 0 ? head + 5 : NULL;
	char *path, *id;

	if (ref == NULL)
		return wisp_strdup(head);
	path = wisp_str("%s/%s", git, ref);
	id = wisp_file_line(path, "");
	free(path);
	return id != NULL ? id : packed(git, ref);
}

/* A file that is not as the index has it, with a mark by which another change is seen. */
static void
take_file(void *arg, const struct wisp_index_entry *e)
{
	struct look *look = arg;
	char *path, *mark;
	struct stat st;
	bool there;

	if (e->mode == GITLINK || e->flag[WISP_INDEX_SKIPPED] || wisp_json_len(look->files) >= DIRTY_MAX)
		return;
	path = wisp_str("%s/%s", look->top, e->name);
	there = lstat(path, &st) == 0;
	if (!there || (uint32_t)st.st_mtim.tv_sec != e->mtime || (uint32_t)st.st_mtim.tv_nsec != e->nanoseconds ||
	    (uint32_t)st.st_size != e->size) {
		mark = there ? wisp_str("%lld.%ld %lld", (long long)st.st_mtim.tv_sec, (long)st.st_mtim.tv_nsec,
					(long long)st.st_size)
			     : wisp_strdup("");
		wisp_json_set_str(look->files, e->name, mark);
		free(mark);
	}
	free(path);
}

struct cJSON *
wisp_checkout_look(const char *top, size_t hash)
{
	char *git = wisp_str("%s/.git", top), *path = wisp_str("%s/HEAD", git), *head = wisp_file_line(path, ""), *commit;
	struct look look = {.top = top, .files = wisp_json_object()};
	struct cJSON *now = NULL;

	free(path);
	if (head != NULL) {
		now = wisp_json_object();
		commit = commit_of(git, head);
		wisp_json_set_str(now, "head", head);
		wisp_json_set_str(now, "commit", commit);
		free(commit);
		path = wisp_str("%s/index", git);
		if (wisp_index_walk(path, hash, WISP_CHECKOUT_FILES, take_file, &look) < 0) {
			wisp_json_free(look.files);
			look.files = NULL;
		}
		free(path);
		wisp_json_set(now, "files", look.files != NULL ? look.files : wisp_json_null());
	} else {
		wisp_json_free(look.files);
	}
	free(head);
	free(git);
	return now;
}

static const char *
branch_of(const struct cJSON *look)
{
	const char *head = wisp_json_str(look, "head", "");

	return strncmp(head, "ref: refs/heads/", 16) == 0 ? head + 16 : "no branch";
}

/* Names of `a` that `b` lacks, or marks otherwise. */
static void
add_names(struct cJSON *names, const struct cJSON *a, const struct cJSON *b, bool marks)
{
	for (const struct cJSON *f = wisp_json_first(a); f != NULL; f = wisp_json_next(f)) {
		const char *other = wisp_json_str(b, wisp_json_key(f), NULL);

		if (other == NULL || (marks && strcmp(other, wisp_json_text(f, "")) != 0))
			wisp_json_push(names, wisp_json_string(wisp_json_key(f)));
	}
}

bool
wisp_checkout_differs(const struct cJSON *before, const struct cJSON *now, struct wisp_buf *out)
{
	const struct cJSON *was = wisp_json_get(before, "files"), *is = wisp_json_get(now, "files");
	const char *from = branch_of(before), *to = branch_of(now);
	bool moved = strcmp(wisp_json_str(before, "commit", ""), wisp_json_str(now, "commit", "")) != 0;
	size_t start = out->len;
	struct cJSON *names;

	if (before == NULL || now == NULL)
		return false;
	if (strcmp(from, to) != 0)
		wisp_buf_printf(out, ": branch %s, was %s", to, from);
	if (moved)
		wisp_buf_printf(out, "%s HEAD %.12s, was %.12s", out->len > start ? ";" : ":",
				wisp_json_str(now, "commit", "none"), wisp_json_str(before, "commit", "none"));
	names = wisp_json_array();
	if (wisp_json_type(was) == WISP_T_OBJECT && wisp_json_type(is) == WISP_T_OBJECT) {
		add_names(names, is, was, true);
		add_names(names, was, is, false);
	}
	/* What a commit or another branch brings along is named by that. */
	if (wisp_json_len(names) > 0 && !moved) {
		wisp_buf_puts(out, out->len > start ? "; files " : ": files ");
		wisp_line_names(out, names);
		out->len--; /* the end of the line */
	}
	wisp_json_free(names);
	return out->len > start;
}
