/*
 * json_equal: are two values the same? (json.h)
 */
#include "json.h"

#include <stdlib.h>
#include <string.h>

static int
by_key(const void *left, const void *right)
{
	const struct cJSON *const *a = left, *const *b = right;

	return strcmp(wisp_json_key(*a), wisp_json_key(*b));
}

static const struct cJSON **
sorted(const struct cJSON *object, size_t n)
{
	const struct cJSON **all = wisp_alloc(n, sizeof *all), *v;
	size_t i = 0;

	for (v = wisp_json_first(object); v != NULL; v = wisp_json_next(v))
		all[i++] = v;
	qsort(all, n, sizeof *all, by_key);
	return all;
}

/* The order of members means nothing. */
static bool
equal_objects(const struct cJSON *a, const struct cJSON *b)
{
	size_t i, n = wisp_json_len(a);
	const struct cJSON **x, **y;

	if (n != wisp_json_len(b))
		return false;
	if (n == 0)
		return true;
	x = sorted(a, n);
	y = sorted(b, n);
	for (i = 0; i < n; i++)
		if (strcmp(wisp_json_key(x[i]), wisp_json_key(y[i])) != 0 || !wisp_json_equal(x[i], y[i]))
			break;
	free(x);
	free(y);
	return i == n;
}

static bool
equal_arrays(const struct cJSON *a, const struct cJSON *b)
{
	a = wisp_json_first(a);
	b = wisp_json_first(b);
	while (a != NULL && b != NULL && wisp_json_equal(a, b)) {
		a = wisp_json_next(a);
		b = wisp_json_next(b);
	}
	return a == NULL && b == NULL;
}

bool
wisp_json_equal(const struct cJSON *a, const struct cJSON *b)
{
	enum wisp_type t = wisp_json_type(a);

	if (t != wisp_json_type(b))
		return false;
	switch (t) {
	case WISP_T_BOOL:
		return wisp_json_true(a) == wisp_json_true(b);
	case WISP_T_NUMBER:
		return wisp_json_number(a, 0) == wisp_json_number(b, 0);
	case WISP_T_STRING:
		return strcmp(wisp_json_text(a, ""), wisp_json_text(b, "")) == 0;
	case WISP_T_ARRAY:
		return equal_arrays(a, b);
	case WISP_T_OBJECT:
		return equal_objects(a, b);
	default:
		return true;
	}
}
