/*
 * ui: what the screen shows and what keys do; ui.c has the loop and the drawing, ui_keys.c the keys.
 */
#ifndef WISP_SCREEN_UI_H
#define WISP_SCREEN_UI_H

#include "act.h"
#include "layout.h"
#include "pager.h"
#include "sessions.h"

/* The last ones prompt in the last line. */
enum wisp_mode { WISP_MODE_LIST, WISP_MODE_HELP, WISP_MODE_LOG, WISP_MODE_FILTER, WISP_MODE_ANSWER, WISP_MODE_GUIDE,
		 WISP_MODE_STOP };

struct wisp_ui {
	struct wisp_sessions sessions;
	struct wisp_view view;
	enum wisp_mode mode;
	char *home, *question;		/* whom a prompt is about, and which question; NULL outside of one */
	struct wisp_buf input;		/* what was typed at it */
	struct wisp_buf filter; /* only sessions with this are shown */
	wisp_ms opened;		/* a full second, as in the record: what was completed before is shown with `completed` alone */
	bool completed;
	char *message;			/* in the last line until the next key, or NULL */
	struct wisp_buf detail;
	bool fresh;			/* detail is that of what is selected */
	struct wisp_act act;
	struct wisp_pager pager; /* in WISP_MODE_LOG */
	bool quit;
};

/* The screen until q or a signal; the exit code. */
int wisp_ui_run(void);

/* For ui_keys.c: the session that is selected, NULL where there is none. */
const struct wisp_row *wisp_ui_selected(const struct wisp_ui *ui);
/* What the last line says; takes the text over. */
void wisp_ui_say(struct wisp_ui *ui, char *text);
/* Reads the sessions again, and keeps the selection. */
void wisp_ui_load(struct wisp_ui *ui);
/* Chooses again what is shown, and keeps the selection. */
void wisp_ui_choose(struct wisp_ui *ui);
/* One key: of wisp_term_key. */
void wisp_ui_key(struct wisp_ui *ui, int key);
/* Back from a prompt, the help or a log. */
void wisp_ui_leave(struct wisp_ui *ui);

#endif
