/*
 * turn: what the parts of a turn share.
 */
#include "turn.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "config.h"
#include "hash.h"
#include "holder.h"
#include "request.h"
#include "session.h"

#define FILES_MAX 50			/* names of files that the record keeps of a step */
#define NAME_SHOWN 1024			/* bytes of such a name */

struct cJSON *
wisp_turn_step(const struct wisp_record *r)
{
	struct cJSON *step = wisp_json_get(r->doc, "step");

	return wisp_json_type(step) == WISP_T_OBJECT ? step : NULL;
}

bool
wisp_turn_is_open(const struct wisp_record *r)
{
	const char *stage = wisp_json_str(wisp_turn_step(r), "stage", "recorded");

	return strcmp(stage, "ran") == 0 || strcmp(stage, "verified") == 0;
}

const char *
wisp_turn_plan(const struct wisp_record *r)
{
	return wisp_json_str(wisp_turn_step(r), "plan", NULL);
}

char *
wisp_turn_step_path(const struct wisp_record *r, const char *name)
{
	return wisp_str("%s/steps/%s/%s", r->place->dir, wisp_json_str(wisp_turn_step(r), "name", "0000"), name);
}

int
wisp_turn_result(const struct wisp_record *r, struct cJSON **result, struct wisp_err *err)
{
	const struct cJSON *step = wisp_turn_step(r);
	const char *was = wisp_json_str(step, "result", NULL);
	char *path = wisp_turn_step_path(r, "step.json"), sha[WISP_HASH_SIZE];
	struct wisp_buf bytes = WISP_BUF_INIT;
	int rc = wisp_json_read(path, &bytes, result, err) == WISP_VALID ? 0 : -1;

	if (rc == 0 && (wisp_json_int(*result, "iteration", wisp_json_int(step, "iteration", 0)) != wisp_json_int(step, "iteration", 0) ||
			wisp_json_int(*result, "try", wisp_json_int(step, "attempt", 1)) != wisp_json_int(step, "attempt", 1))) {
		rc = wisp_err_set(err, path, 0, 0, "it is of another iteration, or another try");
		wisp_json_free(*result);
	}
	if (rc == 0) {
		wisp_hash(bytes.data, bytes.len, sha);
		if (was != NULL && strcmp(was, sha) != 0) {
			rc = wisp_err_set(err, path, 0, 0, "it changed after the step, and not by wisp");
			wisp_json_free(*result);
		}
	}
	if (rc != 0)
		*result = NULL;
	wisp_buf_release(&bytes);
	free(path);
	return rc;
}

/* What runs later, such as verify, can write where step.json lies: from now on it is this one. */
void
wisp_turn_result_is(struct wisp_record *r)
{
	char *path = wisp_turn_step_path(r, "step.json"), sha[WISP_HASH_SIZE];

	if (wisp_hash_file(path, sha) == 0)
		wisp_json_set_str(wisp_turn_step(r), "result", sha);
	free(path);
}

static bool
is_folder(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int
wisp_turn_clear(const char *path, bool folder)
{
	return is_folder(path) == folder ? 0 : wisp_dir_remove(path);
}

int
wisp_turn_put_tasks(struct wisp_record *r, const struct wisp_tasks *t)
{
	char *path = wisp_record_dir_path(r, "tasks.json");
	int rc = wisp_record_keep_tasks(r, t);

	if (rc == 0 && !wisp_file_holds(path, t->bytes.data, t->bytes.len)) {
		rc = wisp_turn_clear(path, false);
		if (rc == 0)
			rc = wisp_tasks_write(t, path);
	}
	free(path);
	return rc;
}

/* `items` holds what changed. */
static void
tell_adopted(struct wisp_record *r, const struct wisp_tasks *t)
{
	struct cJSON *told = wisp_record_tell(r, "adopted", "a person changed the task list");
	struct wisp_tasks old = {0};
	char *changed;

	if (wisp_record_good_tasks(r, NULL, &old, NULL) == 0) {
		changed = wisp_turn_tasks_changed(&old, t);
		wisp_json_push(wisp_json_array_at(told, "items"), wisp_json_string(changed));
		free(changed);
	}
	wisp_tasks_release(&old);
}

int
wisp_turn_adopt_tasks(struct wisp_record *r, struct wisp_tasks *t, struct wisp_err *err)
{
	char *path = wisp_record_dir_path(r, "tasks.json"), sha[WISP_HASH_SIZE];
	const char *good = wisp_json_str(r->doc, "good", NULL);
	enum wisp_verdict verdict = wisp_tasks_load(t, path, err);
	int rc = 0;

	if (verdict == WISP_MISSING || (verdict != WISP_VALID && wisp_tasks_blank(path))) {
		wisp_err_release(err);
		rc = wisp_record_good_tasks(r, NULL, t, err);
		if (rc == 0)
			rc = wisp_turn_put_tasks(r, t);
	} else if (verdict != WISP_VALID) {
		rc = -1;
	} else {
		wisp_tasks_hash(t, sha);
		if (good == NULL || strcmp(good, sha) != 0) {
			if (good != NULL)
				tell_adopted(r, t);
			rc = wisp_record_keep_tasks(r, t);
		}
	}
	free(path);
	return rc;
}

int
wisp_turn_tasks_back(struct wisp_record *r, struct wisp_err *err)
{
	const char *sha = wisp_json_str(wisp_turn_step(r), "tasks", NULL);
	struct wisp_tasks t = {0};
	int rc = 0;

	if (sha != NULL)
		rc = wisp_record_good_tasks(r, sha, &t, err);
	if (sha != NULL && rc == 0)
		rc = wisp_turn_put_tasks(r, &t);
	wisp_tasks_release(&t);
	return rc < 0 ? -1 : 0;
}

void
wisp_turn_history(const struct wisp_record *r, struct cJSON *history, struct cJSON *entry)
{
	long long window = wisp_config_count(wisp_json_get(r->doc, "config"), "history.window");

	wisp_json_push(history, entry);
	while (window > 0 && wisp_json_len(history) > (size_t)window)
		wisp_json_shift(history);
}

struct cJSON *
wisp_turn_entry(const struct wisp_record *r, const char *outcome)
{
	struct cJSON *step = wisp_turn_step(r), *e = wisp_json_object();
	char *now = wisp_time_iso(wisp_time_now());

	wisp_json_set_num(e, "iteration", wisp_json_num(step, "iteration", 0));
	wisp_json_set_str(e, "phase", wisp_json_str(wisp_json_get(r->doc, "phases"), "current_phase", NULL));
	wisp_json_set_str(e, "started_at", wisp_json_str(step, "started_at", NULL));
	wisp_json_set_str(e, "ended_at", now);
	wisp_json_set_str(e, "outcome", outcome);
	free(now);
	return e;
}

int
wisp_turn_failures(const struct cJSON *history, long long since)
{
	int failures = 0;

	for (const struct cJSON *e = wisp_json_first(history); e != NULL; e = wisp_json_next(e)) {
		const char *outcome = wisp_json_str(e, "outcome", "");

		if (wisp_json_int(e, "iteration", 0) <= since)
			continue;
		if (strcmp(wisp_json_str(e, "state", ""), "valid") == 0)
			failures = 0;
		else if (strcmp(outcome, "interrupted") != 0 && strcmp(outcome, "limit") != 0 &&
			 strcmp(outcome, "auth") != 0)
			failures++;
	}
	return failures;
}

bool
wisp_turn_token(const struct cJSON *result, const struct cJSON *history, long long since)
{
	bool before = false;

	for (const struct cJSON *e = wisp_json_first(history); e != NULL; e = wisp_json_next(e))
		before = wisp_json_int(e, "iteration", 0) > since &&
			 strcmp(wisp_json_str(e, "outcome", ""), "auth") == 0;
	return !before && strcmp(wisp_json_str(result, "auth", ""), "token") == 0;
}

int
wisp_turn_names(const char *file, struct cJSON **names)
{
	struct wisp_buf b = WISP_BUF_INIT, line = WISP_BUF_INIT;
	int rc = 0;

	*names = wisp_json_array();
	if (file != NULL)
		rc = wisp_file_read(file, WISP_FILE_MAX, &b);
	for (size_t i = 0; rc == 0 && i < b.len && wisp_json_len(*names) < FILES_MAX; i += strlen(b.data + i) + 1) {
		wisp_buf_reset(&line);
		wisp_buf_line(&line, b.data + i, NAME_SHOWN);
		wisp_json_push(*names, wisp_json_string(line.data));
	}
	wisp_buf_release(&b);
	wisp_buf_release(&line);
	return rc;
}

static struct cJSON *
point(const char *head, const char *tree)
{
	struct cJSON *p = wisp_json_object();

	wisp_json_set_str(p, "head", head);
	wisp_json_set_str(p, "tree", tree);
	return p;
}

void
wisp_turn_after(struct wisp_record *r, const char *head, const char *tree)
{
	wisp_json_set(r->doc, "after", point(head, tree));
}

void
wisp_turn_answer_pending(const struct wisp_record *r, struct cJSON *answer)
{
	const struct cJSON *n = wisp_json_get(wisp_json_get(r->doc, "pending"), "n");

	if (n != NULL)
		wisp_json_set_num(answer, "pending", wisp_json_number(n, 0));
}

void
wisp_turn_point(struct wisp_record *r, double n, const char *head, const char *tree, const char *commit)
{
	struct cJSON *p = point(head, tree);

	wisp_json_set_num(p, "n", n);
	wisp_json_set_str(p, "commit", commit);
	wisp_json_set(r->doc, "checkpoint", p);
}

void
wisp_turn_checkpoint(struct wisp_record *r, double n, const char *head, const char *tree, const char *commit)
{
	struct cJSON *list = wisp_json_array_at(r->doc, "checkpoints"), *c = wisp_json_object();
	struct cJSON *phases = wisp_json_get(r->doc, "phases");
	long long keep = wisp_config_count(wisp_record_config(r), "steps.keep");

	wisp_turn_point(r, n, head, tree, commit);
	wisp_json_set_num(c, "n", n);
	wisp_json_set_str(c, "tasks", wisp_json_str(r->doc, "good", NULL));
	wisp_json_set_str(c, "spec", wisp_json_str(r->doc, "spec", NULL));
	if (wisp_json_type(phases) == WISP_T_OBJECT) {
		phases = wisp_json_copy(phases);
		wisp_json_free(wisp_json_take(phases, "error_history"));
		wisp_json_set(c, "phases", phases);
	}
	wisp_json_push(list, c);
	while (keep > 0 && wisp_json_len(list) > (size_t)keep + 1)
		wisp_json_shift(list);
}

char *
wisp_turn_cut_text(int cut)
{
	if (cut == WISP_CUT_STOP)
		return wisp_strdup("stopped on request");
	return wisp_str(cut == SIGINT ? "user interrupt (signal %d)" : "graceful shutdown (signal %d)", cut);
}

int
wisp_turn_cut(const struct wisp_record *r, int cut)
{
	struct wisp_requests q;
	long long owner;

	if (cut <= 0 || wisp_requests_load(&q, r->home) != 0)
		return cut;
	for (size_t i = 0; i < q.count; i++) {
		if (strcmp(wisp_json_str(q.list[i], "verb", ""), "stop") != 0 || !wisp_json_bool(q.list[i], "now", false))
			continue;
		/* One that was asked of a command before this one has had its effect. */
		owner = wisp_json_int(q.list[i], "owner", 0);
		if (owner < 2 || !wisp_process_ended((long)owner))
			cut = WISP_CUT_STOP;
	}
	wisp_requests_release(&q);
	return cut;
}

int
wisp_turn_end(struct wisp_record *r, int cut, struct cJSON *answer)
{
	struct wisp_asked asked = {0};
	char *text;
	int code, rc;

	cut = wisp_turn_cut(r, cut);
	code = wisp_cut_exit(cut);
	text = wisp_turn_cut_text(cut);
	wisp_turn_wait_over(r, true);
	/* What was promised is in the list, unless a step is open, or the list is none just now: then it waits. */
	if (strcmp(wisp_json_str(wisp_turn_step(r), "stage", "recorded"), "recorded") == 0 &&
	    wisp_turn_requests(r, &asked, NULL) != 0)
		wisp_requests_release(&asked.requests);
	wisp_session_put(wisp_record_session(r), "paused", text);
	wisp_json_set_null(wisp_record_session(r), "owner");
	wisp_json_set_num(r->doc, "exit", code);
	wisp_json_set_str(r->doc, "reason", text);
	wisp_json_set_num(answer, "exit", code);
	wisp_json_set_str(answer, "text", text);
	free(text);
	rc = wisp_record_commit(r);
	if (rc == 0)
		wisp_turn_requests_done(&asked, true);
	wisp_requests_release(&asked.requests);
	return rc;
}

int
wisp_turn_release(struct wisp_record *r)
{
	struct cJSON *session = wisp_record_session(r);

	/* Every other end has said so before this. */
	if (strcmp(wisp_json_str(session, "status", ""), "running") == 0) {
		wisp_session_put(session, "paused", "planned");
		wisp_json_set_num(r->doc, "exit", 0);
	}
	wisp_json_set_null(session, "owner");
	return wisp_record_commit(r);
}
