/*
 * stop: the Stop hook. One that fails in any way ends the session as if all were
 * well: this one never fails, it answers.
 */
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "core/hash.h"
#include "core/time.h"
#include "judge.h"
#include "message.h"

#define REASON_MAX 1500		/* bytes of unmet criteria, after which they are only counted */
#define LINE_SHOWN 300		/* of a criterion, a check, or a step */

static void
set_meta(struct wisp_hook_loop *h, const char *key, double n)
{
	const char *const keys[] = {"metadata", key, NULL};

	(void)!wisp_hook_set_num(h, keys, n);
}

/* What an evaluation can change: by its hash it is seen whether anything did. */
static void
state_hash(const struct wisp_hook_loop *h, char sha[WISP_HASH_SIZE])
{
	static const char *const parts[] = {"criteriaStatus", "completedSteps", "remainingSteps", "status"};
	struct wisp_buf b = WISP_BUF_INIT;

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		struct cJSON *part = wisp_json_copy(wisp_hook_member(h, parts[i]));

		wisp_json_print_compact(&b, part);
		wisp_buf_putc(&b, '\n');
		wisp_json_free(part);
	}
	wisp_hash(b.data, b.len, sha);
	wisp_buf_release(&b);
}

/* Counts this evaluation and, where it is one of a row, the row: metadata.guard. */
static void
count(struct wisp_hook_loop *h, const struct cJSON *input, struct wisp_hook_facts *f)
{
	static const char *const sha_keys[] = {"metadata", "guard", "hash", NULL}, *const count_keys[] = {"metadata", "guard", "count", NULL};
	static const char *const iteration[] = {"iteration", NULL}, *const guard_keys[] = {"metadata", "guard", NULL};
	const struct cJSON *guard = wisp_json_get(wisp_json_get(h->doc, "metadata"), "guard");
	char sha[WISP_HASH_SIZE];

	state_hash(h, sha);
	f->same = 0;
	if (wisp_json_bool(input, "stop_hook_active", false) && strcmp(wisp_json_str(guard, "hash", ""), sha) == 0)
		f->same = wisp_json_int(guard, "count", 0) + 1;
	if (wisp_json_type(guard) != WISP_T_OBJECT)
		(void)!wisp_hook_set(h, guard_keys, "{}");
	(void)!wisp_hook_set_str(h, sha_keys, sha);
	(void)!wisp_hook_set_num(h, count_keys, (double)f->same);
	f->iteration = wisp_hook_iteration(h) + 1;
	(void)!wisp_hook_set_num(h, iteration, (double)f->iteration);
	set_meta(h, "iteration", (double)f->iteration);
}

static void
gather(struct wisp_hook_loop *h, const struct cJSON *input, struct wisp_hook_facts *f)
{
	const char **list, *id = wisp_hook_session(input);

	memset(f, 0, sizeof *f);
	f->max = f->budget = -1;
	f->present = h->verdict != WISP_MISSING;
	f->malformed = f->present && h->verdict != WISP_VALID;
	if (h->doc == NULL || !(f->in_progress = wisp_hook_in_progress(h)) || (f->other = wisp_hook_other(h, id)))
		return;
	if (wisp_json_len(wisp_json_get(h->doc, "verify")) > 0) {
		/* Checks take their time: who comes meanwhile has to see whose it is. */
		(void)!wisp_hook_save(h);
		wisp_hook_checks(h);
	}
	f->present = h->verdict != WISP_MISSING;
	f->malformed = f->present && h->verdict != WISP_VALID;
	if (h->doc == NULL || !(f->in_progress = wisp_hook_in_progress(h)) || (f->other = wisp_hook_other(h, id)))
		return;
	list = wisp_hook_criteria(h, &f->criteria);
	for (size_t i = 0; i < f->criteria; i++)
		f->unmet += !wisp_hook_met(h, list[i]);
	free(list);
	f->marker = f->criteria > 0 && f->unmet == 0 && wisp_hook_marker(input);
	f->max = (long long)wisp_hook_meta(h, "maxIterations", -1);
	f->budget = wisp_hook_meta(h, "budget", -1);
	f->cost = wisp_hook_meta(h, "cost", 0);
	count(h, input, f);
}

static void
add(struct wisp_buf *b, const char *before, const char *text)
{
	wisp_buf_puts(b, before);
	wisp_buf_line(b, text, LINE_SHOWN);
}

/* `unmet: A, B; next: STEP`; the caller frees it. */
static char *
to_do(const struct wisp_hook_loop *h, const struct wisp_hook_facts *f)
{
	const char *next = wisp_json_text(wisp_json_first(wisp_hook_member(h, "remainingSteps")), NULL), *command;
	struct wisp_buf b = WISP_BUF_INIT;
	const char **list, *before = "unmet: ";
	size_t n, left = f->unmet;

	if (f->unmet == 0)
		return wisp_str("every criterion is met: if the work is complete, say " WISP_HOOK_MARKER " alone on a line of your last message");
	list = wisp_hook_criteria(h, &n);
	for (size_t i = 0; i < n; i++) {
		if (wisp_hook_met(h, list[i]))
			continue;
		if (b.len > REASON_MAX) {
			wisp_buf_printf(&b, ", and %zu more", left);
			break;
		}
		add(&b, before, list[i]);
		command = wisp_hook_check(h, list[i]);
		if (command != NULL)
			add(&b, wisp_hook_allowed(h, list[i], command) ? " (its check does not hold: " :
			    " (its check was not allowed here, `wisp hook resume --trust` does: ", command);
		wisp_buf_puts(&b, command != NULL ? ")" : "");
		before = ", ";
		left--;
	}
	if (next != NULL)
		add(&b, "; next: ", next);
	free(list);
	return wisp_buf_detach(&b);
}

/* Why the loop is paused, for people. The caller frees it. */
static char *
pause_text(const struct wisp_hook_loop *h, const struct wisp_hook_facts *f, const char *why)
{
	if (strcmp(why, "malformed") == 0)
		return wisp_err_string(&h->err);
	if (strcmp(why, "criteria") == 0)
		return wisp_strdup("the loop has no criteria: add some to `criteria` in the file");
	if (strcmp(why, "runaway") == 0)
		return wisp_str("%lld evaluations in a row changed nothing", f->same);
	if (strcmp(why, "iterations") == 0)
		return wisp_str("%lld of %lld iterations are used", f->iteration, f->max);
	return wisp_str("%.2f of %g USD are spent", f->cost, f->budget);
}

enum { BLOCKED = 2 };	/* the exit status by which a command hook blocks without an answer */

/* `--schema prompt`: what is not known is passed over, since a wrong call, too, would end the session. */
static bool
wants_prompt(int argc, char **argv)
{
	for (int i = 0; i < argc; i++)
		if (strcmp(argv[i], "--schema=prompt") == 0 ||
		    (strcmp(argv[i], "--schema") == 0 && i + 1 < argc && strcmp(argv[i + 1], "prompt") == 0))
			return true;
	return false;
}

void
wisp_hook_say(int argc, char **argv, bool block, const char *reason)
{
	bool prompt = wants_prompt(argc, argv);
	struct cJSON *v = wisp_json_object();
	struct wisp_buf b = WISP_BUF_INIT;

	if (prompt) {
		wisp_json_set_bool(v, "ok", !block);
		wisp_json_set_str(v, "reason", reason);
	} else if (block) {
		wisp_json_set_str(v, "decision", "block");
		wisp_json_set_str(v, "reason", reason);
	}
	if (prompt || block) {
		wisp_json_print_compact(&b, v);
		printf("%s\n", b.data);
	}
	wisp_buf_release(&b);
	wisp_json_free(v);
	/* Whom the answer does not reach takes 2 for a block, and stderr for its reason. */
	if (fflush(stdout) != 0) {
		warn("%s", reason);
		_exit(block ? BLOCKED : 0);
	}
}

static void
answer(struct wisp_cli *cli, struct wisp_hook_loop *h, const struct cJSON *input, const struct wisp_hook_facts *f)
{
	const char *why;
	enum wisp_hook_answer a = wisp_hook_judge(f, &why);
	bool ours = h->doc != NULL && f->in_progress && !f->other, saved;
	char *text = NULL;

	if (a == WISP_HOOK_PAUSE) {
		text = pause_text(h, f, why);
		if (h->doc != NULL)
			wisp_hook_move(h, "paused", text);
		warn("the loop in '%s' is paused: %s%s", h->path, text, h->doc != NULL ? " (wisp hook resume goes on)" : "");
	} else if (a == WISP_HOOK_COMPLETE) {
		wisp_hook_move(h, "completed", NULL);
		warn("the loop is complete: %zu criteria met, %lld iterations", f->criteria, f->iteration);
	} else if (a == WISP_HOOK_BLOCK) {
		text = to_do(h, f);
	}
	if (ours)
		wisp_hook_touch(h, false);
	saved = !ours || wisp_hook_save(h) == 0;
	if (!saved)
		warn("'%s' cannot be written", h->path);
	/* What cannot be counted could go on for ever. */
	if (a == WISP_HOOK_BLOCK && !saved && wisp_json_bool(input, "stop_hook_active", false))
		a = WISP_HOOK_PAUSE;
	wisp_hook_say(cli->argc, cli->argv, a == WISP_HOOK_BLOCK, a == WISP_HOOK_BLOCK ? text : a == WISP_HOOK_COMPLETE ? "complete" : "no active loop");
	free(text);
}

int
wisp_hook_stop(struct wisp_cli *cli)
{
	struct cJSON *input = wisp_hook_input();
	char *from = wisp_hook_from(input);
	struct wisp_hook_loop h;
	struct wisp_hook_facts f;

	wisp_hook_find(&h, from, wisp_hook_session(input));
	gather(&h, input, &f);
	answer(cli, &h, input, &f);
	wisp_hook_release(&h);
	wisp_json_free(input);
	free(from);
	return 0;
}
