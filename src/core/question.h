/*
 * question: what the agent asked, and how the answer is taken
 * (response.json; answer.h is the writer's side).
 *
 * {"response": "text"} with optional question_id and responded_at, or a bare
 * JSON string. A file that does not parse yet is waited for: an editor may
 * still be writing. One that lay there before the question was asked is
 * ignored unless its question_id matches.
 */
#ifndef WISP_QUESTION_H
#define WISP_QUESTION_H

#include "record.h"

#define WISP_APPROVE "approve"	/* the answer that opens a gate */

/*
 * The question becomes the record's, `q-<iteration>`; what lies there as response.json now is no answer to it. A `gate` (state.json's,
 * {"type", "description", "artifacts"}, or NULL) asks for approval: where there are no choices they are approve and reject.
 */
void wisp_question_ask(struct wisp_record *r, const char *question, const struct cJSON *choices, const struct cJSON *gate,
		       long long iteration);
/*
 * The text of response.json, where it answers the record's open question; the
 * caller frees it. Else NULL, and *why (caller frees) says what is wrong with a
 * file that is there, or is NULL.
 */
char *wisp_question_answered(const struct wisp_record *r, char **why) WISP_CHECK;
/*
 * What was answered to a question that is over: {"id", "question", "asked_at"}, as the record had it. NULL
 * where no answer is kept. The caller frees it.
 */
char *wisp_question_past(const struct wisp_record *r, const struct cJSON *question) WISP_CHECK;
/*
 * Is it answered? 1: then the answer is archived, told to the next prompt and
 * the question closed; commit the record, then call wisp_question_done. 0: not
 * yet, with *why as above. -1 with errno.
 */
int wisp_question_take(struct wisp_record *r, char **why) WISP_CHECK;
/* Removes response.json: after the commit that took the answer, or before the one of a rollback. */
void wisp_question_done(const struct wisp_record *r);
/*
 * While a step runs whose prompt holds an answer, response.json holds the last one, for the agent to
 * read: shown after the commit of the reservation, and hidden before the step is recorded. What
 * lies there by then with another question_id, or none, stays. -1 with errno.
 */
int wisp_question_show(const struct wisp_record *r) WISP_CHECK;
void wisp_question_hide(const struct wisp_record *r);

#endif
