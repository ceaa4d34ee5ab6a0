/*
 * person: what a person, or the agent itself, says of the loop: what is met, which
 * step is done, what it cost; and pause, resume, cancel. What went wrong is in error.c.
 */
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "core/schema.h"
#include "core/session.h"

void
wisp_hook_need(struct wisp_hook_loop *h)
{
	char *here = wisp_hook_here();

	wisp_hook_find(h, here, NULL);
	if (h->verdict == WISP_MISSING)
		die_data("there is no loop here: no .loop/state.json in '%s' (wisp hook start begins one)", h->root);
	if (h->verdict != WISP_VALID)
		die_err(&h->err);
	free(here);
}

void
wisp_hook_commit(struct wisp_hook_loop *h)
{
	if (wisp_hook_save(h) != 0)
		die_sys("cannot write '%s'", h->path);
	wisp_hook_release(h);
}

static void
put(struct wisp_hook_loop *h, const char *const *keys, const char *json)
{
	if (wisp_hook_set(h, keys, json) != 0)
		die_data("%s: '%s' cannot be set in it", h->path, keys[0]);
}

/* Where the list stands. */
static void
put_steps(struct wisp_hook_loop *h, const char *key, const struct cJSON *v)
{
	const char *const keys[] = {"metadata", key, NULL};
	bool top = wisp_json_get(h->doc, "remainingSteps") != NULL;
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_json_print(&b, v);
	b.data[b.len - 1] = '\0';
	put(h, keys + top, b.data);
	wisp_buf_release(&b);
}

/* The entry of a list that was meant: by its text, else by its number from 1. Dies where there is none. */
static size_t
find(const char *what, const char *const *list, size_t n, const char *word)
{
	char *end;
	unsigned long number = strtoul(word, &end, 10);

	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i], word) == 0)
			return i;
	if (*word >= '1' && *word <= '9' && *end == '\0' && number <= n)
		return number - 1;
	for (size_t i = 0; i < n; i++)
		warn("%zu. %s", i + 1, list[i]);
	die_usage("there is no %s '%s'", what, word);
}

static int
set_met(struct wisp_cli *cli, bool met)
{
	const char *keys[] = {"criteriaStatus", NULL, NULL};
	struct wisp_hook_loop h;
	const char **list;
	size_t n, at;

	wisp_cli_read(cli, NULL, 1, 1);
	wisp_hook_need(&h);
	list = wisp_hook_criteria(&h, &n);
	at = find("criterion", list, n, cli->argv[0]);
	if (met && wisp_hook_check(&h, list[at]) != NULL)
		die_usage("'%s' is decided by its check only: %s", list[at], wisp_hook_check(&h, list[at]));
	keys[1] = wisp_strdup(list[at]);	/* the document that it lies in is replaced */
	free(list);
	put(&h, keys, met ? "true" : "false");
	wisp_hook_touch(&h, met);
	wisp_hook_commit(&h);
	free((char *)keys[1]);
	return 0;
}

int
wisp_hook_verb_met(struct wisp_cli *cli)
{
	return set_met(cli, true);
}

int
wisp_hook_verb_unmet(struct wisp_cli *cli)
{
	return set_met(cli, false);
}

int
wisp_hook_step_done(struct wisp_cli *cli)
{
	struct cJSON *left = wisp_json_array(), *done;
	const struct cJSON *now;
	struct wisp_hook_loop h;
	const char **list;
	size_t n = 0, at, i = 0;

	wisp_cli_read(cli, NULL, 1, 1);
	wisp_hook_need(&h);
	now = wisp_hook_member(&h, "remainingSteps");
	list = wisp_alloc(wisp_json_len(now) + 1, sizeof *list);
	for (const struct cJSON *s = wisp_json_first(now); s != NULL; s = wisp_json_next(s))
		list[n++] = wisp_json_text(s, "");
	at = find("remaining step", list, n, cli->argv[0]);
	done = wisp_hook_member(&h, "completedSteps") == NULL ? wisp_json_array() : wisp_json_copy(wisp_hook_member(&h, "completedSteps"));
	wisp_json_push(done, wisp_json_string(list[at]));
	for (const struct cJSON *s = wisp_json_first(now); s != NULL; s = wisp_json_next(s), i++)
		if (i != at)
			wisp_json_push(left, wisp_json_copy(s));
	free(list);
	put_steps(&h, "completedSteps", done);
	put_steps(&h, "remainingSteps", left);
	wisp_hook_touch(&h, true);
	wisp_hook_commit(&h);
	wisp_json_free(done);
	wisp_json_free(left);
	return 0;
}

int
wisp_hook_cost(struct wisp_cli *cli)
{
	static const char *const keys[] = {"metadata", "cost", NULL};
	struct wisp_hook_loop h;
	double usd;

	wisp_cli_read(cli, NULL, 1, 1);
	usd = wisp_hook_usd("cost", cli->argv[0]);
	wisp_hook_need(&h);
	if (wisp_hook_set_num(&h, keys, wisp_millionths(wisp_hook_meta(&h, "cost", 0) + usd)) != 0)
		die_data("%s: the cost cannot be set in it", h.path);
	wisp_hook_touch(&h, false);
	wisp_hook_commit(&h);
	return 0;
}

void
wisp_hook_need_status(const struct wisp_hook_loop *h, const char *words)
{
	if (wisp_words_find(words, wisp_json_str(h->doc, "status", "")) < 0)
		die_usage("the loop in '%s' is %s", h->root, wisp_json_str(h->doc, "status", "without a status"));
}

/* The checks that stand in the file may be run: they are shown. */
static void
allow(const struct wisp_hook_loop *h)
{
	const struct cJSON *checks = wisp_json_get(h->doc, "verify");
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_hook_allow(h, checks);
	for (const struct cJSON *c = wisp_json_first(checks); c != NULL; c = wisp_json_next(c)) {
		wisp_buf_reset(&b);
		wisp_buf_line(&b, wisp_json_text(c, ""), SIZE_MAX);
		printf("allowed: %s\n", b.data);
	}
	wisp_buf_release(&b);
}

/* From one of the `from` words, or it is refused. */
static int
move(struct wisp_cli *cli, const char *from, const char *to, const char *reason)
{
	static const char *const session[] = {"session_id", NULL}, *const guard[] = {"metadata", "guard", NULL},
				 *const row[] = {"metadata", "errorsInRow", NULL};
	bool resumes = strcmp(to, "in_progress") == 0, trust = false;
	const struct wisp_option options[] = {{"trust", .flag = &trust}, {0}};
	struct wisp_hook_loop h;

	wisp_cli_read(cli, resumes ? options : NULL, 0, 0);
	wisp_hook_need(&h);
	wisp_hook_need_status(&h, from);
	if (trust)
		allow(&h);
	wisp_hook_move(&h, to, reason);
	if (resumes) {
		/* Whoever comes next takes it; what stood in the way is forgiven. */
		put(&h, session, "null");
		put(&h, guard, "{}");
		if (wisp_hook_set_num(&h, row, 0) != 0)
			die_data("%s: the errors cannot be counted in it", h.path);
	}
	wisp_hook_touch(&h, false);
	wisp_hook_commit(&h);
	return 0;
}

int
wisp_hook_pause(struct wisp_cli *cli)
{
	return move(cli, "in_progress", "paused", "on request");
}

int
wisp_hook_resume(struct wisp_cli *cli)
{
	return move(cli, "paused|in_progress", "in_progress", NULL);
}

int
wisp_hook_cancel(struct wisp_cli *cli)
{
	return move(cli, "paused|in_progress", "cancelled", NULL);
}
