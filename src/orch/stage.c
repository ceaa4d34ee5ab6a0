/*
 * stage: a gate that the orchestrator itself asks for: the plan's, or one that
 * gates.required names before a system is merged (SPEC 11).
 *
 * Which gate stands for what is in the record's orchestra.gates, `AGENT/TYPE` to its
 * id, until what was decided has been acted upon: then `--again` forgets it. With --guide that is done
 * to one that was rejected only, and the next prompt says why it was.
 */
#include "verb.h"

#include <stdlib.h>
#include <string.h>

#include "core/orchestra.h"
#include "core/time.h"
#include "open.h"

struct asked {
	const char *type, *agent, *description, *by;
	struct wisp_texts artifacts;
	bool again, guide;
};

/* A new one, if none stands; its id. */
static const char *
request(struct wisp_record *r, struct cJSON *state, const struct asked *a, const char *key, struct cJSON *answer)
{
	struct cJSON *known = wisp_json_object_at(wisp_json_object_at(r->doc, "orchestra"), "gates"), *artifacts;
	const char *id = wisp_json_str(known, key, NULL);

	if (id != NULL)
		return id;
	artifacts = wisp_json_array();
	for (size_t i = 0; i < a->artifacts.count; i++)
		wisp_json_push(artifacts, wisp_json_string(a->artifacts.list[i]));
	id = wisp_orchestra_request(state, a->agent, a->type, a->description, artifacts, wisp_time_now());
	wisp_json_free(artifacts);
	wisp_json_set_str(known, key, id);
	if (a->by == NULL)
		wisp_json_set_bool(answer, "new", true);
	return wisp_json_str(known, key, "");
}

static void
tell(struct cJSON *answer, const struct cJSON *state, const char *id)
{
	const char *list = NULL;
	const struct cJSON *gate = wisp_orchestra_gate(state, id, &list);

	wisp_json_set_str(answer, "id", id);
	wisp_json_set_str(answer, "gate", list);
	wisp_json_set_str(answer, "type", wisp_json_str(gate, "type", NULL));
	wisp_json_set_str(answer, "text", wisp_json_str(gate, "description", NULL));
	wisp_json_set_str(answer, "feedback", wisp_json_str(gate, "feedback", NULL));
}

static void
forget(struct wisp_record *r, const struct cJSON *state, const struct asked *a, const char *key)
{
	struct cJSON *known = wisp_json_object_at(wisp_json_object_at(r->doc, "orchestra"), "gates");
	const char *list = NULL, *id = wisp_json_str(known, key, NULL);
	const struct cJSON *gate = id != NULL ? wisp_orchestra_gate(state, id, &list) : NULL;
	char *text;

	if (a->guide) {
		if (gate == NULL || strcmp(list, "rejected") != 0)
			return;
		text = wisp_str("%s was rejected: %s", a->type, wisp_json_str(gate, "feedback", ""));
		wisp_record_tell(r, "guidance", text);
		free(text);
	}
	wisp_json_drop(known, key);
}

int
wisp_orch_gate(struct wisp_cli *cli)
{
	struct asked a = {0};
	const struct wisp_option options[] = {
		{"type", .text = &a.type}, {"agent", .text = &a.agent}, {"description", .text = &a.description},
		{"artifact", .list = &a.artifacts}, {"by", .text = &a.by}, {"again", .flag = &a.again},
		{"guide", .flag = &a.guide}, {0}
	};
	struct cJSON *state, *answer = wisp_json_object();
	struct wisp_record r;
	const char *id;
	char *key;

	wisp_cli_read(cli, options, 0, 0);
	if (a.type == NULL || a.agent == NULL || (a.description == NULL && !a.again))
		die_usage("gate needs --type, --agent and --description");
	state = wisp_orch_open(cli, &r, WISP_WRITE);
	key = wisp_str("%s/%s", a.agent, a.type);
	if (a.again) {
		forget(&r, state, &a, key);
	} else {
		id = request(&r, state, &a, key, answer);
		if (a.by != NULL && wisp_orchestra_decide(state, id, true, a.by, NULL, wisp_time_now()) < 0)
			die_bug("the gate %s is gone", id);
		tell(answer, state, id);
	}
	wisp_orch_commit(&r);
	wisp_record_release(&r);
	free(a.artifacts.list);
	free(key);
	wisp_cli_answer(cli, answer);
	return 0;
}
