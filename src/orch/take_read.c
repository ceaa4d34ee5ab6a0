/*
 * take_read: see take.h.
 */
#include "take.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "core/orchestra.h"
#include "core/place.h"
#include "limit.h"

#define DOCUMENT_MAX ((size_t)8 << 20)	/* of what an agent writes for an orchestration */

/* A link would let what an earlier step left count once more. */
static bool
is_link(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

/* Why no session BRANCH-NAME can be begun, NULL where it can; the caller frees it. */
static char *
why_not(const struct wisp_record *r, const char *name)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_place place = {0};
	char *branch = wisp_str("%s-%s", r->place->branch, name), *session = NULL, *why = NULL;

	if (wisp_place_session(&place, r->place->project, branch, &err) != 0) {
		why = wisp_strdup(err.text);
	} else {
		session = wisp_str("%s/session.json", place.dir);
		if (wisp_file_exists(session) || wisp_record_there(place.home))
			why = wisp_str("there is a session %s already: take another name", branch);
	}
	free(session);
	free(branch);
	wisp_place_release(&place);
	wisp_err_release(&err);
	return why;
}

/* A new system gets a session of its own; one that is there is somebody else's. */
static int
check_free(const struct wisp_source *src, const struct wisp_record *r, const struct cJSON *doc, struct wisp_err *err)
{
	static const struct wisp_at in_systems = {NULL, "systems", 0};
	struct wisp_at at = {&in_systems, NULL, 0}, name_at = {&at, "name", 0};
	char *why = NULL;

	for (const struct cJSON *s = wisp_json_first(wisp_json_get(doc, "systems")); s != NULL && why == NULL; s = wisp_json_next(s)) {
		why = why_not(r, wisp_json_str(s, "name", ""));
		if (why != NULL)
			wisp_schema_refuse(src, &name_at, err, "%s", why);
		at.index++;
	}
	if (why == NULL)
		return 0;
	free(why);
	return -1;
}

int
wisp_take_read(const struct wisp_record *r, enum wisp_scope scope, const char *path, struct cJSON **doc, struct wisp_err *err)
{
	const struct wisp_scope_facts facts = {wisp_orchestra_of(r), r->place->branch, wisp_orch_limit(r, WISP_ORCH_SYSTEMS)};
	struct wisp_buf bytes = WISP_BUF_INIT;
	struct wisp_source src;
	int rc = -1;

	*doc = NULL;
	if (is_link(path))
		return wisp_err_set(err, path, 0, 0, "a symbolic link: write the file itself");
	if (wisp_json_read_max(path, DOCUMENT_MAX, &bytes, doc, err) == WISP_VALID) {
		src = (struct wisp_source){bytes.data, bytes.len, path, "document"};
		rc = wisp_scope_check(&src, scope, *doc, &facts, err);
		if (rc == 0 && scope != WISP_DECOMPOSE)
			rc = check_free(&src, r, *doc, err);
	}
	wisp_buf_release(&bytes);
	return rc;
}
