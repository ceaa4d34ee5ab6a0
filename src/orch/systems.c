/*
 * systems: see systems.h.
 */
#include "systems.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/lines.h"
#include "core/orchestra.h"
#include "core/time.h"

#define PROGRESS_MAX 300	/* characters of the line that says how far one is */

const char *
wisp_system_word(enum wisp_system_status status)
{
	static const char *const words[] = {"open", "active", "waiting", "finished", "merging", "merged", "failed"};

	return words[status];
}

static const struct cJSON *
notes_of(const struct wisp_record *r, const char *system)
{
	return wisp_json_get(wisp_json_get(wisp_json_get(r->doc, "orchestra"), "agents"), system);
}

struct cJSON *
wisp_system_notes(struct wisp_record *r, const char *system)
{
	return wisp_json_object_at(wisp_json_object_at(wisp_json_object_at(r->doc, "orchestra"), "agents"), system);
}

struct cJSON *
wisp_system_agent(struct wisp_record *r, const char *system)
{
	struct cJSON *state = wisp_orchestra_of(r), *agent = wisp_orchestra_agent(state, system), *metrics;
	char *id, *branch, *tree, *now;

	if (agent != NULL)
		return agent;
	id = wisp_str("agent-%s", system);
	branch = wisp_str("%s-%s", r->place->branch, system);
	tree = wisp_str(".wisp/worktrees/%s", branch);
	now = wisp_time_iso(wisp_time_now());
	agent = wisp_json_object();
	wisp_json_set_str(agent, "id", id);
	wisp_json_set_str(agent, "system", system);
	wisp_json_set_str(agent, "worktree", tree);
	wisp_json_set_str(agent, "branch", branch);
	wisp_json_set_str(agent, "status", "spawning");
	wisp_json_set_str(agent, "currentStage", "IMPLEMENT");
	wisp_json_set_str(agent, "progress", "");
	wisp_json_set_null(agent, "outputFile");
	wisp_json_set_str(agent, "spawnedAt", now);
	wisp_json_set_str(agent, "lastHeartbeat", now);
	wisp_json_set_null(agent, "completedAt");
	metrics = wisp_json_object_at(agent, "metrics");
	wisp_json_set_num(metrics, "filesModified", 0);
	wisp_json_set_num(metrics, "testsAdded", 0);
	wisp_json_set_num(metrics, "commitsCreated", 0);
	wisp_json_push(wisp_json_array_at(state, "subAgents"), agent);
	free(id);
	free(branch);
	free(tree);
	free(now);
	return agent;
}

void
wisp_system_put(struct wisp_record *r, const char *system, const char *status, const char *progress)
{
	struct cJSON *agent = wisp_system_agent(r, system);
	struct wisp_buf line = WISP_BUF_INIT;

	wisp_json_set_str(agent, "status", status);
	if (progress != NULL) {
		wisp_buf_line(&line, progress, PROGRESS_MAX);
		wisp_json_set_str(agent, "progress", line.data);
		wisp_buf_release(&line);
	}
}

void
wisp_system_again(struct wisp_record *r, const char *system)
{
	struct cJSON *notes = wisp_system_notes(r, system);

	wisp_json_drop(notes, "merging");
	wisp_json_drop(notes, "reason");
	wisp_json_set_bool(notes, "again", true);
	wisp_system_put(r, system, "spawning", NULL);
	wisp_json_set_null(wisp_system_agent(r, system), "completedAt");
}

int
wisp_system_record(struct wisp_record *of, struct wisp_place *place, const struct wisp_record *r, const char *system, char **why)
{
	struct wisp_err err = WISP_ERR_INIT;
	char *branch = wisp_str("%s-%s", r->place->branch, system);
	int rc;

	memset(of, 0, sizeof *of);
	memset(place, 0, sizeof *place);
	of->lock = -1;
	errno = 0;
	rc = wisp_place_session(place, r->place->project, branch, &err);
	if (rc == 0)
		rc = wisp_record_open(of, place, WISP_READ, &err);
	if (rc != 0 && why != NULL)
		*why = rc > 0 ? wisp_strdup("its session is gone")
		     : err.text != NULL ? wisp_err_string(&err) : wisp_str("its session cannot be read: %s", strerror(errno));
	wisp_err_release(&err);
	free(branch);
	return rc == 0 ? 0 : 1;
}

/* What tells a record from what it was before, whatever a clock says that is set back. */
static char *
stamp_of(const struct wisp_record *of)
{
	char *path = wisp_record_home_path(of, "record.json"), *stamp;
	struct stat st;

	if (stat(path, &st) != 0)
		stamp = wisp_strdup("none");
	else
		stamp = wisp_str("%llu %lld.%09ld", (unsigned long long)st.st_ino, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	free(path);
	return stamp;
}

void
wisp_system_since(struct wisp_record *r, const char *system)
{
	struct wisp_place place;
	struct wisp_record of;
	struct cJSON *notes = wisp_system_notes(r, system);
	char *stamp;

	wisp_json_drop(notes, "since");
	if (wisp_system_record(&of, &place, r, system, NULL) == 0) {
		stamp = stamp_of(&of);
		wisp_json_set_str(notes, "since", stamp);
		free(stamp);
	}
	wisp_record_release(&of);
	wisp_place_release(&place);
}

bool
wisp_system_as_since(const struct cJSON *notes, const struct wisp_record *of)
{
	char *stamp = stamp_of(of);
	bool same = strcmp(wisp_json_str(notes, "since", ""), stamp) == 0;

	free(stamp);
	return same;
}

const struct cJSON *
wisp_system_gate(const struct wisp_record *r, const char *system, const char *type, const char **list)
{
	const struct cJSON *known = wisp_json_get(wisp_json_get(r->doc, "orchestra"), "gates");
	char *key = wisp_str("agent-%s/%s", system, type);
	const char *id = wisp_json_str(known, key, NULL);

	free(key);
	return id == NULL ? NULL : wisp_orchestra_gate(wisp_orchestra_of(r), id, list);
}

/* Does it wait for a decision that the orchestrator asked for? */
static bool
undecided(const struct wisp_record *r, const char *system)
{
	const struct cJSON *pending = wisp_json_get(wisp_json_get(wisp_orchestra_of(r), "gates"), "pending");
	char *agent = wisp_str("agent-%s", system);
	bool found = false;

	for (const struct cJSON *g = wisp_json_first(pending); g != NULL && !found; g = wisp_json_next(g))
		found = strcmp(wisp_json_str(g, "agent", ""), agent) == 0;
	free(agent);
	return found;
}

static enum wisp_system_status
status_of(const struct wisp_record *r, const char *system)
{
	const struct cJSON *state = wisp_orchestra_of(r), *notes = notes_of(r, system);
	const struct cJSON *agent = wisp_orchestra_agent(state, system);
	const char *status = wisp_json_str(agent, "status", "");
	bool again = wisp_json_bool(notes, "again", false);

	if (wisp_orchestra_completed(state, system))
		return WISP_SYSTEM_MERGED;
	if (agent == NULL)
		return WISP_SYSTEM_OPEN;
	if (strcmp(status, "failed") == 0)
		return WISP_SYSTEM_FAILED;
	if (wisp_json_bool(notes, "merging", false))
		return WISP_SYSTEM_MERGING;
	if (strcmp(status, "completed") == 0)
		return undecided(r, system) ? WISP_SYSTEM_WAITING : WISP_SYSTEM_FINISHED;
	if (again)
		return WISP_SYSTEM_OPEN;
	return strcmp(status, "waiting-gate") == 0 ? WISP_SYSTEM_WAITING : WISP_SYSTEM_ACTIVE;
}

static enum wisp_priority
priority_of(const struct cJSON *system)
{
	int n = wisp_words_find("critical|high|medium|low", wisp_json_str(system, "priority", "medium"));

	return n < 0 ? WISP_MEDIUM : (enum wisp_priority)n;
}

static int
read_needs(struct wisp_systems *s, size_t i, const struct cJSON *system, size_t *next, struct wisp_err *err)
{
	size_t k;

	s->list[i].needs = s->needs + *next;
	for (const struct cJSON *n = wisp_json_first(wisp_json_get(system, "depends_on")); n != NULL; n = wisp_json_next(n)) {
		for (k = 0; k < s->count && strcmp(s->list[k].name, wisp_json_text(n, "")) != 0; k++)
			;
		if (k == s->count)
			return wisp_err_set(err, NULL, 0, 0, "the system %s depends on %s, which is not a system", s->list[i].name,
					    wisp_json_text(n, "?"));
		s->needs[(*next)++] = k;
		s->list[i].n_needs++;
	}
	return 0;
}

int
wisp_systems_read(struct wisp_systems *s, const struct wisp_record *r, struct wisp_err *err)
{
	const struct cJSON *all = wisp_json_get(wisp_json_get(wisp_orchestra_of(r), "scopeDiscovery"), "systems"), *v;
	size_t i = 0, needs = 0, next = 0;
	int rc = 0;

	s->count = wisp_json_len(all);
	for (v = wisp_json_first(all); v != NULL; v = wisp_json_next(v))
		needs += wisp_json_len(wisp_json_get(v, "depends_on"));
	s->list = wisp_alloc(s->count + 1, sizeof *s->list);
	s->needs = wisp_alloc(needs + 1, sizeof *s->needs);
	for (v = wisp_json_first(all); v != NULL; v = wisp_json_next(v), i++)
		s->list[i] = (struct wisp_system){
			.name = wisp_json_str(v, "name", ""), .priority = priority_of(v),
			.parallelizable = wisp_json_bool(v, "parallelizable", false),
			.status = status_of(r, wisp_json_str(v, "name", "")),
			.finished = wisp_json_int(notes_of(r, wisp_json_str(v, "name", "")), "finished", 0)
		};
	i = 0;
	for (v = wisp_json_first(all); rc == 0 && v != NULL; v = wisp_json_next(v), i++)
		rc = read_needs(s, i, v, &next, err);
	if (rc != 0)
		wisp_systems_release(s);
	return rc;
}

void
wisp_systems_release(struct wisp_systems *s)
{
	free(s->list);
	free(s->needs);
	memset(s, 0, sizeof *s);
}
