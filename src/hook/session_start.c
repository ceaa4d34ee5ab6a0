/*
 * session_start: the SessionStart hook: a session that begins is told of the loop
 * that it is in. Like stop.c's it never fails.
 */
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/schema.h"
#include "core/time.h"
#include "message.h"

#define START_MAX 2000		/* bytes: what stands in every session's context is short */
#define LINE_SHOWN 300		/* of a criterion, or a step */
#define SPEC_SHOWN 400

static void
add_list(struct wisp_buf *b, const char *heading, const char *const *list, size_t n)
{
	if (n == 0)
		return;
	wisp_buf_printf(b, "%s:\n", heading);
	for (size_t i = 0; i < n; i++) {
		wisp_buf_puts(b, "- ");
		wisp_buf_line(b, list[i], LINE_SHOWN);
		wisp_buf_putc(b, '\n');
	}
}

static void
add_remaining(struct wisp_buf *b, const struct wisp_hook_loop *h)
{
	const struct cJSON *steps = wisp_hook_member(h, "remainingSteps");
	const char **criteria, **open;
	size_t n, unmet = 0, left = 0;

	criteria = wisp_hook_criteria(h, &n);
	for (size_t i = 0; i < n; i++)
		if (!wisp_hook_met(h, criteria[i]))
			criteria[unmet++] = criteria[i];
	add_list(b, "Unmet criteria", criteria, unmet);
	open = wisp_alloc(wisp_json_len(steps) + 1, sizeof *open);
	for (const struct cJSON *s = wisp_json_first(steps); s != NULL; s = wisp_json_next(s))
		open[left++] = wisp_json_text(s, "");
	add_list(b, "Remaining steps, the next one first", open, left);
	free(criteria);
	free(open);
}

/* Since the file was last written by a hook or a verb: `3h`; the caller frees it. */
static char *
age(const struct wisp_hook_loop *h)
{
	const char *at = wisp_json_str(wisp_json_get(h->doc, "metadata"), "lastCheckpoint", NULL);
	wisp_ms then = at == NULL ? -1 : wisp_time_parse(at), minutes;

	if (then < 0)
		return wisp_strdup("some time");
	minutes = (wisp_time_now() - then) / 60000;
	if (minutes < 1)
		return wisp_strdup("less than a minute");
	return minutes < 60 ? wisp_str("%lld minutes", (long long)minutes) : wisp_str("%lld hours", (long long)(minutes / 60));
}

static void
announce(struct wisp_buf *b, const struct wisp_hook_loop *h, bool other)
{
	long long max = (long long)wisp_hook_meta(h, "maxIterations", -1);
	char *since = age(h);

	if (other)
		wisp_buf_printf(b, "Another session's loop is active here (idle for %s); this session ignores it: "
				"`wisp hook resume` takes it over, `wisp hook cancel` ends it", since);
	else
		wisp_buf_puts(b, "A loop is active");
	wisp_buf_puts(b, ".\nSpec: ");
	wisp_buf_line(b, wisp_hook_spec_text(h, "(none)"), SPEC_SHOWN);
	wisp_buf_printf(b, "\nIteration %lld", wisp_hook_iteration(h));
	if (max >= 0)
		wisp_buf_printf(b, " of at most %lld", max);
	wisp_buf_puts(b, "\n");
	add_remaining(b, h);
	if (!other)
		wisp_buf_puts(b, "Say what is met with `wisp hook met CRITERION`, what is done with `wisp hook step-done STEP`.\n"
			      "When all of it is, say " WISP_HOOK_MARKER " alone on a line.\n");
	free(since);
}

/* A session that took the place of the loop's own in the same window: the person has to know, not the model alone. */
static bool
took_the_place(const struct cJSON *input)
{
	return wisp_words_find("clear|resume", wisp_json_str(input, "source", "")) >= 0;
}

static void
tell_both(const char *text)
{
	struct cJSON *v = wisp_json_object(), *model;
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_json_set_str(v, "systemMessage",
			  "wisp: the loop of this project belongs to the session before; this session ignores it: "
			  "`wisp hook resume` takes it over, `wisp hook cancel` ends it");
	model = wisp_json_object_at(v, "hookSpecificOutput");
	wisp_json_set_str(model, "hookEventName", "SessionStart");
	wisp_json_set_str(model, "additionalContext", text);
	wisp_json_print_compact(&b, v);
	printf("%s\n", b.data);
	wisp_buf_release(&b);
	wisp_json_free(v);
}

int
wisp_hook_session_start(struct wisp_cli *cli)
{
	struct cJSON *input = wisp_hook_input();
	char *from = wisp_hook_from(input);
	struct wisp_buf b = WISP_BUF_INIT;
	struct wisp_hook_loop h;
	bool unbound, other;
	char *dir;

	(void)cli;
	wisp_hook_find(&h, from, wisp_hook_session(input));
	/* What hooks that were killed have left. */
	dir = wisp_str("%s/.loop", h.root);
	wisp_file_sweep(dir);
	free(dir);
	if (h.verdict != WISP_VALID && h.verdict != WISP_MISSING) {
		char *why = wisp_err_string(&h.err);

		warn("%s", why);
		free(why);
	} else if (wisp_hook_in_progress(&h)) {
		unbound = *wisp_json_str(h.doc, "session_id", "") == '\0';
		other = wisp_hook_other(&h, wisp_hook_session(input));
		if (unbound && wisp_hook_save(&h) != 0)
			warn("'%s' cannot be written", h.path);
		announce(&b, &h, other);
		b.len = wisp_utf8_cut(b.data, b.len, START_MAX);
		b.data[b.len] = '\0';
		if (other && took_the_place(input))
			tell_both(b.data);
		else
			fwrite(b.data, 1, b.len, stdout);
	}
	wisp_buf_release(&b);
	wisp_hook_release(&h);
	wisp_json_free(input);
	free(from);
	return 0;
}
