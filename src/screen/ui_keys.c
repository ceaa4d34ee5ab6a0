/*
 * ui_keys: what a key does.
 */
#include "ui.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cells.h"
#include "core/question.h"
#include "term.h"

#define INPUT_MAX 4000	/* bytes: what a pipe takes at once */

static void
move(struct wisp_ui *ui, long long by)
{
	long long to = (long long)ui->view.selected + by, last = (long long)ui->sessions.shown - 1;

	to = to > last ? last : to;
	ui->view.selected = to < 0 ? 0 : (size_t)to;
	ui->fresh = false;
}

/* The session that a key is about, NULL with a message where there is none, or no place to work in. */
static const struct wisp_row *
target(struct wisp_ui *ui)
{
	const struct wisp_row *row = wisp_ui_selected(ui);

	if (row == NULL)
		wisp_ui_say(ui, wisp_strdup("there is no session"));
	else if (row->project == NULL)
		wisp_ui_say(ui, wisp_str("it is not known where the project of %s is", row->branch));
	else
		return row;
	return NULL;
}

static void
start(struct wisp_ui *ui, const struct wisp_row *row, const char *const *words, const char *input)
{
	if (ui->act.pid > 0)
		wisp_ui_say(ui, wisp_str("wisp %s has not ended yet", ui->act.name));
	else if (wisp_act_start(&ui->act, row->project, words, input) < 0)
		wisp_ui_say(ui, wisp_str("cannot start wisp %s: %s", words[0], strerror(errno)));
	else
		wisp_ui_say(ui, wisp_str("wisp %s %s ...", words[0], row->branch));
}

/* `name OPTION -- BRANCH`; OPTION may be NULL. */
struct words {
	const char *list[5];
};

static struct words
words_of(const char *name, const char *option, const char *branch)
{
	return option != NULL ? (struct words){{name, option, "--", branch, NULL}} : (struct words){{name, "--", branch, NULL}};
}

static void
start_plain(struct wisp_ui *ui, const char *name, const char *option)
{
	const struct wisp_row *row = target(ui);

	if (row != NULL)
		start(ui, row, words_of(name, option, row->branch).list, NULL);
}

/* Until Enter, or a signal; INT is meant for this alone. */
static void
await_enter(void)
{
	struct pollfd p = {STDIN_FILENO, POLLIN, 0};
	char c = '\0';

	printf("\nEnter goes back to the sessions. ");
	fflush(stdout);
	while (c != '\n' && wisp_term_signal == 0 && poll(&p, 1, -1) >= 0 && read(STDIN_FILENO, &c, 1) == 1)
		;
	if (wisp_term_signal == SIGINT)
		wisp_term_signal = 0;
}

/* Has the command failed by itself, so that what it printed last is to be read? */
static bool
is_to_be_read(int status)
{
	return wisp_term_signal == 0 && WIFEXITED(status) && WEXITSTATUS(status) != 128 + SIGINT &&
	       WEXITSTATUS(status) != 0;
}

/* A command that gets the terminal. */
static void
show(struct wisp_ui *ui, const char *name)
{
	const struct wisp_row *row = target(ui);
	int status;

	if (row == NULL)
		return;
	if (!wisp_act_known(name)) {
		wisp_ui_say(ui, wisp_str("there is no `wisp %s` here", name));
		return;
	}
	wisp_term_leave();
	status = wisp_act_here(row->project, words_of(name, NULL, row->branch).list, &wisp_term_signal);
	if (status < 0)
		wisp_ui_say(ui, wisp_str("cannot start wisp %s: %s", name, strerror(errno)));
	else if (is_to_be_read(status))
		await_enter();
	wisp_term_enter();
	wisp_ui_load(ui);
}

static void
open_log(struct wisp_ui *ui)
{
	const struct wisp_row *row = target(ui);

	if (row == NULL)
		return;
	if (wisp_pager_open(&ui->pager, row->project, row->branch) < 0)
		wisp_ui_say(ui, wisp_str("cannot start wisp log: %s", strerror(errno)));
	else
		ui->mode = WISP_MODE_LOG;
}

static void
ask(struct wisp_ui *ui, enum wisp_mode mode)
{
	const struct wisp_row *row = target(ui);

	if (row == NULL)
		return;
	if (mode == WISP_MODE_ANSWER && row->question == NULL) {
		wisp_ui_say(ui, wisp_str("%s asks nothing", row->branch));
		return;
	}
	ui->mode = mode;
	ui->home = wisp_strdup(row->home);
	ui->question = wisp_strdup(row->question);
}

/* What was typed is sent; an answer only to the question that was shown. */
static void
submit(struct wisp_ui *ui)
{
	const struct wisp_row *row;
	char *text = wisp_str("%s", ui->input.len > 0 ? ui->input.data : "");
	const char *guide[] = {"guide", "--", NULL, text, NULL}, *answer[] = {"answer", "--branch", NULL, "-", NULL};

	wisp_term_forget();	/* the rest of what was pasted is no key */
	wisp_ui_load(ui);
	row = wisp_ui_selected(ui);
	if (ui->mode == WISP_MODE_LIST || row == NULL) {	/* the session is gone, and that was said */
		free(text);
		return;
	}
	guide[2] = answer[2] = row->branch;
	if (text[strspn(text, " ")] == '\0')
		wisp_ui_say(ui, wisp_strdup("nothing was sent"));
	else if (ui->mode == WISP_MODE_GUIDE)
		start(ui, row, guide, NULL);
	else if (row->question == NULL || strcmp(row->question, ui->question) != 0)
		wisp_ui_say(ui, wisp_strdup("nothing was sent: that question is not open any more"));
	else
		start(ui, row, answer, text);
	free(text);
	wisp_ui_leave(ui);
}

/* The gate that a session waits at is opened; what a person has to say beside it goes with an answer. */
static void
approve(struct wisp_ui *ui)
{
	const struct wisp_row *row = target(ui);
	const char *branch = row != NULL ? row->branch : NULL, *stage = row != NULL ? row->stage : NULL;
	const char *answer[] = {"answer", "--branch", branch, "-", NULL}, *words[] = {"approve", stage, "--branch", branch, NULL};

	if (row != NULL && row->gate)
		start(ui, row, answer, WISP_APPROVE);
	else if (stage != NULL)
		start(ui, row, words, NULL);
	else if (row != NULL)
		wisp_ui_say(ui, wisp_str("%s asks for no approval", row->branch));
}

/* A key of what is typed at the prompt. */
static void
type(struct wisp_buf *text, int key)
{
	switch (key) {
	case WISP_TERM_ERASE:
		wisp_cells_drop(text);
		break;
	case WISP_TERM_KILL:
		wisp_buf_reset(text);
		break;
	default:
		if ((key == '\t' || key >= ' ') && text->len < INPUT_MAX)
			wisp_cells_put(text, key == '\t' ? ' ' : (unsigned int)key);
	}
}

/* Each one chooses anew. */
static void
filter_key(struct wisp_ui *ui, int key)
{
	if (key == WISP_TERM_ENTER || key == WISP_TERM_ESCAPE)
		wisp_ui_leave(ui);
	else
		type(&ui->filter, key);
	if (key == WISP_TERM_ESCAPE)
		wisp_buf_reset(&ui->filter);
	wisp_ui_choose(ui);
}

static void
prompt_key(struct wisp_ui *ui, int key)
{
	switch (key) {
	case WISP_TERM_ENTER:
		submit(ui);
		break;
	case WISP_TERM_ESCAPE:
		wisp_ui_leave(ui);
		break;
	default:
		type(&ui->input, key);
	}
}

/* `y` and nothing else stops it. */
static void
stop_key(struct wisp_ui *ui, int key)
{
	wisp_ui_leave(ui);
	if (key == 'y' || key == 'Y')
		start_plain(ui, "stop", "--now");
}

static void
move_key(struct wisp_ui *ui, int key)
{
	long long page = (long long)ui->view.height / 2 + 1, all = (long long)ui->sessions.shown;

	switch (key) {
	case WISP_TERM_UP:
	case 'k':
		move(ui, -1);
		break;
	case WISP_TERM_DOWN:
	case 'j':
		move(ui, 1);
		break;
	case WISP_TERM_PAGE_UP:
	case WISP_TERM_PAGE_DOWN:
		move(ui, key == WISP_TERM_PAGE_UP ? -page : page);
		break;
	case WISP_TERM_HOME:
	case WISP_TERM_END:
	case 'G':
		move(ui, key == WISP_TERM_HOME ? -all : all);
		break;
	}
}

static void
list_key(struct wisp_ui *ui, int key)
{
	wisp_ui_say(ui, NULL);
	switch (key) {
	case WISP_TERM_ENTER:
	case 'l':
		open_log(ui);
		break;
	case 't':
		show(ui, "attach");
		break;
	case '/':
		ui->mode = WISP_MODE_FILTER;
		break;
	case 'c':
		ui->completed = !ui->completed;
		wisp_ui_choose(ui);
		break;
	case WISP_TERM_ESCAPE:
		wisp_buf_reset(&ui->filter);
		wisp_ui_choose(ui);
		break;
	case 'a':
		ask(ui, WISP_MODE_ANSWER);
		break;
	case 'y':
		approve(ui);
		break;
	case 'g':
		ask(ui, WISP_MODE_GUIDE);
		break;
	case 's':
		ask(ui, WISP_MODE_STOP);
		break;
	case 'p':
		start_plain(ui, "pause", NULL);
		break;
	case 'r':
		start_plain(ui, "resume", "--detach");
		break;
	case '?':
	case 'h':
		ui->mode = WISP_MODE_HELP;
		break;
	case 'q':
		ui->quit = true;
		break;
	default:
		move_key(ui, key);
	}
}

void
wisp_ui_key(struct wisp_ui *ui, int key)
{
	if (key == WISP_TERM_RESIZE || key == WISP_TERM_REDRAW)
		return;
	switch (ui->mode) {
	case WISP_MODE_LIST:
		list_key(ui, key);
		break;
	case WISP_MODE_HELP:
		wisp_ui_leave(ui);
		break;
	case WISP_MODE_LOG:
		if (!wisp_pager_key(&ui->pager, key, ui->view.height))
			wisp_ui_leave(ui);
		break;
	case WISP_MODE_FILTER:
		filter_key(ui, key);
		break;
	case WISP_MODE_STOP:
		stop_key(ui, key);
		break;
	default:
		prompt_key(ui, key);
	}
}
