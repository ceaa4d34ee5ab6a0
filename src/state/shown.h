/*
 * shown: where a session stands, for its status line and its box: by its phases
 * where it has a loop-state.json (000_), as an orchestration where that is one of those (001_),
 * else by its tasks. A folder with a loop-state.json alone, as $PRP_SESSION_DIR is one, can be
 * shown as well.
 */
#ifndef WISP_STATE_SHOWN_H
#define WISP_STATE_SHOWN_H

#include "core/cli.h"

struct wisp_shown {
	const char *name;		/* of the phase, or of the template */
	struct cJSON *loop, *machine;	/* NULL: no phases */
	struct cJSON *orchestra;	/* NULL: no orchestration */
	long long passed, total;	/* tests, tasks, or systems */
	long long iteration, most;	/* most: -1 for no limit; the loop of an orchestration has none */
	int percent;
	const char *status, *id, *spec;
	struct wisp_record record;	/* if `open` */
	bool open;
};

/* Dies where there is no session, or it cannot be read. `template`: the folder of another one than the record's, or NULL. */
void wisp_shown_look(struct wisp_shown *s, struct wisp_cli *cli, const char *template);
void wisp_shown_release(struct wisp_shown *s);

/* show_orchestra.c: for those that are orchestrations; the rows between the edges of the box, and a document that the caller frees. */
void wisp_orchestra_line(const struct wisp_shown *s);
void wisp_orchestra_box(bool utf8, const struct wisp_shown *s);
struct cJSON *wisp_orchestra_document(const struct wisp_shown *s);

#endif
