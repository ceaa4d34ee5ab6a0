/*
 * request: see request.h.
 */
#include "request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "time.h"

int
wisp_request_add(const char *home, struct cJSON *request)
{
	char *dir = wisp_str("%s/requests", home), *path = NULL;
	char *now = wisp_time_iso(wisp_time_now());
	int rc = -1;

	wisp_json_set_str(request, "at", now);
	if (wisp_dir_make(dir) == 0) {
		/* Names sort in the order of asking; the process id keeps two askers apart. */
		path = wisp_str("%s/%013lld-%07ld.json", dir, (long long)wisp_time_now(), (long)getpid());
		rc = wisp_json_write(path, request, WISP_SYNC);
	}
	wisp_json_free(request);
	free(now);
	free(path);
	free(dir);
	return rc;
}

int
wisp_requests_load(struct wisp_requests *q, const char *home)
{
	char *dir = wisp_str("%s/requests", home), **names = NULL;
	size_t count = 0;
	int rc = wisp_dir_list(dir, &names, &count);

	memset(q, 0, sizeof *q);
	if (rc != 0) {
		free(dir);
		return errno == ENOENT ? 0 : -1;
	}
	q->files = wisp_alloc(count + 1, sizeof *q->files);
	q->list = wisp_alloc(count + 1, sizeof(struct cJSON *));
	for (size_t i = 0; i < count; i++) {
		char *path = wisp_str("%s/%s", dir, names[i]);
		struct cJSON *request = NULL;

		if (names[i][0] != '.' && wisp_json_load(path, &request, NULL) == WISP_VALID) {
			q->files[q->count] = path;
			q->list[q->count++] = request;
		} else {
			free(path);
		}
	}
	wisp_dir_list_free(names, count);
	free(dir);
	return 0;
}

void
wisp_requests_release(struct wisp_requests *q)
{
	for (size_t i = 0; i < q->count; i++) {
		free(q->files[i]);
		wisp_json_free(q->list[i]);
	}
	free(q->files);
	free(q->list);
	memset(q, 0, sizeof *q);
}
