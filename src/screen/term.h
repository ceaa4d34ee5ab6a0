/*
 * term: the terminal, full screen; the only user of curses.
 *
 * wisp_term_close gives it back as it was; it may be called twice, and is also called at exit. INT, TERM, HUP
 * and QUIT end nothing by themselves: wisp_term_signal says which came.
 */
#ifndef WISP_SCREEN_TERM_H
#define WISP_SCREEN_TERM_H

#include "layout.h"

/* What wisp_term_key gives beside characters. */
enum { WISP_TERM_NONE = -1, WISP_TERM_UP = -2, WISP_TERM_DOWN = -3, WISP_TERM_PAGE_UP = -4, WISP_TERM_PAGE_DOWN = -5,
       WISP_TERM_HOME = -6, WISP_TERM_END = -7, WISP_TERM_ERASE = -8, WISP_TERM_ENTER = -9, WISP_TERM_ESCAPE = -10,
       WISP_TERM_RESIZE = -11, WISP_TERM_KILL = -12, WISP_TERM_REDRAW = -13 };

/* NULL, or why this terminal cannot show a screen: for a message; the caller frees it. */
char *wisp_term_open(void);
/* The same for TERM alone, term_known.c. */
char *wisp_term_unknown(const char *name);
void wisp_term_close(void);
/* Leaves the screen, and comes back to it, for a command that gets the terminal. */
void wisp_term_leave(void);
void wisp_term_enter(void);

void wisp_term_size(size_t *width, size_t *height);
/* Shows the lines; with `cursor` it stands behind the text of the last one. */
void wisp_term_draw(const struct wisp_lines *lines, bool cursor);
/* The key that was pressed: a character, or one of the above. Never waits. */
int wisp_term_key(void);
/* What was typed and not read yet is forgotten. */
void wisp_term_forget(void);
/* The signal that asks for the end, 0 for none. */
extern volatile int wisp_term_signal;

#endif
