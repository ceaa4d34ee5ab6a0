/*
 * question: see question.h.
 */
#include "question.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "breaker.h"
#include "time.h"

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

void
wisp_question_ask(struct wisp_record *r, const char *question, const struct cJSON *choices, long long iteration)
{
	struct cJSON *q = wisp_json_object();
	char *id = wisp_str("q-%lld", iteration), *now = wisp_time_iso(wisp_time_now());
	char *path = wisp_record_dir_path(r, "response.json"), *there = stamp(path);

	wisp_json_set_str(q, "id", id);
	wisp_json_set_str(q, "question", question);
	wisp_json_set(q, "choices", choices != NULL ? wisp_json_copy(choices) : NULL);
	wisp_json_set_num(q, "iteration", (double)iteration);
	wisp_json_set_str(q, "asked_at", now);
	wisp_json_set_str(q, "stamp", there);
	wisp_json_set(r->doc, "question", q);
	free(id);
	free(now);
	free(path);
	free(there);
}

/* The text of an answer that counts for `question`; NULL with *why. Borrowed from `v`. */
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
		return text;
	return NULL;
}

/* answers/<id>.json: question, answer, times, iteration. */
static int
archive(struct wisp_record *r, const struct cJSON *question, const char *text)
{
	static const char *const kept[] = {"question", "choices", "iteration", "asked_at"};
	struct cJSON *a = wisp_json_object();
	const char *id = wisp_json_str(question, "id", "q");
	char *dir = wisp_record_dir_path(r, "answers"), *path = wisp_str("%s/%s.json", dir, id);
	char *now = wisp_time_iso(wisp_time_now());
	int rc;

	wisp_json_set_str(a, "question_id", id);
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		wisp_json_set(a, kept[i], wisp_json_copy(wisp_json_get(question, kept[i])));
	wisp_json_set_str(a, "response", text);
	wisp_json_set_str(a, "answered_at", now);
	rc = wisp_dir_make(dir);
	if (rc == 0)
		rc = wisp_json_write(path, a, WISP_SYNC);
	wisp_json_free(a);
	free(now);
	free(path);
	free(dir);
	return rc;
}

static int
close_question(struct wisp_record *r, const struct cJSON *question, const char *text)
{
	struct cJSON *told;

	if (archive(r, question, text) != 0)
		return -1;
	told = wisp_record_tell(r, "answer", text);
	wisp_json_set_str(told, "question", wisp_json_str(question, "question", NULL));
	wisp_json_set_num(r->doc, "intervened", wisp_json_num(wisp_record_session(r), "loop_count", 0));
	wisp_breaker_reset(wisp_json_object_at(r->doc, "breaker"));
	/* With phases: what was rejected too often has been answered (wisp-template(5), `reject`). */
	if (wisp_json_type(wisp_json_get(r->doc, "phases")) == WISP_T_OBJECT)
		wisp_json_set_num(wisp_json_get(r->doc, "phases"), "qa_attempts", 0);
	wisp_json_set_null(r->doc, "question");
	return 1;
}

int
wisp_question_take(struct wisp_record *r, char **why)
{
	struct cJSON *question = wisp_json_get(r->doc, "question"), *v = NULL;
	char *path = wisp_record_dir_path(r, "response.json"), *there = stamp(path);
	struct wisp_err err = WISP_ERR_INIT;
	enum wisp_verdict verdict = wisp_json_load(path, &v, &err);
	const char *text = NULL;
	int rc;

	*why = NULL;
	if (verdict == WISP_VALID)
		text = text_of(v, question, there, why);
	else if (verdict != WISP_MISSING)
		*why = wisp_err_string(&err);
	rc = text == NULL ? 0 : close_question(r, question, text);
	wisp_json_free(v);
	wisp_err_release(&err);
	free(there);
	free(path);
	return rc;
}

void
wisp_question_done(const struct wisp_record *r)
{
	char *path = wisp_record_dir_path(r, "response.json");

	(void)unlink(path);
	free(path);
}
