/*
 * limit: see limit.h.
 */
#include "limit.h"

#include "core/template.h"

long long
wisp_orch_limit(const struct wisp_record *r, enum wisp_orch_limit which)
{
	static const struct { const char *name; long long otherwise; } known[] = {
		[WISP_ORCH_SYSTEMS] = {"systems", 50}, [WISP_ORCH_LOOPS] = {"loops", 3},
		[WISP_ORCH_RESTARTS] = {"restarts", 1}, [WISP_ORCH_BACK] = {"back", 2}, [WISP_ORCH_INVALID] = {"invalid", 2}
	};
	const char *dir = wisp_json_str(wisp_json_get(r->doc, "template"), "dir", NULL);
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *doc = NULL;
	long long n = known[which].otherwise;

	/* It was held to be right as a whole when the command began. */
	if (dir != NULL && wisp_template_load(dir, NULL, &doc, &err) == 0)
		n = wisp_json_int(wisp_json_get(wisp_json_get(doc, "orchestrator"), "limits"), known[which].name, n);
	wisp_err_release(&err);
	wisp_json_free(doc);
	return n;
}
