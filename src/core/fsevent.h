/*
 * fsevent: sleeping until something may have happened to some paths.
 *
 * Linux has inotify for it; elsewhere, with WISP_PORTABLE, and where the
 * kernel has no watch left to give, the sleep is just short (250 ms, growing
 * to a second) and the caller looks for itself, as it must in any case:
 *
 *	wisp_fsevent_init(&f, paths, count);
 *	do {
 *		wisp_fsevent_arm(&f);		before looking, so that nothing is missed
 *		look at the paths
 *	} while (nothing changed && wisp_fsevent_wait(&f, ms) < 0);
 *
 * A path need not exist, nor the folder it is in.
 */
#ifndef WISP_FSEVENT_H
#define WISP_FSEVENT_H

#include "buf.h"

struct wisp_fsevent {
	const char *const *paths;
	size_t count;
	int *watch;	/* of the paths themselves */
	int fd;		/* -1 without inotify */
	int nap;	/* ms of the next short sleep */
};

/* `paths` must outlive it. */
void wisp_fsevent_init(struct wisp_fsevent *f, const char *const *paths, size_t count);
void wisp_fsevent_arm(struct wisp_fsevent *f);
/* Sleeps at most `ms`. The index of a path whose contents changed for certain; -1: look. */
int wisp_fsevent_wait(struct wisp_fsevent *f, int ms);
void wisp_fsevent_release(struct wisp_fsevent *f);

#endif
