/*
 * raw: how one tree differs from another, as `git diff-tree -r --raw -z --no-abbrev --no-renames` says it.
 */
#ifndef WISP_TREE_RAW_H
#define WISP_TREE_RAW_H

#include "tree.h"

struct wisp_raw {
	char before[8], mode[8], old[WISP_TREE_ID], id[WISP_TREE_ID], status;
	const char *name;
};

/* How `to` differs from `from`, both ids; entries from *at on. What was asked last is kept in t->diff. */
const struct wisp_buf *wisp_raw_diff(struct wisp_tree *t, const char *from, const char *to, size_t *at);
/* The next entry; false at the end. */
bool wisp_raw_next(const struct wisp_buf *b, size_t *at, struct wisp_raw *e);
/* Is it, or was it, a submodule? */
bool wisp_raw_is_link(const struct wisp_raw *e);
/* Is it .wisp, or in there? */
bool wisp_raw_is_wisp(const char *name);

#endif
