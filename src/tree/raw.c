/*
 * raw: see raw.h.
 */
#include "raw.h"

#include <stdio.h>
#include <string.h>

#include "names.h"

#define LINK_MODE "160000"

/* Is that what was asked last? Its entries then begin at *at. */
static bool
is_kept(const struct wisp_tree *t, const char *from, const char *to, size_t *at)
{
	const char *id;

	*at = 0;
	id = wisp_git_next(&t->diff, at);
	if (id == NULL || strcmp(id, from) != 0)
		return false;
	id = wisp_git_next(&t->diff, at);
	return id != NULL && strcmp(id, to) == 0;
}

const struct wisp_buf *
wisp_raw_diff(struct wisp_tree *t, const char *from, const char *to, size_t *at)
{
	if (!is_kept(t, from, to, at)) {
		wisp_git_must(t, WISP_GIT_WARM, NULL,
			      wisp_git_args("diff-tree", "-r", "--raw", "-z", "--no-abbrev", "--no-renames", from, to));
		wisp_buf_reset(&t->diff);
		wisp_names_add(&t->diff, from);
		wisp_names_add(&t->diff, to);
		*at = t->diff.len;
		wisp_buf_add(&t->diff, t->out.data, t->out.len);
	}
	return &t->diff;
}

bool
wisp_raw_next(const struct wisp_buf *b, size_t *at, struct wisp_raw *e)
{
	const char *raw = wisp_git_next(b, at);

	e->name = raw != NULL ? wisp_git_next(b, at) : NULL;
	return e->name != NULL &&
	       sscanf(raw, ":%6s %6s %64s %64s %c", e->before, e->mode, e->old, e->id, &e->status) == 5;
}

bool
wisp_raw_is_link(const struct wisp_raw *e)
{
	return strcmp(e->before, LINK_MODE) == 0 || strcmp(e->mode, LINK_MODE) == 0;
}

bool
wisp_raw_is_wisp(const char *name)
{
	return strcmp(name, ".wisp") == 0 || strncmp(name, ".wisp/", 6) == 0;
}
