/*
 * sessions: all sessions of all projects, as rows, and whether they have changed.
 *
 *	struct wisp_sessions s = {0};
 *	wisp_sessions_load(&s, NULL);
 *	...
 *	if (wisp_sessions_changed(&s))		every second or so
 *		wisp_sessions_load(&s, NULL);
 */
#ifndef WISP_SCREEN_SESSIONS_H
#define WISP_SCREEN_SESSIONS_H

#include "row.h"

struct wisp_sessions {
	struct wisp_row *rows;
	size_t count, shown;	  /* the first `shown` ones are those that are asked for */
	size_t hidden;		  /* completed ones that are not */
	unsigned long long stamp;	/* of the files that they were read from */
	wisp_ms loaded, took;		/* monotonic; how long the reading was */
};

/*
 * Reads them all, of a project or (NULL) of all, by project and branch. -1 with errno; then those that were read
 * before are still there.
 */
int wisp_sessions_load(struct wisp_sessions *s, const char *project) WISP_CHECK;

struct wisp_choice {
	const char *filter; /* what branch, project, status or note contain, in either case; NULL for all */
	wisp_ms since;	    /* those that were completed before are hidden; -1: none */
};

/*
 * Those that wait for a person come first, then those that got nowhere, those that go on or may go on, and what
 * is over; an orchestration and its agents stay together.
 */
void wisp_sessions_arrange(struct wisp_sessions *s, const struct wisp_choice *choice);
/*
 * Is it time to read them again: has a file changed? A look costs a few stat(2) for each session. A loop that dies
 * writes nothing, so they are also read again now and then: rarer, the longer that takes.
 */
bool wisp_sessions_changed(const struct wisp_sessions *s);
/* The index among those shown of the session with that home, else the nearest to `otherwise`. */
size_t wisp_sessions_find(const struct wisp_sessions *s, const char *home, size_t otherwise);
void wisp_sessions_release(struct wisp_sessions *s);

#endif
