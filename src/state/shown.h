/*
 * shown: where a session stands, for its status line and its box: by its phases
 * where it has a loop-state.json, else by its tasks. A folder with a loop-state.json
 * alone, as $PRP_SESSION_DIR is one, can be shown as well.
 */
#ifndef WISP_STATE_SHOWN_H
#define WISP_STATE_SHOWN_H

#include "core/cli.h"

struct wisp_shown {
	const char *name;		/* of the phase, or of the template */
	struct cJSON *loop, *machine;	/* NULL: no phases */
	long long passed, total;	/* tests, or tasks */
	long long iteration, most;	/* most: -1 for no limit */
	int percent;
	const char *status, *id, *spec;
	struct wisp_record record;	/* if `open` */
	bool open;
};

/* Dies where there is no session, or it cannot be read. `template`: the folder of another one than the record's, or NULL. */
void wisp_shown_look(struct wisp_shown *s, struct wisp_cli *cli, const char *template);
void wisp_shown_release(struct wisp_shown *s);

#endif
