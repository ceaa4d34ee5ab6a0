/*
 * turn_tests: the tests of a step, one by one: what the verify commands said of them, what that makes of verify's answer, and
 * who is told. It is kept in the step's folder (`tests`, cases.h), beside the record (`tests`, life.h), and in few words in
 * the record: member `tests` of the step, and of the record that of the last step that had some:
 *   {"iteration", "passed", "failed", "skipped", "new": counts,
 *    "lost", "vanished", "protected", "removed", "flaky", "worn", "failing": {"count", "names": at most 20},
 *    "refused": true where verify passed, and the tests that were lost speak against it}
 * Member `tests_removed` of the record: [{"test", "reason", "iteration"}], 100 at most.
 */
#ifndef WISP_TURN_TESTS_H
#define WISP_TURN_TESTS_H

#include "turn_record.h"

/*
 * The verify commands of the open step have run, and said `*verify`; `again`: for the second time. What the tests make of that is put in its
 * place. NULL, or why they are to run once more, in words; the caller frees it. *rc: -1 with `err` or errno.
 */
char *wisp_turn_tests(struct wisp_record *r, enum wisp_verify *verify, bool again, int *rc, struct wisp_err *err);
/* What was said is said again. */
void wisp_turn_forget_tests(struct cJSON *step);
/* Did verify pass, and was refused for tests that are lost? */
bool wisp_turn_tests_refused(const struct cJSON *step);
/* `tests that passed before are lost: 2 (a, b)`; NULL where none is. The caller frees it. */
char *wisp_turn_tests_lost(const struct cJSON *tests);
/* What people are told of a step's tests at once, "" where that is nothing. The caller frees it. */
char *wisp_turn_tests_note(const struct cJSON *step);

/* `tests` of the history entry: the counts alone. */
void wisp_turn_enter_tests(struct wisp_turn *t);
/* What the next prompt says of them. */
void wisp_turn_tell_tests(struct wisp_turn *t);

#endif
