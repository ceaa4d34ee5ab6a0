/*
 * tasks_change: what tasks.h says of changing a list. The bytes of the changed
 * values change and no others.
 */
#include "tasks.h"

#include <stdlib.h>
#include <string.h>

#include "scan.h"

/* Where the value of each task's `passes` stands. */
struct spans {
	struct wisp_span *list;
	size_t count;			/* tasks begun */
	char key[sizeof "passes"];	/* the key being read, as far as it fits */
	size_t key_len;
	bool passes;			/* it was that one */
};

static int
spans_text(void *arg, const struct wisp_scan *scan, bool key, const char *p, size_t n)
{
	struct spans *s = arg;

	if (!key || scan->depth != 2)
		return 0;
	if (s->key_len + n < sizeof s->key)
		memcpy(s->key + s->key_len, p, n);
	s->key_len += n;
	return 0;
}

static int
spans_token(void *arg, const struct wisp_scan *scan, enum wisp_token token, uint64_t start, uint64_t end)
{
	struct spans *s = arg;

	if (scan->depth != 2)
		return 0;
	if (token == WISP_OBJECT) {
		s->count++;
	} else if (token == WISP_KEY) {
		s->passes = s->key_len == strlen("passes") && memcmp(s->key, "passes", s->key_len) == 0;
		s->key_len = 0;
	} else if (s->passes && (token == WISP_TRUE || token == WISP_FALSE)) {
		s->list[s->count - 1] = (struct wisp_span){start, end};
		s->passes = false;
	}
	return 0;
}

void
wisp_tasks_set_passes(struct wisp_tasks *t, const bool *passes)
{
	struct spans spans = {.list = wisp_alloc(t->count, sizeof *spans.list)};
	const struct wisp_scan_sink sink = {spans_token, spans_text, &spans};
	struct wisp_buf out = WISP_BUF_INIT;
	struct wisp_scan scan;
	struct wisp_task *task;
	size_t i, done = 0;

	wisp_tasks_own(t);
	wisp_scan_init(&scan, &sink);
	if (wisp_scan_feed(&scan, t->bytes.data, t->bytes.len) != 0 || spans.count != t->count)
		die_bug("a task list that was read cannot be read again");
	for (i = 0; i < t->count; i++) {
		task = &t->list[i];
		if (task->passes == passes[i])
			continue;
		wisp_buf_add(&out, t->bytes.data + done, spans.list[i].start - done);
		wisp_buf_puts(&out, passes[i] ? "true" : "false");
		done = spans.list[i].end;
		wisp_json_set_bool((struct cJSON *)task->json, "passes", passes[i]);
		task->passes = passes[i];
		t->passed = passes[i] ? t->passed + 1 : t->passed - 1;
	}
	wisp_buf_add(&out, t->bytes.data + done, t->bytes.len - done);
	wisp_buf_release(&t->bytes);
	t->bytes = out;
	free(spans.list);
}

void
wisp_tasks_mark(struct wisp_tasks *t, size_t number, bool passes)
{
	bool *all = wisp_alloc(t->count, sizeof *all);
	size_t i;

	for (i = 0; i < t->count; i++)
		all[i] = i + 1 == number ? passes : t->list[i].passes;
	wisp_tasks_set_passes(t, all);
	free(all);
}

/* Is the last task spread over lines? Then a new one is, too. */
static bool
on_lines(const struct wisp_tasks *t)
{
	struct wisp_path_step last = {NULL, t->count - 1};
	const struct wisp_path path = {&last, 1};
	struct wisp_span span;

	return wisp_scan_find(t->bytes.data, t->bytes.len, &path, &span, NULL) == 0 &&
	       memchr(t->bytes.data + span.start, '\n', span.end - span.start) != NULL;
}

/* Adds `task` to the bytes of a list that holds t->count. */
static int
append_bytes(struct wisp_buf *bytes, const struct wisp_tasks *t, struct cJSON *task, struct wisp_err *err)
{
	struct wisp_path_step last = {NULL, t->count};
	struct wisp_path path = {&last, 1};
	struct wisp_buf text = WISP_BUF_INIT;
	struct cJSON *all = wisp_json_array();
	int rc;

	wisp_json_push(all, task);
	if (t->count == 0) {
		path.count = 0;	/* the list itself: `[]` shows no layout */
		wisp_json_print(&text, all);
	} else if (on_lines(t)) {
		wisp_json_print(&text, task);
	} else {
		wisp_json_print_compact(&text, task);
	}
	wisp_buf_add(bytes, t->bytes.data, t->bytes.len);
	rc = wisp_scan_set(bytes, &path, text.data, err);
	wisp_buf_release(&text);
	wisp_json_free(all);
	return rc;
}

int
wisp_tasks_append(struct wisp_tasks *t, struct cJSON *task, struct wisp_err *err)
{
	struct wisp_buf bytes = WISP_BUF_INIT;
	struct wisp_tasks longer = {0};
	int rc = append_bytes(&bytes, t, task, err);

	if (rc == 0 && wisp_tasks_parse(&longer, bytes.data, bytes.len, NULL, err) != WISP_VALID)
		rc = -1;
	if (rc == 0) {
		wisp_tasks_release(t);
		*t = longer;
	} else if (err != NULL) {
		err->line = err->col = 0;	/* of a file that does not exist */
	}
	wisp_buf_release(&bytes);
	return rc;
}

int
wisp_tasks_write(const struct wisp_tasks *t, const char *path)
{
	return wisp_file_write(path, t->bytes.data, t->bytes.len, WISP_SYNC);
}

int
wisp_tasks_apply(struct wisp_tasks *t, const struct cJSON *change, struct wisp_err *err)
{
	const char *op = wisp_json_str(change, "op", "");
	const struct wisp_task *task;
	bool passes = strcmp(op, "pass") == 0;

	if (strcmp(op, "add") == 0)
		return wisp_tasks_append(t, wisp_json_copy(wisp_json_get(change, "add")), err);
	if (!passes && strcmp(op, "open") != 0)
		return wisp_err_set(err, NULL, 0, 0, "'%s' is no change of tasks", op);
	task = wisp_tasks_find(t, wisp_json_str(change, "task", ""));
	if (task == NULL)
		return 1;
	if (task->passes != passes)
		wisp_tasks_mark(t, task->number, passes);
	return 0;
}
