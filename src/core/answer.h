/*
 * answer: a person's answer to the question that a session asks, response.json
 * (wisp-state(5)): {"response", "question_id", "responded_at"}.
 */
#ifndef WISP_ANSWER_H
#define WISP_ANSWER_H

#include "record.h"

/* The open question of a session, or NULL. */
const struct cJSON *wisp_answer_question(const struct wisp_record *r);
/* The question and its choices for people: lines without control characters, the choices numbered from 1. */
void wisp_answer_show(struct wisp_buf *out, const struct cJSON *question);
/* What `text` says: where the question has choices and it is the number of one (from 1), that choice; else itself. Borrowed. */
const char *wisp_answer_text(const struct cJSON *question, const char *text);
/* Writes the answer, synced; it takes the place of one that was not taken yet. -1 with errno. */
int wisp_answer_write(const struct wisp_record *r, const struct cJSON *question, const char *text) WISP_CHECK;

#endif
