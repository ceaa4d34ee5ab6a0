/*
 * die: see die.h.
 *
 * Messages are made in a fixed buffer, so that "out of memory" can be said
 * too, and leave in one write, so that the lines of programs that run side by
 * side do not mix.
 */
#include "die.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buf.h"

#define MESSAGE_MAX 4096	/* longer ones end in ... */

static const char *program = "wisp";

int
wisp_err_set(struct wisp_err *err, const char *path, size_t line, size_t col, const char *fmt, ...)
{
	struct wisp_buf text = WISP_BUF_INIT;
	char *copy;
	va_list ap;

	if (err == NULL)
		return -1;
	/* What is passed in may point into what is released. */
	va_start(ap, fmt);
	wisp_buf_vprintf(&text, fmt, ap);
	va_end(ap);
	copy = wisp_strdup(path);
	wisp_err_release(err);
	err->path = copy;
	err->line = line;
	err->col = col;
	err->text = wisp_buf_detach(&text);
	return -1;
}

char *
wisp_err_string(const struct wisp_err *err)
{
	struct wisp_buf out = WISP_BUF_INIT;

	if (err->path != NULL)
		wisp_buf_printf(&out, "%s:", err->path);
	if (err->line > 0)
		wisp_buf_printf(&out, "%zu:", err->line);
	if (err->line > 0 && err->col > 0)
		wisp_buf_printf(&out, "%zu:", err->col);
	wisp_buf_printf(&out, "%s%s", out.len > 0 ? " " : "", err->text != NULL ? err->text : "");
	return wisp_buf_detach(&out);
}

void
wisp_err_release(struct wisp_err *err)
{
	free(err->path);
	free(err->text);
	*err = (struct wisp_err)WISP_ERR_INIT;
}

void
wisp_die_name(const char *argv0)
{
	const char *slash;

	if (argv0 == NULL || *argv0 == '\0')
		return;
	slash = strrchr(argv0, '/');
	program = slash != NULL ? slash + 1 : argv0;
}

const char *
wisp_die_program(void)
{
	return program;
}

/* C1 controls are C2 80 to C2 9F in UTF-8; some terminals obey them. What turns the text around shows another name. */
static void
clean(char *s)
{
	unsigned char *p;

	for (p = (unsigned char *)s; *p != '\0'; p++) {
		if ((p[0] == 0xc2 && p[1] >= 0x80 && p[1] <= 0x9f) || wisp_utf8_turns((char *)p, 2))
			p[0] = p[1] = '?';
		else if (wisp_utf8_turns((char *)p, 3))
			p[0] = p[1] = p[2] = '?';
		else if (*p < 0x20 || *p == 0x7f)
			*p = '?';
	}
}

/* `reason` is an errno, or 0. */
static void
message(const char *prefix, const char *fmt, va_list ap, int reason)
{
	char line[MESSAGE_MAX];
	size_t len = 0, max = sizeof line - sizeof "...\n";
	int n;

	n = snprintf(line, max, "%s: %s", program, prefix);
	len = n < 0 ? 0 : (size_t)n < max ? (size_t)n : max - 1;
	n = vsnprintf(line + len, max - len, fmt, ap);
	len += n < 0 ? 0 : (size_t)n;
	if (reason != 0 && len < max) {
		n = snprintf(line + len, max - len, ": %s", strerror(reason));
		len += n < 0 ? 0 : (size_t)n;
	}
	if (len >= max) {
		len = wisp_utf8_cut(line, max - 1, max - 5);
		memcpy(line + len, "...", sizeof "...");
		len += 3;
	}
	clean(line);
	line[len] = '\n';
	/* Nobody is left to be told if this fails. */
	if (write(STDERR_FILENO, line, len + 1) < 0)
		return;
}

#define DIE(code, prefix, reason)				\
	do {							\
		va_list ap;					\
		int saved = (reason);				\
								\
		va_start(ap, fmt);				\
		message(prefix, fmt, ap, saved);		\
		va_end(ap);					\
		exit(code);					\
	} while (0)

_Noreturn void
die_usage(const char *fmt, ...)
{
	DIE(WISP_EXIT_USAGE, "", 0);
}

_Noreturn void
die_bug(const char *fmt, ...)
{
	DIE(WISP_EXIT_BUG, "bug: ", 0);
}

_Noreturn void
die_data(const char *fmt, ...)
{
	DIE(WISP_EXIT_DATA, "", 0);
}

_Noreturn void
die_err(const struct wisp_err *err)
{
	die_data("%s", wisp_err_string(err));
}

_Noreturn void
die_sys(const char *fmt, ...)
{
	DIE(WISP_EXIT_SYS, "", errno);
}

void
warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message("", fmt, ap, 0);
	va_end(ap);
}

_Noreturn void
wisp_exit(int code)
{
	bool failed = ferror(stdout) != 0;
	int reason = 0;

	if (fflush(stdout) != 0) {
		failed = true;
		reason = errno;
	}
	/* A descriptor that was closed from the start is no fault where nothing was printed. */
	if (fclose(stdout) != 0 && !failed && errno != EBADF) {
		failed = true;
		reason = errno;
	}
	if (!failed)
		exit(code);
	if (reason == EPIPE)	/* the reader had enough: no news to anybody */
		exit(WISP_EXIT_SYS);
	errno = reason;
	die_sys("cannot write to standard output");
}
