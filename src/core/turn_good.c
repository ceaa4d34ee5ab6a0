/*
 * turn_good: what lies in good/ and nothing refers to any more is removed.
 */
#include "turn_record.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool
names(const struct cJSON *object, const char *key, const char *sha)
{
	return strcmp(wisp_json_str(object, key, ""), sha) == 0;
}

static bool
is_used(const struct wisp_record *r, const char *sha)
{
	const struct cJSON *change = wisp_json_get(r->doc, "change"), *c = wisp_json_first(wisp_json_get(r->doc, "checkpoints"));

	if (names(r->doc, "good", sha) || names(r->doc, "spec", sha) || names(wisp_turn_step(r), "tasks", sha) ||
	    names(change, "sha", sha) || names(change, "list", sha) || names(change, "tasks", sha))
		return true;
	for (; c != NULL; c = wisp_json_next(c))
		if (names(c, "tasks", sha) || names(c, "spec", sha))
			return true;
	return false;
}

void
wisp_turn_sweep_good(const struct wisp_record *r)
{
	size_t count = 0, few = wisp_json_len(wisp_json_get(r->doc, "checkpoints")) + 4;
	char *dir = wisp_record_home_path(r, "good"), **list = NULL, *path;

	if (wisp_dir_list(dir, &list, &count) != 0)
		count = 0;
	for (size_t i = 0; i < count && count > few; i++) {
		path = wisp_str("%s/%s", dir, list[i]);
		if (!is_used(r, list[i]))
			(void)unlink(path);
		free(path);
	}
	wisp_dir_list_free(list, count);
	free(dir);
}
