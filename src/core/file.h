/*
 * file: reading whole files, replacing them atomically, locks, folders.
 *
 * Writing: temporary file in the same folder, full write, (fsync), rename,
 * (fsync of the folder). Killed at any instant, the old file or the new one is
 * there, whole. A temporary left by a killed writer is named `.NAME.wisp-*`
 * and is swept by wisp_file_sweep. The mode of a file that is replaced is
 * kept. What is new is its owner's alone, since it may hold what an agent saw:
 * WISP_FILE_MODE and WISP_DIR_MODE. Every descriptor is O_CLOEXEC.
 *
 * This is the only module that renames over a file of a session.
 */
#ifndef WISP_FILE_H
#define WISP_FILE_H

#include <stdbool.h>
#include "buf.h"

#define WISP_FILE_MODE 0600			/* of what is new, whatever the umask */
#define WISP_DIR_MODE 0700
#define WISP_FILE_MAX ((size_t)64 << 20)	/* bytes of any file that is read whole */

enum wisp_sync { WISP_NOSYNC, WISP_SYNC };

/*
 * Appends the whole file to `out`. 0, or -1 with errno: EFBIG beyond `max`
 * bytes, EINVAL for what is not a regular file (never blocks on a FIFO).
 */
int wisp_file_read(const char *path, size_t max, struct wisp_buf *out) WISP_CHECK;
/*
 * The first line of a file of at most 8 KiB, without `prefix`; NULL where that cannot be read, is
 * empty or begins otherwise. The caller frees it.
 */
char *wisp_file_line(const char *path, const char *prefix);
/* Is it a readable file of just these bytes? */
bool wisp_file_holds(const char *path, const void *data, size_t len);
/* A regular file opened for reading: the descriptor, or -1 with errno as above. */
int wisp_file_open(const char *path) WISP_CHECK;
int wisp_file_write(const char *path, const void *data, size_t len, enum wisp_sync sync) WISP_CHECK;
/* The same, synced; the file that was there gets the name `kept`, in the same folder. 1: written, but there was none, or the system did not let it. */
int wisp_file_write_keeping(const char *path, const char *kept, const void *data, size_t len) WISP_CHECK;
/* Brings to the disk all that lies on the file system of a folder, whoever wrote it; no such folder is no error. */
int wisp_file_sync_all(const char *dir) WISP_CHECK;
/* EFBIG beyond WISP_FILE_MAX. */
int wisp_file_copy(const char *from, const char *to, enum wisp_sync sync) WISP_CHECK;
/* Renames within one file system, syncing both folders if asked. ENOENT of `from` is an error like any other. */
int wisp_file_move(const char *from, const char *to, enum wisp_sync sync) WISP_CHECK;
/* Removes temporaries of writers that are gone from the folder `dir`. */
void wisp_file_sweep(const char *dir);
bool wisp_file_exists(const char *path);
/* Appends to a file that people read, without sync; beyond `max` bytes it begins anew, and the older one is PATH.1. -1 with errno. */
int wisp_file_log(const char *path, const void *data, size_t len, size_t max) WISP_CHECK;
/* All of it, whatever interrupts; -1 with errno. */
int wisp_fd_write(int fd, const void *data, size_t len) WISP_CHECK;

/* mkdir -p; 0 or -1 with errno. */
int wisp_dir_make(const char *path) WISP_CHECK;
/* Takes the last name off an absolute path; false at the top. */
bool wisp_dir_up(char *path);
/* Takes a folder, and the files and folders right in it, from group and others, as far as the system lets it. */
void wisp_dir_private(const char *path);
/*
 * From `top` down to `path`, below it or itself: what is there and is no folder, such as a link to one, is moved to
 * .NAME.moved beside it, and `moved` is called with its name (below `top`). Nothing is made. -1 with errno.
 */
int wisp_dir_own(const char *top, const char *path, void (*moved)(void *arg, const char *name), void *arg) WISP_CHECK;
/* Removes `path` and all below it, following no link; a missing one is fine. */
int wisp_dir_remove(const char *path) WISP_CHECK;
/* Names in `dir` without . and .., sorted by strcmp; *names and each string belong to the caller. -1 with errno. */
int wisp_dir_list(const char *dir, char ***names, size_t *count) WISP_CHECK;
void wisp_dir_list_free(char **names, size_t count);

/*
 * Takes the write lock: flock on `path`, made if missing, waiting for it.
 * Returns the descriptor, -1 with errno. Closing it lets go; so does death.
 */
int wisp_lock(const char *path) WISP_CHECK;
/* Is the open file still the one that `path` names? A lock on one that was removed excludes no other process. */
bool wisp_lock_is_file(int fd, const char *path);
/* Tries once on an open descriptor (the owner's): 0 taken, 1 held by somebody else, -1 errno. */
int wisp_lock_fd(int fd) WISP_CHECK;
/* Is `path` locked by anybody? 1 yes, 0 no (or missing), -1 errno. */
int wisp_lock_held(const char *path) WISP_CHECK;

#endif
