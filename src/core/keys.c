/*
 * keys: the table of config.h, and finding a key in it.
 */
#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "near.h"

#define BARE WISP_CONFIG_BARE "."
#define HOSTS "open, off, agent, or hosts such as api.example.org, *.example.org or db:5432"

/*
 * `limit` also says that the value may be `none`, and a duration not 0: no
 * time at all is no limit that a person could mean.
 */
const struct wisp_key wisp_keys[] = {
	{"limits.maxIterations", WISP_KEY_COUNT, "50", NULL, .limit = true,
	 .help = "iterations of a session"},
	{"limits.maxHours", WISP_KEY_NUMBER, "4", NULL, .limit = true,
	 .help = "hours of a session, pauses and waits not counted"},
	{"limits.maxCostUsd", WISP_KEY_NUMBER, "20", NULL, .limit = true,
	 .help = "US dollars of a session"},
	{"limits.maxStepCostUsd", WISP_KEY_NUMBER, NULL, NULL, .limit = true,
	 .help = "US dollars of one step, for agents that take a budget"},
	{"limits.maxCostPerDayUsd", WISP_KEY_NUMBER, NULL, NULL, .limit = true,
	 .help = "US dollars of a day, over all sessions of a person on this machine"},
	{"limits.callsPerHour", WISP_KEY_COUNT, "100", NULL, .limit = true,
	 .help = "agent starts in an hour"},
	{"limits.maxWaits", WISP_KEY_COUNT, "5", NULL, .limit = true,
	 .help = "waits for a usage limit in a row"},
	{"limits.onHourly", WISP_KEY_WORD, "wait", "wait|pause",
	 .help = "what callsPerHour does once it is reached"},
	{"limits.overage", WISP_KEY_WORD, "allow", "pause|allow", .limit = true,
	 .help = "what happens once the agent works on paid extra usage"},
	{"step.timeout", WISP_KEY_DURATION, "60m", NULL, .limit = true,
	 .help = "time of one step"},
	{"step.idleTimeout", WISP_KEY_DURATION, "10m", NULL, .limit = true,
	 .help = "time without a sign of life from the agent"},
	{"step.linger", WISP_KEY_DURATION, "10s", NULL,
	 .help = "time an agent has to end after its final event, once its state is valid"},
	{"step.grace", WISP_KEY_DURATION, "5s", NULL,
	 .help = "time between TERM and KILL"},
	{"step.pidNamespace", WISP_KEY_WORD, "auto", "auto|true|false", .asks = true,
	 .help = "whether the agent runs in a pid namespace of its own"},
	{"loop.delay", WISP_KEY_DURATION, "0", NULL,
	 .help = "pause between iterations"},
	{"retry.delay", WISP_KEY_DURATION, "30s", NULL,
	 .help = "pause before a retry after a transient failure"},
	{"agent.default", WISP_KEY_TEXT, "claude", NULL, .asks = true,
	 .help = "the agent: a name or a path"},
	{"agent.*.command", WISP_KEY_TEXT, NULL, NULL, .asks = true,
	 .help = "the program of an agent, in place of its own"},
	{"agent.*.model", WISP_KEY_TEXT, NULL, NULL,
	 .help = "the model of an agent"},
	{"agent.*.args", WISP_KEY_LIST, NULL, NULL, .asks = true,
	 .help = "further arguments of an agent, one each"},
	{"agent.*.permissions", WISP_KEY_TEXT, NULL, NULL, .asks = true,
	 .help = "what an agent may do, in its own words"},
	{"agent.*.env", WISP_KEY_LIST, NULL, NULL, .asks = true,
	 .help = "variables of an agent, NAME=VALUE, or NAME to let it through"},
	{"input.timeout", WISP_KEY_DURATION, NULL, NULL,
	 .help = "how long a question waits for its answer"},
	{"input.onTimeout", WISP_KEY_TEXT, "pause", NULL,
	 .help = "then: pause, continue, or the text of an answer"},
	{"stuck.noProgress", WISP_KEY_COUNT, "3", NULL, .limit = true,
	 .help = "iterations in a row without a task newly passed: stuck"},
	{"stuck.sameFiles", WISP_KEY_COUNT, "3", NULL, .limit = true,
	 .help = "iterations in a row that change the same files: a warning, stuck at 5"},
	{"stuck.similarErrors", WISP_KEY_COUNT, "5", NULL, .limit = true,
	 .help = "similar errors in the window: stuck"},
	{"stuck.returningTree", WISP_KEY_COUNT, "2", NULL, .limit = true,
	 .help = "returns of the work tree to what it was, in the window: stuck"},
	{"stuck.falseDone", WISP_KEY_COUNT, "3", NULL, .limit = true,
	 .help = "refusals of DONE for one reason: stuck"},
	{"history.window", WISP_KEY_COUNT, "20", NULL,
	 .help = "iterations in history.json"},
	{"steps.keep", WISP_KEY_COUNT, "20", NULL,
	 .help = "steps whose files, checkpoints and put-away work are kept"},
	{"completion.promise", WISP_KEY_WORD, "required", "required|optional", .limit = true,
	 .help = "whether DONE needs the promise in the final message"},
	{"checkpoint.restore", WISP_KEY_WORD, "failed", "failed|always|never",
	 .help = "when the work tree goes back to the checkpoint"},
	{"checkpoint.save", WISP_KEY_BOOL, "true", NULL,
	 .help = "whether checkpoints are taken"},
	{"commit.fallback", WISP_KEY_BOOL, "true", NULL,
	 .help = "whether wisp commits what a passed task left uncommitted"},
	{"verify.command", WISP_KEY_LIST, NULL, NULL, .asks = true,
	 .help = "shell commands that must all succeed"},
	{"verify.env", WISP_KEY_LIST, NULL, NULL, .asks = true,
	 .help = "variables of verify, metrics and setup commands, NAME=VALUE, or NAME to let it through"},
	{"verify.timeout", WISP_KEY_DURATION, "15m", NULL, .limit = true,
	 .help = "time of one verify command"},
	{"verify.metrics", WISP_KEY_TEXT, NULL, NULL, .asks = true,
	 .help = "shell command that prints what is observed: JSON, TAP or JUnit XML"},
	{"verify.protect", WISP_KEY_LIST, NULL, NULL,
	 .help = "files that verify runs from, as patterns: a change is reported"},
	{"verify.report", WISP_KEY_LIST, NULL, NULL,
	 .help = "JUnit XML files that verify writes, as patterns: its tests one by one"},
	{"verify.lost", WISP_KEY_WORD, "warn", "fail|warn", .limit = true,
	 .help = "what a test does that passed before and is gone or skipped"},
	{"verify.retries", WISP_KEY_WORD, "1", "0|1", .limit = true,
	 .help = "runs more of a verify in which tests failed: what then passes is flaky"},
	{"notify.command", WISP_KEY_TEXT, NULL, NULL, .asks = true,
	 .help = "shell command that is run on questions, halts and completion"},
	{"worktree.setup", WISP_KEY_TEXT, NULL, NULL, .asks = true,
	 .help = "shell command run once in a new work tree"},
	{"worktree.copy", WISP_KEY_LIST, NULL, NULL,
	 .help = "files copied into a new work tree, such as .env; .worktreeinclude names more"},
	{"gates.required", WISP_KEY_LIST, NULL, NULL,
	 .help = "stage gates of an orchestration: plan-review, merge, and others"},
	{"gates.timeout", WISP_KEY_DURATION, NULL, NULL, .limit = true,
	 .help = "how long a stage gate waits for a person, then it is rejected"},
	{"merge.mode", WISP_KEY_WORD, "fast", "fast|commit",
	 .help = "how a branch gets into its base: moved forward where that can be, or by a commit"},
	{"sandbox", WISP_KEY_WORD, "auto", "auto|bwrap|landlock|off", .asks = true,
	 .help = "what confines a step and the project's commands"},
	{"sandbox.write", WISP_KEY_LIST, NULL, NULL, .asks = true,
	 .help = "further paths that a step may change"},
	{"sandbox.read", WISP_KEY_LIST, NULL, NULL, .asks = true,
	 .help = "paths that a step may read, though they are hidden else"},
	{"sandbox.hide", WISP_KEY_LIST, NULL, NULL, .asks = true,
	 .help = "further paths that a step does not see"},
	{"sandbox.home", WISP_KEY_WORD, "shared", "private|shared", .asks = true,
	 .help = "whether a step sees the home folder, but for what is hidden in it"},
	{"sandbox.network", WISP_KEY_LIST, NULL, HOSTS, .asks = true,
	 .help = "what a step reaches: open, off, agent, or hosts"},
	{"sandbox.setupNetwork", WISP_KEY_LIST, NULL, HOSTS, .asks = true,
	 .help = "the same for worktree.setup"},
	{"sandbox.sockets", WISP_KEY_LIST, NULL, NULL, .asks = true,
	 .help = "services that a step reaches: docker, ssh-agent and others, or sockets by path"},
	{"sandbox.caches", WISP_KEY_WORD, "private", "private|shared", .asks = true,
	 .help = "whether tools use caches of the session or the person's"},
	{"sandbox.userns", WISP_KEY_BOOL, "false", NULL, .asks = true,
	 .help = "whether a step may make user namespaces, as browsers do"},
	{"ship", WISP_KEY_WORD, "none", "none|push|pr",
	 .help = "what happens after completion"},
	{0}
};

const char *const wisp_config_layers[] = {"default", "template", "user", "project", "own", "command", "option", NULL};

/* The middle of a name: what stands for `*`; *len is 0 where there is none. */
static const char *
middle(const char *name, size_t *len)
{
	const char *first = strchr(name, '.'), *last = strrchr(name, '.');

	*len = first != NULL && first < last ? (size_t)(last - first) - 1 : 0;
	return *len > 0 ? first + 1 : NULL;
}

/* The name with `*` for its middle; the caller frees it. */
static char *
pattern_of(const char *name)
{
	size_t len;
	const char *mid = middle(name, &len);

	return mid == NULL ? wisp_strdup(name) : wisp_str("%.*s*%s", (int)(mid - name), name, mid + len);
}

const struct wisp_key *
wisp_config_key(const char *name, char **canonical)
{
	const struct wisp_key *k;
	const char *star, *mid;
	char *pattern;
	size_t len;

	if (strncasecmp(name, BARE, strlen(BARE)) == 0 && strchr(name + strlen(BARE), '.') == NULL)
		name += strlen(BARE);
	pattern = pattern_of(name);
	for (k = wisp_keys; k->name != NULL && strcasecmp(k->name, pattern) != 0; k++)
		;
	free(pattern);
	if (k->name == NULL)
		return NULL;
	if (canonical != NULL) {
		star = strchr(k->name, '*');
		mid = middle(name, &len);
		*canonical = star == NULL ? wisp_strdup(k->name)
					  : wisp_str("%.*s%.*s%s", (int)(star - k->name), k->name, (int)len, mid, star + 1);
	}
	return k;
}

/* How far a name is from a key; its last part alone, or one that only lacks the section, is near. */
static size_t
far_from(const char *name, const char *key)
{
	const char *last = strrchr(key, '.');
	size_t whole, part;

	if (last == NULL || strchr(name, '.') != NULL)
		return wisp_distance(name, key);
	whole = wisp_distance(name, key);
	part = wisp_distance(name, last + 1);
	return part < whole ? part + 1 : whole;
}

const char *
wisp_config_nearest(const char *name)
{
	const struct wisp_key *k;
	const char *nearest = NULL;
	char *pattern = pattern_of(name);
	size_t best = strlen(pattern) / 3 + 1, d;

	for (k = wisp_keys; k->name != NULL; k++) {
		d = far_from(pattern, k->name);
		if (d < best) {
			best = d;
			nearest = k->name;
		}
	}
	free(pattern);
	return nearest;
}
