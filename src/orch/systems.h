/*
 * systems: the systems of an orchestration and how far each is, from its state and the
 * orchestrator's own notes (docs/record.md, `orchestra`).
 *
 * orchestra.agents.SYSTEM is {"begun", "again", "merging", "given_up": bool, "restarts", "back", "unseen": counts,
 * "finished": the how manieth to finish, "since": its session's record when it was started, or failed, "merged": the
 * commit, "reason", "gate": {"id", "asked": the question that it stands for}}.
 */
#ifndef WISP_SYSTEMS_H
#define WISP_SYSTEMS_H

#include "core/record.h"
#include "schedule.h"

struct wisp_systems {
	struct wisp_system *list;	/* as scopeDiscovery has them; texts are the record's */
	size_t count;
	size_t *needs;
};

/* -1 with `err` where one depends on what is not there. */
int wisp_systems_read(struct wisp_systems *s, const struct wisp_record *r, struct wisp_err *err) WISP_CHECK;
void wisp_systems_release(struct wisp_systems *s);
/* open, active, waiting, finished, merging, merged, failed */
const char *wisp_system_word(enum wisp_system_status status);

/* The notes of a system, made if there are none yet. */
struct cJSON *wisp_system_notes(struct wisp_record *r, const char *system);
/* Its entry in subAgents, made if there is none yet: spawning, not begun. */
struct cJSON *wisp_system_agent(struct wisp_record *r, const char *system);
/* Its status, and what is shown as its progress, on one line (NULL: as before). */
void wisp_system_put(struct wisp_record *r, const char *system, const char *status, const char *progress);
/* It is to be gone on with: `next` says so. */
void wisp_system_again(struct wisp_record *r, const char *system);
/* The record of its session, to read; 0, or 1 where there is none that can be read: then *why (may be NULL) says so, the caller's. */
int wisp_system_record(struct wisp_record *of, struct wisp_place *place, const struct wisp_record *r, const char *system,
		       char **why) WISP_CHECK;
/* What its session says now is what was known when it was started, or failed. */
void wisp_system_since(struct wisp_record *r, const char *system);
/* Has nothing happened in its session since then? A session that could not be read then has changed. */
bool wisp_system_as_since(const struct cJSON *notes, const struct wisp_record *of);
/* The gate that stands for `system` and `type` (stage.c), with where it stands; NULL. */
const struct cJSON *wisp_system_gate(const struct wisp_record *r, const char *system, const char *type, const char **list);

#endif
