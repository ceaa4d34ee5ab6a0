/*
 * phase: where an orchestration stands, and how it moves on (001_: DETECT, DISCOVER,
 * PLAN, EXECUTE, RETROSPECT, then EXECUTE again or COMPLETE).
 */
#include "verb.h"

#include <stdlib.h>
#include <string.h>

#include "core/config.h"
#include "core/decide.h"
#include "core/handoff.h"
#include "core/orchestra.h"
#include "core/session.h"
#include "core/time.h"
#include "core/turn.h"
#include "limit.h"
#include "open.h"
#include "scope.h"
#include "systems.h"

int
wisp_orch_new(struct wisp_cli *cli)
{
	long long parallel = 0;
	bool yes = false;
	const struct wisp_option options[] = {{"parallel", .number = &parallel}, {"yes", .flag = &yes}, {0}};
	struct cJSON *orchestra;
	struct wisp_record r;

	wisp_cli_read(cli, options, 0, 0);
	if (parallel < 1)
		die_usage("new needs --parallel N, at least 1");
	wisp_cli_need_record(cli, &r, WISP_WRITE);
	if (wisp_orchestra_of(&r) == NULL)
		wisp_json_set(r.doc, "orchestration", wisp_orchestra_new(wisp_time_now()));
	orchestra = wisp_json_object_at(r.doc, "orchestra");
	wisp_json_set_num(orchestra, "parallel", (double)parallel);
	wisp_json_set_bool(orchestra, "yes", yes);
	wisp_orch_commit(&r);
	wisp_record_release(&r);
	return 0;
}

/* phase= mode= loop= parallel=, as far as they are known; nothing before `new`. */
int
wisp_orch_facts(struct wisp_cli *cli)
{
	const struct cJSON *state, *orchestra;
	struct cJSON *answer = wisp_json_object();
	struct wisp_record r;

	wisp_cli_read(cli, NULL, 0, 0);
	wisp_cli_need_record(cli, &r, WISP_READ);
	state = wisp_orchestra_of(&r);
	orchestra = wisp_json_get(r.doc, "orchestra");
	if (state != NULL) {
		wisp_json_set_str(answer, "phase", wisp_json_str(state, "currentPhase", ""));
		wisp_json_set_str(answer, "mode", wisp_json_str(state, "mode", NULL));
		wisp_json_set_num(answer, "loop", wisp_json_num(state, "currentLoop", 1));
		wisp_json_set_num(answer, "parallel", wisp_json_num(orchestra, "parallel", 1));
	}
	wisp_record_release(&r);
	wisp_cli_answer(cli, answer);
	return 0;
}

int
wisp_orch_move(struct wisp_cli *cli)
{
	struct cJSON *state;
	struct wisp_record r;

	wisp_cli_read(cli, NULL, 1, 1);
	state = wisp_orch_open(cli, &r, WISP_WRITE);
	if (strcmp(wisp_json_str(state, "currentPhase", ""), cli->argv[0]) != 0 && wisp_orchestra_move(state, cli->argv[0]) != 0)
		die_usage("%s does not follow %s", cli->argv[0], wisp_json_str(state, "currentPhase", ""));
	wisp_orch_commit(&r);
	wisp_record_release(&r);
	return 0;
}

/* What people asked for meanwhile: act=stop for a pause or a stop. A loop that runs steps asks this in `begin`. */
int
wisp_orch_asked(struct wisp_cli *cli)
{
	struct cJSON *answer = wisp_json_object();
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_asked asked;
	struct wisp_record r;

	wisp_cli_read(cli, NULL, 0, 0);
	(void)wisp_orch_open(cli, &r, WISP_WRITE);
	if (wisp_turn_requests(&r, &asked, &err) != 0) {
		if (err.text != NULL)
			die_err(&err);
		die_sys("cannot read the requests of '%s'", cli->place.dir);
	}
	if (asked.pause)
		wisp_json_set_str(answer, "act", "stop");
	wisp_orch_commit(&r);
	wisp_turn_requests_done(&asked, true);
	wisp_requests_release(&asked.requests);
	wisp_record_release(&r);
	wisp_cli_answer(cli, answer);
	return 0;
}

/* Why it ended, as the handoff has it in a word. */
static const char *
handoff_reason(long long code)
{
	static const struct { int code; const char *word; } words[] = {
		{WISP_END_INPUT, "waits-for-person"}, {WISP_END_LIMIT, "limit"}, {WISP_END_WAIT, "usage-limit"},
		{WISP_END_PAUSED, "session-end"}, {WISP_END_AGENT, "agent-failed"}
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (words[i].code == code)
			return words[i].word;
	return code > 128 ? "signal" : "error";
}

/* The orchestration ends with a code: the session says so, and the handoff how it goes on. */
int
wisp_orch_end(struct wisp_cli *cli)
{
	long long code = -1;
	const char *reason = NULL;
	const struct wisp_option options[] = {{"exit", .number = &code}, {"reason", .text = &reason}, {0}};
	struct cJSON *session;
	struct wisp_record r;

	wisp_cli_read(cli, options, 0, 0);
	(void)wisp_orch_open(cli, &r, WISP_WRITE);
	session = wisp_record_session(&r);
	if (code == 0)
		wisp_session_put(session, "completed", NULL);
	else if (reason != NULL || strcmp(wisp_json_str(session, "status", ""), "running") == 0)
		wisp_session_put(session, "paused", reason);
	wisp_json_set_num(r.doc, "exit", (double)code);
	if (reason != NULL || code == 0)
		wisp_json_set_str(r.doc, "reason", code == 0 ? "no gap is left" : reason);
	wisp_handoff(&r, handoff_reason(code));
	wisp_cli_commit(&r);
	wisp_record_release(&r);
	return 0;
}

/*
 * act=complete, execute, or limit with text=: after a retrospect that was taken. With --resume a person has
 * said that it is to go on: that makes room for one more loop.
 */
int
wisp_orch_again(struct wisp_cli *cli)
{
	bool resume = false;
	const struct wisp_option options[] = {{"resume", .flag = &resume}, {0}};
	struct cJSON *state, *answer = wisp_json_object();
	long long loop, loops;
	size_t gaps, failed = 0;
	struct wisp_record r;
	char *text;

	wisp_cli_read(cli, options, 0, 0);
	state = wisp_orch_open(cli, &r, WISP_READ);
	gaps = wisp_scope_open(wisp_json_get(wisp_json_get(state, "scopeDiscovery"), "gaps"));
	/* What a person gave up is nobody's to try again. */
	for (const struct cJSON *a = wisp_json_first(wisp_json_get(state, "subAgents")); a != NULL; a = wisp_json_next(a))
		failed += strcmp(wisp_json_str(a, "status", ""), "failed") == 0 &&
			  !wisp_json_bool(wisp_system_notes(&r, wisp_json_str(a, "system", "")), "given_up", false);
	loop = wisp_json_int(state, "currentLoop", 1);
	loops = wisp_orch_limit(&r, WISP_ORCH_LOOPS);
	if (gaps == 0 && failed == 0) {
		wisp_json_set_str(answer, "act", "complete");
	} else if (loop < loops || resume) {
		wisp_json_set_str(answer, "act", "execute");
	} else {
		text = wisp_str("%lld of %lld loops are used: %zu gaps are left, %zu agents failed", loop, loops, gaps, failed);
		wisp_json_set_str(answer, "act", "limit");
		wisp_json_set_str(answer, "text", text);
		free(text);
	}
	wisp_record_release(&r);
	wisp_cli_answer(cli, answer);
	return 0;
}
