/*
 * show: the loop for people, and as a task list.
 */
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 200

static void
line(const char *mark, const char *text)
{
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_buf_line(&b, text, LINE_MAX_BYTES);
	printf("%s%s\n", mark, b.data != NULL ? b.data : "");
	wisp_buf_release(&b);
}

static void
show(const struct wisp_hook_loop *h)
{
	const char *reason = wisp_json_str(h->doc, "pauseReason", NULL);
	const struct cJSON *done = wisp_hook_member(h, "completedSteps"), *left = wisp_hook_member(h, "remainingSteps");
	double max = wisp_hook_meta(h, "maxIterations", -1), budget = wisp_hook_meta(h, "budget", -1);
	const char **criteria;
	char *status;
	size_t n;

	line("", wisp_hook_spec_text(h, "(no spec)"));
	status = wisp_str("%s%s%s", wisp_json_str(h->doc, "status", "?"), reason != NULL ? ": " : "", reason != NULL ? reason : "");
	line("  status     ", status);
	free(status);
	printf("  iteration  %lld", wisp_hook_iteration(h));
	if (max >= 0)
		printf(" of at most %.0f", max);
	printf("\n  cost       $%.2f", wisp_hook_meta(h, "cost", 0));
	if (budget >= 0)
		printf(" of $%g", budget);
	puts("\n  criteria");
	criteria = wisp_hook_criteria(h, &n);
	for (size_t i = 0; i < n; i++)
		line(wisp_hook_met(h, criteria[i]) ? "    [x] " : "    [ ] ", criteria[i]);
	free(criteria);
	if (wisp_json_len(done) + wisp_json_len(left) > 0)
		puts("  steps");
	for (const struct cJSON *s = wisp_json_first(done); s != NULL; s = wisp_json_next(s))
		line("    [x] ", wisp_json_text(s, ""));
	for (const struct cJSON *s = wisp_json_first(left); s != NULL; s = wisp_json_next(s))
		line("    [ ] ", wisp_json_text(s, ""));
}

int
wisp_hook_status(struct wisp_cli *cli)
{
	struct wisp_hook_loop h;

	wisp_cli_read(cli, NULL, 0, 0);
	wisp_hook_need(&h);
	if (cli->json)
		wisp_cli_json(wisp_json_copy(h.doc));
	else
		show(&h);
	wisp_hook_release(&h);
	return 0;
}

static void
add_remaining(struct cJSON *steps, const struct wisp_hook_loop *h)
{
	for (const struct cJSON *s = wisp_json_first(wisp_hook_member(h, "remainingSteps")); s != NULL; s = wisp_json_next(s))
		wisp_json_push(steps, wisp_json_copy(s));
}

/* Each criterion is a task; its check, if it has one, verifies it. */
int
wisp_hook_tasks(struct wisp_cli *cli)
{
	struct cJSON *tasks = wisp_json_array(), *t, *steps;
	struct wisp_hook_loop h;
	const char **criteria;
	bool given = false, met;
	size_t n;

	wisp_cli_read(cli, NULL, 0, 0);
	wisp_hook_need(&h);
	criteria = wisp_hook_criteria(&h, &n);
	for (size_t i = 0; i < n; i++) {
		met = wisp_hook_met(&h, criteria[i]);
		t = wisp_json_object();
		wisp_json_set_str(t, "category", "feature");
		wisp_json_set_str(t, "description", criteria[i]);
		steps = wisp_json_array();
		/* The steps are of the whole: the first open task has them. */
		if (!met && !given) {
			add_remaining(steps, &h);
			given = true;
		}
		wisp_json_set(t, "steps", steps);
		wisp_json_set_bool(t, "passes", met);
		if (wisp_hook_check(&h, criteria[i]) != NULL)
			wisp_json_set_str(t, "verify", wisp_hook_check(&h, criteria[i]));
		wisp_json_push(tasks, t);
	}
	free(criteria);
	wisp_cli_json(tasks);
	wisp_hook_release(&h);
	return 0;
}

/* What was asked for, as a file that a session can name: its path. */
int
wisp_hook_spec(struct wisp_cli *cli)
{
	struct wisp_hook_loop h;
	char *path, *text;

	wisp_cli_read(cli, NULL, 0, 0);
	wisp_hook_need(&h);
	wisp_hook_need_status(&h, "in_progress|paused");
	path = wisp_str("%s/.loop/spec.md", h.root);
	text = wisp_str("%s\n", wisp_hook_spec_text(&h, ""));
	if (wisp_file_write(path, text, strlen(text), WISP_NOSYNC) != 0)
		die_sys("cannot write '%s'", path);
	puts(path);
	wisp_hook_release(&h);
	free(path);
	free(text);
	return 0;
}

int
wisp_hook_graduated(struct wisp_cli *cli)
{
	struct wisp_hook_loop h;
	char *reason;

	wisp_cli_read(cli, NULL, 1, 1);
	wisp_hook_need(&h);
	reason = wisp_str("it is the session %s now", cli->argv[0]);
	wisp_hook_move(&h, "graduated", reason);
	wisp_hook_touch(&h, false);
	wisp_hook_commit(&h);
	free(reason);
	return 0;
}
