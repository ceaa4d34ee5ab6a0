/*
 * shipped: what the setting `ship` came to after a run, in its report. The
 * document of `wisp done --json` says it; where there is none, it failed.
 */
#include "summary.h"

#include "core/lines.h"

struct cJSON *
wisp_summary_shipped(const char *what, const char *file)
{
	static const char *const members[] = {"commit", "pushed", "request", "link", "error"};
	struct cJSON *shipped, *done = NULL;

	if (what == NULL)
		return wisp_json_null();
	if (file == NULL || wisp_json_load(file, &done, NULL) != WISP_VALID)
		done = NULL;
	shipped = wisp_json_object();
	wisp_json_set_str(shipped, "what", what);
	wisp_json_set_bool(shipped, "ok", wisp_json_str(done, "pushed", NULL) != NULL && wisp_json_str(done, "error", NULL) == NULL);
	for (size_t i = 0; i < sizeof members / sizeof *members; i++)
		wisp_json_set_str(shipped, members[i], wisp_json_str(done, members[i], NULL));
	if (done == NULL)
		wisp_json_set_str(shipped, "error", "wisp done gave no account of it");
	wisp_json_free(done);
	return shipped;
}

void
wisp_summary_shipped_text(struct wisp_buf *out, const struct cJSON *summary)
{
	const struct cJSON *shipped = wisp_json_get(summary, "shipped");
	const char *request = wisp_json_str(shipped, "request", wisp_json_str(shipped, "link", ""));
	struct wisp_buf line = WISP_BUF_INIT;

	if (wisp_json_type(shipped) != WISP_T_OBJECT)
		return;
	if (wisp_json_bool(shipped, "ok", false))
		wisp_buf_printf(&line, "to %s%s%s", wisp_json_str(shipped, "pushed", "-"), *request != '\0' ? ": " : "", request);
	else
		wisp_buf_printf(&line, "NO (%s): %s", wisp_json_str(shipped, "what", "-"), wisp_json_str(shipped, "error", "-"));
	wisp_line_wrapped(out, "shipped", line.data);
	wisp_buf_release(&line);
}
