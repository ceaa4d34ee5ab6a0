/*
 * counts_go: see counts_go.h. Most lines are output of the tests: only what ends one is read as JSON.
 */
#include "counts_go.h"

#include <string.h>

#include "scan.h"

#define ACTION "\"Action\":\""

struct reader {
	struct wisp_go_event *event;
	char key[8];		/* of the member that is read, at depth 1; longer ones are not asked for */
	size_t key_len, package_len, test_len;
};

static int
on_text(void *arg, const struct wisp_scan *scan, bool key, const char *p, size_t n)
{
	struct reader *r = arg;
	char *to = key ? r->key : strcmp(r->key, "Package") == 0 ? r->event->package
		 : strcmp(r->key, "Test") == 0 ? r->event->test : NULL;
	size_t *len = key ? &r->key_len : to == r->event->package ? &r->package_len : &r->test_len;
	size_t most = key ? sizeof r->key - 1 : WISP_CASE_NAME_MAX;

	if (to == NULL || scan->depth != 1)
		return 0;
	n = n < most - *len ? n : most - *len;
	memcpy(to + *len, p, n);
	*len += n;
	to[*len] = '\0';
	return 0;
}

static int
on_token(void *arg, const struct wisp_scan *scan, enum wisp_token t, uint64_t start, uint64_t end)
{
	struct reader *r = arg;

	(void)start;
	if (t == WISP_KEY && end - start - 2 > r->key_len)
		r->key[0] = '\0';
	if (t != WISP_KEY || scan->depth != 1)
		r->key_len = 0;
	return 0;
}

static bool
result_of(const char *action, const char *end, enum wisp_case_result *result)
{
	static const char *const words[WISP_CASE_RESULTS] = {"pass\"", "fail\"", "skip\""};

	for (int i = 0; i < WISP_CASE_RESULTS; i++)
		if (end - action >= 5 && memcmp(action, words[i], 5) == 0) {
			*result = (enum wisp_case_result)i;
			return true;
		}
	return false;
}

bool
wisp_go_read(struct wisp_go_event *e, const char *line, size_t len)
{
	struct reader r = {.event = e};
	const struct wisp_scan_sink sink = {.token = on_token, .text = on_text, .arg = &r};
	const char *action = memmem(line, len, ACTION, sizeof ACTION - 1);
	struct wisp_scan scan;

	e->package[0] = e->test[0] = '\0';
	if (action == NULL || !result_of(action + sizeof ACTION - 1, line + len, &e->result))
		return false;
	if (wisp_scan_all(&scan, &sink, line, len) != 0 || e->package[0] == '\0')
		return false;
	return e->test[0] != '\0' || e->result == WISP_CASE_FAILED;
}
