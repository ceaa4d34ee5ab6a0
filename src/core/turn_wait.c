/*
 * turn_wait: how often and how long a loop waited for a limit (docs/record.md, `waits`).
 */
#include "turn.h"

#include <stdlib.h>
#include <string.h>

#include "time.h"

static struct cJSON *
waits_of(struct wisp_record *r)
{
	return wisp_json_object_at(r->doc, "waits");
}

static void
add(struct cJSON *waits, const char *key, double n)
{
	wisp_json_set_num(waits, key, wisp_json_num(waits, key, 0) + n);
}

void
wisp_turn_wait(struct wisp_record *r, const char *kind, wisp_ms until)
{
	struct cJSON *waits = waits_of(r);
	char *now = wisp_time_iso(wisp_time_now()), *end = wisp_time_iso(until);

	/* Asked again while it waits, by a request or a clock that was set, it is the same wait. */
	if (strcmp(wisp_json_str(waits, "for", ""), kind) != 0) {
		wisp_turn_wait_over(r, true);
		add(waits, kind, 1);
		wisp_json_set_str(waits, "for", kind);
		wisp_json_set_str(waits, "since", now);
	}
	wisp_json_set_str(waits, "until", end);
	free(now);
	free(end);
}

void
wisp_turn_wait_over(struct wisp_record *r, bool waited)
{
	struct cJSON *waits = waits_of(r);
	wisp_ms since = wisp_time_parse(wisp_json_str(waits, "since", NULL));
	wisp_ms until = wisp_time_parse(wisp_json_str(waits, "until", NULL)), now = wisp_time_now();

	/* It ended with the limit at the latest, whatever the clock says. */
	if (now > until)
		now = until;
	if (waited && since >= 0 && now > since)
		add(waits, "seconds", (double)((now - since) / 1000));
	wisp_json_set_null(waits, "for");
	wisp_json_set_null(waits, "since");
	wisp_json_set_null(waits, "until");
}
