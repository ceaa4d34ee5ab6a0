/*
 * error: what went wrong, and what follows from it (002_, its table).
 */
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/time.h"

#define ERRORS_KEPT 50
#define ERROR_MAX 500		/* characters */
#define LOGIC_ERRORS 3		/* in a row without progress: the circuit breaker (002_, 003_) */

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
	wisp_json_set_num(e, "iteration", (double)wisp_hook_iteration(h));
	wisp_json_set_str(e, "error", cut);
	wisp_json_push(list, e);
	while (wisp_json_len(list) > ERRORS_KEPT)
		wisp_json_shift(list);
	wisp_json_print(&b, list);
	b.data[b.len - 1] = '\0';
	if (wisp_hook_set(h, keys, b.data) != 0 || wisp_hook_set_num(h, row, wisp_hook_meta(h, "errorsInRow", 0) + 1) != 0)
		die_data("%s: the error cannot be noted in it", h->path);
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
	wisp_hook_need_status(&h, "in_progress|paused");
	why = error_pauses(&h, kind);
	add_error(&h, kind, cli->argv[0]);
	if (why != NULL)
		wisp_hook_move(&h, "paused", why);
	puts(wisp_json_str(h.doc, "status", ""));
	wisp_hook_touch(&h, false);
	wisp_hook_commit(&h);
	return 0;
}
