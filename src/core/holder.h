/*
 * holder: who has a lock. Whoever takes one writes into its file who that is, for
 * those who come second: the lock itself is the kernel's, this is what they are told.
 */
#ifndef WISP_HOLDER_H
#define WISP_HOLDER_H

#include <stdbool.h>
#include <sys/types.h>

#include "die.h"

struct wisp_holder {
	long pid;
	char host[256];
	char id[64];		/* of the owner's lock, by device and number: the same one, the same record */
	char space[64];		/* the pid namespace (inside.h) */
	char *home;		/* the folder that holds all records (place.h) */
};

/* This host, and the lock open at `fd`. */
void wisp_holder_fill(struct wisp_holder *h, long pid, int fd);
/* In place of what the file open at `fd` holds. A file that cannot be written says nothing, and the lock holds. */
void wisp_holder_write(const struct wisp_holder *h, int fd);
/* false where the file does not say. */
bool wisp_holder_read(struct wisp_holder *h, const char *path) WISP_CHECK;
/* Has that process ended, as far as can be told here? Then what it started has the lock, and not for long. */
bool wisp_holder_ended(const struct wisp_holder *h);
void wisp_holder_release(struct wisp_holder *h);

/* No such process, or a zombie. */
bool wisp_process_ended(long pid);

#endif
