/*
 * observe: what has become of each sub-agent, from the record and the lock of its session.
 *
 * A loop lives as long as somebody holds its lock; whatever its process id or its clock say is not
 * asked. Prints, a line each: event=TEXT for people, gate=ID where one is new, crashed=SYSTEM where a loop
 * is gone in the middle of its work and may be started again.
 */
#include "observe.h"

#include <stdlib.h>
#include <string.h>

#include "core/orchestra.h"
#include "core/question.h"
#include "limit.h"
#include "open.h"
#include "systems.h"
#include "verb.h"

enum { UNSEEN_MOST = 20 };	/* looks at which one that was started has not been seen to begin */

static void
event(const struct wisp_look *l, const char *text)
{
	struct wisp_buf line = WISP_BUF_INIT;

	wisp_buf_printf(&line, "%s: %s", l->system, text);
	wisp_cli_pair("event", line.data);
	wisp_buf_release(&line);
}

/* A new status, said where it is one. */
static void
put(struct wisp_look *l, const char *status, const char *progress, const char *said)
{
	if (strcmp(wisp_json_str(l->agent, "status", ""), status) != 0 && said != NULL)
		event(l, said);
	wisp_system_put(l->r, l->system, status, progress);
}

static bool
asks(struct wisp_look *l)
{
	const struct cJSON *question = wisp_json_get(l->of.doc, "question");
	char *answer, *why = NULL, *said;

	if (wisp_json_type(question) != WISP_T_OBJECT) {
		wisp_look_gate_over(l);
		return false;
	}
	answer = wisp_question_answered(&l->of, &why);
	free(why);
	if (answer != NULL) {
		free(answer);
		return false;
	}
	if (wisp_look_gate(l, question)) {
		put(l, "running", NULL, NULL);
		return true;
	}
	said = wisp_str("waits for a person: %s", wisp_json_str(question, "question", ""));
	put(l, "waiting-gate", wisp_json_str(question, "question", NULL), said);
	free(said);
	return true;
}

static void
failed(struct wisp_look *l, char *reason)
{
	char *said = wisp_str("failed: %s", reason);

	wisp_system_since(l->r, l->system);
	wisp_json_set_str(l->notes, "reason", reason);
	put(l, "failed", said, said);
	free(said);
	free(reason);
}

/* Its loop is gone in the middle: once more from its checkpoint, if that is not used up. */
static void
crashed(struct wisp_look *l)
{
	double restarts = wisp_json_num(l->notes, "restarts", 0);

	if (restarts < (double)wisp_orch_limit(l->r, WISP_ORCH_RESTARTS)) {
		wisp_json_set_num(l->notes, "restarts", restarts + 1);
		event(l, "its loop is gone: it is started again from its checkpoint");
		wisp_system_again(l->r, l->system);
		wisp_cli_pair("crashed", l->system);
	} else {
		failed(l, wisp_strdup("its loop died again"));
	}
}

static void
completed(struct wisp_look *l)
{
	struct cJSON *orchestra = wisp_json_object_at(l->r->doc, "orchestra");
	double n = wisp_json_num(orchestra, "finished", 0) + 1;

	wisp_json_set_num(orchestra, "finished", n);
	wisp_json_set_num(l->notes, "finished", n);
	wisp_json_set_str(l->agent, "completedAt", wisp_json_str(l->session, "last_activity", NULL));
	put(l, "completed", NULL, "finished");
}

static bool
is_beside(const struct wisp_look *l)
{
	size_t i = 0;

	while (i < l->beside->count && strcmp(l->beside->list[i], l->system) != 0)
		i++;
	return i < l->beside->count;
}

/* A session that was begun anew is paused for no reason and no question, until its loop owns it. */
static bool
has_begun(const struct wisp_look *l)
{
	bool is_new = strcmp(wisp_json_str(l->session, "status", ""), "paused") == 0 &&
	              wisp_json_str(l->of.doc, "reason", NULL) == NULL &&
	              wisp_json_type(wisp_json_get(l->of.doc, "question")) != WISP_T_OBJECT;

	return !is_new && !wisp_system_as_since(l->notes, &l->of);
}

/* Nobody owns it: how has it ended? */
static void
ended(struct wisp_look *l)
{
	const char *status = wisp_json_str(l->session, "status", ""), *reason = wisp_json_str(l->of.doc, "reason", NULL);
	double unseen = wisp_json_num(l->notes, "unseen", 0) + 1;

	if (strcmp(wisp_json_str(l->agent, "status", ""), "spawning") == 0 && !has_begun(l)) {
		if (is_beside(l))
			return;
		wisp_json_set_num(l->notes, "unseen", unseen);
		if (unseen > UNSEEN_MOST)
			failed(l, wisp_strdup("its loop has not begun (run.log in its session's folder)"));
		return;
	}
	if (strcmp(status, "completed") == 0) {
		wisp_look_gate_over(l);
		completed(l);
	} else if (strcmp(status, "running") == 0) {
		crashed(l);
	} else if (!asks(l)) {
		/* Answered, but no loop is there to take it. */
		if (wisp_json_type(wisp_json_get(l->of.doc, "question")) == WISP_T_OBJECT)
			wisp_system_again(l->r, l->system);
		else
			failed(l, wisp_str("%s: %s", status, reason != NULL ? reason : "no reason is known"));
	}
}

static void
look_at(struct wisp_look *l)
{
	const char *status = wisp_json_str(l->agent, "status", "");
	bool was_failed = strcmp(status, "failed") == 0, again = wisp_json_bool(l->notes, "again", false);
	int owned = wisp_record_owned(&l->of);

	l->session = wisp_json_get(l->of.doc, "session");
	if (owned < 0)
		die_sys("cannot ask who owns '%s'", l->of.place->dir);
	if (owned == 1) {
		wisp_json_drop(l->notes, "again");
		wisp_json_drop(l->notes, "reason");
		wisp_look_show(l);
		if (!asks(l))
			put(l, "running", NULL, was_failed ? "runs again" : NULL);
	} else if (!was_failed && !again) {
		wisp_look_show(l);
		ended(l);
	} else if (was_failed && strcmp(wisp_json_str(l->session, "status", ""), "completed") == 0 && !wisp_system_as_since(l->notes, &l->of)) {
		/* A person has had it go on, to its end. */
		wisp_json_drop(l->notes, "reason");
		wisp_look_show(l);
		completed(l);
	}
}

/* A merge that came back too often, once a person has decided. */
static void
look_at_fix(struct wisp_look *l)
{
	const char *list = NULL;
	const struct cJSON *gate = wisp_system_gate(l->r, l->system, "merge-fix", &list);
	char *key;

	if (gate == NULL || strcmp(list, "pending") == 0)
		return;
	key = wisp_str("agent-%s/merge-fix", l->system);
	wisp_json_drop(wisp_json_get(wisp_json_get(l->r->doc, "orchestra"), "gates"), key);
	free(key);
	if (strcmp(list, "approved") == 0) {
		wisp_json_set_num(l->notes, "back", 0);
		wisp_system_again(l->r, l->system);
	} else {
		wisp_json_set_bool(l->notes, "given_up", true);
		failed(l, wisp_str("rejected: %s", wisp_json_str(gate, "feedback", "")));
	}
}

static void
look_at_session(struct wisp_look *l)
{
	struct wisp_place place;
	char *why = NULL;

	if (wisp_system_record(&l->of, &place, l->r, l->system, &why) == 0)
		look_at(l);
	else if (strcmp(wisp_json_str(l->agent, "status", ""), "failed") != 0 && !wisp_json_bool(l->notes, "again", false))
		failed(l, why);
	else
		free(why);
	wisp_record_release(&l->of);
	wisp_place_release(&place);
}

static void
look_at_all(struct wisp_look *l)
{
	struct cJSON *state = wisp_orchestra_of(l->r), *agent;

	for (agent = wisp_json_first(wisp_json_get(state, "subAgents")); agent != NULL; agent = wisp_json_next(agent)) {
		l->system = wisp_json_str(agent, "system", "");
		l->agent = agent;
		l->notes = wisp_system_notes(l->r, l->system);
		if (wisp_orchestra_completed(state, l->system))
			continue;
		if (strcmp(wisp_json_str(agent, "status", ""), "completed") == 0)
			look_at_fix(l);
		else
			look_at_session(l);
	}
}

int
wisp_orch_observe(struct wisp_cli *cli)
{
	struct wisp_texts git = {0}, beside = {0};
	bool yes = false;
	const struct wisp_option options[] = {{"git", .list = &git}, {"beside", .list = &beside}, {"yes", .flag = &yes}, {0}};
	struct wisp_look l = {.git = &git, .beside = &beside};
	struct wisp_buf before = WISP_BUF_INIT, after = WISP_BUF_INIT;
	struct wisp_record r;

	wisp_cli_read(cli, options, 0, 0);
	(void)wisp_orch_open(cli, &r, WISP_WRITE);
	l.r = &r;
	l.by = yes ? "--yes" : NULL;
	l.decided = wisp_json_array();
	wisp_json_print_compact(&before, r.doc);
	look_at_all(&l);
	wisp_json_print_compact(&after, r.doc);
	if (before.len != after.len || memcmp(before.data, after.data, after.len) != 0)
		wisp_orch_commit(&r);
	wisp_record_release(&r);
	if (wisp_json_len(l.decided) > 0) {
		(void)wisp_orch_open(cli, &r, WISP_READ);
		wisp_look_tell(&r, l.decided);
		wisp_record_release(&r);
	}
	wisp_json_free(l.decided);
	wisp_buf_release(&before);
	wisp_buf_release(&after);
	free(git.list);
	free(beside.list);
	return 0;
}
