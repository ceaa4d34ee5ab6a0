/*
 * observe_gate: gates that sub-agents ask for by a question (question.h, core/stage.h).
 */
#include "observe.h"

#include <stdlib.h>
#include <string.h>

#include "core/config.h"
#include "core/orchestra.h"
#include "core/question.h"
#include "core/stage.h"
#include "core/time.h"

/* Its agent is to be told; `pending` is the gate as it stood before. */
static void
decided(struct wisp_look *l, const struct cJSON *gate, const struct cJSON *pending)
{
	struct cJSON *entry = wisp_json_object();

	wisp_json_set_str(entry, "id", wisp_json_str(gate, "id", ""));
	wisp_json_set_str(entry, "agent", l->system);
	wisp_json_set(entry, "pending", wisp_json_copy(pending));
	wisp_json_push(l->decided, entry);
}

static void
decide(struct wisp_look *l, const struct cJSON *gate, bool approve, const char *by, const char *feedback)
{
	struct cJSON *pending = wisp_json_copy(gate);

	if (wisp_orchestra_decide(wisp_orchestra_of(l->r), wisp_json_str(pending, "id", ""), approve, by, feedback, wisp_time_now()) == 0)
		decided(l, pending, pending);
	wisp_json_free(pending);
}

/* Is it over the time that a person has (gates.timeout)? */
static bool
too_late(const struct wisp_look *l, const struct cJSON *gate)
{
	wisp_ms most = wisp_config_ms(wisp_json_get(l->r->doc, "config"), "gates.timeout");
	wisp_ms asked = wisp_time_parse(wisp_json_str(gate, "requestedAt", ""));

	return most >= 0 && asked > 0 && wisp_time_now() - asked > most;
}

/* Is the gate in the notes that of this question? An id and a second may be those of the one before. */
static bool
same_question(const struct cJSON *known, const struct cJSON *question)
{
	static const char *const keys[] = {"id", "question", "asked_at"};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (strcmp(wisp_json_str(known, keys[i], ""), wisp_json_str(question, keys[i], "")) != 0)
			return false;
	return true;
}

/* A gate for the question; its id, borrowed from the notes. */
static const char *
request(struct wisp_look *l, const struct cJSON *question)
{
	const struct cJSON *asked = wisp_json_get(question, "gate");
	struct cJSON *known;
	const char *id;

	id = wisp_orchestra_request(wisp_orchestra_of(l->r), wisp_json_str(l->agent, "id", ""), wisp_json_str(asked, "type", "gate"),
				    wisp_json_str(asked, "description", wisp_json_str(question, "question", "")),
				    wisp_json_get(asked, "artifacts"), wisp_time_now());
	known = wisp_json_object_at(l->notes, "gate");
	wisp_json_set_str(known, "id", id);
	known = wisp_json_object_at(known, "asked");
	wisp_json_set_str(known, "id", wisp_json_str(question, "id", ""));
	wisp_json_set_str(known, "question", wisp_json_str(question, "question", ""));
	wisp_json_set_str(known, "asked_at", wisp_json_str(question, "asked_at", ""));
	id = wisp_json_str(wisp_json_get(l->notes, "gate"), "id", "");
	if (l->by == NULL)
		wisp_cli_pair("gate", id);
	return id;
}

/* Its answer was lost on the way. It is told again as if it had just been decided: no clocks are compared. */
static void
tell_again(struct wisp_look *l, const struct cJSON *gate, const struct cJSON *question)
{
	struct cJSON *pending = wisp_json_object();

	wisp_json_set_str(pending, "description", wisp_json_str(question, "question", ""));
	decided(l, gate, pending);
	wisp_json_free(pending);
}

bool
wisp_look_gate(struct wisp_look *l, const struct cJSON *question)
{
	const struct cJSON *gate;
	const char *id = wisp_json_str(wisp_json_get(l->notes, "gate"), "id", NULL), *list = NULL;

	if (id != NULL && !same_question(wisp_json_get(wisp_json_get(l->notes, "gate"), "asked"), question)) {
		wisp_look_gate_over(l);
		id = NULL;
	}
	if (wisp_json_type(wisp_json_get(question, "gate")) != WISP_T_OBJECT)
		return false;
	if (id == NULL)
		id = request(l, question);
	gate = wisp_orchestra_gate(wisp_orchestra_of(l->r), id, &list);
	if (gate == NULL)
		return false;
	if (strcmp(list, "pending") != 0)
		tell_again(l, gate, question);
	else if (l->by != NULL)
		decide(l, gate, true, l->by, NULL);
	else if (too_late(l, gate))
		decide(l, gate, false, "gates.timeout", "nobody decided in time");
	else
		return false;
	return true;
}

void
wisp_look_gate_over(struct wisp_look *l)
{
	const struct cJSON *known = wisp_json_get(l->notes, "gate"), *gate;
	const char *id = wisp_json_str(known, "id", NULL), *list = NULL;
	char *answer;
	bool approve;

	if (id == NULL)
		return;
	gate = wisp_orchestra_gate(wisp_orchestra_of(l->r), id, &list);
	if (gate != NULL && strcmp(list, "pending") == 0) {
		answer = wisp_question_past(&l->of, wisp_json_get(known, "asked"));
		approve = answer != NULL && strncmp(answer, WISP_APPROVE, strlen(WISP_APPROVE)) == 0;
		if (wisp_orchestra_decide(wisp_orchestra_of(l->r), id, approve, answer != NULL ? "wisp answer" : WISP_ORCHESTRATOR,
					  answer != NULL ? answer : "the agent asks no more", wisp_time_now()) != 0)
			die_bug("the gate %s is gone", id);
		free(answer);
	}
	wisp_json_drop(l->notes, "gate");
}

void
wisp_look_tell(const struct wisp_record *r, const struct cJSON *decided)
{
	for (const struct cJSON *d = wisp_json_first(decided); d != NULL; d = wisp_json_next(d)) {
		struct wisp_err err = WISP_ERR_INIT;
		struct wisp_told t = {0};

		if (wisp_stage_tell(&t, r->place, wisp_orchestra_of(r), wisp_json_str(d, "id", ""), wisp_json_get(d, "pending"), &err) != 0)
			warn("cannot notify %s of %s: %s", wisp_json_str(d, "agent", ""), wisp_json_str(d, "id", ""),
			     err.text != NULL ? err.text : "the system refused");
		wisp_told_release(&t);
		wisp_err_release(&err);
	}
}
