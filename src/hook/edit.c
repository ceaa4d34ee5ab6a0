/*
 * edit: changes of .loop/state.json, each of no byte but its own (loop.h, verb.h).
 */
#include <stdlib.h>
#include <string.h>

#include "core/scan.h"
#include "core/time.h"
#include "verb.h"

/* The first `n` keys as a path; `steps` has room for them. */
static int
set_at(struct wisp_hook_loop *h, const char *const *keys, size_t n, const char *json)
{
	struct wisp_path_step steps[8];
	struct wisp_path path = {steps, n};

	for (size_t i = 0; i < n; i++)
		steps[i] = (struct wisp_path_step){(char *)keys[i], 0};
	return wisp_scan_set(&h->bytes, &path, json, NULL);
}

int
wisp_hook_set(struct wisp_hook_loop *h, const char *const *keys, const char *json)
{
	const struct cJSON *at = h->doc;
	size_t n = 0;
	int rc;

	while (keys[n] != NULL)
		n++;
	rc = set_at(h, keys, n, json);
	for (size_t i = 1; rc == 1 && i < n; i++) {
		at = wisp_json_get(at, keys[i - 1]);
		if ((at == NULL || wisp_json_type(at) == WISP_T_NULL) && set_at(h, keys, i, "{}") != 0)
			return -1;
	}
	if (rc == 1)
		rc = set_at(h, keys, n, json);
	if (rc != 0)
		return -1;
	wisp_json_free(h->doc);
	h->doc = wisp_json_parse(h->bytes.data, h->bytes.len, h->path, NULL);
	return h->doc != NULL ? 0 : -1;
}

int
wisp_hook_set_str(struct wisp_hook_loop *h, const char *const *keys, const char *text)
{
	struct wisp_buf b = WISP_BUF_INIT;
	int rc;

	if (text == NULL)
		wisp_buf_puts(&b, "null");
	else
		wisp_scan_quote(&b, text, strlen(text));
	rc = wisp_hook_set(h, keys, b.data);
	wisp_buf_release(&b);
	return rc;
}

int
wisp_hook_set_num(struct wisp_hook_loop *h, const char *const *keys, double n)
{
	char *text = wisp_str("%.15g", n);
	int rc = wisp_hook_set(h, keys, text);

	free(text);
	return rc;
}

int
wisp_hook_save(struct wisp_hook_loop *h)
{
	char *real = realpath(h->path, NULL);	/* a link stays one */
	int rc = wisp_file_write(real != NULL ? real : h->path, h->bytes.data, h->bytes.len, WISP_NOSYNC);

	free(real);
	return rc;
}

void
wisp_hook_touch(struct wisp_hook_loop *h, bool progress)
{
	static const char *const at[] = {"metadata", "lastCheckpoint", NULL}, *const row[] = {"metadata", "errorsInRow", NULL};
	char *now = wisp_time_iso(wisp_time_now());

	(void)!wisp_hook_set_str(h, at, now);
	if (progress && wisp_hook_meta(h, "errorsInRow", 0) > 0)
		(void)!wisp_hook_set_num(h, row, 0);
	free(now);
}

void
wisp_hook_move(struct wisp_hook_loop *h, const char *status, const char *reason)
{
	static const char *const status_keys[] = {"status", NULL}, *const reason_keys[] = {"pauseReason", NULL};

	(void)!wisp_hook_set_str(h, status_keys, status);
	if (reason != NULL || wisp_json_get(h->doc, "pauseReason") != NULL)
		(void)!wisp_hook_set_str(h, reason_keys, reason);
}
