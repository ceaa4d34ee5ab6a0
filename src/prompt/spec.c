/*
 * spec: see spec.h.
 */
#include "spec.h"

#include <stdlib.h>
#include <string.h>

#include "core/hash.h"

const struct cJSON *
wisp_prompt_change(const struct wisp_record *r)
{
	const struct cJSON *change = wisp_json_get(r->doc, "change");
	const char *plan = wisp_json_str(wisp_json_get(r->doc, "step"), "plan", "");

	return *plan != '\0' && strcmp(plan, wisp_json_str(change, "kind", "")) == 0 ? change : NULL;
}

/* Is it the text of that SHA-256? NULL: it need only be there. */
static bool
is_text(const char *path, const char *sha)
{
	char found[WISP_HASH_SIZE];

	if (sha == NULL)
		return wisp_file_exists(path);
	return wisp_hash_file(path, found) == 0 && strcmp(found, sha) == 0;
}

/* In the agent's work tree, else in the project; else the copy that the record keeps. The caller frees it. */
static char *
find_text(const struct wisp_record *r, const char *spec, const char *sha)
{
	const struct wisp_place *place = r->place;
	const char *worktree = wisp_json_str(r->doc, "worktree", NULL);
	bool whole = *spec == '/';
	char *path = whole ? wisp_strdup(spec) : wisp_str("%s/%s", worktree != NULL ? worktree : ".", spec), *name;

	if (is_text(path, sha) || (sha == NULL && (whole || place->project == NULL)))
		return path;
	if (!whole && place->project != NULL) {
		free(path);
		path = wisp_str("%s/%s", place->project, spec);
	}
	if (sha == NULL || is_text(path, sha))
		return path;
	name = wisp_str("good/%s", sha);
	free(path);
	path = wisp_record_home_path(r, name);
	free(name);
	return path;
}

char *
wisp_prompt_spec(const struct wisp_record *r)
{
	const struct cJSON *change = wisp_prompt_change(r);
	const char *spec = wisp_json_str(wisp_json_get(r->doc, "session"), "spec", NULL);
	const char *sha = wisp_json_str(r->doc, "spec", NULL);

	if (wisp_json_str(change, "spec", NULL) != NULL) {
		spec = wisp_json_str(change, "spec", NULL);
		sha = wisp_json_str(change, "sha", NULL);
	}
	return spec == NULL || *spec == '\0' ? NULL : find_text(r, spec, sha);
}
