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
	struct wisp_place place;
	struct wisp_record of;
	char *stamp;

	wisp_system_put(n->r, n->system, "spawning", NULL);
	wisp_json_drop(n->notes, "again");
	wisp_json_drop(n->notes, "reason");
	wisp_json_set_bool(n->notes, "begun", true);
	wisp_json_set_num(n->notes, "unseen", 0);
	if (wisp_system_record(&of, &place, n->r, n->system) == 0) {
		stamp = wisp_system_stamp(&of);
		wisp_json_set_str(n->notes, "since", stamp);
		free(stamp);
	}
	wisp_record_release(&of);
	wisp_place_release(&place);
}

static void
restarted(struct noted *n)
{
	wisp_json_set_num(n->notes, "restarts", wisp_json_num(n->notes, "restarts", 0) + 1);
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

/* back=agent, or person where that was done as often as it may be; times= how often it came back. */
static void
back(struct noted *n)
{
	double times = wisp_json_num(n->notes, "back", 0) + 1;
	bool person = times > (double)wisp_orch_limit(n->r, WISP_ORCH_BACK);

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
	wisp_system_put(n->r, n->system, "failed", progress);
	free(progress);
}

int
wisp_orch_note(struct wisp_cli *cli)
{
	static const struct { const char *word; void (*note)(struct noted *n); } words[] = {
		{"spawning", spawning}, {"restarted", restarted}, {"merging", merging}, {"unmerged", unmerged},
		{"merged", merged}, {"back", back}, {"failed", failed}
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
