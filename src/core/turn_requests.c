/*
 * turn_requests: what people asked of the loop meanwhile is applied to the record.
 */
#include "turn.h"

#include <string.h>

/* Was it added already, by one that was killed before its commit? */
static bool
ends_with(const struct wisp_tasks *t, const struct cJSON *added)
{
	return added != NULL && t->count > 0 && wisp_json_equal(t->list[t->count - 1].json, added);
}

/* A change to the task list that a person asked for while a step was open. */
static int
apply_tasks(struct wisp_record *r, const struct cJSON *change, struct wisp_err *err)
{
	struct wisp_tasks t = {0};
	int rc = wisp_turn_adopt_tasks(r, &t, err);

	/* A change that no longer fits the list is dropped: the list is what counts. */
	if (rc == 0 && !ends_with(&t, wisp_json_get(change, "add")) && wisp_tasks_apply(&t, change, NULL) == 0)
		rc = wisp_turn_put_tasks(r, &t);
	wisp_tasks_release(&t);
	return rc < 0 ? -1 : 0;
}

static int
apply(struct wisp_record *r, struct wisp_asked *asked, const struct cJSON *request, struct wisp_err *err)
{
	const char *verb = wisp_json_str(request, "verb", "");

	if (strcmp(verb, "pause") == 0 || strcmp(verb, "stop") == 0)
		asked->pause = true;
	else if (strcmp(verb, "guide") == 0)
		wisp_record_tell(r, "guidance", wisp_json_str(request, "text", ""));
	else if (strcmp(verb, "tasks") == 0)
		return apply_tasks(r, wisp_json_get(request, "change"), err);
	return 0;
}

static bool
holds(const struct cJSON *names, const char *name)
{
	for (const struct cJSON *n = wisp_json_first(names); n != NULL; n = wisp_json_next(n))
		if (strcmp(wisp_json_text(n, ""), name) == 0)
			return true;
	return false;
}

/* The record names what it has applied, until the files are gone: who is killed between the two asks them once. */
int
wisp_turn_requests(struct wisp_record *r, struct wisp_asked *asked, struct wisp_err *err)
{
	struct cJSON *names;

	memset(asked, 0, sizeof *asked);
	if (wisp_requests_load(&asked->requests, r->home) != 0)
		return -1;
	names = wisp_json_array();
	for (size_t i = 0; i < asked->requests.count; i++) {
		const char *name = strrchr(asked->requests.files[i], '/') + 1;

		wisp_json_push(names, wisp_json_string(name));
		if (!holds(wisp_json_get(r->doc, "applied"), name) && apply(r, asked, asked->requests.list[i], err) != 0) {
			wisp_json_free(names);
			return -1;
		}
	}
	wisp_json_set(r->doc, "applied", names);
	return 0;
}
