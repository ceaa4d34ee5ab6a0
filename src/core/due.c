#include "due.h"

#include <stddef.h>

/* After a step that claims something, or whose work is to be committed; with phases after each. A list is not verified. */
static bool
is_checked(const struct wisp_due_facts *f)
{
	return f->valid && !f->plan && (f->claims || f->left || f->done || f->phases);
}

/* A task newly passes, or all is done, and verify did not fail. */
bool
wisp_due_commit(const struct wisp_due_facts *f)
{
	return f->valid && !f->plan && (f->claims || f->left || f->ends) && !f->refused && f->fallback;
}

enum wisp_due
wisp_due_next(enum wisp_due done, const struct wisp_due_facts *f)
{
	const bool due[] = {
		[WISP_DUE_VERIFY] = is_checked(f) && f->commands,
		[WISP_DUE_METRICS] = is_checked(f) && f->metrics, /* whether or not there are commands */
		[WISP_DUE_GATES] = f->valid && !f->plan && f->phases,
		[WISP_DUE_COMMIT] = wisp_due_commit(f),
		[WISP_DUE_OBSERVE] = true,
	};
	size_t next = (size_t)done + 1;

	while (next < WISP_DUE_OBSERVE && !due[next])
		next++;
	return (enum wisp_due)next;
}

const char *
wisp_due_name(enum wisp_due d)
{
	static const char *const names[] = {"ran", "verify", "metrics", "gates", "commit", "observe"};

	return names[d];
}
