/*
 * turn_reserve: a step gets its number, its call and its folder, and is `begun`.
 */
#include "turn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "limits.h"
#include "session.h"
#include "turn_phase.h"

/* NNNN or NNNN.N as two numbers; false for any other name. */
static bool
step_number(const char *name, long long number[2])
{
	char *end = NULL;

	number[1] = 1;
	if (name[0] < '0' || name[0] > '9')
		return false;
	number[0] = strtoll(name, &end, 10);
	if (*end == '.' && end[1] >= '1' && end[1] <= '9')
		number[1] = strtoll(end + 1, &end, 10);
	return *end == '\0';
}

/* Not by their bytes: 9999 comes before 10000, 0007.2 before 0007.10. */
static int
by_number(const void *a, const void *b)
{
	long long x[2], y[2];

	(void)step_number(*(char *const *)a, x);
	(void)step_number(*(char *const *)b, y);
	if (x[0] != y[0])
		return x[0] < y[0] ? -1 : 1;
	return x[1] < y[1] ? -1 : x[1] > y[1];
}

int
wisp_turn_steps(const char *dir, char ***names, size_t *count)
{
	long long number[2];
	size_t n = 0;

	if (wisp_dir_list(dir, names, count) != 0)
		return -1;
	for (size_t i = 0; i < *count; i++) {
		if (step_number((*names)[i], number))
			(*names)[n++] = (*names)[i];
		else
			free((*names)[i]);
	}
	*count = n;
	if (n > 1)
		qsort(*names, n, sizeof **names, by_number);
	return 0;
}

/* Removes the oldest step folders beyond the limit. */
static void
prune_steps(const struct wisp_record *r)
{
	long long keep = wisp_config_count(wisp_json_get(r->doc, "config"), "steps.keep");
	char *dir = wisp_record_dir_path(r, "steps"), **names = NULL;
	size_t count = 0;

	if (keep > 0 && wisp_turn_steps(dir, &names, &count) == 0) {
		for (size_t i = 0; i + (size_t)keep < count; i++) {
			char *path = wisp_str("%s/%s", dir, names[i]);

			/* A folder that cannot be removed costs room, nothing else. */
			if (wisp_dir_remove(path) != 0)
				errno = 0;
			free(path);
		}
		wisp_dir_list_free(names, count);
	}
	free(dir);
}

bool
wisp_turn_step_unused(const char *path)
{
	char **names = NULL;
	size_t count = 0, before = 0;

	if (wisp_dir_list(path, &names, &count) != 0)
		return !wisp_file_exists(path);
	for (size_t i = 0; i < count; i++)
		before += strcmp(names[i], "state.before.json") == 0 || strcmp(names[i], "artefact.before.json") == 0;
	wisp_dir_list_free(names, count);
	return before == count;
}

/* steps/NNNN, or NNNN.2 and so on where that is taken. The step's name; NULL with errno. */
static char *
make_folder(const struct wisp_record *r, long long iteration)
{
	char *name = wisp_str("%04lld", iteration), *path = NULL;

	for (int attempt = 1;; attempt++) {
		if (attempt > 1) {
			free(name);
			name = wisp_str("%04lld.%d", iteration, attempt);
		}
		path = wisp_str("%s/steps/%s", r->place->dir, name);
		if (wisp_turn_step_unused(path))
			break;
		free(path);
	}
	if (wisp_dir_make(path) != 0) {
		free(name);
		name = NULL;
	}
	free(path);
	return name;
}

/* An old file is archived, so that one that is there later was written in this step. */
static int
put_aside(const struct wisp_record *r, const char *file, const char *name, const char *as)
{
	char *from = wisp_record_dir_path(r, file), *to = wisp_str("%s/steps/%s/%s", r->place->dir, name, as);
	int rc = wisp_file_exists(from) ? wisp_file_move(from, to, WISP_NOSYNC) : 0;

	free(from);
	free(to);
	return rc;
}

void
wisp_turn_tell_step(const struct wisp_record *r, struct cJSON *answer)
{
	const struct cJSON *step = wisp_turn_step(r), *config = wisp_json_get(r->doc, "config");
	char *dir = wisp_turn_step_path(r, "");

	dir[strlen(dir) - 1] = '\0';
	wisp_json_set_str(answer, "act", "step");
	wisp_json_set_num(answer, "iteration", wisp_json_num(step, "iteration", 0));
	wisp_json_set_num(answer, "attempt", wisp_json_num(step, "attempt", 1));
	wisp_json_set_str(answer, "name", wisp_json_str(step, "name", ""));
	wisp_json_set_str(answer, "dir", dir);
	wisp_json_set_num(answer, "max", (double)wisp_config_count(config, "limits.maxIterations"));
	/* What was reserved, whatever the limits are by now: the step may be running already. */
	if (wisp_json_type(wisp_json_get(step, "reserved_usd")) == WISP_T_NUMBER)
		wisp_json_set_num(answer, "budget", wisp_json_num(step, "reserved_usd", 0));
	wisp_turn_phase_tell(r, answer);
	free(dir);
}

/* The reservation itself; its commit is synced: from here on the step counts, whatever happens. */
int
wisp_turn_reserve(struct wisp_record *r, const struct wisp_begin *o, double cap, struct cJSON *answer)
{
	struct cJSON *session = wisp_record_session(r), *old = wisp_turn_step(r), *step = wisp_json_object();
	const char *artefact = wisp_turn_artefact(o->plan);
	bool again = wisp_json_bool(old, "again", false);
	long long n = wisp_json_int(session, "loop_count", 0) + (again ? 0 : 1);
	char *name, *now = wisp_time_iso(wisp_time_now());
	int rc = -1;

	name = make_folder(r, n);
	if (name != NULL && put_aside(r, "state.json", name, "state.before.json") == 0 &&
	    (artefact == NULL || put_aside(r, artefact, name, "artefact.before.json") == 0)) {
		wisp_json_set_num(step, "iteration", (double)n);
		wisp_json_set_num(step, "attempt", again ? wisp_json_num(old, "attempt", 1) + 1 : 1);
		wisp_json_set_str(step, "name", name);
		wisp_json_set_str(step, "stage", "begun");
		wisp_json_set_str(step, "started_at", now);
		wisp_json_set_num(step, "started_mono", (double)wisp_time_monotonic());
		wisp_json_set_str(step, "head", o->head);
		wisp_json_set_str(step, "tree", o->tree);
		wisp_json_set_str(step, "tasks", wisp_json_str(r->doc, "good", NULL));
		wisp_json_set(step, "reserved_usd", wisp_json_double(cap));
		wisp_json_set_str(step, "plan", o->plan);
		wisp_json_set_str(step, "change", wisp_json_str(wisp_json_get(r->doc, "change"), "sha", NULL));
		wisp_json_set_num(step, "told", (double)wisp_json_len(wisp_record_feedback(r)));
		wisp_json_set(r->doc, "step", step);
		wisp_json_drop(r->doc, "next_at");
		step = NULL;
		wisp_json_set_num(session, "loop_count", (double)n);
		wisp_session_add(session, "agent_calls", 1);
		wisp_limits_charge(wisp_json_object_at(r->doc, "limits"), wisp_record_config(r), wisp_time_now());
		wisp_turn_wait_over(r, true);
		wisp_session_put(session, "running", NULL);
		wisp_json_set_bool(r->doc, "verified_start", true);
		rc = wisp_record_commit(r);
	}
	if (rc == 0) {
		prune_steps(r);
		wisp_turn_tell_step(r, answer);
	}
	wisp_json_free(step);
	free(name);
	free(now);
	return rc;
}
