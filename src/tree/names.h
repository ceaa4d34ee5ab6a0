/*
 * names: lists of names below the work tree, a NUL after each, sorted by bytes as git sorts where it is not said that they
 * need not be. A list in a file that is not there is empty; what cannot be read or written ends the program.
 */
#ifndef WISP_TREE_NAMES_H
#define WISP_TREE_NAMES_H

#include "core/buf.h"

void wisp_names_add(struct wisp_buf *list, const char *name);
/* Appends the list in a file. */
void wisp_names_read(struct wisp_buf *list, const char *path);
void wisp_names_write(const char *path, const struct wisp_buf *list);
/* `more` goes in, each name once, and all are sorted; NULL sorts alone. */
void wisp_names_join(struct wisp_buf *list, const struct wisp_buf *more);
/* The names in `without`, which is sorted, go out of `list`, which keeps its order. */
void wisp_names_minus(struct wisp_buf *list, const struct wisp_buf *without);
/* A few of them in words, each between `quote`; the caller frees it. */
char *wisp_names_shown(const struct wisp_buf *list, const char *quote);

#endif
