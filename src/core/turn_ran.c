/*
 * turn_ran: the agent program has ended. What it left is looked at: state.json,
 * the task list, the files it may not touch; then what verify said.
 */
#include "turn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "guard.h"
#include "pool.h"
#include "secrets.h"
#include "shared.h"
#include "turn_phase.h"
#include "turn_tests.h"

/* For the log, so without secrets; -1 with errno. */
static int
keep_state(const char *path, const char *copy)
{
	struct wisp_buf text = WISP_BUF_INIT;
	int rc = wisp_file_read(path, WISP_FILE_MAX, &text);

	wisp_secrets_hide(&text);
	if (rc == 0)
		rc = wisp_file_write(copy, text.data, text.len, WISP_NOSYNC);
	wisp_buf_release(&text);
	return rc;
}

/* What state.json says, and a copy of it for the log. */
static void
look_at_state(struct wisp_record *r)
{
	struct cJSON *step = wisp_turn_step(r);
	char *path = wisp_record_dir_path(r, "state.json"), *copy = wisp_turn_step_path(r, "state.json"), *text = NULL;
	struct wisp_err why = WISP_ERR_INIT;
	struct wisp_state st;
	enum wisp_verdict verdict = wisp_state_load(&st, path, &why);

	if (verdict == WISP_MISSING)
		text = wisp_turn_no_state(r);
	else if (verdict != WISP_VALID)
		text = wisp_err_string(&why);
	else if (keep_state(path, copy) != 0)
		errno = 0;
	wisp_json_set_str(step, "state", wisp_verdict_name(verdict));
	wisp_json_set_str(step, "status", verdict == WISP_VALID ? wisp_status_name(st.status) : NULL);
	wisp_json_set_str(step, "error", text);
	if (st.dropped != NULL) {
		free(text);
		text = wisp_str("the metrics in state.json were dropped: they are %s", st.dropped);
		wisp_record_tell(r, "metrics", text);
		wisp_turn_note(r, text);
	}
	wisp_state_release(&st);
	wisp_err_release(&why);
	free(path);
	free(copy);
	free(text);
}

struct cJSON *
wisp_turn_uncommitted(const struct wisp_record *r)
{
	struct cJSON *numbers = wisp_json_array();
	const struct cJSON *lists[] = {wisp_json_get(r->doc, "uncommitted"), wisp_json_get(wisp_turn_step(r), "claims")};

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		for (const struct cJSON *c = wisp_json_first(lists[i]); c != NULL; c = wisp_json_next(c)) {
			const struct cJSON *n = wisp_json_first(numbers);

			while (n != NULL && !wisp_json_equal(n, c))
				n = wisp_json_next(n);
			if (n == NULL)
				wisp_json_push(numbers, wisp_json_copy(c));
		}
	return numbers;
}

static void
add_command(struct cJSON *out, const char *command)
{
	if (command != NULL)
		wisp_json_push(out, wisp_json_string(command));
}

struct cJSON *
wisp_turn_commands(struct wisp_record *r, bool all)
{
	struct cJSON *out = wisp_json_array();
	const struct cJSON *command = wisp_json_get(wisp_record_config(r), "verify.command"), *step = wisp_turn_step(r);
	const struct cJSON *claims = wisp_json_get(step, "claims");
	const char *sha = wisp_json_str(step, "tasks", NULL);
	struct wisp_buf old = WISP_BUF_INIT;
	struct cJSON *tasks = NULL;

	if (wisp_json_type(command) == WISP_T_STRING)
		add_command(out, wisp_json_text(command, NULL));
	else
		for (const struct cJSON *c = wisp_json_first(command); c != NULL; c = wisp_json_next(c))
			add_command(out, wisp_json_text(c, NULL));
	/* A task's own command counts as it stood when the step began: the agent cannot have written it. */
	if (!all && sha != NULL && wisp_json_len(claims) > 0 && wisp_record_good_bytes(r, sha, &old))
		tasks = wisp_tasks_some(&old, claims);
	for (const struct cJSON *t = wisp_json_first(tasks); t != NULL; t = wisp_json_next(t))
		add_command(out, wisp_json_str(t, "verify", NULL));
	wisp_json_free(tasks);
	wisp_buf_release(&old);
	return out;
}

/* What a step says of itself, for a commit in which no task newly passes. */
static void
add_summary(const struct wisp_record *r, struct wisp_buf *out)
{
	char *path = wisp_record_dir_path(r, "state.json");
	struct wisp_state st;

	if (wisp_state_load(&st, path, NULL) == WISP_VALID)
		wisp_buf_line(out, st.summary, 4096);
	if (out->len == 0)
		wisp_buf_puts(out, "What was left");
	wisp_buf_putc(out, '\n');
	wisp_state_release(&st);
	free(path);
}

/* The message of a fallback commit: the tasks' descriptions. The loop adds the trailer. */
static int
write_message(struct wisp_record *r, const struct cJSON *claims)
{
	char *file = wisp_turn_step_path(r, WISP_TURN_MESSAGE);
	struct wisp_buf b = WISP_BUF_INIT, now = WISP_BUF_INIT;
	size_t shown = 0;
	int rc = wisp_record_good_bytes(r, NULL, &now) ? 0 : -1;
	struct cJSON *tasks = rc == 0 ? wisp_tasks_some(&now, claims) : NULL;

	for (const struct cJSON *t = wisp_json_first(tasks); t != NULL; t = wisp_json_next(t)) {
		if (shown++ == 1)
			wisp_buf_putc(&b, '\n');
		wisp_buf_puts(&b, shown > 1 ? "- " : "");
		wisp_buf_line(&b, wisp_json_str(t, "description", ""), 4096);
		wisp_buf_putc(&b, '\n');
	}
	if (rc == 0 && b.len == 0)
		add_summary(r, &b);
	wisp_secrets_hide(&b);
	if (rc == 0)
		rc = wisp_turn_clear(file, false);
	if (rc == 0)
		rc = wisp_file_write(file, b.data, b.len, WISP_NOSYNC);
	free(file);
	wisp_json_free(tasks);
	wisp_buf_release(&b);
	wisp_buf_release(&now);
	return rc == 0 ? 0 : -1;
}

/* Does the step end the session, as far as its state goes? The last commit is then to have all that verify ran on. */
static bool
is_done(struct wisp_record *r)
{
	struct wisp_facts f;

	wisp_turn_facts(r, &f);
	return wisp_turn_machine(r) == NULL && f.status == WISP_DONE && f.tasks_total > 0 &&
	       f.tasks_claimed >= f.tasks_total && (f.promise || !f.promise_required);
}

static void
due_facts(struct wisp_record *r, struct wisp_due_facts *f)
{
	const struct cJSON *step = wisp_turn_step(r), *config = wisp_record_config(r);
	struct cJSON *commands = wisp_turn_commands(r, false);

	*f = (struct wisp_due_facts){
		.valid = strcmp(wisp_json_str(step, "state", ""), "valid") == 0,
		.plan = wisp_turn_plan(r) != NULL,
		.phases = wisp_turn_machine(r) != NULL,
		.claims = wisp_json_len(wisp_json_get(step, "claims")) > 0,
		.left = wisp_json_len(wisp_json_get(r->doc, "uncommitted")) > 0,
		.done = strcmp(wisp_json_str(step, "status", ""), "DONE") == 0,
		.refused = strcmp(wisp_json_str(step, "verify", ""), "failed") == 0,
		.commands = wisp_json_len(commands) > 0,
		.metrics = wisp_config_text(config, "verify.metrics") != NULL,
		.fallback = wisp_config_bool(config, "commit.fallback"),
	};
	f->ends = f->done && is_done(r);
	wisp_json_free(commands);
}

int
wisp_turn_due(struct wisp_record *r, enum wisp_due done, struct cJSON *answer)
{
	struct cJSON *step = wisp_turn_step(r), *tasks;
	struct wisp_due_facts f;
	enum wisp_due due;
	int rc = 0;

	due_facts(r, &f);
	if (done == WISP_DUE_RAN) {
		f.refused = false; /* what verify said before, of the same step, counts no more */
		wisp_json_set_str(step, "verify", f.commands ? "skipped" : "none");
	}
	due = wisp_due_next(done, &f);
	wisp_json_set_bool(step, "commit", due != WISP_DUE_VERIFY && wisp_due_commit(&f));
	wisp_json_set_str(answer, "due", wisp_due_name(due));
	if (due == WISP_DUE_COMMIT) {
		tasks = wisp_turn_uncommitted(r);
		rc = write_message(r, tasks);
		wisp_json_free(tasks);
	}
	return rc;
}

/* Without its work tree a step has done nothing, whatever it claims; but commits on its branch are there. */
static void
look_at_tree(struct wisp_record *r, struct cJSON *names)
{
	struct cJSON *step = wisp_turn_step(r);
	const char *lost = wisp_json_str(step, "lost", NULL);
	bool kept = wisp_json_bool(step, "lost_commits", false);
	char *text;

	if (lost == NULL)
		return;
	wisp_guard_name(names, "work tree");
	text = wisp_str("the work tree %s after the step, and was made again from the last checkpoint%s", lost,
			kept ? ", with the commits of the step" : ": nothing of the step counts");
	if (kept) {
		wisp_record_tell(r, "tampered", text);
	} else {
		wisp_json_set_str(step, "state", wisp_verdict_name(WISP_INVALID));
		wisp_json_set_null(step, "status");
		wisp_json_set_str(step, "error", text);
	}
	free(text);
}

/*
 * What the agent's programs wrote is on the disk before anything is made of it: no commit and no
 * checkpoint of wisp's, which are synced, outlives what they stand on or the claims that they are of.
 */
static int
sync_work(const struct wisp_record *r)
{
	const char *tree = wisp_json_str(r->doc, "worktree", NULL);

	return tree != NULL ? wisp_file_sync_all(tree) : 0;
}

static void
note_checkout(struct wisp_record *r)
{
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_buf_puts(&b, "your checkout changed meanwhile");
	if (wisp_record_checkout(r, &b))
		wisp_turn_note(r, b.data);
	wisp_buf_release(&b);
}

/* What the step left is looked at once; from here on the record knows it. */
static int
look(struct wisp_record *r, const struct cJSON *result, struct wisp_err *err)
{
	struct cJSON *step = wisp_turn_step(r), *names = wisp_json_array();
	char *keep = wisp_turn_step_path(r, "tampered");
	const struct cJSON *m = wisp_json_first(wisp_json_get(result, "moved"));
	int rc = wisp_turn_clear(keep, true);

	for (; m != NULL; m = wisp_json_next(m))
		wisp_guard_name(names, wisp_json_text(m, ""));

	if (rc == 0)
		rc = wisp_record_guard(r, keep, names);
	free(keep);
	note_checkout(r);
	look_at_state(r);
	look_at_tree(r, names);
	if (rc == 0)
		rc = wisp_turn_settle_tasks(r, err);
	if (wisp_json_len(names) > 0)
		wisp_json_set(wisp_record_tell(r, "tampered", NULL), "items", wisp_json_copy(names));
	wisp_json_set(step, "tampered", names);
	wisp_json_set_str(step, "outcome", wisp_json_str(result, "outcome", "error"));
	wisp_turn_charge(r, result);
	if (rc == 0)
		rc = wisp_pool_settle(r, result, err);
	if (rc == 0)
		rc = wisp_shared_settle(r, result, err);
	return rc;
}

int
wisp_turn_lost(struct wisp_record *r, const char *text, bool commits, struct cJSON *answer)
{
	struct cJSON *step = wisp_turn_step(r);
	const char *stage = wisp_json_str(step, "stage", "recorded");
	bool open = strcmp(stage, "recorded") != 0;

	wisp_turn_answer_point(r, answer);
	wisp_json_set_num(answer, "n", wisp_json_num(wisp_record_session(r), "loop_count", 0));
	wisp_json_set_str(answer, "head", wisp_json_str(open ? step : wisp_json_get(r->doc, "checkpoint"), "head", NULL));
	if (text == NULL || !open)
		return 0;
	wisp_json_set_str(step, "lost", text);
	wisp_json_set_bool(step, "lost_commits", commits);
	if (strcmp(stage, "begun") != 0)
		look_at_tree(r, wisp_json_array_at(step, "tampered"));
	return wisp_record_save(r);
}

int
wisp_turn_ran(struct wisp_record *r, struct cJSON *answer, struct wisp_err *err)
{
	struct cJSON *step = wisp_turn_step(r), *result = NULL;
	const char *stage = wisp_json_str(step, "stage", "recorded");
	int rc = 0;

	if (step == NULL || strcmp(stage, "recorded") == 0)
		return wisp_err_set(err, r->home, 0, 0, "no step is open");
	if (wisp_turn_result(r, &result, err) != 0 || sync_work(r) != 0)
		return -1;
	if (strcmp(stage, "begun") == 0)
		rc = look(r, result, err);
	wisp_turn_result_is(r);
	wisp_json_free(result);
	if (rc != 0)
		return -1;
	/* One that was verified is verified again, and judged anew: what became of that is not known. */
	wisp_turn_forget(step);
	if (wisp_json_bool(step, "deletes", false))
		wisp_json_drop(step, "error");
	wisp_json_drop(step, "deletes");
	wisp_json_drop(step, "uncommitted");
	wisp_turn_forget_tests(step);
	wisp_json_set_str(step, "stage", "ran");
	wisp_json_set_str(answer, "note", wisp_json_str(step, "note", NULL));
	wisp_json_set_str(answer, "flags", wisp_json_str(step, "flags", NULL));
	return wisp_turn_due(r, WISP_DUE_RAN, answer) == 0 ? wisp_record_save(r) : -1;
}

int
wisp_turn_verified(struct wisp_record *r, enum wisp_verify verify, struct cJSON *answer, struct wisp_err *err)
{
	struct cJSON *step = wisp_turn_step(r);

	if (step == NULL || strcmp(wisp_json_str(step, "stage", ""), "ran") != 0)
		return wisp_err_set(err, r->home, 0, 0, "no step is open that ran and was not verified");
	wisp_json_set_str(step, "verify", wisp_verify_name(verify));
	wisp_json_set_str(step, "stage", "verified");
	if (wisp_turn_machine(r) == NULL && wisp_turn_claims_put(r, verify != WISP_VERIFY_FAILED, err) != 0)
		return -1;
	return wisp_turn_due(r, WISP_DUE_VERIFY, answer) == 0 ? wisp_record_save(r) : -1;
}
