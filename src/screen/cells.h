/*
 * cells: text by the columns that it takes on a terminal, and safe to print there.
 *
 * What `s` holds may come from anybody. Control characters, those that turn
 * the direction of the text, bytes that are no UTF-8 and characters that the locale
 * cannot show become `?`; without `utf8` all that is not ASCII does. Widths are the
 * locale's (wcwidth), so setlocale comes first.
 */
#ifndef WISP_SCREEN_CELLS_H
#define WISP_SCREEN_CELLS_H

#include "core/buf.h"

/* Does the locale write UTF-8? After setlocale. */
bool wisp_cells_utf8(void);
/* The columns of the terminal that `fd` is; `otherwise` where it is none, or does not say. */
size_t wisp_cells_terminal(int fd, size_t otherwise);
/* Is this program in the background of that terminal? What is drawn there then goes over what a person types. */
bool wisp_cells_behind(int fd);
/* The columns that `s` takes. */
size_t wisp_cells_width(const char *s, bool utf8);
/* Appends as much of `s` as fits into `width` columns, with a mark where something was left out; the columns used. */
size_t wisp_cells_cut(struct wisp_buf *out, const char *s, size_t width, bool utf8);
/* The same, filled up with blanks to exactly `width`: at the end, or with `right` before it. */
void wisp_cells_pad(struct wisp_buf *out, const char *s, size_t width, bool right, bool utf8);
/* Appends the next line of at most `width` columns (> 0), broken at blanks where it can be; what is left of `s`. */
const char *wisp_cells_wrap(struct wisp_buf *out, const char *s, size_t width, bool utf8);

/* What is typed: one more character, by its number; one less. */
void wisp_cells_put(struct wisp_buf *b, unsigned int c);
void wisp_cells_drop(struct wisp_buf *b);

#endif
