/*
 * status: where a session stands, put together from its record, its task list
 * and its lock: one object for programs (`wisp status --json`), and the
 * same as text for people.
 *
 * {"version": 1, "branch", "project", "session": {as session.json}, "alive",
 *  "tasks": {"passed", "total", "next": null or {"number", "id", "description"}},
 *  "phase", "question": null or {"id", "question", "choices", "iteration", "asked_at", "answered"},
 *  "unverified", "exit", "reason", "left": {"iterations", "hours", "cost_usd", "calls"}}
 *
 * A task list that cannot be read has null counts and `error` beside them. A
 * session that cannot be shown, or whose project is gone, has one member more:
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

/* What may be typed now, as an array of commands; the caller frees it. Words in capitals are to be filled in. */
struct cJSON *wisp_status_next(const struct cJSON *status);
/* The wait that is in the way of a step, {"for": usage or hourly, "until", "text"}, or null; the caller frees it. */
struct cJSON *wisp_status_waiting(const struct wisp_record *r, wisp_ms now);

/* Lines of reports. `now`: the commands. `spent`, `left` and, where a limit is waited for, `waits`. */
void wisp_status_now(struct wisp_buf *out, const struct cJSON *status);
void wisp_report_limits(struct wisp_buf *out, const struct wisp_record *r, const struct cJSON *status, wisp_ms now);
/* Did no step say what it cost, so that money cannot be counted? */
bool wisp_report_unpriced(const struct wisp_record *r);
/* The block that `wisp status` prints. */
void wisp_status_text(struct wisp_buf *out, const struct wisp_record *r, const struct cJSON *status);
/* One line for each of a list; with `projects`, the project's folder too. */
void wisp_status_lines(struct wisp_buf *out, const struct cJSON *list, bool projects, wisp_ms now);

#endif
