/*
 * calibrate: see calibrate.h; and the verb.
 */
#include "calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/orchestra.h"
#include "core/session.h"
#include "open.h"
#include "systems.h"
#include "verb.h"

static char *
kept_path(const struct wisp_record *r)
{
	return wisp_str("%s/.calibration.json", r->place->shared);
}

/* What is kept; where it cannot be read there is nothing to learn from. */
static struct cJSON *
kept(const struct wisp_record *r)
{
	char *path = kept_path(r);
	struct cJSON *doc = NULL;

	if (wisp_json_load(path, &doc, NULL) != WISP_VALID || wisp_json_type(doc) != WISP_T_OBJECT) {
		wisp_json_free(doc);
		doc = wisp_json_object();
		wisp_json_set_num(doc, "version", 1);
	}
	free(path);
	return doc;
}

/* To a thousandth; 1 where one of them is not known. */
static double
factor(double estimated, double actual)
{
	return estimated > 0 && actual > 0 ? floor(actual / estimated * 1000 + 0.5) / 1000 : 1;
}

double
wisp_calibration(const struct wisp_record *r)
{
	struct cJSON *doc = kept(r);
	double estimated = 0, actual = 0;

	for (const struct cJSON *run = wisp_json_first(wisp_json_get(doc, "runs")); run != NULL; run = wisp_json_next(run)) {
		estimated += wisp_json_num(run, "estimatedHours", 0);
		actual += wisp_json_num(run, "actualHours", 0);
	}
	wisp_json_free(doc);
	return factor(estimated, actual);
}

/* Seconds of all sessions that a system has had, those in past/ included. */
static double
seconds_of(const struct wisp_record *r, const char *system)
{
	struct wisp_place place;
	struct wisp_record of;
	char **names = NULL, *past;
	size_t count = 0;
	double seconds = 0;

	if (wisp_system_record(&of, &place, r, system, NULL) == 0) {
		seconds = wisp_session_total(wisp_json_get(of.doc, "session"), "seconds");
		past = wisp_record_dir_path(&of, "past");
		if (wisp_dir_list(past, &names, &count) != 0)
			count = 0;
		for (size_t i = 0; i < count; i++) {
			char *path = wisp_str("%s/%s", past, names[i]);
			struct cJSON *session = NULL;

			if (wisp_json_load(path, &session, NULL) == WISP_VALID)
				seconds += wisp_session_total(session, "seconds");
			wisp_json_free(session);
			free(path);
		}
		wisp_dir_list_free(names, count);
		free(past);
	}
	wisp_record_release(&of);
	wisp_place_release(&place);
	return seconds;
}

static bool
begun(const struct wisp_record *r, const char *system)
{
	return wisp_orchestra_agent(wisp_orchestra_of(r), system) != NULL;
}

/* estimated_hours= actual_hours= factor= of what this orchestration has begun so far. */
int
wisp_orch_calibrate(struct wisp_cli *cli)
{
	struct cJSON *state, *metrics, *doc, *run, *answer = wisp_json_object();
	double estimated = 0, actual = 0, compared = 0, hours, worked;
	struct wisp_record r;
	char *path;

	wisp_cli_read(cli, NULL, 0, 0);
	state = wisp_orch_open(cli, &r, WISP_WRITE);
	for (const struct cJSON *s = wisp_json_first(wisp_json_get(wisp_json_get(state, "scopeDiscovery"), "systems")); s != NULL;
	     s = wisp_json_next(s)) {
		const char *name = wisp_json_str(s, "name", "");

		if (!begun(&r, name))
			continue;
		hours = wisp_json_num(s, "estimatedHours", 0);
		worked = seconds_of(&r, name) / 3600;
		estimated += hours;
		actual += worked;
		compared += hours > 0 ? worked : 0;	/* a system without an estimate is not compared */
	}
	actual = wisp_millionths(actual);
	compared = wisp_millionths(compared);
	metrics = wisp_json_object_at(state, "metrics");
	wisp_json_set_num(metrics, "estimatedHours", estimated);
	wisp_json_set_num(metrics, "actualHours", actual);
	wisp_json_set_num(metrics, "calibrationFactor", factor(estimated, compared));
	doc = kept(&r);
	run = wisp_json_object_at(wisp_json_object_at(doc, "runs"), wisp_json_str(state, "orchestratorId", "?"));
	wisp_json_set_num(run, "estimatedHours", estimated);
	wisp_json_set_num(run, "actualHours", compared);
	path = kept_path(&r);
	if (wisp_json_write(path, doc, WISP_SYNC) != 0)
		die_sys("cannot write '%s'", path);
	wisp_orch_commit(&r);
	wisp_json_set_num(answer, "estimated_hours", estimated);
	wisp_json_set_num(answer, "actual_hours", actual);
	wisp_json_set_num(answer, "factor", factor(estimated, compared));
	free(path);
	wisp_json_free(doc);
	wisp_record_release(&r);
	wisp_cli_answer(cli, answer);
	return 0;
}
