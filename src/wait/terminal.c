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
#include <termios.h>
#include <unistd.h>

#include "core/file.h"
#include "screen/cells.h"

#define WIDTH 80	/* where the terminal does not say */
#define CLEAR "\r\033[K"
#define PASTE_ON "\033[?2004h"
#define PASTE_OFF "\033[?2004l"

static struct termios before;
static volatile sig_atomic_t changed, typing; /* `typing`: 2 where the terminal marks what is pasted */
static volatile sig_atomic_t continued;

/* Ours, and in the foreground: to touch it from the background would stop us. */
static bool
is_ours(void)
{
	return tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/* One write, so that no other output comes between; what cannot be shown is not shown. */
static void
put(const struct wisp_buf *b)
{
	ssize_t n = write(STDERR_FILENO, b->data, b->len);

	(void)n;
}

static void
no_keys(struct wisp_terminal *t)
{
	t->keys = t->file = NULL;
}

static void
show_typed(struct wisp_terminal *t)
{
	wisp_buf_reset(&t->typed.echo);
	typing = t->typed.plain ? 1 : 2;
	if (typing == 2)
		wisp_buf_puts(&t->typed.echo, PASTE_ON);
	wisp_typed_show(&t->typed);
	put(&t->typed.echo);
}

static void
note(int sig)
{
	(void)sig;
	continued = 1;
}

void
wisp_terminal_enter(struct wisp_terminal *t)
{
	struct sigaction sa = {.sa_handler = note};

	t->shown = -1;
	if (t->keys == NULL && t->file == NULL)
		return;
	if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &before) != 0) {
		no_keys(t);
		return;
	}
	if (t->file != NULL) {
		/* What was typed before it was asked for is no answer. */
		if (is_ours() && !wisp_file_exists(t->file))
			(void)tcflush(STDIN_FILENO, TCIFLUSH);
		wisp_typed_init(&t->typed, t->file);
		t->typed.empty = t->empty;
	}
	sigaction(SIGCONT, &sa, NULL);
	wisp_terminal_attend(t);
}

void
wisp_terminal_attend(struct wisp_terminal *t)
{
	struct termios raw = before;
	bool ours = is_ours();

	if ((t->keys == NULL && t->file == NULL) || (t->on == ours && !continued))
		return;
	t->on = false;
	continued = changed = typing = 0; /* a shell has made it what it wants by now */
	if (!ours)
		return;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	raw.c_cc[VSUSP] = _POSIX_VDISABLE;
	changed = 1; /* before it is: a signal in between puts back what is still there */
	if (tcsetattr(STDIN_FILENO, TCSANOW, &raw) != 0) {
		changed = 0;
		no_keys(t);
		return;
	}
	t->on = true;
	if (t->file != NULL)
		show_typed(t);
}

void
wisp_terminal_leave(void)
{
	int saved = errno;
	bool ours = is_ours();
	ssize_t n = 0;

	if (changed && ours)
		(void)tcsetattr(STDIN_FILENO, TCSANOW, &before);
	if (typing == 2 && ours)
		n = write(STDERR_FILENO, PASTE_OFF, sizeof PASTE_OFF - 1);
	if (typing && ours)
		n = write(STDERR_FILENO, "\n", 1);
	(void)n;
	changed = typing = 0;
	errno = saved;
}

static size_t
width(void)
{
	return wisp_cells_terminal(STDERR_FILENO, WIDTH);
}

wisp_ms
wisp_terminal_draw(struct wisp_terminal *t, wisp_ms left)
{
	wisp_ms seconds = (left + 999) / 1000;
	struct wisp_buf line = WISP_BUF_INIT, b = WISP_BUF_INIT;
	char *time;

	if (t->text == NULL || (t->shown >= 0 && !t->drawn))
		return left;
	if (wisp_cells_behind(STDERR_FILENO)) {
		t->drawn = false;
		t->shown = -1;
		return left < WISP_TERMINAL_LOOK ? left : WISP_TERMINAL_LOOK;
	}
	if (seconds != t->shown) {
		time = wisp_duration_clock(seconds * 1000);
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

	if (t->drawn && !wisp_cells_behind(STDERR_FILENO))
		put(&b);
	t->drawn = false;
}

bool
wisp_terminal_typed(struct wisp_terminal *t)
{
	struct pollfd p = {STDIN_FILENO, POLLIN, 0};
	char piece[4096];
	bool ended = false;
	ssize_t n;

	while (t->file != NULL && t->on && is_ours() && !ended && poll(&p, 1, 0) > 0) {
		n = read(STDIN_FILENO, piece, sizeof piece);
		if (n <= 0) {
			no_keys(t); /* it was hung up */
			break;
		}
		ended = wisp_typed_feed(&t->typed, piece, (size_t)n, poll(&p, 1, 0) > 0, width());
		put(&t->typed.echo);
	}
	return ended;
}

void
wisp_terminal_keep(struct wisp_terminal *t)
{
	if (t->file != NULL && wisp_file_write(t->file, t->typed.text.data, t->typed.text.len, WISP_NOSYNC) < 0)
		die_sys("cannot write '%s'", t->file);
	wisp_typed_release(&t->typed);
}

char
wisp_terminal_key(struct wisp_terminal *t)
{
	struct pollfd p = {STDIN_FILENO, POLLIN, 0};
	unsigned char c;

	while (t->keys != NULL && t->on && is_ours() && poll(&p, 1, 0) > 0) {
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
