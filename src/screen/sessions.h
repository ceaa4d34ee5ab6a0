/*
 * sessions: all sessions of all projects, as rows, and whether they have changed.
 *
 *	struct wisp_sessions s = {0};
 *	wisp_sessions_load(&s);
 *	...
 *	if (wisp_sessions_changed(&s))		every second or so
 *		wisp_sessions_load(&s);
 */
#ifndef WISP_SCREEN_SESSIONS_H
#define WISP_SCREEN_SESSIONS_H

#include "row.h"

struct wisp_sessions {
	struct wisp_row *rows;		/* sorted by project and branch */
	size_t count;
	unsigned long long stamp;	/* of the files that they were read from */
	wisp_ms loaded, took;		/* monotonic; how long the reading was */
};

/* Reads them all. -1 with errno; then those that were read before are still there. */
int wisp_sessions_load(struct wisp_sessions *s) WISP_CHECK;
/*
 * Is it time to read them again: has a file changed? A look costs a few stat(2) for each session. A loop that dies
 * writes nothing, so they are also read again now and then: rarer, the longer that takes.
 */
bool wisp_sessions_changed(const struct wisp_sessions *s);
/* The index of the session with that home, else the nearest to `otherwise`. */
size_t wisp_sessions_find(const struct wisp_sessions *s, const char *home, size_t otherwise);
void wisp_sessions_release(struct wisp_sessions *s);

#endif
