/*
 * person: what a person, or the agent itself, says of the loop: what is met, which
 * step is done, what it cost, what went wrong; and pause, resume, cancel.
 */
#include "verb.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/schema.h"
#include "core/time.h"

#define ERRORS_KEPT 50
#define ERROR_MAX 500		/* characters */
#define LOGIC_ERRORS 3		/* in a row without progress: the circuit breaker (002_, 003_) */

void
wisp_hook_need(struct wisp_hook_loop *h)
{
	char *here = wisp_hook_here();

	wisp_hook_open(h, here);
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

static void
put_json(struct wisp_hook_loop *h, const char *key, const struct cJSON *v)
{
	const char *const keys[] = {key, NULL};
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_json_print(&b, v);
	b.data[b.len - 1] = '\0';
	put(h, keys, b.data);
	wisp_buf_release(&b);
}

void
wisp_hook_touch(struct wisp_hook_loop *h, bool progress)
{
	static const char *const at[] = {"metadata", "lastCheckpoint", NULL}, *const row[] = {"metadata", "errorsInRow", NULL};
	char *now = wisp_time_iso(wisp_time_now());

	(void)!wisp_hook_set_str(h, at, now);
	if (progress && wisp_hook_meta(h, "errorsInRow", 0) > 0)
		(void)!wisp_hook_set_num(h, row, 0);
	free(now);
}

void
wisp_hook_move(struct wisp_hook_loop *h, const char *status, const char *reason)
{
	static const char *const status_keys[] = {"status", NULL}, *const reason_keys[] = {"pauseReason", NULL};

	(void)!wisp_hook_set_str(h, status_keys, status);
	if (reason != NULL || wisp_json_get(h->doc, "pauseReason") != NULL)
		(void)!wisp_hook_set_str(h, reason_keys, reason);
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
		die_usage("whether '%s' is met says its check alone: %s", list[at], wisp_hook_check(&h, list[at]));
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
	now = wisp_json_get(h.doc, "remainingSteps");
	list = wisp_alloc(wisp_json_len(now) + 1, sizeof *list);
	for (const struct cJSON *s = wisp_json_first(now); s != NULL; s = wisp_json_next(s))
		list[n++] = wisp_json_text(s, "");
	at = find("remaining step", list, n, cli->argv[0]);
	done = wisp_json_get(h.doc, "completedSteps") == NULL ? wisp_json_array() : wisp_json_copy(wisp_json_get(h.doc, "completedSteps"));
	wisp_json_push(done, wisp_json_string(list[at]));
	for (const struct cJSON *s = wisp_json_first(now); s != NULL; s = wisp_json_next(s), i++)
		if (i != at)
			wisp_json_push(left, wisp_json_copy(s));
	free(list);
	put_json(&h, "completedSteps", done);
	put_json(&h, "remainingSteps", left);
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
	if (wisp_hook_set_num(&h, keys, floor((wisp_hook_meta(&h, "cost", 0) + usd) * 1e6 + 0.5) / 1e6) != 0)
		die_data("%s: the cost cannot be set in it", h.path);
	wisp_hook_touch(&h, false);
	wisp_hook_commit(&h);
	return 0;
}

/* Is the newest error of that kind, with nothing done since? */
static bool
again(const struct wisp_hook_loop *h, const char *kind)
{
	const struct cJSON *last = NULL;

	for (const struct cJSON *e = wisp_json_first(wisp_json_get(wisp_json_get(h->doc, "metadata"), "errors")); e != NULL;
	     e = wisp_json_next(e))
		last = e;
	return wisp_hook_meta(h, "errorsInRow", 0) > 0 && strcmp(wisp_json_str(last, "type", ""), kind) == 0;
}

/* 002_'s table: why the loop is to pause, or NULL. */
static const char *
error_pauses(const struct wisp_hook_loop *h, const char *kind)
{
	if (strcmp(kind, "transient") == 0)
		return again(h, kind) ? "a transient error, twice in a row" : NULL;
	if (strcmp(kind, "logic") == 0)
		return wisp_hook_meta(h, "errorsInRow", 0) + 1 >= LOGIC_ERRORS ? "the same kind of error again and again, and no progress" : NULL;
	return strcmp(kind, "blocking") == 0 ? "a blocking error: help is needed" : "an error of an unknown kind";
}

static void
add_error(struct wisp_hook_loop *h, const char *kind, const char *text)
{
	static const char *const keys[] = {"metadata", "errors", NULL}, *const row[] = {"metadata", "errorsInRow", NULL};
	const struct cJSON *old = wisp_json_get(wisp_json_get(h->doc, "metadata"), "errors");
	struct cJSON *list = wisp_json_type(old) == WISP_T_ARRAY ? wisp_json_copy(old) : wisp_json_array(), *e = wisp_json_object();
	char *now = wisp_time_iso(wisp_time_now()), *cut = wisp_str("%.*s", (int)wisp_utf8_chars(text, strlen(text), ERROR_MAX), text);
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_json_set_str(e, "timestamp", now);
	wisp_json_set_str(e, "type", kind);
	wisp_json_set_num(e, "iteration", wisp_json_num(h->doc, "iteration", 0));
	wisp_json_set_str(e, "error", cut);
	wisp_json_push(list, e);
	while (wisp_json_len(list) > ERRORS_KEPT)
		wisp_json_shift(list);
	wisp_json_print(&b, list);
	b.data[b.len - 1] = '\0';
	put(h, keys, b.data);
	if (wisp_hook_set_num(h, row, wisp_hook_meta(h, "errorsInRow", 0) + 1) != 0)
		die_data("%s: the errors cannot be counted in it", h->path);
	wisp_buf_release(&b);
	wisp_json_free(list);
	free(now);
	free(cut);
}

int
wisp_hook_error(struct wisp_cli *cli)
{
	const char *kind = "unknown", *why;
	const struct wisp_option options[] = {{"type", .text = &kind}, {0}};
	struct wisp_hook_loop h;

	wisp_cli_read(cli, options, 1, 1);
	if (strcmp(kind, "transient") != 0 && strcmp(kind, "logic") != 0 && strcmp(kind, "blocking") != 0 && strcmp(kind, "unknown") != 0)
		die_usage("--type: expected transient, logic, blocking or unknown, not '%s'", kind);
	wisp_hook_need(&h);
	why = error_pauses(&h, kind);
	add_error(&h, kind, cli->argv[0]);
	if (why != NULL)
		wisp_hook_move(&h, "paused", why);
	puts(why != NULL ? "paused" : "in_progress");
	wisp_hook_touch(&h, false);
	wisp_hook_commit(&h);
	return 0;
}

/* From one of the `from` words, or it is refused. */
static int
move(struct wisp_cli *cli, const char *from, const char *to, const char *reason)
{
	static const char *const session[] = {"session_id", NULL}, *const guard[] = {"metadata", "guard", NULL},
				 *const row[] = {"metadata", "errorsInRow", NULL};
	struct wisp_hook_loop h;

	wisp_cli_read(cli, NULL, 0, 0);
	wisp_hook_need(&h);
	if (wisp_words_find(from, wisp_json_str(h.doc, "status", "")) < 0)
		die_usage("the loop in '%s' is %s", h.root, wisp_json_str(h.doc, "status", "without a status"));
	wisp_hook_move(&h, to, reason);
	if (strcmp(to, "in_progress") == 0) {
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
	return move(cli, "paused|in_progress", "cancelled", "cancelled");
}
