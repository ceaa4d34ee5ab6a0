/*
 * term: see term.h.
 */
#define NCURSES_WIDECHAR 1
#include "term.h"

#include <curses.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "cells.h"

#define ESCAPE_MS 25	/* after which an escape is none of a key's */
#define CTRL(c) ((c) & 0x1f)

volatile int wisp_term_signal;
static SCREEN *screen;
static bool colour;

static void
note(int sig)
{
	wisp_term_signal = sig;
}

/* Before curses: it leaves alone what has a handler. */
static void
catch_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction sa = {.sa_handler = note}, ignore = {.sa_handler = SIG_IGN};
	size_t i;

	for (i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaction(signals[i], &sa, NULL);
	sigaction(SIGPIPE, &ignore, NULL);
}

static void
set_colours(void)
{
	const char *no = getenv("NO_COLOR");

	if ((no != NULL && *no != '\0') || !has_colors() || start_color() == ERR || use_default_colors() == ERR)
		return;
	colour = true;
	init_pair(WISP_LOOK_ASKS, COLOR_MAGENTA, -1); /* yellow is hard to read on a light background */
	init_pair(WISP_LOOK_GOOD, COLOR_GREEN, -1);
	init_pair(WISP_LOOK_BAD, COLOR_RED, -1);
}

char *
wisp_term_open(void)
{
	const char *name = getenv("TERM");
	char *problem;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return wisp_strdup("there is no terminal here");
	if (name == NULL || *name == '\0')
		return wisp_strdup("TERM is not set");
	problem = wisp_term_unknown(name);
	if (problem != NULL)
		return problem;
	catch_signals();
	screen = newterm(NULL, stdout, stdin);
	if (screen == NULL)
		return wisp_str("the terminal '%s' cannot show a screen", name);
	atexit(wisp_term_close);
	set_escdelay(ESCAPE_MS);
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	set_colours();
	return NULL;
}

void
wisp_term_close(void)
{
	if (screen == NULL)
		return;
	endwin();
	delscreen(screen);
	screen = NULL;
}

void
wisp_term_leave(void)
{
	curs_set(1);
	refresh();
	def_prog_mode();
	endwin();
}

void
wisp_term_enter(void)
{
	reset_prog_mode();
	clearok(stdscr, TRUE);
	refresh();
}

void
wisp_term_size(size_t *width, size_t *height)
{
	*width = COLS > 0 ? (size_t)COLS : 1;
	*height = LINES > 0 ? (size_t)LINES : 1;
}

static attr_t
attribute(enum wisp_look look)
{
	switch (look) {
	case WISP_LOOK_HEAD:
		return A_REVERSE;
	case WISP_LOOK_ASKS:
	case WISP_LOOK_BAD:
		return A_BOLD | (colour ? (attr_t)COLOR_PAIR(look) : 0);
	case WISP_LOOK_GOOD:
		return colour ? (attr_t)COLOR_PAIR(look) : A_NORMAL;
	case WISP_LOOK_DIM:
		return colour ? A_DIM : A_NORMAL;
	default:
		return A_NORMAL;
	}
}

void
wisp_term_draw(const struct wisp_lines *lines, bool cursor)
{
	const struct wisp_line *line = NULL;
	size_t i;

	erase();
	for (i = 0; i < lines->count && i < (size_t)LINES; i++) {
		line = &lines->list[i];
		attrset((int)(attribute(line->look) | (line->selected ? A_REVERSE : A_NORMAL)));
		mvaddstr((int)i, 0, line->text);
		/* Full width, but for the last cell of all, which would scroll some terminals. */
		if (line->look == WISP_LOOK_HEAD || line->selected)
			for (int x = getcurx(stdscr); getcury(stdscr) == (int)i && x + (i + 1 == (size_t)LINES) < COLS; x++)
				addch(' ');
	}
	attrset(A_NORMAL);
	curs_set(cursor ? 1 : 0);
	if (cursor && line != NULL)
		move((int)i - 1, (int)wisp_cells_width(line->text, wisp_cells_utf8()));
	refresh();
}

static int
function_key(wint_t key)
{
	switch (key) {
	case KEY_UP:
		return WISP_TERM_UP;
	case KEY_DOWN:
		return WISP_TERM_DOWN;
	case KEY_PPAGE:
		return WISP_TERM_PAGE_UP;
	case KEY_NPAGE:
		return WISP_TERM_PAGE_DOWN;
	case KEY_HOME:
		return WISP_TERM_HOME;
	case KEY_END:
		return WISP_TERM_END;
	case KEY_BACKSPACE:
	case KEY_DC:
		return WISP_TERM_ERASE;
	case KEY_ENTER:
		return WISP_TERM_ENTER;
	default:
		return WISP_TERM_RESIZE;	/* also of what has no meaning: to draw again harms nobody */
	}
}

int
wisp_term_key(void)
{
	wint_t key;
	int rc = get_wch(&key);

	if (rc == ERR)
		return WISP_TERM_NONE;
	if (rc == KEY_CODE_YES)
		return function_key(key);
	switch (key) {
	case '\r':
	case '\n':
		return WISP_TERM_ENTER;
	case '\b':
	case 0x7f:
		return WISP_TERM_ERASE;
	case 0x1b:
		return WISP_TERM_ESCAPE;
	case CTRL('u'):
		return WISP_TERM_KILL;
	case CTRL('l'):
		clearok(stdscr, TRUE);
		return WISP_TERM_REDRAW;
	default:
		return (int)key;
	}
}

void
wisp_term_forget(void)
{
	flushinp();
}
