/*
 * box: a box of lines for people, drawn in UTF-8 where the locale has it, else
 * in ASCII.
 */
#ifndef WISP_STATE_BOX_H
#define WISP_STATE_BOX_H

#include <stdbool.h>

#define WISP_BOX_WIDTH 42	/* columns between the borders */

enum wisp_box_edge { WISP_BOX_TOP, WISP_BOX_MIDDLE, WISP_BOX_BOTTOM };

/* Takes the locale of the environment; does it have UTF-8? */
bool wisp_box_utf8(void);
void wisp_box_edge(bool utf8, enum wisp_box_edge edge);
/* `label` (ASCII), then text; what is too wide for the box is cut and ends with "...". */
void wisp_box_row(bool utf8, const char *label, const char *text);
/* A bar of 20 cells and the percentage. */
void wisp_box_bar(bool utf8, const char *label, int percent);

#endif
