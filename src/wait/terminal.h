/*
 * terminal: what wisp-wait shows and reads while it waits: one line with the
 * time that is left, drawn again each second, and keys that end the wait.
 *
 * Standard input gives the keys, or the text that is typed, while it is a terminal and this process group in its
 * foreground; its lines, echo and suspend key are off until
 * wisp_terminal_leave, which a signal handler may call too. The line is drawn on
 * standard error where that is a terminal, else written to it once. Whoever is put into the background touches
 * nothing there, and goes on once it is back.
 */
#ifndef WISP_WAIT_TERMINAL_H
#define WISP_WAIT_TERMINAL_H

#include <stdbool.h>

#include "core/time.h"
#include "typed.h"

#define WISP_TERMINAL_LOOK 1000 /* ms, after which one in the background looks whether it still is */

struct wisp_terminal {
	const char *keys;	/* that end the wait, in lower case; NULL: none are read */
	const char *file; /* of a text that is typed (typed.h), which ends it; NULL: none is */
	bool empty; /* a blank text is one */
	struct wisp_typed typed;
	const char *text;	/* before the time that is left; NULL: nothing is drawn */
	bool drawn;		/* the line stands on the terminal */
	wisp_ms shown;		/* the seconds that it says; -1: none yet */
	bool on;		/* what is typed comes here */
};

/* Begins. Keys that cannot be read (there is no terminal) are none from here on: `keys` and `file` are NULL then. */
void wisp_terminal_enter(struct wisp_terminal *t);
/* Sees to it that `on` is true in the foreground, also after a stop, and else is not. */
void wisp_terminal_attend(struct wisp_terminal *t);
/* As the terminal was. Async-signal-safe, and may be called twice. */
void wisp_terminal_leave(void);
/* Draws the line if what it says has changed; the ms until it does again. */
wisp_ms wisp_terminal_draw(struct wisp_terminal *t, wisp_ms left);
/* Takes the line away. */
void wisp_terminal_clear(struct wisp_terminal *t);
/* Reads what was typed; is the text complete? Never blocks. */
bool wisp_terminal_typed(struct wisp_terminal *t);
/* Keeps the text in its file, however the wait ended. */
void wisp_terminal_keep(struct wisp_terminal *t);
/* The key that was pressed, in lower case; 0 for none that counts. Never blocks. */
char wisp_terminal_key(struct wisp_terminal *t);

#endif
