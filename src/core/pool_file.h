/*
 * pool_file: pool.json as it lies there, for pool.c, and for `wisp-orch pool`, which makes it (pool.h).
 */
#ifndef WISP_POOL_FILE_H
#define WISP_POOL_FILE_H

#include "record.h"

struct wisp_pool {
	char *path;
	struct cJSON *doc;
	int lock;		/* -1 when opened to read */
};

/* 0; 1: the session belongs to no orchestration that is there. -1 as pool.h says; then there is nothing to release. */
int wisp_pool_open(struct wisp_pool *p, const struct wisp_record *r, enum wisp_record_mode mode, struct wisp_err *err) WISP_CHECK;
/*
 * The same for the orchestration's own record, to be written: a pool that is missing, or does not hold, is
 * made of `sessions`, whose entries wisp_pool_note gave, and has no limit until the caller sets it. *bad (owned) is NULL, or
 * says what did not hold; that file is kept as pool.json.bad.
 */
int wisp_pool_make(struct wisp_pool *p, const struct wisp_record *r, const struct cJSON *sessions, char **bad) WISP_CHECK;
/* Writes it, synced, if it has changed: loops that wait look at it then. Lets go of it in any case. -1 with errno. */
int wisp_pool_commit(struct wisp_pool *p) WISP_CHECK;
/* Lets go of it as it was. */
void wisp_pool_release(struct wisp_pool *p);

#endif
