/*
 * detail: see detail.h.
 */
#include "detail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "core/config.h"
#include "core/lines.h"

#define LABEL 10	/* columns of a name */
#define LABEL_FROM 40	/* columns of the screen from which lines begin with one */
#define TEXT_MAX 1000	/* bytes of one text */
#define TEXT_LINES 3

/* `NAME      text`, on up to TEXT_LINES lines; none for nothing. */
static void
put(struct wisp_buf *out, const struct wisp_view *view, const char *name, const char *text)
{
	size_t label = view->width >= LABEL_FROM ? LABEL : 0, n;
	struct wisp_buf b = WISP_BUF_INIT;
	const char *rest;

	wisp_buf_line(&b, text != NULL ? text : "", TEXT_MAX);
	rest = b.data;
	for (n = 0; *rest != '\0' && n < TEXT_LINES; n++) {
		if (label > 0)
			wisp_buf_printf(out, "%-*s", LABEL, n == 0 ? name : "");
		if (n + 1 == TEXT_LINES)
			wisp_cells_cut(out, rest, view->width - label, view->utf8);
		else
			rest = wisp_cells_wrap(out, rest, view->width - label, view->utf8);
		wisp_buf_putc(out, '\n');
	}
	wisp_buf_release(&b);
}

/* Until when a loop waits for the answer (input.timeout). */
static void
put_timeout(struct wisp_buf *out, const struct wisp_view *view, const struct wisp_record *r, const struct cJSON *question)
{
	wisp_ms most = wisp_config_ms(wisp_json_get(r->doc, "config"), "input.timeout");
	wisp_ms asked = wisp_time_parse(wisp_json_str(question, "asked_at", NULL));
	char *clock, *text;

	if (most < 0 || asked < 0)
		return;
	clock = wisp_time_clock(asked + most, view->now);
	text = wisp_str("for the answer until %s", clock);
	put(out, view, "waits", text);
	free(text);
	free(clock);
}

static void
put_question(struct wisp_buf *out, const struct wisp_view *view, const struct wisp_record *r, const struct cJSON *question,
	     bool alive)
{
	const struct cJSON *choice;
	char *text;
	int n = 0;

	put(out, view, "asks", wisp_json_str(question, "question", ""));
	for (choice = wisp_json_first(wisp_json_get(question, "choices")); choice != NULL; choice = wisp_json_next(choice)) {
		text = wisp_str("%d %s", ++n, wisp_json_text(choice, "?"));
		put(out, view, "", text);
		free(text);
	}
	put(out, view, "answer", wisp_json_str(question, "invalid", NULL));
	if (alive)
		put_timeout(out, view, r, question);
}

/* How it stands, in a word and why. */
static void
put_head(struct wisp_buf *out, const struct wisp_view *view, const struct wisp_row *row, const struct cJSON *status)
{
	const char *reason = wisp_json_str(status, "reason", NULL);
	struct wisp_buf brief = WISP_BUF_INIT;
	char *text = wisp_str("%s%s%s", row->word, row->note != NULL ? ": " : "", row->note != NULL ? row->note : "");

	put(out, view, "status", text);
	free(text);
	/* A loop that goes on has left behind what it was halted or asked for. */
	if (reason != NULL && !row->alive && row->question == NULL) {
		wisp_buf_line(&brief, reason, WISP_LINE_TEXT); /* as the note has it */
		if (row->note == NULL || strcmp(brief.data, row->note) != 0)
		put(out, view, "reason", reason);
		wisp_buf_release(&brief);
	}
}

static void
put_step(struct wisp_buf *out, const struct wisp_view *view, const struct wisp_record *r, const struct wisp_row *row)
{
	const struct cJSON *step = wisp_json_get(r->doc, "step");
	wisp_ms since = wisp_time_parse(wisp_json_str(step, "started_at", NULL));
	char *clock, *text;

	if (!row->alive || strcmp(wisp_json_str(step, "stage", ""), "begun") != 0 || since < 0)
		return;
	clock = wisp_time_clock(since, view->now);
	text = wisp_str("of iteration %lld runs since %s", wisp_json_int(step, "iteration", 0), clock);
	put(out, view, "step", text);
	free(text);
	free(clock);
}

static void
put_next(struct wisp_buf *out, const struct wisp_view *view, const struct cJSON *tasks)
{
	const struct cJSON *next = wisp_json_get(tasks, "next");
	char *text;

	put(out, view, "tasks", wisp_json_str(tasks, "error", NULL));
	if (wisp_json_type(next) != WISP_T_OBJECT)
		return;
	text = wisp_str("%lld %s", wisp_json_int(next, "number", 0), wisp_json_str(next, "description", ""));
	put(out, view, "next", text);
	free(text);
}

/* The lines of a report: two blanks, a name, a text. */
static void
put_report(struct wisp_buf *out, const struct wisp_view *view, const struct wisp_record *r, const struct cJSON *status)
{
	struct wisp_buf b = WISP_BUF_INIT;
	char *line, *next, name[LABEL + 1];

	wisp_report_limits(&b, r, status, view->now);
	wisp_status_confined(&b, status);
	for (line = b.data; line != NULL && (next = strchr(line, '\n')) != NULL; line = next + 1) {
		*next = '\0';
		snprintf(name, sizeof name, "%s", strlen(line) > LABEL + 2 ? line + 2 : "");
		put(out, view, name, strlen(line) > LABEL + 2 ? line + 2 + LABEL : line);
	}
	wisp_buf_release(&b);
}

static void
put_record(struct wisp_buf *out, const struct wisp_view *view, const struct wisp_record *r, const struct wisp_row *row)
{
	struct cJSON *status = wisp_status_of(r, view->now);
	const struct cJSON *e, *last = NULL;

	for (e = wisp_json_first(wisp_json_get(r->doc, "history")); e != NULL; e = wisp_json_next(e))
		last = e;
	if (row->question != NULL)
		put_question(out, view, r, wisp_json_get(status, "question"), row->alive);
	else
		put_head(out, view, row, status);
	put_step(out, view, r, row);
	put_next(out, view, wisp_json_get(status, "tasks"));
	put(out, view, "last", wisp_json_str(last, "summary", NULL));
	put(out, view, "error", wisp_json_str(last, "error", NULL));
	put_report(out, view, r, status);
	put(out, view, "where", wisp_json_str(r->doc, "worktree", row->dir));
	wisp_json_free(status);
}

void
wisp_detail(struct wisp_buf *out, const struct wisp_view *view, const struct wisp_row *row)
{
	const struct wisp_place place = {.project = row->project, .branch = row->branch, .dir = row->dir,
					 .home = row->home, .shared = row->shared};
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_record r = {0};

	if (wisp_record_open(&r, &place, WISP_READ, &err) == 0) {
		put_record(out, view, &r, row);
	} else {
		put(out, view, "status", row->word);
		put(out, view, "", row->note);
	}
	wisp_record_release(&r);
	wisp_err_release(&err);
}
