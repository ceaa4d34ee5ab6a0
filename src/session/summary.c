/*
 * summary: see summary.h and wisp-report(5). It is put together from the
 * record, the task list and the step.json of the steps that are still there.
 */
#include "verb.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/ledger.h"
#include "core/log.h"
#include "core/secrets.h"
#include "summary.h"

#define SUBJECT_MAX 200		/* bytes of a commit's first line */

/* Copies members of one object to another; null for those that are not there. */
static void
copy(struct cJSON *to, const struct cJSON *from, const char *const *members, size_t count)
{
	for (size_t i = 0; i < count; i++)
		wisp_json_set(to, members[i], wisp_json_copy(wisp_json_get(from, members[i])));
}
#define COPY(to, from, members) copy(to, from, members, sizeof (members) / sizeof *(members))

static struct cJSON *
task_of(const struct cJSON *ledger, const struct wisp_task *task)
{
	static const char *const claimed[] = {"claimed", "commit", "iteration", "observed"};
	const struct cJSON *differs;
	const struct cJSON *e = wisp_ledger_of(ledger, task);
	const char *verify = wisp_json_str(e, "verify", "none");
	struct cJSON *t = wisp_json_object();

	wisp_json_set_num(t, "task", (double)task->number);
	wisp_json_set_str(t, "id", task->id);
	wisp_json_set_str(t, "description", task->description);
	wisp_json_set_bool(t, "passes", task->passes);
	wisp_json_set_bool(t, "verified", task->passes && strcmp(verify, "passed") == 0);
	wisp_json_set_str(t, "verify", verify);
	wisp_json_set_num(t, "claims", wisp_json_num(e, "claims", 0));
	wisp_json_set_num(t, "refused", wisp_json_num(e, "refused", 0));
	COPY(t, e, claimed);
	differs = wisp_json_get(e, "claimed_differs");
	wisp_json_set(t, "claimed_differs", differs != NULL ? wisp_json_copy(differs) : wisp_json_array());
	return t;
}

static struct cJSON *
tasks_of(const struct wisp_record *r, const struct cJSON *status)
{
	static const char *const counts[] = {"passed", "total"};
	struct cJSON *tasks = wisp_json_object(), *list = wisp_json_array();
	const struct cJSON *found = wisp_json_get(status, "tasks");
	char *path = wisp_record_dir_path(r, "tasks.json");
	struct wisp_tasks t = {0};

	COPY(tasks, found, counts);
	if (wisp_json_get(found, "error") != NULL)
		wisp_json_set_str(tasks, "error", wisp_json_str(found, "error", NULL));
	if (wisp_tasks_load(&t, path, NULL) == WISP_VALID)
		for (size_t i = 0; i < t.count; i++)
			wisp_json_push(list, task_of(wisp_json_get(r->doc, "ledger"), &t.list[i]));
	wisp_json_set(tasks, "list", list);
	wisp_tasks_release(&t);
	free(path);
	return tasks;
}

/* Lines `ID SUBJECT`. -1 with errno. */
static int
read_commits(struct cJSON *list, const char *file)
{
	struct wisp_buf b = WISP_BUF_INIT, subject = WISP_BUF_INIT;
	char *line, *next, *blank;
	int rc = wisp_file_read(file, WISP_FILE_MAX, &b);

	for (line = rc == 0 ? b.data : NULL; line != NULL && *line != '\0'; line = next) {
		struct cJSON *c = wisp_json_object();

		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		blank = strchr(line, ' ');
		wisp_buf_reset(&subject);
		wisp_buf_line(&subject, blank != NULL ? blank + 1 : "", SUBJECT_MAX);
		if (blank != NULL)
			*blank = '\0';
		wisp_json_set_str(c, "id", line);
		wisp_json_set_str(c, "subject", subject.data != NULL ? subject.data : "");
		wisp_json_push(list, c);
	}
	wisp_buf_release(&subject);
	wisp_buf_release(&b);
	return rc;
}

static int
add_commits(struct cJSON *summary, const struct wisp_summary_commits *o)
{
	struct cJSON *commits;

	wisp_json_set_null(summary, "commits");
	if (o->file == NULL)
		return 0;
	commits = wisp_json_object_at(summary, "commits");
	wisp_json_set_num(commits, "count", (double)o->count);
	return read_commits(wisp_json_array_at(commits, "list"), o->file);
}

/* What step.json knows and history does not; null where the step's folder is gone. */
static void
add_measured(struct cJSON *entry)
{
	const char *dir = wisp_json_str(entry, "dir", NULL);
	char *path = dir == NULL ? NULL : wisp_str("%s/step.json", dir);
	struct cJSON *step = NULL;

	if (path != NULL && wisp_json_load(path, &step, NULL) != WISP_VALID)
		step = NULL;
	wisp_json_set(entry, "seconds", wisp_json_copy(wisp_json_get(step, "duration_s")));
	wisp_json_set(entry, "tokens", wisp_json_copy(wisp_json_get(step, "tokens")));
	wisp_json_free(step);
	free(path);
}

static struct cJSON *
iterations_of(const struct wisp_record *r)
{
	const struct cJSON *outcomes = wisp_json_get(wisp_json_get(r->doc, "tally"), "outcomes");
	struct cJSON *iterations = wisp_json_object(), *list = wisp_log_entries(r, -1, -1);

	for (struct cJSON *e = wisp_json_first(list); e != NULL; e = wisp_json_next(e))
		add_measured(e);
	wisp_json_set_num(iterations, "count", wisp_json_num(wisp_json_get(r->doc, "session"), "loop_count", 0));
	wisp_json_set(iterations, "outcomes", outcomes != NULL ? wisp_json_copy(outcomes) : wisp_json_object());
	wisp_json_set(iterations, "list", list);
	return iterations;
}

static void
add_spent(struct cJSON *summary, const struct wisp_record *r, const struct cJSON *status, wisp_ms now)
{
	static const char *const counts[] = {"usage", "hourly", "seconds"};
	const struct cJSON *waits = wisp_json_get(r->doc, "waits");
	struct cJSON *totals = wisp_json_copy(wisp_json_get(wisp_json_get(status, "session"), "totals")), *waited;

	wisp_json_set(summary, "totals", totals);
	wisp_json_set_num(wisp_json_object_at(summary, "totals"), "unpriced", wisp_json_num(r->doc, "unpriced", 0));
	if (!wisp_json_bool(status, "cost_known", true))
		wisp_json_set_bool(summary, "cost_known", false);
	wisp_json_set(summary, "left", wisp_json_copy(wisp_json_get(status, "left")));
	waited = wisp_json_object_at(summary, "waits");
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		wisp_json_set_num(waited, counts[i], wisp_json_num(waits, counts[i], 0));
	/* Only the agents of an orchestration know such a wait. */
	if (wisp_json_num(waits, "money", 0) > 0)
		wisp_json_set_num(waited, "money", wisp_json_num(waits, "money", 0));
	wisp_json_set(summary, "waiting", wisp_status_waiting(r, now));
}

static void
add_names(struct cJSON *summary, const struct wisp_record *r, const char *member)
{
	const struct cJSON *names = wisp_json_get(wisp_json_get(r->doc, "tally"), member);

	wisp_json_set(summary, member, names != NULL ? wisp_json_copy(names) : wisp_json_array());
}

struct cJSON *
wisp_summary_of(const struct wisp_record *r, const struct wisp_summary_commits *commits, wisp_ms now)
{
	static const char *const of_status[] = {"branch", "project"};
	static const char *const of_session[] = {"session_id", "template", "agent", "base", "base_branch", "started_at"};
	static const char *const ends[] = {"exit", "reason", "unverified", "uncommitted", "question", "overage", "today", "tests", "tests_removed"};
	struct cJSON *summary = wisp_json_object(), *status = wisp_status_of(r, now);

	wisp_json_set_num(summary, "version", 1);
	COPY(summary, status, of_status);
	wisp_json_set_str(summary, "worktree", wisp_json_str(r->doc, "worktree", NULL));
	COPY(summary, wisp_json_get(r->doc, "session"), of_session);
	if (wisp_json_get(status, "sandbox") != NULL)
		wisp_json_set_str(summary, "sandbox", wisp_json_str(status, "sandbox", NULL));
	wisp_json_set_str(summary, "result", wisp_status_word(status));
	COPY(summary, status, ends);
	wisp_json_set(summary, "tasks", tasks_of(r, status));
	wisp_json_set(summary, "phases", wisp_summary_phases(r));
	if (add_commits(summary, commits) != 0) {
		wisp_json_free(summary);
		summary = NULL;
	} else {
		wisp_json_set(summary, "iterations", iterations_of(r));
		add_spent(summary, r, status, now);
		add_names(summary, r, "tampered");
		add_names(summary, r, "protected");
		add_names(summary, r, "claimed_differs");
		wisp_json_set(summary, "shipped", wisp_summary_shipped(commits->ship, commits->shipped));
		if (wisp_json_get(r->doc, "removed") != NULL)
			wisp_json_set(summary, "removed", wisp_json_copy(wisp_json_get(r->doc, "removed")));
		else
			wisp_json_set(summary, "removed", wisp_json_array());
		wisp_json_set(summary, "divergence", wisp_status_divergence(r));
		wisp_json_set(summary, "next", wisp_status_next(status));
	}
	wisp_json_free(status);
	return summary;
}

int
wisp_verb_summary(struct wisp_cli *cli)
{
	struct wisp_summary_commits commits = {0};
	const struct wisp_option options[] = {
		{"commits", .text = &commits.file}, {"count", .number = &commits.count},
		{"ship", .text = &commits.ship}, {"shipped", .text = &commits.shipped}, {0}
	};
	struct wisp_buf text = WISP_BUF_INIT;
	wisp_ms now = wisp_time_now();
	struct cJSON *summary;
	struct wisp_record r;

	wisp_verb_open(&r, cli, options);
	summary = wisp_summary_of(&r, &commits, now);
	if (summary == NULL)
		die_sys("cannot read '%s'", commits.file);
	wisp_secrets_hide_json(summary);
	if (cli->json) {
		wisp_cli_json(summary);
	} else {
		wisp_summary_text(&text, &r, summary, now);
		wisp_secrets_hide(&text);
		wisp_verb_print(&text);
		wisp_json_free(summary);
	}
	wisp_record_release(&r);
	return 0;
}
