/*
 * ledger: what a session's tasks and iterations came to, for the report at the
 * end of a run: it outlives the history window.
 *
 * Two members of the record. `ledger` is an array in the order of the task
 * list, an entry for each task that an agent ever claimed, or that was verified without:
 *   {"task": number, "name": id or, where it has none, description,
 *    "claims": how often it was claimed, "claimed": iteration of the last claim,
 *    "refused": how many of them were taken back,
 *    "verify": passed, failed or none: what verify said of the last claim,
 *    "commit": HEAD after the step that made it pass, null if that made none,
 *    "iteration": that it passes since; null while it is open, or where that was in another session,
 *    "observed", "claimed_differs": as the history has them, of the iteration of the last claim; not there without}
 * `tally` counts: {"outcomes": {word: times}, "tampered": [names], "protected": [names],
 * "claimed_differs": [names]},
 * a name being {"name", "times", "iteration": of the last time}; the 50 newest of each.
 *
 * An entry belongs to the task of its name: a person may have reordered the list.
 */
#ifndef WISP_LEDGER_H
#define WISP_LEDGER_H

#include "record.h"

/*
 * The step is judged: its claims stand or were taken back. `entry` is its place in
 * history, NULL where it gets none (a usage limit); `head` the commit after
 * it, NULL where that was not observed.
 */
void wisp_ledger_settle(struct wisp_record *r, const struct cJSON *entry, const char *head);
/* Verify holds with every task passing, before a step: those that pass are verified. */
void wisp_ledger_checked(struct wisp_record *r);
/* Another session begins in the folder: what was verified stays so, its iterations are no longer these. */
void wisp_ledger_next(struct wisp_record *r);
/* Back at the end of iteration n: what passed since is open again. What was claimed stays counted. */
void wisp_ledger_rollback(struct wisp_record *r, long long n);
/* The entry of a task, borrowed; NULL where nobody claimed it. */
const struct cJSON *wisp_ledger_of(const struct cJSON *ledger, const struct wisp_task *task);

#endif
