/*
 * document: see document.h.
 */
#include "document.h"

#include "json.h"

/* {passed, total, next, list}: counts as in `status --json`, the list as the file has it; null without a task list. */
static struct cJSON *
tasks_document(const struct wisp_tasks *t)
{
	const struct wisp_task *next;
	struct cJSON *v;

	if (t == NULL)
		return wisp_json_null();
	v = wisp_json_object();
	next = wisp_tasks_next(t);
	wisp_json_set_num(v, "passed", (double)t->passed);
	wisp_json_set_num(v, "total", (double)t->count);
	wisp_json_set(v, "next", next == NULL ? NULL : wisp_json_copy(next->json));
	wisp_json_set(v, "list", wisp_json_copy(t->doc));
	return v;
}

static struct cJSON *
copy_or(const struct cJSON *v, struct cJSON *(*otherwise)(void))
{
	return v != NULL && wisp_json_type(v) != WISP_T_NULL ? wisp_json_copy(v) : otherwise();
}

struct cJSON *
wisp_document_new(const struct wisp_document *d)
{
	struct cJSON *doc = wisp_json_object();

	wisp_json_set(doc, "state", copy_or(d->state, wisp_json_null));
	wisp_json_set(doc, "tasks", tasks_document(d->tasks));
	wisp_json_set(doc, "history", copy_or(d->history, wisp_json_array));
	wisp_json_set(doc, "session", copy_or(d->session, wisp_json_null));
	wisp_json_set(doc, "loop", copy_or(d->loop, wisp_json_null));
	wisp_json_set(doc, "step", copy_or(d->step, wisp_json_null));
	wisp_json_set(doc, "metrics", copy_or(d->metrics, wisp_json_object));
	wisp_json_set(doc, "last", copy_or(wisp_json_get(d->loop, "last"), wisp_json_object));
	wisp_json_set_str(doc, "verify", d->verify);
	return doc;
}
