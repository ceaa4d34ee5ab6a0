/*
 * typed: a text that a person types at the terminal while wisp-wait waits.
 *
 * Enter ends it. Behind a `\`, and within what is pasted, Enter begins another line; a blank text ends only
 * where `empty` says so.
 * Ctrl-D ends it, too; Backspace, Ctrl-W and Ctrl-U erase. What is typed is kept in a file, so that the next wait goes
 * on with it. The terminal is in the state of wisp_terminal_enter.
 */
#ifndef WISP_WAIT_TYPED_H
#define WISP_WAIT_TYPED_H

#include <stdbool.h>

#include "core/buf.h"

#define WISP_TYPED_MAX ((size_t)1 << 20)
#define WISP_TYPED_PROMPT "> "

struct wisp_typed {
	struct wisp_buf text;
	bool utf8;  /* the locale's */
	bool empty; /* a blank text is one, too */
	bool plain; /* the terminal knows no escape sequences */
	bool pasting;
	char escape[16]; /* the sequence that has begun */
	size_t escape_len;
	struct wisp_buf echo; /* what is to be shown, until wisp_typed_feed returns */
};

/* With what `file` holds, if it is there. `empty` is then to be set. */
void wisp_typed_init(struct wisp_typed *t, const char *file);
/* Prompt and text, as they are to stand on the screen, into `echo`. */
void wisp_typed_show(struct wisp_typed *t);
/*
 * What came from the terminal, which is `width` columns wide; `more`: there is more to read. Whether the text is
 * complete. `echo` gets what is to be shown of it.
 */
bool wisp_typed_feed(struct wisp_typed *t, const char *p, size_t n, bool more, size_t width);
void wisp_typed_release(struct wisp_typed *t);

#endif
