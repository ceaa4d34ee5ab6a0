/*
 * judge: see judge.h.
 */
#include "judge.h"

static enum wisp_hook_answer
answer(enum wisp_hook_answer a, const char **why, const char *word)
{
	*why = word;
	return a;
}

enum wisp_hook_answer
wisp_hook_judge(const struct wisp_hook_facts *f, const char **why)
{
	if (!f->present)
		return answer(WISP_HOOK_LET_GO, why, "none");
	if (f->malformed)
		return answer(WISP_HOOK_PAUSE, why, "malformed");
	if (!f->in_progress)
		return answer(WISP_HOOK_LET_GO, why, "idle");
	if (f->other)
		return answer(WISP_HOOK_LET_GO, why, "other");
	if (f->criteria == 0)
		return answer(WISP_HOOK_PAUSE, why, "criteria");
	if (f->unmet == 0 && f->marker)
		return answer(WISP_HOOK_COMPLETE, why, "complete");
	if (f->same >= WISP_HOOK_RUNAWAY)
		return answer(WISP_HOOK_PAUSE, why, "runaway");
	if (f->max >= 0 && f->iteration >= f->max)
		return answer(WISP_HOOK_PAUSE, why, "iterations");
	if (f->budget >= 0 && f->cost >= f->budget)
		return answer(WISP_HOOK_PAUSE, why, "budget");
	return answer(WISP_HOOK_BLOCK, why, f->unmet > 0 ? "unmet" : "marker");
}
