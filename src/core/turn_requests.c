/*
 * turn_requests: what people asked of the loop meanwhile is applied to the record.
 */
#include "turn.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool
is_verb(const struct cJSON *request, const char *verb)
{
	return strcmp(wisp_json_str(request, "verb", ""), verb) == 0;
}

static bool
is_pause(const struct cJSON *request)
{
	return is_verb(request, "pause") || is_verb(request, "stop");
}

static bool
holds(const struct cJSON *names, const char *name)
{
	for (const struct cJSON *n = wisp_json_first(names); n != NULL; n = wisp_json_next(n))
		if (strcmp(wisp_json_text(n, ""), name) == 0)
			return true;
	return false;
}

/* The changes of the task list that are asked for and not in the record yet, in their order. */
static struct cJSON *
changes_of(const struct wisp_record *r, const struct wisp_requests *q)
{
	struct cJSON *changes = wisp_json_array();

	for (size_t i = 0; i < q->count; i++)
		if (is_verb(q->list[i], "tasks") && !holds(wisp_json_get(r->doc, "applied"), strrchr(q->files[i], '/') + 1))
			wisp_json_push(changes, wisp_json_copy(wisp_json_get(q->list[i], "change")));
	return changes;
}

/* A change that no longer fits the list is dropped: the list is what counts. */
static void
change_all(struct wisp_tasks *t, const struct cJSON *changes)
{
	for (const struct cJSON *c = wisp_json_first(changes); c != NULL; c = wisp_json_next(c))
		(void)!wisp_tasks_apply(t, c, NULL);
}

/* Was the list changed so already, by one that was killed before its commit? */
static bool
is_changed(struct wisp_record *r, const struct cJSON *changes)
{
	char *path = wisp_record_dir_path(r, "tasks.json");
	struct wisp_tasks t = {0};
	bool yes = false;

	if (wisp_record_good_tasks(r, NULL, &t, NULL) == 0) {
		change_all(&t, changes);
		yes = wisp_file_holds(path, t.bytes.data, t.bytes.len) && wisp_record_keep_tasks(r, &t) == 0;
	}
	wisp_tasks_release(&t);
	free(path);
	return yes;
}

static int
apply_changes(struct wisp_record *r, const struct cJSON *changes, struct wisp_err *err)
{
	struct wisp_tasks t = {0};
	int rc;

	if (wisp_json_len(changes) == 0 || is_changed(r, changes))
		return 0;
	rc = wisp_turn_adopt_tasks(r, &t, err);
	if (rc == 0) {
		change_all(&t, changes);
		rc = wisp_turn_put_tasks(r, &t);
	}
	wisp_tasks_release(&t);
	return rc < 0 ? -1 : 0;
}

/* The record names what it has applied, until the files are gone: who is killed between the two asks them once. */
int
wisp_turn_requests(struct wisp_record *r, struct wisp_asked *asked, struct wisp_err *err)
{
	struct cJSON *names, *changes;
	int rc;

	memset(asked, 0, sizeof *asked);
	if (wisp_requests_load(&asked->requests, r->home) != 0)
		return -1;
	changes = changes_of(r, &asked->requests);
	rc = apply_changes(r, changes, err);
	wisp_json_free(changes);
	if (rc != 0)
		return -1;
	names = wisp_json_array();
	for (size_t i = 0; i < asked->requests.count; i++) {
		const struct cJSON *request = asked->requests.list[i];
		const char *name = strrchr(asked->requests.files[i], '/') + 1;

		if (is_verb(request, "guide") && !holds(wisp_json_get(r->doc, "applied"), name))
			wisp_record_tell(r, "guidance", wisp_json_str(request, "text", ""));
		asked->pause = asked->pause || is_pause(request);
		wisp_json_push(names, wisp_json_string(name));
	}
	wisp_json_set(r->doc, "applied", names);
	return 0;
}

void
wisp_turn_requests_done(const struct wisp_asked *asked, bool pauses)
{
	for (size_t i = 0; i < asked->requests.count; i++)
		if (pauses || !is_pause(asked->requests.list[i]))
			(void)unlink(asked->requests.files[i]);
}
