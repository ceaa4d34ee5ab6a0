/*
 * pool: the budget that an orchestration shares with its sub-agents (core/pool.h) gets
 * the thresholds that are in force for this run. What was spent stays spent; where
 * pool.json does not hold, it is made anew of what the sessions' records say.
 */
#include "verb.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/config.h"
#include "core/pool.h"
#include "core/pool_file.h"
#include "core/session.h"

/* The sessions before this one in the same folder, by their session.json in past/. */
static void
note_past(struct cJSON *sessions, const struct wisp_record *r)
{
	char *dir = wisp_record_dir_path(r, "past"), **names = NULL, *path;
	size_t count = 0;

	if (wisp_dir_list(dir, &names, &count) != 0)
		count = 0;
	for (size_t i = 0; i < count; i++) {
		struct cJSON *session = NULL, *entry;

		path = wisp_str("%s/%s", dir, names[i]);
		if (wisp_json_load(path, &session, NULL) == WISP_VALID && wisp_json_str(session, "session_id", NULL) != NULL) {
			entry = wisp_json_object_at(sessions, wisp_json_str(session, "session_id", ""));
			wisp_json_set_str(entry, "branch", r->place->branch);
			wisp_json_set_num(entry, "cost_usd", wisp_session_total(session, "cost_usd"));
			wisp_json_set_null(entry, "reserved_usd");
			wisp_json_set_num(entry, "calls", wisp_session_total(session, "agent_calls"));
		}
		wisp_json_free(session);
		free(path);
	}
	wisp_dir_list_free(names, count);
	free(dir);
}

/* Of all sessions that belong to this orchestration, by their records. One that cannot be read runs no step either. */
static struct cJSON *
gather(const struct wisp_record *own)
{
	struct cJSON *sessions = wisp_json_object();
	char **branches = NULL;
	size_t count = 0;

	if (wisp_place_sessions(own->place->project, &branches, &count) != 0)
		count = 0;
	for (size_t i = 0; i < count; i++) {
		struct wisp_place place;
		struct wisp_record r;

		if (wisp_place_session(&place, own->place->project, branches[i], NULL) != 0)
			continue;
		if (wisp_record_open(&r, &place, WISP_READ, NULL) == 0) {
			if (wisp_pool_of(&r) != NULL && strcmp(wisp_pool_of(&r), own->place->branch) == 0) {
				note_past(sessions, &r);
				wisp_pool_note(sessions, &r);
			}
			wisp_record_release(&r);
		}
		wisp_place_release(&place);
	}
	wisp_dir_list_free(branches, count);
	errno = 0;
	return sessions;
}

static double
sum(const struct cJSON *sessions, const char *key)
{
	double total = 0;

	for (const struct cJSON *e = wisp_json_first(sessions); e != NULL; e = wisp_json_next(e))
		total += wisp_json_num(e, key, 0);
	return total;
}

static void
set(struct wisp_pool *p, struct wisp_record *r, double parallel)
{
	double money = wisp_config_number(wisp_record_config(r), "limits.maxCostUsd");
	double calls = wisp_config_number(wisp_record_config(r), "limits.callsPerHour");

	wisp_json_set_num(p->doc, "parallel", parallel);
	wisp_json_set(p->doc, "max_cost_usd", money < 0 ? NULL : wisp_json_double(money));
	wisp_json_set(p->doc, "calls_per_hour", calls < 0 ? NULL : wisp_json_double(calls));
	wisp_pool_note(wisp_json_object_at(p->doc, "sessions"), r);
}

int
wisp_orch_pool(struct wisp_cli *cli)
{
	long long parallel = 0;
	const struct wisp_option options[] = {{"parallel", .number = &parallel}, {0}};
	struct cJSON *sessions, *answer = wisp_json_object();
	struct wisp_record r;
	struct wisp_pool p;
	char *bad;

	wisp_cli_read(cli, options, 0, 0);
	wisp_cli_need_record(cli, &r, WISP_WRITE);
	if (r.place->branch == NULL || wisp_pool_of(&r) == NULL || strcmp(wisp_pool_of(&r), r.place->branch) != 0)
		die_data("the session in '%s' is no orchestration", r.place->dir);
	if (parallel < 1)
		parallel = wisp_json_int(wisp_json_get(r.doc, "orchestra"), "parallel", 1);
	sessions = gather(&r);
	if (wisp_pool_make(&p, &r, sessions, &bad) != 0)
		die_sys("cannot open the budget in '%s'", r.home);
	if (bad != NULL)
		warn("%s: made anew of what the sessions' records say; the old one is %s.bad", bad, p.path);
	set(&p, &r, (double)parallel);
	wisp_json_set_num(answer, "spent_usd", sum(wisp_json_get(p.doc, "sessions"), "cost_usd"));
	wisp_json_set_num(answer, "reserved_usd", sum(wisp_json_get(p.doc, "sessions"), "reserved_usd"));
	wisp_json_set(answer, "max_cost_usd", wisp_json_copy(wisp_json_get(p.doc, "max_cost_usd")));
	if (wisp_pool_commit(&p) != 0)
		die_sys("cannot write the budget in '%s'", r.home);
	wisp_json_free(sessions);
	free(bad);
	wisp_cli_answer(cli, answer);
	wisp_record_release(&r);
	return 0;
}
