/*
 * next: what is to be done with the systems, and what there is of them.
 */
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/config.h"
#include "core/orchestra.h"
#include "core/session.h"
#include "open.h"
#include "systems.h"

static void
read_systems(struct wisp_systems *s, const struct wisp_record *r)
{
	struct wisp_err err = WISP_ERR_INIT;

	if (wisp_systems_read(s, r, &err) != 0)
		die_err(&err);
}

/*
 * start=SYSTEM (a first time), resume=SYSTEM, merge=SYSTEM, fail=SYSTEM REASON, a line each in the order in which
 * they are to be done; then act=wait, person or done.
 */
int
wisp_orch_next(struct wisp_cli *cli)
{
	static const char *const ends[] = {"wait", "person", "done"};
	struct wisp_systems s;
	struct wisp_deeds d;
	struct wisp_record r;

	wisp_cli_read(cli, NULL, 0, 0);
	(void)wisp_orch_open(cli, &r, WISP_READ);
	read_systems(&s, &r);
	wisp_schedule(&d, s.list, s.count, (size_t)wisp_json_int(wisp_json_get(r.doc, "orchestra"), "parallel", 1));
	for (size_t i = 0; i < d.count; i++) {
		const char *name = d.list[i].what < WISP_DEED_WAIT ? s.list[d.list[i].system].name : NULL;

		if (d.list[i].what == WISP_DEED_START)
			printf("%s=%s\n", wisp_orchestra_agent(wisp_orchestra_of(&r), name) != NULL ? "resume" : "start", name);
		else if (d.list[i].what == WISP_DEED_MERGE)
			printf("merge=%s\n", name);
		else if (d.list[i].what == WISP_DEED_FAIL)
			printf("fail=%s it depends on %s, which failed\n", name, s.list[d.list[i].cause].name);
		else
			printf("act=%s\n", ends[d.list[i].what - WISP_DEED_WAIT]);
	}
	free(d.list);
	wisp_systems_release(&s);
	wisp_record_release(&r);
	return 0;
}

/* A line NAME STATUS for each system that is not merged. */
int
wisp_orch_systems(struct wisp_cli *cli)
{
	struct wisp_systems s;
	struct wisp_record r;

	wisp_cli_read(cli, NULL, 0, 0);
	(void)wisp_orch_open(cli, &r, WISP_READ);
	read_systems(&s, &r);
	for (size_t i = 0; i < s.count; i++)
		if (s.list[i].status != WISP_SYSTEM_MERGED)
			printf("%s %s\n", s.list[i].name, wisp_system_word(s.list[i].status));
	wisp_systems_release(&s);
	wisp_record_release(&r);
	return 0;
}

static bool
lives(const struct wisp_record *r, const char *system)
{
	struct wisp_place place;
	struct wisp_record of;
	bool yes = wisp_system_record(&of, &place, r, system) == 0 && wisp_record_owned(&of) == 1;

	wisp_record_release(&of);
	wisp_place_release(&place);
	return yes;
}

/* Prints the systems whose loops live; 1 if there is none. */
int
wisp_orch_alive(struct wisp_cli *cli)
{
	const struct cJSON *agents;
	struct wisp_record r;
	size_t n = 0;

	wisp_cli_read(cli, NULL, 0, 0);
	agents = wisp_json_get(wisp_orch_open(cli, &r, WISP_READ), "subAgents");
	for (const struct cJSON *a = wisp_json_first(agents); a != NULL; a = wisp_json_next(a))
		if (lives(&r, wisp_json_str(a, "system", ""))) {
			puts(wisp_json_str(a, "system", ""));
			n++;
		}
	wisp_record_release(&r);
	return n > 0 ? 0 : 1;
}

static void
forget(struct cJSON *state, const char *system)
{
	struct cJSON *left = wisp_json_array();

	for (const struct cJSON *a = wisp_json_first(wisp_json_get(state, "subAgents")); a != NULL; a = wisp_json_next(a))
		if (strcmp(wisp_json_str(a, "system", ""), system) != 0)
			wisp_json_push(left, wisp_json_copy(a));
	wisp_json_set(state, "subAgents", left);
}

/*
 * Systems that were at work, and with --failed those that have failed, are open again, unless their loop lives:
 * that one is taken over. One that never began is as it was before.
 */
int
wisp_orch_reopen(struct wisp_cli *cli)
{
	bool and_failed = false;
	const struct wisp_option options[] = {{"failed", .flag = &and_failed}, {0}};
	struct wisp_systems s;
	struct wisp_record r;
	struct cJSON *state;

	wisp_cli_read(cli, options, 0, 0);
	state = wisp_orch_open(cli, &r, WISP_WRITE);
	read_systems(&s, &r);
	for (size_t i = 0; i < s.count; i++) {
		char *name = wisp_strdup(s.list[i].name);
		struct cJSON *notes = wisp_system_notes(&r, name);
		bool was_at_work = s.list[i].status == WISP_SYSTEM_ACTIVE || s.list[i].status == WISP_SYSTEM_MERGING;

		if (s.list[i].status == WISP_SYSTEM_MERGING) {
			wisp_json_drop(notes, "merging");
		} else if (!lives(&r, name) && (was_at_work || (and_failed && s.list[i].status == WISP_SYSTEM_FAILED))) {
			if (s.list[i].status == WISP_SYSTEM_FAILED) {
				wisp_json_set_num(notes, "restarts", 0);
				wisp_json_set_num(notes, "back", 0);
			}
			if (wisp_json_bool(notes, "begun", false))
				wisp_system_again(&r, name);
			else
				forget(state, name);
		}
		free(name);
	}
	wisp_orch_commit(&r);
	wisp_systems_release(&s);
	wisp_record_release(&r);
	return 0;
}

/* The order for --dry-run: rounds, and what all of it may cost at most. */
int
wisp_orch_order(struct wisp_cli *cli)
{
	long long parallel = 0;
	const struct wisp_option options[] = {{"parallel", .number = &parallel}, {0}};
	const struct cJSON *config, *state;
	struct wisp_systems s;
	struct wisp_record r;
	size_t *waves;
	double most;

	wisp_cli_read(cli, options, 0, 0);
	state = wisp_orch_open(cli, &r, WISP_READ);
	read_systems(&s, &r);
	if (parallel < 1)
		parallel = wisp_json_int(wisp_json_get(r.doc, "orchestra"), "parallel", 1);
	waves = wisp_alloc(s.count + 1, sizeof *waves);
	wisp_schedule_waves(waves, s.list, s.count, (size_t)parallel);
	printf("%s: %s, loop %lld, up to %lld at once\n", r.place->branch, wisp_json_str(state, "currentPhase", ""),
	       wisp_json_int(state, "currentLoop", 1), parallel);
	for (size_t wave = 0; wave <= s.count; wave++)
		for (size_t i = 0; i < s.count; i++)
			if (waves[i] == wave && s.list[i].status != WISP_SYSTEM_MERGED)
				printf("  round %zu  %-24s %s%s\n", wave + 1, s.list[i].name,
				       wisp_system_word(s.list[i].status), s.list[i].parallelizable ? "" : ", alone");
	config = wisp_json_get(r.doc, "config");
	most = wisp_config_number(config, "limits.maxCostUsd");
	if (most >= 0)
		printf("  cost     at most $%g over all of them, for every loop together\n", most);
	else
		printf("  cost     no limit is set (limits.maxCostUsd)\n");
	free(waves);
	wisp_systems_release(&s);
	wisp_record_release(&r);
	return 0;
}
