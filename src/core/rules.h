/*
 * rules: the five rules of stuck.h, each over one view of the history. Private
 * to stuck.c.
 */
#ifndef WISP_RULES_H
#define WISP_RULES_H

#include "stuck.h"

enum wisp_progress { WISP_PROGRESS_NO, WISP_PROGRESS_YES, WISP_PROGRESS_UNKNOWN };

/* One entry of the window. `counts`: it may be evidence. */
struct wisp_item {
	const struct cJSON *entry;
	long long iteration;
	enum wisp_progress progress;
	bool counts, new_phase;
};

/* `hit` is the evidence of the rule at hand: indices of items, oldest first. */
struct wisp_view {
	struct wisp_item *item;
	size_t count;
	size_t *hit, hits;
};

/*
 * In the order of enum wisp_rule. `judge` is called with no hits; it leaves the
 * hits, whose number is the rule's count, and goes on in `why` from "iterations 5, 6, 7".
 */
struct wisp_rule_judge {
	const char *key;	/* of its threshold */
	void (*judge)(struct wisp_view *v, struct wisp_buf *why);
};
extern const struct wisp_rule_judge wisp_rules[WISP_RULES];
/*
 * Why a DONE in this history entry was refused: "tasks", "promise", "verify", "commit";
 * NULL if it was no refused DONE. The entry's own field `refused` if it has one, else from its counts.
 */
const char *wisp_rules_refused(const struct cJSON *entry);

#endif
