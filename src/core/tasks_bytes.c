/*
 * tasks_bytes: what a valid list says, told from its bytes; see tasks.h. Parsing thousands of tasks takes longer than all
 * else at the end of a step, which mostly sets one `passes`.
 */
#include "tasks.h"

#include <stdlib.h>
#include <string.h>

/* Where a string that begins at `p` ends; of JSON that was checked. */
static const char *
past_string(const char *p)
{
	for (p++; *p != '"'; p++)
		p += *p == '\\';
	return p + 1;
}

static const char *
past_space(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n'))
		p++;
	return p;
}

/* Where `true` or `false` at `p` ends, and which it is; NULL where it is neither. */
static const char *
past_bool(const char *p, const char *end, bool *value)
{
	const char *word[] = {"false", "true"};

	for (int i = 0; i < 2; i++)
		if ((size_t)(end - p) >= strlen(word[i]) && memcmp(p, word[i], strlen(word[i])) == 0) {
			*value = i == 1;
			return p + strlen(word[i]);
		}
	return NULL;
}

static bool
is_same(const char *a, const char *a_end, const char *b, const char *b_end)
{
	return a_end - a == b_end - b && memcmp(a, b, (size_t)(a_end - a)) == 0;
}

bool
wisp_tasks_flips(const struct wisp_buf *old, const struct wisp_buf *now, struct cJSON *claims, size_t *passed)
{
	/* Up to `same` and `there` both lists are alike. */
	const char *p = old->data, *end = p + old->len, *same = p, *there = now->data, *last = there + now->len, *key, *value;
	size_t number = 0;
	int depth = 0;
	bool was, is, all = is_same(same, end, there, last);

	while (!all && p < end) {
		if (*p != '"') {
			number += *p == '{' && depth == 1;
			depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
			p++;
			continue;
		}
		key = p;
		p = past_string(p);
		value = past_space(p, end);
		if (depth != 2 || *value != ':')
			continue;
		if (memchr(key, '\\', (size_t)(p - key)) != NULL)
			return false;	/* it may be another spelling of `passes` */
		p = value + 1;
		if (value - key < 8 || memcmp(key, "\"passes\"", 8) != 0)
			continue;
		if (last - there < p - same || memcmp(same, there, (size_t)(p - same)) != 0)
			return false;
		there = past_bool(past_space(there + (p - same), last), last, &is);
		same = p = past_bool(past_space(p, end), end, &was);
		if (there == NULL || same == NULL)
			return false;
		if (is && !was)
			wisp_json_push(claims, wisp_json_double((double)number));
		*passed += (size_t)is - (size_t)was;
		all = is != was && is_same(same, end, there, last);
	}
	return all || is_same(same, end, there, last);
}

struct cJSON *
wisp_tasks_some(const struct wisp_buf *list, const struct cJSON *numbers)
{
	const char *p = list->data, *end = p + list->len, **from = NULL;
	struct wisp_buf some = WISP_BUF_INIT;
	struct cJSON *tasks = NULL;
	size_t count = 0, most = 0, n;
	int depth = 0;

	for (const struct cJSON *c = wisp_json_first(numbers); c != NULL; c = wisp_json_next(c))
		most = wisp_json_number(c, 0) > (double)most ? (size_t)wisp_json_number(c, 0) : most;
	while (p < end && count <= most) {
		if (depth == 1 && (*p == '{' || *p == ']')) {	/* the last one is where the list ends */
			if ((count & (count + 1)) == 0)
				from = wisp_realloc(from, 2 * count + 1, sizeof *from);
			from[count++] = p;
		}
		depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
		p = *p == '"' ? past_string(p) : p + 1;
	}
	wisp_buf_putc(&some, '[');
	for (const struct cJSON *c = wisp_json_first(numbers); c != NULL; c = wisp_json_next(c)) {
		n = (size_t)wisp_json_number(c, 0);
		if (n < 1 || n + 1 > count)
			continue;
		/* Up to its brace: what is behind that is a comma, or nothing. */
		for (p = from[n]; p[-1] != '}'; p--)
			;
		wisp_buf_puts(&some, some.len > 1 ? "," : "");
		wisp_buf_add(&some, from[n - 1], (size_t)(p - from[n - 1]));
	}
	wisp_buf_putc(&some, ']');
	if (wisp_json_decide(some.data, some.len, NULL, &tasks, NULL) != WISP_VALID)
		tasks = wisp_json_array();
	wisp_buf_release(&some);
	free(from);
	return tasks;
}
