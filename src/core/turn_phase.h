/*
 * turn_phase: what the turns of the loop do for a template with phases. The
 * record's `machine` is the template's phases in force, `phases` the loop state.
 */
#ifndef WISP_TURN_PHASE_H
#define WISP_TURN_PHASE_H

#include "turn_record.h"

/* The machine in force, or NULL: a template without phases. Borrowed. */
const struct cJSON *wisp_turn_machine(const struct wisp_record *r);
struct cJSON *wisp_turn_loop(const struct wisp_record *r);

/* A start: the template in DIR is checked and comes into force; a session that has no loop state gets one. -1 with `err`. */
int wisp_turn_phase_start(struct wisp_record *r, const char *dir, struct wisp_err *err) WISP_CHECK;
/* phase= prompt= agent= model= note= of the step that is open. */
void wisp_turn_phase_tell(const struct wisp_record *r, struct cJSON *answer);
/* Has the phase used what it may? The text for people, which the caller frees; NULL: it may go on. */
char *wisp_turn_phase_spent(const struct wisp_record *r);

/*
 * turn_phase_ask.c, which starts libjq: after verify, metrics are gathered and the gates asked of a step that left a valid
 * state. Noted with the step: {"name", "gate_1", "gate_2", "progress", "reject", "rejects", "rejects_max", "last",
 * "green", "metrics", and of a block in the final message "claimed" and "recommendation"}. May be repeated; the caller saves the
 * record. 1, with `err`: a filter gives no answer, which is no "no".
 */
int wisp_turn_phase_ask(struct wisp_record *r, struct wisp_err *err) WISP_CHECK;
/*
 * Then the session is halted, and the step judged once a person has mended the template: action= exit= text=, as record
 * answers. Commits the record.
 */
int wisp_turn_phase_halt(struct wisp_record *r, const struct wisp_err *why, struct cJSON *answer) WISP_CHECK;
/* t->facts knows what was noted. */
void wisp_turn_phase_facts(struct wisp_turn *t);
/* The iteration is counted, before it is acted upon. */
void wisp_turn_phase_count(struct wisp_turn *t);
/* After it: the phase's turn, or the next one; error history, the status block. */
void wisp_turn_phase_act(struct wisp_turn *t, struct cJSON *answer);
/* A REJECT in a line; the caller frees it. */
char *wisp_turn_phase_rejected(const struct wisp_turn *t);
/* ... and whole: what the next step is told, and at the last one a person with the question. The caller frees it. */
char *wisp_turn_phase_report(const struct wisp_turn *t);

#endif
