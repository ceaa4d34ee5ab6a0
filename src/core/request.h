/*
 * request: what a person asks of a running loop, one file each in
 * HOME/requests/, applied in the order of their names.
 *
 * {"verb": "pause|stop|guide|tasks", "at": ISO 8601, "owner": pid or null,
 *  "now": true with stop --now, "text": guidance, "change": {...} with tasks}
 *
 * A pause or stop that was meant for an earlier owner is discarded; all else
 * waits until it is applied. A request is removed only after the record that
 * holds its effect is committed.
 */
#ifndef WISP_REQUEST_H
#define WISP_REQUEST_H

#include "record.h"

/* Adds a request (an object without `at`; consumed), synced. -1 with errno. */
int wisp_request_add(const char *home, struct cJSON *request) WISP_CHECK;

struct wisp_requests {
	char **files;		/* paths, in order */
	struct cJSON **list;
	size_t count;
};
/* Reads all that are whole; unreadable ones are left lying and passed over. -1 with errno. */
int wisp_requests_load(struct wisp_requests *q, const char *home) WISP_CHECK;
void wisp_requests_release(struct wisp_requests *q);

#endif
