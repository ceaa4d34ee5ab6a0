/*
 * buf: a growing byte string, and the allocations that cannot fail.
 *
 * `data` is NULL until something was added, then always NUL-terminated after
 * `len` bytes (which may hold NULs themselves). Out of memory ends the program
 * with 111. Zero-initialise; release may be called twice.
 */
#ifndef WISP_BUF_H
#define WISP_BUF_H

#include <stdbool.h>
#include "die.h"

struct wisp_buf {
	char *data;
	size_t len, cap;
};
#define WISP_BUF_INIT {0}

void wisp_buf_add(struct wisp_buf *b, const void *data, size_t len);
void wisp_buf_puts(struct wisp_buf *b, const char *s);
void wisp_buf_putc(struct wisp_buf *b, char c);
void wisp_buf_printf(struct wisp_buf *b, const char *fmt, ...) WISP_PRINTF(2, 3);
void wisp_buf_vprintf(struct wisp_buf *b, const char *fmt, va_list ap) WISP_PRINTF(2, 0);
void wisp_buf_grow(struct wisp_buf *b, size_t room);	/* room for that many more bytes */
void wisp_buf_reset(struct wisp_buf *b);		/* len = 0, keeps the memory */
/* Hands the string over, never NULL; the caller frees it. */
char *wisp_buf_detach(struct wisp_buf *b);
void wisp_buf_release(struct wisp_buf *b);

/* A new string, as by printf; the caller frees it. */
char *wisp_str(const char *fmt, ...) WISP_PRINTF(1, 2);
char *wisp_strdup(const char *s);	/* NULL stays NULL */
void *wisp_alloc(size_t n, size_t size);	/* zeroed */
void *wisp_realloc(void *p, size_t n, size_t size);

/*
 * Appends `s` as text for people on one line: control characters become
 * spaces, runs of white space one space (none at the ends), cut to `max` bytes
 * in all, at a character's edge with `...` where something was left out.
 * Invalid UTF-8 becomes U+FFFD, and so does what turns the direction of text:
 * it would make a name read as another.
 */
void wisp_buf_line(struct wisp_buf *b, const char *s, size_t max);
/*
 * The character at s[0..len), len > 0: its size in bytes, or -n if n bytes are
 * none (one U+FFFD stands for them).
 */
int wisp_utf8_char(const char *s, size_t len);
/* Is the character at `s`, `n` bytes long, one that turns the direction of what follows, or breaks a line? */
bool wisp_utf8_turns(const char *s, int n);
/* The longest prefix of s[0..len) of at most `max` bytes that ends at a UTF-8 character's edge. */
size_t wisp_utf8_cut(const char *s, size_t len, size_t max);
/* The same for at most `max` characters, as wisp_utf8_char counts them. */
size_t wisp_utf8_chars(const char *s, size_t len, size_t max);

#endif
