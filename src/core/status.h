/*
 * status: where a session stands, put together from its record, its task list
 * and its lock: one object for programs (`wisp status --json`), and the
 * same as text for people.
 *
 * {"version": 1, "branch", "project", "session": {as session.json}, "alive",
 *  "tasks": {"passed", "total", "next": null or {"number", "id", "description"}},
 *  "phase", "question": null or {"id", "question", "choices", "iteration", "asked_at", "answered", "invalid": why a response.json is no answer},
 *  "unverified", "exit", "reason", "left": {"iterations", "hours", "cost_usd", "calls"}}
 *
 * A task list that cannot be read has null counts and `error` beside them. Where divergence.md says
 * something, there is "divergence": {"path", "present": true, "bytes", "first": its first line}.
 * Where no step said (yet) what it cost there is "cost_known": false, and the sums of money are null.
 * Once a step ran on paid extra usage there is "overage" (limits.h).
 * An orchestration has "orchestration": {"loop", "mode", "merged", "systems", "agents": as subAgents, "gates": the
 * pending ones} (core/orchestra.h), a sub-agent "parent": its branch. While a
 * limit is waited for there is one member more: "waiting": {"for": "usage" or "hourly", or "delay" before a next step,
 * "until", "text"}; where it is one that a whole orchestration shares (pool.h), with "orchestration": its branch,
 * and `for` can be "money"; where it is the login's (shared.h), with "login", and `for` can be "login". With
 * limits.maxCostPerDayUsd there is "today": {"cost_usd", "max_cost_usd", "ends"}. Where the record was damaged, and no loop has started since, there is "note": what
 * takes its place, in words. A session that cannot be shown, or whose project is gone, has one member more:
 * "problem": {"kind": "broken" or "gone", "text"}.
 */
#ifndef WISP_STATUS_H
#define WISP_STATUS_H

#include "record.h"
#include "time.h"

/* The object, of an open record; the caller frees it. */
struct cJSON *wisp_status_of(const struct wisp_record *r, wisp_ms now);
/* running, paused, completed, halted; `stale` where the record says running and nobody does; or the problem's kind. */
const char *wisp_status_word(const struct cJSON *status);

/*
 * Every session of a project (of all projects for NULL) as an array of status
 * objects, sorted by project and branch; the caller frees it in any case. -1 with errno.
 */
int wisp_status_list(const char *project, struct cJSON **list, wisp_ms now) WISP_CHECK;

/*
 * The same one by one: `each` gets the place, the record without its history (NULL where
 * it cannot be read), both borrowed, and the object, which it has to free.
 */
typedef void wisp_status_fn(void *arg, const struct wisp_place *place, const struct wisp_record *r, struct cJSON *status);
int wisp_status_each(const char *project, wisp_status_fn *each, void *arg, wisp_ms now) WISP_CHECK;

/* What may be typed now, as an array of commands; the caller frees it. Words in capitals are to be filled in. */
struct cJSON *wisp_status_next(const struct cJSON *status);
/* The wait that is in the way of a step, as above, or null; the caller frees it. */
struct cJSON *wisp_status_waiting(const struct wisp_record *r, wisp_ms now);

/* The text of a wait without a known end, else NULL; of one with an end; and ` of this login`, ` of the orchestration`, or "". */
const char *wisp_status_untimed(const struct cJSON *waiting);
const char *wisp_status_timed(const struct cJSON *waiting);
const char *wisp_status_whose(const struct cJSON *waiting);

/* divergence.md as above; where it says nothing `present` is false and `first` null. The caller frees it. */
struct cJSON *wisp_status_divergence(const struct wisp_record *r);
/* ... as lines of a report, `diverges`; none where it says nothing. */
void wisp_report_divergence(struct wisp_buf *out, const struct cJSON *divergence);
/* Lines of reports. `now`: the commands. `spent`, `left` and, where a limit is waited for, `waits`. */
void wisp_status_now(struct wisp_buf *out, const struct cJSON *status);
void wisp_report_limits(struct wisp_buf *out, const struct wisp_record *r, const struct cJSON *status, wisp_ms now);
/* ... and, with phases, `phase`; `breaker` where it is not CLOSED. */
void wisp_report_phase(struct wisp_buf *out, const struct wisp_record *r);
/* The status line of 000_, with the iteration that runs; false for a session without phases. */
bool wisp_report_phase_line(struct wisp_buf *out, const struct wisp_record *r);
/* ... and of an orchestration its phase, its systems as a tree, and the gates that are pending. */
void wisp_report_orchestra(struct wisp_buf *out, const struct wisp_record *r);
/* A gate that is pending, on one line. */
void wisp_status_gate(struct wisp_buf *out, const struct cJSON *gate);
/* The member `orchestration` of the object; NULL where it is none. The caller frees it. */
struct cJSON *wisp_status_orchestra(const struct wisp_record *r);
/* The same for a list: `EXECUTE 2/5`, `GREEN 2/10`, and the breaker's state where it is not CLOSED; NULL without phases. The caller frees it. */
char *wisp_report_phase_brief(const struct wisp_record *r);
/* Did no step say what it cost (yet), so that money cannot be counted? */
bool wisp_report_unpriced(const struct wisp_record *r);
/* The block that `wisp status` prints. */
void wisp_status_text(struct wisp_buf *out, const struct wisp_record *r, const struct cJSON *status);
/* What confines the steps, a line; nothing where no loop has said it. */
void wisp_status_confined(struct wisp_buf *out, const struct cJSON *status);
/* What is to be said of it in a list, on one line: problem, question, wait or reason; nothing where there is none of them. */
void wisp_status_note(struct wisp_buf *out, const struct cJSON *status, wisp_ms now);
/* What the session has cost, as a list shows it: `1.93`, or NULL where the agent does not tell; the caller frees it. */
char *wisp_status_cost(const struct cJSON *status);

#endif
