/*
 * question: see question.h.
 */
#include "question.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "answer.h"
#include "breaker.h"
#include "feedback.h"
#include "time.h"
#include "turn.h"

/* Tells one file from what later takes its place: "" where there is none. The caller frees it. */
static char *
stamp(const char *path)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return wisp_strdup("");
	return wisp_str("%llu-%lld-%lld.%09ld", (unsigned long long)st.st_ino, (long long)st.st_size,
			(long long)st.st_mtim.tv_sec, (long)st.st_mtim.tv_nsec);
}

static struct cJSON *
approval(void)
{
	struct cJSON *choices = wisp_json_array();

	wisp_json_push(choices, wisp_json_string(WISP_APPROVE));
	wisp_json_push(choices, wisp_json_string("reject"));
	return choices;
}

void
wisp_question_ask(struct wisp_record *r, const char *question, const struct cJSON *choices, const struct cJSON *gate,
		  long long iteration)
{
	struct cJSON *q = wisp_json_object();
	char *id = wisp_str("q-%lld", iteration), *now = wisp_time_iso(wisp_time_now());
	char *path = wisp_record_dir_path(r, "response.json"), *there = stamp(path);

	wisp_json_set_str(q, "id", id);
	wisp_json_set_str(q, "question", question);
	wisp_json_set(q, "choices", choices != NULL ? wisp_json_copy(choices) : gate != NULL ? approval() : NULL);
	if (gate != NULL)
		wisp_json_set(q, "gate", wisp_json_copy(gate));
	wisp_json_set_num(q, "iteration", (double)iteration);
	wisp_json_set_str(q, "asked_at", now);
	wisp_json_set_str(q, "stamp", there);
	wisp_json_set(r->doc, "question", q);
	free(id);
	free(now);
	free(path);
	free(there);
}

/* The text of an answer that counts for `question`; NULL with *why. Borrowed from `v` or `question`. */
static const char *
text_of(const struct cJSON *v, const struct cJSON *question, const char *there, char **why)
{
	const char *text = wisp_json_text(v, NULL), *id = NULL;
	bool matches;

	if (wisp_json_type(v) == WISP_T_OBJECT) {
		text = wisp_json_str(v, "response", NULL);
		id = wisp_json_str(v, "question_id", NULL);
	}
	matches = id != NULL && strcmp(id, wisp_json_str(question, "id", "")) == 0;
	if (text == NULL || text[strspn(text, " \t\r\n")] == '\0')
		*why = wisp_strdup("response.json: expected {\"response\": \"text\"} or a string");
	else if (id != NULL && !matches)
		*why = wisp_str("response.json answers question %s, not %s", id, wisp_json_str(question, "id", ""));
	else if (!matches && strcmp(there, wisp_json_str(question, "stamp", "")) == 0)
		*why = wisp_strdup("response.json lay there before the question was asked");
	else
		return wisp_json_get(v, "choice") != NULL ? text : wisp_answer_text(question, text);
	return NULL;
}

/*
 * answers/<id>.json, or <id>.2.json and so on: a rollback or the folder's next session counts
 * anew, and asks under an id that was used. A repetition after a crash finds its own again.
 */
static char *
archive_path(const char *dir, const struct cJSON *question)
{
	const char *id = wisp_json_str(question, "id", "q"), *asked_at = wisp_json_str(question, "asked_at", "");
	const char *text = wisp_json_str(question, "question", "");	/* two may be asked within a second */
	char *path = wisp_str("%s/%s.json", dir, id);
	struct cJSON *there = NULL;

	for (int n = 2; wisp_json_load(path, &there, NULL) == WISP_VALID; n++) {
		bool own = strcmp(wisp_json_str(there, "asked_at", ""), asked_at) == 0 &&
			   strcmp(wisp_json_str(there, "question", ""), text) == 0;

		wisp_json_free(there);
		if (own)
			break;
		free(path);
		path = wisp_str("%s/%s.%d.json", dir, id, n);
	}
	return path;
}

/* Question, answer, times, iteration; *path (caller frees) is the file. */
static int
archive(struct wisp_record *r, const struct cJSON *question, const char *text, const char *now, char **path)
{
	static const char *const kept[] = {"question", "choices", "iteration", "asked_at"};
	struct cJSON *a = wisp_json_object();
	char *dir = wisp_record_dir_path(r, "answers");
	int rc;

	wisp_json_set_str(a, "question_id", wisp_json_str(question, "id", "q"));
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		wisp_json_set(a, kept[i], wisp_json_copy(wisp_json_get(question, kept[i])));
	wisp_json_set_str(a, "response", text);
	wisp_json_set_str(a, "answered_at", now);
	*path = archive_path(dir, question);
	rc = wisp_dir_make(dir);
	if (rc == 0)
		rc = wisp_json_write(*path, a, WISP_SYNC);
	wisp_json_free(a);
	free(dir);
	return rc;
}

static int
close_question(struct wisp_record *r, const struct cJSON *question, const char *text)
{
	struct cJSON *told;
	char *file, *now = wisp_time_iso(wisp_time_now());

	if (archive(r, question, text, now, &file) != 0) {
		free(file);
		free(now);
		return -1;
	}
	told = wisp_record_tell(r, "answer", text);
	wisp_json_set_str(told, "question", wisp_json_str(question, "question", NULL));
	wisp_json_set_str(told, "question_id", wisp_json_str(question, "id", NULL));
	wisp_json_set_str(told, "responded_at", now);
	if (strlen(text) > WISP_FEEDBACK_TEXT)
		wisp_json_set_str(told, "file", file);
	free(file);
	free(now);
	wisp_json_set_num(r->doc, "intervened", wisp_json_num(wisp_record_session(r), "loop_count", 0));
	wisp_breaker_reset(wisp_json_object_at(r->doc, "breaker"));
	/* With phases: what was rejected too often has been answered (wisp-template(5), `reject`). */
	if (wisp_json_type(wisp_json_get(r->doc, "phases")) == WISP_T_OBJECT)
		wisp_json_set_num(wisp_json_get(r->doc, "phases"), "qa_attempts", 0);
	wisp_json_set_null(r->doc, "question");
	return 1;
}

char *
wisp_question_answered(const struct wisp_record *r, char **why)
{
	const struct cJSON *question = wisp_json_get(r->doc, "question");
	struct cJSON *v = NULL;
	char *path = wisp_record_dir_path(r, "response.json"), *there = stamp(path), *answer = NULL;
	struct wisp_err err = WISP_ERR_INIT;
	enum wisp_verdict verdict = wisp_json_load(path, &v, &err);
	const char *text;

	*why = NULL;
	if (verdict == WISP_VALID) {
		text = text_of(v, question, there, why);
		answer = text == NULL ? NULL : wisp_strdup(text);
	} else if (verdict != WISP_MISSING) {
		*why = wisp_err_string(&err);
	}
	wisp_json_free(v);
	wisp_err_release(&err);
	free(there);
	free(path);
	return answer;
}

char *
wisp_question_past(const struct wisp_record *r, const struct cJSON *question)
{
	char *dir = wisp_record_dir_path(r, "answers"), *path = archive_path(dir, question), *text = NULL;
	struct cJSON *a = NULL;

	if (wisp_json_load(path, &a, NULL) == WISP_VALID && wisp_json_str(a, "response", NULL) != NULL)
		text = wisp_strdup(wisp_json_str(a, "response", NULL));
	wisp_json_free(a);
	free(path);
	free(dir);
	return text;
}

int
wisp_question_take(struct wisp_record *r, char **why)
{
	char *text = wisp_question_answered(r, why);
	int rc = text == NULL ? 0 : close_question(r, wisp_json_get(r->doc, "question"), text);

	free(text);
	return rc;
}

void
wisp_question_done(const struct wisp_record *r)
{
	char *path = wisp_record_dir_path(r, "response.json");

	(void)unlink(path);
	free(path);
}

/* The last answer that the next prompt holds; NULL for none. */
static const struct cJSON *
told_answer(const struct wisp_record *r)
{
	const struct cJSON *f = wisp_json_first(wisp_json_get(r->doc, "feedback")), *last = NULL;

	for (; f != NULL; f = wisp_json_next(f))
		if (strcmp(wisp_json_str(f, "kind", ""), "answer") == 0 &&
		    wisp_json_str(f, "question_id", NULL) != NULL)
			last = f;
	return last;
}

int
wisp_question_show(const struct wisp_record *r)
{
	const struct cJSON *told = told_answer(r);
	struct cJSON *response;
	char *path;
	int rc;

	if (told == NULL)
		return 0;
	path = wisp_record_dir_path(r, "response.json");
	response = wisp_json_object();
	wisp_json_set_str(response, "response", wisp_json_str(told, "text", ""));
	wisp_json_set_str(response, "question_id", wisp_json_str(told, "question_id", NULL));
	wisp_json_set_str(response, "responded_at", wisp_json_str(told, "responded_at", NULL));
	rc = wisp_turn_clear(path, false);
	if (rc == 0)
		rc = wisp_json_write(path, response, WISP_NOSYNC);
	wisp_json_free(response);
	free(path);
	return rc;
}

void
wisp_question_hide(const struct wisp_record *r)
{
	const struct cJSON *told = told_answer(r);
	char *path = wisp_record_dir_path(r, "response.json");
	struct cJSON *v = NULL;

	if (told != NULL && wisp_json_load(path, &v, NULL) == WISP_VALID &&
	    wisp_json_type(v) == WISP_T_OBJECT &&
	    strcmp(wisp_json_str(v, "question_id", ""), wisp_json_str(told, "question_id", "")) == 0)
		(void)unlink(path);
	wisp_json_free(v);
	free(path);
}
