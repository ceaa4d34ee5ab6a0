/*
 * row: one session as the screen shows it, taken from its status object
 * (core/status.h) and its record.
 */
#ifndef WISP_SCREEN_ROW_H
#define WISP_SCREEN_ROW_H

#include "core/status.h"

struct wisp_row {
	char *home, *shared, *dir;	/* as in place.h */
	char *branch, *project;		/* project NULL: not known */
	char *word, *phase, *cost; /* phase NULL: none; cost NULL: not known */
	char *tasks; /* as a column: `3/7`, of phases and orchestrations where they stand; NULL: not known */
	char *note;			/* of wisp_status_note, or NULL */
	long long iteration, most;	/* most -1: no limit */
	long long passed, total;	/* tasks; -1: not known */
	int percent;			/* of the bar; -1: none */
	char *question;			/* the id of one that waits for an answer, or NULL */
	bool gate;			/* ... and asks for approval */
	char *stage;			/* the id of a gate of an orchestration that is pending, or NULL */
	char *parent;		   /* of an agent of an orchestration its branch, else NULL */
	bool alive;
	char *output;			/* where the step that runs prints to, or NULL */
	int urgency;  /* of wisp_sessions_arrange */
	wisp_ms last;			/* the last output, else activity; -1: not known */
};

/* `r` may be NULL: a record that cannot be read. */
void wisp_row_fill(struct wisp_row *row, const struct wisp_place *place, const struct wisp_record *r,
		   const struct cJSON *status, wisp_ms now);
/* Looks again for `last`: output comes without any change of the record. */
void wisp_row_look(struct wisp_row *row);
void wisp_row_release(struct wisp_row *row);
/* Does it wait for a person: a question, or a gate? */
bool wisp_row_waits(const struct wisp_row *row);
/* The last part of the project's path, `-` where it is not known. Borrowed. */
const char *wisp_row_project(const struct wisp_row *row);
/* What a person is told when it changes, without branch and project: `running, iteration 4 of 50, tasks 3/7, $1.93`. */
void wisp_row_say(struct wisp_buf *out, const struct wisp_row *row);

#endif
