/*
 * die: the only code that prints messages or ends the process.
 *
 * Messages read `PROGRAM: cannot read 'PATH': REASON`: no capital, no full
 * stop, one line on standard error. Control characters (and DEL) are replaced
 * by `?`, since much of the text comes from the programs that wisp drives.
 *
 * Exit codes, the same in every program:
 *   0 yes   1 no   100 called wrongly   101 a bug   102 bad data   111 system
 *
 * Core functions never die, but for want of memory or random bytes, or by a bug
 * of their caller: they return -1, with errno for I/O or a filled struct wisp_err
 * for bad data.
 */
#ifndef WISP_DIE_H
#define WISP_DIE_H

#include <stdarg.h>
#include <stddef.h>

#define WISP_EXIT_USAGE 100
#define WISP_EXIT_BUG 101
#define WISP_EXIT_DATA 102
#define WISP_EXIT_SYS 111

#define WISP_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define WISP_CHECK __attribute__((warn_unused_result))

/*
 * What was wrong with some data, and where. Zero-initialise it (WISP_ERR_INIT);
 * release it when done. `path` and `text` are owned by the struct. `line` and
 * `col` count from 1, bytes for columns; 0 means no position.
 */
struct wisp_err {
	char *path;
	size_t line, col;
	char *text;
};
#define WISP_ERR_INIT {0}

/* Fills `err` (which may be NULL: then nothing happens); always returns -1. */
int wisp_err_set(struct wisp_err *err, const char *path, size_t line, size_t col,
		 const char *fmt, ...) WISP_PRINTF(5, 6);
/* `PATH:LINE:COL: TEXT`, without what is missing; the caller frees it. */
char *wisp_err_string(const struct wisp_err *err);
void wisp_err_release(struct wisp_err *err);

/* Sets the name that messages begin with: the last part of argv[0]. */
void wisp_die_name(const char *argv0);
const char *wisp_die_program(void);

_Noreturn void die_usage(const char *fmt, ...) WISP_PRINTF(1, 2);	/* 100 */
_Noreturn void die_bug(const char *fmt, ...) WISP_PRINTF(1, 2);		/* 101 */
_Noreturn void die_data(const char *fmt, ...) WISP_PRINTF(1, 2);	/* 102 */
_Noreturn void die_err(const struct wisp_err *err);			/* 102, as wisp_err_string */
_Noreturn void die_sys(const char *fmt, ...) WISP_PRINTF(1, 2);		/* 111, appends errno text */
void warn(const char *fmt, ...) WISP_PRINTF(1, 2);

/*
 * Ends a program that printed to stdout: flushes and closes it, and dies 111
 * if anything that was printed did not arrive (a full disk, a closed pipe).
 */
_Noreturn void wisp_exit(int code);

#endif
