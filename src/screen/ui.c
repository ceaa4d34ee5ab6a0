/*
 * ui: see ui.h.
 */
#include "ui.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cells.h"
#include "detail.h"
#include "term.h"

#define TICK 1000	/* ms: ages grow, files are looked at */
#define TICK_ACT 50	/* while a command runs */
#define KEYS_FROM 70	/* columns from which the last line names all keys */
#define HANG_UP (128 + 1)

static const char *const help[] = {
	"Up Down j k     another session; PgUp PgDn, Home, End G: further",
	"/               only what matches in branch, project, status, note; Esc: all",
	"c               completed sessions, too; or not",
	"Enter l         its log, as it comes; q comes back",
	"a               answer its question: a text, or the number of a choice",
	"y               approve what it asks approval for",
	"g               guidance for the next prompt",
	"p               pause: end the loop after this step",
	"s               stop it at once",
	"r               resume it in the background",
	"t               attach to its tmux session",
	"Ctrl-L          draw the screen again",
	"q               quit; the loops go on",
	"",
	"Any key goes back.",
};

const struct wisp_row *
wisp_ui_selected(const struct wisp_ui *ui)
{
	return ui->view.selected < ui->sessions.shown ? &ui->sessions.rows[ui->view.selected] : NULL;
}

void
wisp_ui_say(struct wisp_ui *ui, char *text)
{
	free(ui->message);
	ui->message = text;
}

void
wisp_ui_leave(struct wisp_ui *ui)
{
	ui->mode = WISP_MODE_LIST;
	wisp_pager_close(&ui->pager);
	free(ui->home);
	free(ui->question);
	ui->home = ui->question = NULL;
	wisp_buf_reset(&ui->input);
}

static void
choose(struct wisp_ui *ui, const char *home)
{
	const struct wisp_choice choice = {.filter = ui->filter.len > 0 ? ui->filter.data : NULL,
					   .since = ui->completed ? -1 : ui->opened};

	wisp_sessions_arrange(&ui->sessions, &choice);
	ui->view.selected = wisp_sessions_find(&ui->sessions, home, ui->view.selected);
	ui->view.hidden = ui->sessions.hidden;
	ui->view.filter = choice.filter;
	ui->fresh = false;
}

static char *
home_of_selected(const struct wisp_ui *ui)
{
	const struct wisp_row *row = wisp_ui_selected(ui);

	return row != NULL ? wisp_strdup(row->home) : NULL;
}

void
wisp_ui_choose(struct wisp_ui *ui)
{
	char *home = home_of_selected(ui);

	choose(ui, home);
	free(home);
}

void
wisp_ui_load(struct wisp_ui *ui)
{
	char *home = home_of_selected(ui);
	const struct wisp_row *row;

	if (wisp_sessions_load(&ui->sessions, NULL) < 0)
		wisp_ui_say(ui, wisp_str("cannot list the sessions: %s", strerror(errno)));
	choose(ui, home);
	row = wisp_ui_selected(ui);
	if (ui->home != NULL && (row == NULL || strcmp(row->home, ui->home) != 0)) {
		wisp_ui_leave(ui);
		wisp_ui_say(ui, wisp_strdup("that session is gone"));
	}
	free(home);
}

/* The last line; the caller frees it. */
static char *
foot(const struct wisp_ui *ui)
{
	const struct wisp_row *row = wisp_ui_selected(ui);
	const char *branch = row != NULL ? row->branch : "", *typed = ui->input.len > 0 ? ui->input.data : "";

	switch (ui->mode) {
	case WISP_MODE_FILTER:
		return wisp_str("/%s", ui->filter.len > 0 ? ui->filter.data : "");
	case WISP_MODE_ANSWER:
		return wisp_str("answer %s: %s", branch, typed);
	case WISP_MODE_GUIDE:
		return wisp_str("guide %s: %s", branch, typed);
	case WISP_MODE_STOP:
		return wisp_str("stop %s at once? y/n ", branch);
	default:
		if (ui->message != NULL)
			return wisp_strdup(ui->message);
		return wisp_strdup(
			ui->view.width < KEYS_FROM
				? "? help  q quit"
				: "l log  a answer  p pause  r resume  / filter  c completed  ? help  q quit");
	}
}

static void
draw_help(const struct wisp_view *view)
{
	struct wisp_lines lines = {0};
	size_t i;

	wisp_lines_add(&lines, "wisp watch", view->width, view->utf8, WISP_LOOK_HEAD);
	for (i = 0; i < sizeof help / sizeof *help; i++)
		wisp_lines_add(&lines, help[i], view->width, view->utf8, WISP_LOOK_PLAIN);
	wisp_term_draw(&lines, false);
	wisp_lines_release(&lines);
}

static void
draw_log(struct wisp_ui *ui)
{
	struct wisp_lines lines = {0};

	wisp_pager_layout(&lines, &ui->pager, &ui->view);
	wisp_term_draw(&lines, false);
	wisp_lines_release(&lines);
}

static void
draw(struct wisp_ui *ui)
{
	const struct wisp_row *row = wisp_ui_selected(ui);
	struct wisp_view *view = &ui->view;
	struct wisp_lines lines = {0};
	bool prompt = ui->mode >= WISP_MODE_FILTER;
	char *text;
	size_t i;

	if (ui->mode == WISP_MODE_HELP || ui->mode == WISP_MODE_LOG) {
		ui->mode == WISP_MODE_HELP ? draw_help(view) : draw_log(ui);
		return;
	}
	if (!ui->fresh) {
		wisp_buf_reset(&ui->detail);
		if (row != NULL)
			wisp_detail(&ui->detail, view, row);
		ui->fresh = true;
	}
	for (i = 0; i < ui->sessions.shown; i++)
		wisp_row_look(&ui->sessions.rows[i]);
	text = foot(ui);
	view->detail = ui->detail.data;
	view->foot = text;
	view->foot_end = prompt;
	wisp_layout(&lines, view, ui->sessions.rows, ui->sessions.shown);
	wisp_term_draw(&lines, prompt);
	wisp_lines_release(&lines);
	free(text);
}

/* Sleeps until a key, a signal, more of the log or the tick. False where the terminal is gone. */
static bool
poll_once(const struct wisp_ui *ui)
{
	struct pollfd p[] = {{STDIN_FILENO, POLLIN, 0}, {ui->pager.log.pid > 0 ? ui->pager.log.out : -1, POLLIN, 0}};

	return poll(p, 2, ui->act.pid > 0 ? TICK_ACT : TICK) <= 0 ||
	       (p[0].revents & (POLLHUP | POLLERR | POLLNVAL)) == 0;
}

static void
measure(struct wisp_ui *ui)
{
	size_t width = ui->view.width;

	wisp_term_size(&ui->view.width, &ui->view.height);
	ui->view.now = wisp_time_now();
	if (ui->view.width != width)
		ui->fresh = false;
}

static void
look_at_act(struct wisp_ui *ui)
{
	char *outcome = ui->act.pid > 0 ? wisp_act_outcome(&ui->act) : NULL;

	if (outcome == NULL)
		return;
	wisp_ui_say(ui, outcome);
	wisp_ui_load(ui);
}

int
wisp_ui_run(void)
{
	struct wisp_ui ui = {.view.utf8 = wisp_cells_utf8(), .opened = wisp_time_now() / 1000 * 1000};
	int key, code = 0;

	wisp_ui_load(&ui);
	while (!ui.quit && wisp_term_signal == 0) {
		measure(&ui);
		draw(&ui);
		if (!poll_once(&ui)) {
			code = HANG_UP;
			break;
		}
		while (!ui.quit && wisp_term_signal == 0 && (key = wisp_term_key()) != WISP_TERM_NONE)
			wisp_ui_key(&ui, key);
		look_at_act(&ui);
		wisp_pager_look(&ui.pager);
		if (ui.mode == WISP_MODE_LOG && wisp_term_signal == SIGINT) { /* who follows a log ends that alone */
			wisp_term_signal = 0;
			wisp_ui_leave(&ui);
		}
		if (wisp_sessions_changed(&ui.sessions))
			wisp_ui_load(&ui);
	}
	wisp_term_close();
	wisp_ui_leave(&ui);
	wisp_buf_release(&ui.input);
	wisp_buf_release(&ui.filter);
	wisp_buf_release(&ui.detail);
	free(ui.message);
	wisp_act_release(&ui.act);
	wisp_sessions_release(&ui.sessions);
	return wisp_term_signal != 0 ? 128 + wisp_term_signal : code;
}
