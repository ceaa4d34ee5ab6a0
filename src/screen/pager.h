/*
 * pager: the log of a session on the screen, as it comes: `wisp log -f`, run in the background.
 */
#ifndef WISP_SCREEN_PAGER_H
#define WISP_SCREEN_PAGER_H

#include "act.h"
#include "layout.h"

struct wisp_pager {
	struct wisp_act log;
	char *title;
	struct wisp_lines lines;	/* of log.text, in `width` columns */
	size_t read, width;		/* the bytes and the width that they were made of */
	size_t top;			/* the first line that is seen */
	bool back;			/* not at the end: what comes moves nothing */
};

/* -1 with errno. */
int wisp_pager_open(struct wisp_pager *p, const char *project, const char *branch) WISP_CHECK;
/* Takes what has come. */
void wisp_pager_look(struct wisp_pager *p);
/* The whole screen. */
void wisp_pager_layout(struct wisp_lines *out, struct wisp_pager *p, const struct wisp_view *view);
/* A key of wisp_term_key; false: it leaves the log. */
bool wisp_pager_key(struct wisp_pager *p, int key, size_t height);
/* Ends what runs. */
void wisp_pager_close(struct wisp_pager *p);

#endif
