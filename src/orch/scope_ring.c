/*
 * scope_ring: systems that depend on each other.
 */
#include "scope.h"

#include <stdlib.h>
#include <string.h>

/* The index of a name among the systems; their number where it is none of them. */
static size_t
index_of(const struct cJSON *systems, const char *name)
{
	size_t i = 0;

	for (const struct cJSON *s = wisp_json_first(systems); s != NULL && strcmp(wisp_json_str(s, "name", ""), name) != 0;
	     s = wisp_json_next(s))
		i++;
	return i;
}

static const struct cJSON *
at_index(const struct cJSON *systems, size_t i)
{
	const struct cJSON *s = wisp_json_first(systems);

	while (i-- > 0)
		s = wisp_json_next(s);
	return s;
}

/* The first of those that a system depends on that is not gone; `count` where there is none. */
static size_t
first_need(const struct cJSON *systems, size_t i, const bool *gone, size_t count)
{
	const struct cJSON *list = wisp_json_get(at_index(systems, i), "depends_on");

	for (const struct cJSON *n = wisp_json_first(list); n != NULL; n = wisp_json_next(n)) {
		size_t k = index_of(systems, wisp_json_text(n, ""));

		if (k < count && !gone[k])
			return k;
	}
	return count;
}

/*
 * Again and again those are taken away that depend on nothing that is left. What cannot be taken away
 * depends on something that cannot either: going from one to the next comes round.
 */
bool
wisp_scope_ring(const struct cJSON *systems, struct wisp_buf *ring, size_t *begin)
{
	size_t count = wisp_json_len(systems), i, k;
	bool *gone = wisp_alloc(count + 1, sizeof *gone), *been = wisp_alloc(count + 1, sizeof *been), any = true;

	while (any) {
		any = false;
		for (i = 0; i < count; i++)
			if (!gone[i] && first_need(systems, i, gone, count) == count)
				any = gone[i] = true;
	}
	for (i = 0; i < count && gone[i]; i++)
		;
	if (i < count) {
		for (k = i; !been[k]; k = first_need(systems, k, gone, count))
			been[k] = true;
		*begin = k;
		do {
			wisp_buf_printf(ring, "%s -> ", wisp_json_str(at_index(systems, k), "name", ""));
			k = first_need(systems, k, gone, count);
		} while (k != *begin);
		wisp_buf_puts(ring, wisp_json_str(at_index(systems, k), "name", ""));
	}
	free(gone);
	free(been);
	return i < count;
}
