/*
 * note: what the loop in bash has done with a system. Each may be repeated.
 */
#include "verb.h"

#include <stdlib.h>
#include <string.h>

#include "core/orchestra.h"
#include "limit.h"
#include "open.h"
#include "systems.h"

struct noted {
	struct wisp_record *r;
	const char *system, *reason, *commit;
	struct cJSON *notes, *answer;
};

/* It is about to be started: what its session says now is what it said before. */
static void
spawning(struct noted *n)
{
	wisp_system_put(n->r, n->system, "spawning", NULL);
	wisp_json_drop(n->notes, "again");
	wisp_json_drop(n->notes, "reason");
	wisp_json_set_bool(n->notes, "begun", true);
	wisp_json_set_num(n->notes, "unseen", 0);
	wisp_system_since(n->r, n->system);
}

static void
merging(struct noted *n)
{
	wisp_json_set_bool(n->notes, "merging", true);
}

static void
unmerged(struct noted *n)
{
	wisp_json_drop(n->notes, "merging");
}

static void
merged(struct noted *n)
{
	struct cJSON *state = wisp_orchestra_of(n->r);

	wisp_json_drop(n->notes, "merging");
	wisp_json_set_str(n->notes, "merged", n->commit);
	wisp_system_put(n->r, n->system, "completed", "merged");
	if (!wisp_orchestra_completed(state, n->system))
		wisp_json_push(wisp_json_array_at(state, "completedSystems"), wisp_json_string(n->system));
}

/* What was decided about it holds for what it was, not for what it will be. */
static void
forget_gates(struct wisp_record *r, const char *system)
{
	struct cJSON *orchestra = wisp_json_object_at(r->doc, "orchestra"), *left = wisp_json_object();
	char *prefix = wisp_str("agent-%s/", system);

	for (const struct cJSON *g = wisp_json_first(wisp_json_get(orchestra, "gates")); g != NULL; g = wisp_json_next(g))
		if (strncmp(wisp_json_key(g), prefix, strlen(prefix)) != 0)
			wisp_json_set_str(left, wisp_json_key(g), wisp_json_text(g, ""));
	wisp_json_set(orchestra, "gates", left);
	free(prefix);
}

/* back=agent, or person where that was done as often as it may be; times= how often it came back. Repeated, it counts once. */
static void
back(struct noted *n)
{
	double most = (double)wisp_orch_limit(n->r, WISP_ORCH_BACK), times = wisp_json_num(n->notes, "back", 0);
	bool person;

	if (!wisp_json_bool(n->notes, "again", false) && times <= most)
		times++;
	person = times > most;
	forget_gates(n->r, n->system);
	wisp_json_set_num(n->notes, "back", times);
	wisp_json_drop(n->notes, "merging");
	wisp_system_put(n->r, n->system, person ? "completed" : "spawning", n->reason);
	wisp_json_set_bool(n->notes, "again", !person);
	wisp_json_set_str(n->answer, "back", person ? "person" : "agent");
	wisp_json_set_num(n->answer, "times", times);
}

static void
failed(struct noted *n)
{
	char *progress = wisp_str("failed: %s", n->reason != NULL ? n->reason : "no reason was given");

	wisp_json_drop(n->notes, "merging");
	wisp_json_drop(n->notes, "again");
	wisp_json_set_str(n->notes, "reason", n->reason);
	wisp_system_since(n->r, n->system);
	wisp_system_put(n->r, n->system, "failed", progress);
	free(progress);
}

int
wisp_orch_note(struct wisp_cli *cli)
{
	static const struct { const char *word; void (*note)(struct noted *n); } words[] = {
		{"spawning", spawning}, {"merging", merging}, {"unmerged", unmerged}, {"merged", merged}, {"back", back},
		{"failed", failed}
	};
	struct noted n = {0};
	const struct wisp_option options[] = {{"reason", .text = &n.reason}, {"commit", .text = &n.commit}, {0}};
	struct wisp_record r;
	size_t i = 0;

	wisp_cli_read(cli, options, 2, 2);
	while (i < sizeof words / sizeof *words && strcmp(words[i].word, cli->argv[0]) != 0)
		i++;
	if (i == sizeof words / sizeof *words)
		die_usage("nothing is noted as '%s'", cli->argv[0]);
	(void)wisp_orch_open(cli, &r, WISP_WRITE);
	n.r = &r;
	n.system = cli->argv[1];
	n.notes = wisp_system_notes(&r, n.system);
	n.answer = wisp_json_object();
	words[i].note(&n);
	wisp_orch_commit(&r);
	wisp_record_release(&r);
	wisp_cli_answer(cli, n.answer);
	return 0;
}
