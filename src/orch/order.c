/*
 * order: in which order the systems would run, how long, and what all of it may cost at
 * most: what --dry-run shows. Nothing is changed.
 */
#include "verb.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "calibrate.h"
#include "core/config.h"
#include "core/orchestra.h"
#include "core/pool_file.h"
#include "core/session.h"
#include "open.h"
#include "systems.h"

/* By the budget that all share; before there is one, by the orchestration's own steps. */
static double
spent(const struct wisp_record *r)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_pool p;
	double sum = 0;

	if (wisp_pool_open(&p, r, WISP_READ, &err) != 0) {
		wisp_err_release(&err);
		return wisp_session_total(wisp_json_get(r->doc, "session"), "cost_usd");
	}
	for (const struct cJSON *e = wisp_json_first(wisp_json_get(p.doc, "sessions")); e != NULL; e = wisp_json_next(e))
		sum += wisp_json_num(e, "cost_usd", 0);
	wisp_pool_release(&p);
	return sum;
}

static double
rounded(double hours)
{
	return floor(hours * 1000 + 0.5) / 1000;
}

static void
put_cost(struct cJSON *order, const struct wisp_record *r)
{
	double most = wisp_config_number(wisp_json_get(r->doc, "config"), "limits.maxCostUsd"), so_far = spent(r);
	struct cJSON *cost = wisp_json_object_at(order, "cost");

	wisp_json_set(cost, "max_usd", most < 0 ? wisp_json_null() : wisp_json_double(most));
	wisp_json_set_num(cost, "spent_usd", so_far);
	wisp_json_set(cost, "left_usd", most < 0 ? wisp_json_null() : wisp_json_double(wisp_millionths(fmax(0, most - so_far))));
}

/* The systems that are not merged, by rounds; hours are estimates times what was learned. */
static void
put_systems(struct cJSON *order, const struct wisp_record *r, const struct wisp_systems *s, const size_t *waves)
{
	const struct cJSON *all = wisp_json_get(wisp_json_get(wisp_orchestra_of(r), "scopeDiscovery"), "systems"), *v;
	struct cJSON *list = wisp_json_array_at(order, "systems"), *one;
	double factor = wisp_calibration(r), hours, work = 0, elapsed = 0;

	for (size_t wave = 0; wave <= s->count; wave++) {
		double longest = 0;
		size_t i = 0;

		for (v = wisp_json_first(all); v != NULL; v = wisp_json_next(v), i++) {
			if (waves[i] != wave || s->list[i].status == WISP_SYSTEM_MERGED)
				continue;
			hours = rounded(wisp_json_num(v, "estimatedHours", 0) * factor);
			one = wisp_json_object();
			wisp_json_set_num(one, "round", (double)wave + 1);
			wisp_json_set_str(one, "name", s->list[i].name);
			wisp_json_set_str(one, "status", wisp_system_word(s->list[i].status));
			wisp_json_set_str(one, "priority", wisp_json_str(v, "priority", NULL));
			wisp_json_set_bool(one, "parallelizable", s->list[i].parallelizable);
			wisp_json_set_num(one, "hours", hours);
			wisp_json_push(list, one);
			work += hours;
			longest = fmax(longest, hours);
		}
		elapsed += longest;
	}
	wisp_json_set_num(order, "calibrationFactor", factor);
	wisp_json_set_num(order, "hours", rounded(work));
	wisp_json_set_num(order, "hours_elapsed", rounded(elapsed));
}

static void
print(const struct cJSON *order)
{
	const struct cJSON *systems = wisp_json_get(order, "systems"), *cost = wisp_json_get(order, "cost");

	printf("%s: %s, loop %lld, up to %lld at once\n", wisp_json_str(order, "branch", ""), wisp_json_str(order, "phase", ""),
	       wisp_json_int(order, "loop", 1), wisp_json_int(order, "parallel", 1));
	for (const struct cJSON *s = wisp_json_first(systems); s != NULL; s = wisp_json_next(s))
		printf("  round %lld  %-24s %s%s, %g h\n", wisp_json_int(s, "round", 0), wisp_json_str(s, "name", ""),
		       wisp_json_str(s, "status", ""), wisp_json_bool(s, "parallelizable", true) ? "" : ", alone",
		       wisp_json_num(s, "hours", 0));
	if (wisp_json_len(systems) == 0)
		printf("  systems  none is open\n");
	else
		printf("  hours    %g of work, %g in these rounds (estimates times %g)\n", wisp_json_num(order, "hours", 0),
		       wisp_json_num(order, "hours_elapsed", 0), wisp_json_num(order, "calibrationFactor", 1));
	if (wisp_json_type(wisp_json_get(cost, "max_usd")) == WISP_T_NUMBER)
		printf("  cost     at most $%g over all of them, for every loop together: $%.2f spent, $%.2f left\n",
		       wisp_json_num(cost, "max_usd", 0), wisp_json_num(cost, "spent_usd", 0), wisp_json_num(cost, "left_usd", 0));
	else
		printf("  cost     no limit is set (limits.maxCostUsd): $%.2f spent\n", wisp_json_num(cost, "spent_usd", 0));
}

/*
 * Lines, or with --json {"version": 1, "branch", "phase", "loop", "parallel", "systems": [{"round", "name", "status", "priority",
 * "parallelizable", "hours"}], "calibrationFactor", "hours", "hours_elapsed", "cost": {"max_usd", "spent_usd", "left_usd"}}.
 */
int
wisp_orch_order(struct wisp_cli *cli)
{
	long long parallel = 0;
	const struct wisp_option options[] = {{"parallel", .number = &parallel}, {0}};
	struct cJSON *order = wisp_json_object(), *state;
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_systems s;
	struct wisp_record r;
	size_t *waves;

	wisp_cli_read(cli, options, 0, 0);
	state = wisp_orch_open(cli, &r, WISP_READ);
	if (wisp_systems_read(&s, &r, &err) != 0)
		die_err(&err);
	if (parallel < 1)
		parallel = wisp_json_int(wisp_json_get(r.doc, "orchestra"), "parallel", 1);
	waves = wisp_alloc(s.count + 1, sizeof *waves);
	wisp_schedule_waves(waves, s.list, s.count, (size_t)parallel);
	wisp_json_set_num(order, "version", 1);
	wisp_json_set_str(order, "branch", r.place->branch);
	wisp_json_set_str(order, "phase", wisp_json_str(state, "currentPhase", NULL));
	wisp_json_set_num(order, "loop", wisp_json_num(state, "currentLoop", 1));
	wisp_json_set_num(order, "parallel", (double)parallel);
	put_systems(order, &r, &s, waves);
	put_cost(order, &r);
	free(waves);
	wisp_systems_release(&s);
	wisp_record_release(&r);
	if (cli->json) {
		wisp_cli_json(order);
	} else {
		print(order);
		wisp_json_free(order);
	}
	return 0;
}
