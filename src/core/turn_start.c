/*
 * turn_start: a loop takes a session; what becomes of the step before and of
 * the work tree (docs/record.md, docs/loop.md).
 */
#include "turn.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "breaker.h"
#include "change.h"
#include "config.h"
#include "ledger.h"
#include "lines.h"
#include "pool.h"
#include "request.h"
#include "session.h"
#include "shared.h"
#include "state.h"
#include "turn_phase.h"

/* A pause or stop that was asked of an earlier owner means nothing to this one. */
static int
drop_stale_requests(const struct wisp_record *r, long owner)
{
	struct wisp_requests q;

	if (wisp_requests_load(&q, r->home) != 0)
		return -1;
	for (size_t i = 0; i < q.count; i++) {
		const char *verb = wisp_json_str(q.list[i], "verb", "");

		if ((strcmp(verb, "pause") == 0 || strcmp(verb, "stop") == 0) &&
		    wisp_json_int(q.list[i], "owner", 0) != owner)
			(void)unlink(q.files[i]);
	}
	wisp_requests_release(&q);
	return 0;
}

static void
set_owner(struct wisp_record *r, long pid)
{
	struct cJSON *owner = wisp_json_object();
	char host[256] = "", *now = wisp_time_iso(wisp_time_now());

	(void)gethostname(host, sizeof host - 1);
	wisp_json_set_num(owner, "pid", (double)pid);
	wisp_json_set_str(owner, "host", host);
	wisp_json_set_str(owner, "since", now);
	wisp_json_set(wisp_record_session(r), "owner", owner);
	free(now);
}

/* A step that was lost with its controller: put away, and no failure. What it cost may be known all the same. */
static int
lose_step(struct wisp_record *r, const struct cJSON *result, struct wisp_err *err)
{
	struct cJSON *step = wisp_turn_step(r), *e, *pending, *told;
	long long n = wisp_json_int(step, "iteration", 0);

	if (wisp_turn_tasks_back(r, err) != 0)
		return -1;
	wisp_turn_charge(r, result);
	if (wisp_turn_machine(r) != NULL)
		wisp_phase_count(wisp_turn_loop(r), false);
	e = wisp_turn_entry(r, "interrupted");
	wisp_turn_history(r, wisp_json_array_at(r->doc, "history"), e);
	wisp_json_set_str(e, "state", "missing");
	wisp_json_set_null(e, "status");
	wisp_json_set_str(e, "summary", "lost with its controller");
	wisp_json_set_str(e, "head", wisp_json_str(step, "head", NULL));
	wisp_json_set_str(e, "tree", wisp_json_str(step, "tree", NULL));
	wisp_json_set_bool(e, "progress", false);
	wisp_json_set_str(e, "verify", "skipped");
	wisp_ledger_settle(r, e, NULL);
	pending = wisp_json_object();
	wisp_json_set_str(pending, "tree", "put-away");
	wisp_json_set_num(pending, "n", (double)n);
	wisp_json_set_bool(pending, "crash", true);
	wisp_json_set(r->doc, "pending", pending);
	told = wisp_record_tell(r, "interrupted", "the step was lost when its controller died");
	wisp_json_set_num(told, "iteration", (double)n);
	wisp_json_set_str(step, "stage", "recorded");
	return 0;
}

/* A power cut may have taken what `ran` saw: then it looks again, at what is there now. */
static void
look_again(struct wisp_record *r)
{
	struct cJSON *step = wisp_turn_step(r);
	char *path = wisp_record_dir_path(r, "state.json");
	struct wisp_state st;

	if (strcmp(wisp_json_str(step, "stage", ""), "verified") == 0)
		wisp_json_set_str(step, "stage", "ran");
	if (strcmp(wisp_json_str(step, "stage", ""), "ran") == 0 && strcmp(wisp_json_str(step, "state", ""), "valid") == 0) {
		if (wisp_state_load(&st, path, NULL) != WISP_VALID)
			wisp_json_set_str(step, "stage", "begun");
		wisp_state_release(&st);
	}
	free(path);
}

/* What the step before left: `loop` goes on, `judge` has something to judge first. */
static int
recover_step(struct wisp_record *r, struct cJSON *answer, bool lost, struct wisp_err *err)
{
	struct cJSON *step = wisp_turn_step(r), *result = NULL;
	bool open = strcmp(wisp_json_str(step, "stage", "recorded"), "recorded") != 0, judge = false;
	int rc = 0;

	if (open) {
		/* The supervisor writes step.json when all is over: without it nothing is known. */
		judge = wisp_turn_result(r, &result, NULL) == 0 && !lost && !wisp_json_bool(step, "damaged", false);
		if (!judge)
			rc = lose_step(r, result, err);
	}
	if (judge) {
		look_again(r);
		wisp_json_set_str(answer, "name", wisp_json_str(step, "name", ""));
		wisp_json_set_num(answer, "iteration", wisp_json_num(step, "iteration", 0));
		wisp_json_set_num(answer, "attempt", wisp_json_num(step, "attempt", 1));
		wisp_json_set_str(answer, "head", wisp_json_str(step, "head", NULL));
		wisp_json_set_str(answer, "tree", wisp_json_str(step, "tree", NULL));
	}
	wisp_turn_answer_pending(r, answer);
	wisp_json_free(result);
	wisp_json_set_str(answer, "next", judge ? "judge" : "loop");
	return rc;
}

/* A person's resume: stuck detection counts from here, and what stood in the way is forgiven. */
static void
intervene(struct wisp_record *r)
{
	wisp_json_set_num(r->doc, "intervened", wisp_json_num(wisp_record_session(r), "loop_count", 0));
	wisp_breaker_reset(wisp_json_object_at(r->doc, "breaker"));
	if (wisp_turn_machine(r) != NULL)
		wisp_phase_grant(wisp_turn_machine(r), wisp_turn_loop(r));
	wisp_json_set_num(wisp_json_object_at(wisp_json_object_at(r->doc, "limits"), "usage"), "waits", 0);
	wisp_limits_overage_seen(wisp_json_object_at(r->doc, "limits"), wisp_record_config(r));
}

static void
keep_option(struct wisp_record *r, const char *option)
{
	const char *equals = strchr(option, '=');
	char *key;

	if (equals == NULL)
		return;
	key = wisp_str("%.*s", (int)(equals - option), option);
	wisp_json_set_str(wisp_json_object_at(r->doc, "options"), key, equals + 1);
	free(key);
}

/* No loop has had the work tree: it becomes checkpoint 0 as it is. */
static bool
is_first(const struct wisp_record *r)
{
	return wisp_json_type(wisp_json_get(r->doc, "after")) != WISP_T_OBJECT &&
	       wisp_json_num(wisp_json_get(r->doc, "session"), "loop_count", 0) == 0;
}

int
wisp_turn_start(struct wisp_record *r, const struct wisp_start *s, struct cJSON *answer, struct wisp_err *err)
{
	struct cJSON *session = wisp_record_session(r);
	const char *status = wisp_json_str(session, "status", "paused");
	char *login;

	if (strcmp(status, "completed") == 0 || (strcmp(status, "halted") == 0 && !s->resume)) {
		wisp_json_set_str(answer, "next", status);
		wisp_json_set_num(answer, "exit", wisp_json_num(r->doc, "exit", 0));
		wisp_json_set_str(answer, "reason", wisp_json_str(r->doc, "reason", NULL));
		return wisp_record_publish(r);
	}
	if (drop_stale_requests(r, s->pid) != 0 || recover_step(r, answer, s->lost, err) != 0 ||
	    wisp_pool_settle(r, NULL, err) != 0 || wisp_shared_settle(r, NULL, err) != 0 || wisp_change_recover(r) != 0)
		return -1;
	wisp_change_tell(r, answer);
	wisp_turn_adopt_state(r, answer);
	if (s->config != NULL)
		/* Before a session's first loop nothing was in force. */
		wisp_turn_adopt_config(r, s->config, s->resume || wisp_json_num(session, "loop_count", 0) > 0, answer);
	for (size_t i = 0; i < s->n_options; i++)
		keep_option(r, s->options[i]);
	if (s->agent != NULL) {
		login = wisp_shared_login(s->agent, s->login != NULL ? s->login : "", s->env, s->n_env);
		wisp_json_set_str(session, "agent", s->agent);
		wisp_json_set_str(r->doc, "login", login);
		free(login);
	}
	if (s->sandbox != NULL)
		wisp_json_set_str(r->doc, "sandbox", s->sandbox);
	if (s->template_dir != NULL && wisp_turn_phase_start(r, s->template_dir, err) != 0)
		return -1;
	if (s->resume)
		intervene(r);
	wisp_turn_wait_over(r, false);
	set_owner(r, s->pid);
	if (wisp_json_type(wisp_json_get(r->doc, "question")) != WISP_T_OBJECT)
		wisp_session_put(session, "running", NULL);
	wisp_json_set_null(r->doc, "exit");
	wisp_json_set_null(r->doc, "reason");
	wisp_json_drop(r->doc, "back");
	wisp_json_drop(r->doc, "next_at");
	wisp_json_drop(r->doc, "checking");
	if (wisp_json_get(r->doc, "gitfile") == NULL)
		wisp_record_gitfile(r);
	wisp_record_watch(r);
	if (is_first(r))
		wisp_json_set_bool(answer, "first", true);
	return wisp_record_commit(r);
}

/* Is the work tree what a member {head, tree} of the record says? */
static bool
is_at(const struct cJSON *point, const struct wisp_restore *o)
{
	return strcmp(wisp_json_str(point, "head", ""), o->head) == 0 && strcmp(wisp_json_str(point, "tree", ""), o->tree) == 0;
}

static bool
as_recorded(const struct wisp_record *r, const struct wisp_restore *o)
{
	return is_at(wisp_json_get(r->doc, "after"), o);
}

/* In a person's own checkout what lies uncommitted is theirs: nothing is dropped from it. */
static bool
in_place(const struct wisp_record *r)
{
	return strcmp(wisp_json_str(r->doc, "worktree", ""), wisp_json_str(r->doc, "project", "-")) == 0;
}

/* checkpoint= by its commit: an agent may have deleted or moved the ref. */
void
wisp_turn_answer_point(const struct wisp_record *r, struct cJSON *answer)
{
	const struct cJSON *point = wisp_json_get(r->doc, "checkpoint");

	if (wisp_json_str(point, "commit", NULL) != NULL)
		wisp_json_set_str(answer, "checkpoint", wisp_json_str(point, "commit", NULL));
	else
		wisp_json_set_num(answer, "checkpoint", wisp_json_num(point, "n", -1));
}

int
wisp_turn_restore(struct wisp_record *r, const struct wisp_restore *o, struct cJSON *answer)
{
	const struct cJSON *pending = wisp_json_get(r->doc, "pending");
	const char *when = wisp_config_text(wisp_record_config(r), "checkpoint.restore"), *did = "none";
	bool put_away = wisp_json_type(pending) == WISP_T_OBJECT;

	if (when == NULL)
		when = "failed";
	if (is_first(r))
		did = "first";
	else if (wisp_json_type(wisp_json_get(r->doc, "after")) != WISP_T_OBJECT)
		did = "adopt"; /* a record made anew */
	else if (put_away && strcmp(when, "never") == 0)
		did = "keep";
	else if (put_away && is_at(wisp_json_get(r->doc, "checkpoint"), o))
		did = "modules"; /* where they are shows in no tree */
	else if (put_away && (wisp_json_bool(pending, "crash", false) || o->again || as_recorded(r, o)))
		did = "put-away";
	else if (!as_recorded(r, o))
		did = "adopt";
	else if (strcmp(when, "always") == 0 && !in_place(r) &&
		 strcmp(wisp_json_str(wisp_turn_step(r), "state", ""), "valid") == 0)
		did = "drop";
	wisp_json_set_str(answer, "do", did);
	if (put_away)
		wisp_json_set_num(answer, "n", wisp_json_num(pending, "n", 0));
	wisp_turn_answer_point(r, answer);
	wisp_json_set_num(answer, "last", wisp_json_num(wisp_record_session(r), "loop_count", 0));
	return 0;
}

static void
tell_put_away(struct wisp_record *r, const struct wisp_restored *o, double n)
{
	bool reset = strcmp(o->did, "reset") == 0;
	struct cJSON *told = wisp_record_tell(r, "put_away", reset
		? "the work of the failed step, its commits too, was put away: verify failed on what was left"
		: "the uncommitted work of the failed step was put away");

	wisp_json_set_num(told, "iteration", n);
	wisp_json_set_str(told, "ref", o->ref);
	if (o->commits == NULL || o->commits[0] == '\0')
		return;
	told = wisp_record_tell(r, "commits", "these commits of the failed step were kept");
	wisp_json_set_num(told, "iteration", n);
	for (const char *p = o->commits; *p != '\0';) {
		size_t len = strcspn(p, "\n");
		char *line = wisp_str("%.*s", (int)len, p);

		wisp_json_push(wisp_json_array_at(told, "items"), wisp_json_string(line));
		free(line);
		p += len + (p[len] == '\n');
	}
}

/* names= as many of them as fit on a line. */
static void
answer_names(struct cJSON *answer, const struct cJSON *names)
{
	struct wisp_buf line = WISP_BUF_INIT;

	if (wisp_json_len(names) > 0) {
		wisp_line_names(&line, names);
		line.data[line.len - 1] = '\0';
		wisp_json_set_str(answer, "names", line.data);
	}
	wisp_buf_release(&line);
}

int
wisp_turn_restored(struct wisp_record *r, const struct wisp_restored *o, struct cJSON *answer)
{
	double n = wisp_json_num(wisp_json_get(r->doc, "pending"), "n", 0);
	bool adopted = strcmp(o->did, "adopt") == 0, first = strcmp(o->did, "first") == 0;
	struct cJSON *names = NULL, *told;

	if (wisp_turn_names(o->files, &names) != 0) {
		wisp_json_free(names);
		return -1;
	}
	if (strcmp(o->did, "put-away") == 0 || strcmp(o->did, "reset") == 0)
		tell_put_away(r, o, n);
	if (adopted && wisp_json_len(names) > 0) {
		told = wisp_record_tell(r, "adopted", "a person changed files in the work tree");
		wisp_json_set(told, "items", wisp_json_copy(names));
	}
	if (adopted || first)
		wisp_turn_checkpoint(r, wisp_json_num(wisp_record_session(r), "loop_count", 0), o->head, o->tree, o->commit);
	wisp_turn_after(r, o->head, o->tree);
	wisp_json_set_null(r->doc, "pending");
	wisp_json_set_num(answer, "changed", (double)wisp_json_len(names));
	answer_names(answer, names);
	wisp_json_free(names);
	return wisp_record_commit(r);
}
