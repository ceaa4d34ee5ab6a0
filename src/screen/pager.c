/*
 * pager: see pager.h.
 */
#include "pager.h"

#include <stdlib.h>

#include "cells.h"
#include "term.h"

#define AROUND 2	/* lines of the screen that are not of the log */

int
wisp_pager_open(struct wisp_pager *p, const char *project, const char *branch)
{
	const char *const words[] = {"log", "-f", "--", branch, NULL};

	if (wisp_act_start(&p->log, project, words, NULL) < 0)
		return -1;
	p->title = wisp_str("log of %s", branch);
	return 0;
}

void
wisp_pager_look(struct wisp_pager *p)
{
	int status;

	(void)wisp_act_ended(&p->log, &status);
}

static size_t
page_of(size_t height)
{
	return height > AROUND ? height - AROUND : 1;
}

/* The lines of the text, wrapped. */
static void
wrap(struct wisp_pager *p, size_t width, bool utf8)
{
	const char *rest = p->log.text.len > 0 ? p->log.text.data : "", *piece;
	struct wisp_buf line = WISP_BUF_INIT, cut = WISP_BUF_INIT;

	wisp_lines_release(&p->lines);
	while (*rest != '\0') {
		wisp_buf_reset(&line);
		for (; *rest != '\0' && *rest != '\n'; rest++)
			wisp_buf_putc(&line, *rest == '\t' ? ' ' : *rest);
		rest += *rest == '\n';
		piece = line.len > 0 ? line.data : "";
		do {
			wisp_buf_reset(&cut);
			wisp_buf_puts(&cut, "");
			piece = wisp_cells_wrap(&cut, piece, width, utf8);
			wisp_lines_add(&p->lines, cut.data, width, utf8, WISP_LOOK_PLAIN);
		} while (*piece != '\0');
	}
	wisp_buf_release(&line);
	wisp_buf_release(&cut);
	p->read = p->log.read;
	p->width = width;
}

void
wisp_pager_layout(struct wisp_lines *out, struct wisp_pager *p, const struct wisp_view *view)
{
	size_t page = page_of(view->height), last, i;

	if (p->read != p->log.read || p->width != view->width)
		wrap(p, view->width, view->utf8);
	last = p->lines.count > page ? p->lines.count - page : 0;
	if (!p->back || p->top >= last) {
		p->top = last;
		p->back = false;
	}
	if (view->height > 1)
		wisp_lines_add(out, p->title, view->width, view->utf8, WISP_LOOK_HEAD);
	for (i = p->top; i < p->top + page; i++)
		wisp_lines_add(out, i < p->lines.count ? p->lines.list[i].text : "", view->width, view->utf8, WISP_LOOK_PLAIN);
	if (view->height > AROUND)
		wisp_lines_add(out, p->back ? "q back  j k PgUp PgDn g G" : "q back  j k PgUp PgDn g G  (the end)", view->width,
			       view->utf8, WISP_LOOK_HEAD);
}

static void
move(struct wisp_pager *p, bool up, size_t by)
{
	p->back = true;
	p->top = !up ? p->top + by : p->top > by ? p->top - by : 0;
}

bool
wisp_pager_key(struct wisp_pager *p, int key, size_t height)
{
	size_t page = page_of(height);

	switch (key) {
	case 'q':
	case WISP_TERM_ESCAPE:
		return false;
	case 'k':
	case WISP_TERM_UP:
		move(p, true, 1);
		break;
	case 'j':
	case WISP_TERM_DOWN:
	case WISP_TERM_ENTER:
		move(p, false, 1);
		break;
	case 'b':
	case WISP_TERM_PAGE_UP:
		move(p, true, page);
		break;
	case ' ':
	case WISP_TERM_PAGE_DOWN:
		move(p, false, page);
		break;
	case 'g':
	case WISP_TERM_HOME:
		move(p, true, p->top);
		break;
	case 'G':
	case WISP_TERM_END:
		p->back = false;
		break;
	}
	return true;
}

void
wisp_pager_close(struct wisp_pager *p)
{
	wisp_act_kill(&p->log);
	wisp_lines_release(&p->lines);
	free(p->title);
	*p = (struct wisp_pager){0};
}
