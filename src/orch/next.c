/*
 * next: what is to be done with the systems, and what there is of them.
 */
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* watch=FILE for each that is at work: what changes when something happens there. */
static void
print_watched(const struct wisp_record *r, const struct wisp_systems *s)
{
	for (size_t i = 0; r->place->shared != NULL && i < s->count; i++)
		if (s->list[i].status == WISP_SYSTEM_ACTIVE || s->list[i].status == WISP_SYSTEM_WAITING)
			printf("watch=%s/%s-%s/record.json\n", r->place->shared, r->place->branch, s->list[i].name);
}

/*
 * start=SYSTEM (a first time), resume=SYSTEM, merge=SYSTEM, fail=SYSTEM REASON, a line each in the order in which
 * they are to be done; then act=wait, person or done. With --held nothing can be merged until a person has looked.
 */
int
wisp_orch_next(struct wisp_cli *cli)
{
	static const char *const ends[] = {"wait", "person", "done"};
	struct wisp_systems s;
	bool held = false;
	const struct wisp_option options[] = {{"held", .flag = &held}, {0}};
	struct wisp_deeds d;
	struct wisp_record r;

	wisp_cli_read(cli, options, 0, 0);
	(void)wisp_orch_open(cli, &r, WISP_READ);
	read_systems(&s, &r);
	for (size_t i = 0; held && i < s.count; i++)
		if (s.list[i].status == WISP_SYSTEM_FINISHED)
			s.list[i].status = WISP_SYSTEM_WAITING;
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
	print_watched(&r, &s);
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
	bool yes = wisp_system_record(&of, &place, r, system, NULL) == 0 && wisp_record_owned(&of) == 1;

	wisp_record_release(&of);
	wisp_place_release(&place);
	return yes;
}

/* The branches of the sessions that an orchestration has for its systems; nothing where it is none. */
int
wisp_orch_sessions(struct wisp_cli *cli)
{
	const struct cJSON *s;
	struct wisp_record r;

	wisp_cli_read(cli, NULL, 0, 0);
	if (!wisp_cli_record(cli, &r, WISP_READ))
		return 0;
	s = wisp_json_first(wisp_json_get(wisp_json_get(wisp_orchestra_of(&r), "scopeDiscovery"), "systems"));
	for (; s != NULL; s = wisp_json_next(s)) {
		struct wisp_place place;
		struct wisp_record of;

		/* A session that only happens to have such a name is nobody's here. */
		if (wisp_system_record(&of, &place, &r, wisp_json_str(s, "name", ""), NULL) == 0 &&
		    strcmp(wisp_json_str(of.doc, "parent", ""), r.place->branch) == 0)
			puts(place.branch);
		wisp_record_release(&of);
		wisp_place_release(&place);
	}
	wisp_record_release(&r);
	return 0;
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

/* Is it the first look at this loop? */
static bool
begins_loop(struct wisp_record *r, const struct cJSON *state)
{
	struct cJSON *orchestra = wisp_json_object_at(r->doc, "orchestra");
	double loop = wisp_json_num(state, "currentLoop", 1);
	bool first = wisp_json_num(orchestra, "opened", 0) < loop;

	wisp_json_set_num(orchestra, "opened", loop);
	return first;
}

/*
 * Systems that were at work are open again, unless their loop lives: that one is taken over. Once in each loop, and
 * with --failed, those that have failed are, too; what a person has given up, only with --failed. One that never
 * began is as it was before.
 */
int
wisp_orch_reopen(struct wisp_cli *cli)
{
	bool and_failed = false;
	const struct wisp_option options[] = {{"failed", .flag = &and_failed}, {0}};
	struct wisp_systems s;
	struct wisp_record r;
	struct cJSON *state;
	bool new_loop;

	wisp_cli_read(cli, options, 0, 0);
	state = wisp_orch_open(cli, &r, WISP_WRITE);
	read_systems(&s, &r);
	new_loop = begins_loop(&r, state);
	for (size_t i = 0; i < s.count; i++) {
		char *name = wisp_strdup(s.list[i].name);
		struct cJSON *notes = wisp_system_notes(&r, name);
		bool again = and_failed || (new_loop && !wisp_json_bool(notes, "given_up", false));
		bool was_at_work = s.list[i].status == WISP_SYSTEM_ACTIVE || s.list[i].status == WISP_SYSTEM_MERGING;

		if (s.list[i].status == WISP_SYSTEM_MERGING) {
			wisp_json_drop(notes, "merging");
		} else if (!lives(&r, name) && (was_at_work || (again && s.list[i].status == WISP_SYSTEM_FAILED))) {
			if (s.list[i].status == WISP_SYSTEM_FAILED) {
				wisp_json_set_num(notes, "restarts", 0);
				wisp_json_set_num(notes, "back", 0);
				wisp_json_drop(notes, "given_up");
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
