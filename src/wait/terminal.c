/*
 * terminal: see terminal.h.
 */
#include "terminal.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define WIDTH 80	/* where the terminal does not say */
#define CLEAR "\r\033[K"

static struct termios before;
static volatile sig_atomic_t changed;

/* Ours, and in the foreground: to touch it from the background would stop us. */
static bool
is_ours(void)
{
	return isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

void
wisp_terminal_enter(struct wisp_terminal *t)
{
	struct termios raw;

	t->shown = -1;
	if (t->keys == NULL)
		return;
	if (!is_ours() || tcgetattr(STDIN_FILENO, &before) != 0) {
		t->keys = NULL;
		return;
	}
	raw = before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	raw.c_cc[VSUSP] = _POSIX_VDISABLE;
	changed = 1;	/* before it is: a signal in between puts back what is still there */
	if (tcsetattr(STDIN_FILENO, TCSANOW, &raw) != 0) {
		changed = 0;
		t->keys = NULL;
	}
}

void
wisp_terminal_leave(void)
{
	int saved = errno;

	if (changed)
		(void)tcsetattr(STDIN_FILENO, TCSANOW, &before);
	changed = 0;
	errno = saved;
}

static size_t
width(void)
{
	struct winsize w;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 ? w.ws_col : WIDTH;
}

/* `1:02:05`, or `2:05` within the hour. */
static char *
clock_text(wisp_ms seconds)
{
	int minutes = (int)(seconds / 60 % 60), rest = (int)(seconds % 60);

	if (seconds < 3600)
		return wisp_str("%d:%02d", minutes, rest);
	return wisp_str("%lld:%02d:%02d", (long long)(seconds / 3600), minutes, rest);
}

/* One write, so that no other output comes between; what cannot be shown is not shown. */
static void
put(const struct wisp_buf *b)
{
	ssize_t n = write(STDERR_FILENO, b->data, b->len);

	(void)n;
}

wisp_ms
wisp_terminal_draw(struct wisp_terminal *t, wisp_ms left)
{
	wisp_ms seconds = (left + 999) / 1000;
	struct wisp_buf line = WISP_BUF_INIT, b = WISP_BUF_INIT;
	char *time;

	if (t->text == NULL || (t->shown >= 0 && !t->drawn))
		return left;
	if (seconds != t->shown) {
		time = clock_text(seconds);
		t->drawn = isatty(STDERR_FILENO);
		wisp_buf_line(&line, t->text, t->drawn && width() > strlen(time) + 2 ? width() - strlen(time) - 2 : WIDTH);
		wisp_buf_printf(&b, t->drawn ? CLEAR "%s %s" : "%s %s\n", line.len > 0 ? line.data : "", time);
		put(&b);
		t->shown = seconds;
		wisp_buf_release(&line);
		wisp_buf_release(&b);
		free(time);
	}
	return t->drawn && left > 0 ? (left - 1) % 1000 + 1 : left;
}

void
wisp_terminal_clear(struct wisp_terminal *t)
{
	const struct wisp_buf b = {.data = CLEAR, .len = sizeof CLEAR - 1};

	if (t->drawn)
		put(&b);
	t->drawn = false;
}

char
wisp_terminal_key(struct wisp_terminal *t)
{
	struct pollfd p = {STDIN_FILENO, POLLIN, 0};
	unsigned char c;

	while (t->keys != NULL && poll(&p, 1, 0) > 0) {
		if (read(STDIN_FILENO, &c, 1) != 1) {
			t->keys = NULL;	/* it was hung up */
			break;
		}
		c = (unsigned char)tolower(c);
		if (c != '\0' && strchr(t->keys, c) != NULL)
			return (char)c;
	}
	return 0;
}
