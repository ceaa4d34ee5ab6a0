/*
 * stuck: see stuck.h. What the rules mean where the words leave room:
 *
 * - The window is the last history.window entries. Entries up to `since`, and
 *   those with status NEEDS_INPUT or outcome limit or interrupted, are no
 *   evidence for anything; progress in one of the latter still is progress.
 * - Progress is the entry's `progress`. Without it: tasks_passed rose above the
 *   highest seen (before iteration 1 that is 0, before a later first entry its
 *   own). Without either it is not known: no evidence for noProgress, and none
 *   against the others.
 * - A change of phase is progress made before the entry that shows it.
 *
 * What each rule makes of that stands in rules.c.
 */
#include "stuck.h"

#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "rules.h"

#define SAME_FILES_STUCK 5	/* iterations; the threshold alone only warns */
#define SHOWN 6			/* iterations named in the evidence */

/* An entry that lacks what it would be judged by is no evidence. */
static enum wisp_progress
progress_of(const struct cJSON *entry, long long iteration, long long *highest)
{
	const struct cJSON *progress = wisp_json_get(entry, "progress");
	long long passed = wisp_json_int(entry, "tasks_passed", -1);
	enum wisp_progress p = WISP_PROGRESS_UNKNOWN;

	if (*highest < 0)
		*highest = iteration <= 1 ? 0 : passed;
	if (wisp_json_type(progress) == WISP_T_BOOL)
		p = wisp_json_true(progress) ? WISP_PROGRESS_YES : WISP_PROGRESS_NO;
	else if (passed >= 0)
		p = passed > *highest ? WISP_PROGRESS_YES : WISP_PROGRESS_NO;
	if (passed > *highest)
		*highest = passed;
	return p;
}

static void
view_init(struct wisp_view *v, const struct cJSON *history, long long since, long long window)
{
	size_t skip, len = wisp_json_len(history);
	long long highest = -1, last = 0;
	const char *phase = NULL, *was, *outcome;
	const struct cJSON *e = wisp_json_first(history);
	struct wisp_item *it;

	*v = (struct wisp_view){.item = wisp_alloc(len, sizeof *v->item), .hit = wisp_alloc(len, sizeof *v->hit)};
	for (skip = window > 0 && len > (size_t)window ? len - (size_t)window : 0; skip > 0; skip--)
		e = wisp_json_next(e);
	for (; e != NULL; e = wisp_json_next(e)) {
		outcome = wisp_json_str(e, "outcome", "");
		it = &v->item[v->count++];
		it->entry = e;
		it->iteration = last = wisp_json_int(e, "iteration", last + 1);
		it->progress = progress_of(e, it->iteration, &highest);
		was = phase;
		phase = wisp_json_str(e, "phase", phase);
		it->new_phase = was != NULL && strcmp(was, phase) != 0;
		it->counts = it->iteration > since && strcmp(wisp_json_str(e, "status", ""), "NEEDS_INPUT") != 0 &&
			     strcmp(outcome, "limit") != 0 && strcmp(outcome, "interrupted") != 0;
	}
}

/* iterations 5, 6, 7WHY: what a rule says of them begins with its colon or blank. */
static char *
evidence(const struct wisp_view *v, const char *why)
{
	struct wisp_buf b = WISP_BUF_INIT;
	size_t i;

	if (v->hits == 0)
		return wisp_strdup("");
	wisp_buf_puts(&b, v->hits > 1 ? "iterations " : "iteration ");
	for (i = 0; i < v->hits; i++) {
		if (v->hits > SHOWN && i == SHOWN - 1) {
			wisp_buf_puts(&b, ", ...");
			i = v->hits - 1;
		}
		wisp_buf_printf(&b, "%s%lld", i > 0 ? ", " : "", v->item[v->hit[i]].iteration);
	}
	wisp_buf_puts(&b, why);
	return wisp_buf_detach(&b);
}

void
wisp_stuck_check(struct wisp_stuck *s, const struct cJSON *history, long long since, const struct cJSON *config)
{
	struct wisp_buf why = WISP_BUF_INIT;
	struct wisp_rule_result *r;
	struct wisp_view v;
	int i;

	*s = (struct wisp_stuck){0};
	view_init(&v, history, since, wisp_config_count(config, "history.window"));
	for (i = 0; i < WISP_RULES; i++) {
		r = &s->rule[i];
		v.hits = 0;
		wisp_buf_reset(&why);
		wisp_rules[i].judge(&v, &why);
		r->name = strchr(wisp_rules[i].key, '.') + 1;
		r->count = (int)v.hits;
		r->threshold = (int)wisp_config_count(config, wisp_rules[i].key);
		r->evidence = evidence(&v, why.data);
		r->stuck = r->threshold > 0 && r->count >= r->threshold;
		if (i == WISP_SAME_FILES) {
			r->warning = r->stuck;
			r->stuck = r->stuck && r->count >= SAME_FILES_STUCK;
		}
		s->stuck |= r->stuck;
		s->warning |= r->warning;
	}
	wisp_buf_release(&why);
	free(v.item);
	free(v.hit);
}

void
wisp_stuck_release(struct wisp_stuck *s)
{
	int i;

	for (i = 0; i < WISP_RULES; i++)
		free(s->rule[i].evidence);
	*s = (struct wisp_stuck){0};
}

const struct wisp_rule_result *
wisp_stuck_first(const struct wisp_stuck *s)
{
	int i;

	for (i = 0; i < WISP_RULES; i++)
		if (s->rule[i].stuck)
			return &s->rule[i];
	for (i = 0; i < WISP_RULES; i++)
		if (s->rule[i].warning)
			return &s->rule[i];
	return NULL;
}
