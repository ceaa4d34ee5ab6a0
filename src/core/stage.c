/*
 * stage: see stage.h.
 */
#include "stage.h"

#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "orchestra.h"
#include "question.h"
#include "time.h"

int
wisp_stage_place(struct wisp_place *p, const struct wisp_place *of, const struct cJSON *state, const char *agent,
		 struct wisp_err *err)
{
	const struct cJSON *a = wisp_orchestra_agent(state, agent);
	const char *branch = wisp_json_str(a, "branch", NULL);
	char *name;
	int rc;

	*p = (struct wisp_place){0};
	if (of->project == NULL || a == NULL)
		return 1;
	name = branch != NULL ? wisp_strdup(branch) : wisp_str("%s-%s", of->branch, wisp_json_str(a, "system", ""));
	rc = wisp_place_session(p, of->project, name, err);
	free(name);
	return rc;
}

/* One text is the other, or the beginning of it: a description may have been cut. */
static bool
same_beginning(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);

	return strncmp(a, b, n < m ? n : m) == 0;
}

/* Is it the question that the gate was made of? */
static bool
is_about(const struct cJSON *question, const struct cJSON *gate, const struct cJSON *pending)
{
	const struct cJSON *asked = wisp_json_get(question, "gate");
	const char *text = wisp_json_str(question, "question", ""), *was = wisp_json_str(pending, "description", "");
	const char *at = wisp_json_str(gate, "approvedAt", wisp_json_str(gate, "rejectedAt", ""));

	if (strcmp(wisp_json_str(asked, "type", ""), wisp_json_str(gate, "type", "")) != 0)
		return false;
	if (pending != NULL)
		return same_beginning(was, wisp_json_str(asked, "description", text)) || same_beginning(was, text);
	/* What was asked after the decision is another gate's. */
	return wisp_time_parse(wisp_json_str(question, "asked_at", "")) < wisp_time_parse(at);
}

static char *
answer_text(const struct cJSON *gate, bool approved)
{
	const char *feedback = wisp_json_str(gate, "feedback", NULL), *word = approved ? WISP_APPROVE : "reject";

	return feedback != NULL ? wisp_str("%s: %s", word, feedback) : wisp_strdup(word);
}

/* NULL, or why the open question of the agent is not to be answered; the caller frees it. */
static char *
why_not(const struct wisp_record *r, const struct cJSON *gate, const struct cJSON *pending)
{
	const struct cJSON *question = wisp_answer_question(r);
	const char *status = wisp_json_str(wisp_json_get(r->doc, "session"), "status", "");
	char *there, *unread, *why = NULL;

	if (question == NULL)
		return strcmp(status, "running") == 0 ? wisp_strdup("it asks nothing now")
						      : wisp_str("it asks nothing now, and is %s", status);
	if (!is_about(question, gate, pending))
		return wisp_strdup("it asks something else now");
	there = wisp_question_answered(r, &unread);
	if (there != NULL)
		why = wisp_strdup("it is answered already");
	free(unread);
	free(there);
	return why;
}

/* With the record of the agent's session open. */
static int
tell(struct wisp_told *t, const struct wisp_record *r, const struct cJSON *gate, bool approved, const struct cJSON *pending)
{
	char *text;
	int owned, rc;

	t->why = why_not(r, gate, pending);
	if (t->why != NULL)
		return 0;
	text = answer_text(gate, approved);
	rc = wisp_answer_write(r, wisp_answer_question(r), text);
	free(text);
	owned = rc == 0 ? wisp_record_owned(r) : -1;
	t->alive = owned == 1;
	return owned < 0 ? -1 : 0;
}

int
wisp_stage_tell(struct wisp_told *t, const struct wisp_place *of, const struct cJSON *state, const char *id,
		const struct cJSON *pending, struct wisp_err *err)
{
	const char *list = NULL;
	const struct cJSON *gate = wisp_orchestra_gate(state, id, &list);
	struct wisp_place place;
	struct wisp_record r;
	int rc;

	*t = (struct wisp_told){0};
	rc = wisp_stage_place(&place, of, state, wisp_json_str(gate, "agent", ""), err);
	if (rc == 0) {
		t->branch = wisp_strdup(place.branch);
		rc = wisp_record_open(&r, &place, WISP_WRITE, err);
	}
	if (rc > 0)
		t->why = wisp_strdup(t->branch != NULL ? "it has no session any more" : "it is no agent with a session");
	if (rc == 0) {
		rc = tell(t, &r, gate, strcmp(list, "approved") == 0, pending);
		wisp_record_release(&r);
	}
	wisp_place_release(&place);
	return rc < 0 ? -1 : 0;
}

void
wisp_told_release(struct wisp_told *t)
{
	free(t->branch);
	free(t->why);
	*t = (struct wisp_told){0};
}
