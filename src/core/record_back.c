/*
 * record_back: record.json is missing or damaged. The record that was kept
 * before it takes its place: what came after that is a step that was lost.
 * The seal tells of one that was changed in a step, and that is none either.
 */
#include "record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "limits.h"
#include "session.h"
#include "turn.h"

static const char *const sealed[WISP_RECORD_FILES] = {
	[WISP_RECORD_IS] = WISP_RECORD, [WISP_RECORD_WAS] = WISP_RECORD_LAST, [WISP_RECORD_OPEN] = WISP_RECORD_NOW
};

/* The newest folder of a step that was begun after the one that the record ends with; the caller frees it. */
static char *
later_step(const struct wisp_record *r)
{
	const char *known = wisp_json_str(wisp_turn_step(r), "name", "");
	long long done = wisp_json_int(wisp_json_get(r->doc, "session"), "loop_count", 0), n;
	char *dir = wisp_record_dir_path(r, "steps"), **names = NULL, *found = NULL, *path;
	size_t count = 0;

	if (wisp_turn_steps(dir, &names, &count) != 0)
		count = 0;
	/* An agent may make folders of any number: the next one, or a repeat, is what can have been begun. */
	for (size_t i = count; found == NULL && i-- > 0 && strcmp(names[i], known) != 0;) {
		n = strtoll(names[i], NULL, 10);
		path = wisp_str("%s/%s", dir, names[i]);
		if ((n == done || n == done + 1) && !wisp_turn_step_unused(path))
			found = wisp_strdup(names[i]);
		free(path);
	}
	wisp_dir_list_free(names, count);
	free(dir);
	return found;
}

/* The record ends before a step that was begun: the step is open, and nothing that it left is to be believed. */
static void
open_lost_step(struct wisp_record *r, const char *name)
{
	const struct cJSON *old = wisp_turn_step(r), *after = wisp_json_get(r->doc, "after");
	struct cJSON *step = wisp_json_object(), *session = wisp_record_session(r);
	long long n = strtoll(name, NULL, 10);
	bool repeat = n == wisp_json_int(session, "loop_count", 0);

	wisp_json_set_num(step, "iteration", (double)n);
	wisp_json_set_num(step, "attempt", repeat ? wisp_json_num(old, "attempt", 1) + 1 : 1);
	wisp_json_set_str(step, "name", name);
	wisp_json_set_str(step, "stage", "begun");
	wisp_json_set_bool(step, "damaged", true);
	wisp_json_set_str(step, "head", wisp_json_str(after, "head", NULL));
	wisp_json_set_str(step, "tree", wisp_json_str(after, "tree", NULL));
	wisp_json_set_str(step, "tasks", wisp_json_str(r->doc, "good", NULL));
	wisp_json_set_num(step, "told", 0);
	wisp_json_set(r->doc, "step", step);
	wisp_json_set_num(session, "loop_count", (double)n);
	wisp_session_add(session, "agent_calls", 1);
	wisp_limits_charge(wisp_json_object_at(r->doc, "limits"), wisp_record_config(r), wisp_time_now());
}

int
wisp_record_back(struct wisp_record *r, const char *why)
{
	char *path = wisp_record_home_path(r, WISP_RECORD_LAST), *name;
	enum wisp_verdict verdict = wisp_json_load(path, &r->doc, NULL);

	free(path);
	if (verdict != WISP_VALID || wisp_json_int(r->doc, "version", 0) != 1) {
		wisp_json_free(r->doc);
		r->doc = NULL;
		return 1;
	}
	wisp_record_note_back(r, why);
	name = strcmp(wisp_json_str(wisp_turn_step(r), "stage", "recorded"), "recorded") == 0 ? later_step(r) : NULL;
	if (name != NULL)
		open_lost_step(r, name);
	free(name);
	return 0;
}

void
wisp_record_note_back(struct wisp_record *r, const char *why)
{
	struct cJSON *back = wisp_json_object();

	wisp_json_set_str(back, "why", why);
	wisp_json_set_str(back, "from", wisp_json_str(wisp_record_session(r), "last_activity", NULL));
	wisp_json_set_bool(back, "published", r->rebuilt);
	wisp_json_set_null(back, "kept");
	wisp_json_set(r->doc, "back", back);
	r->back = true;
}

char *
wisp_record_back_text(const struct wisp_record *r)
{
	const struct cJSON *back = wisp_json_get(r->doc, "back");
	const char *why = wisp_json_str(back, "why", ""), *kept = wisp_json_str(back, "kept", NULL);
	bool missing = strcmp(why, "missing") == 0;

	if (wisp_json_type(back) != WISP_T_OBJECT)
		return NULL;
	return wisp_str(WISP_RECORD " was %s%s%s: %s, of %s, takes its place%s%s", missing ? why : "damaged (",
			missing ? "" : why, missing ? "" : ")",
			wisp_json_bool(back, "published", false) ? "what is in its published files" : "the record kept before it",
			wisp_json_str(back, "from", "an unknown time"), kept != NULL ? "; the damaged file is kept as " : "",
			kept != NULL ? kept : "");
}

/* record.last.json counts for nothing but its name, unless the record is lost: it is read where that was not done yet. */
static const char *
sha_of(struct wisp_record *r, enum wisp_record_file which)
{
	char *path;

	if (r->sha[which][0] == '\0') {
		path = wisp_record_home_path(r, sealed[which]);
		if (wisp_hash_file(path, r->sha[which]) != 0)
			strcpy(r->sha[which], errno == ENOENT || errno == ENOTDIR ? "-" : "?");
		free(path);
	}
	return r->sha[which];
}

void
wisp_record_seal(struct wisp_record *r, struct wisp_buf *seal)
{
	for (size_t i = 0; i < WISP_RECORD_FILES; i++)
		wisp_buf_printf(seal, "%s%s", i > 0 ? " " : "", sha_of(r, i));
}

int
wisp_record_sealed(struct wisp_record *r, const char *seal, struct wisp_buf *names)
{
	int rc = 0;

	for (size_t i = 0; rc >= 0 && i < WISP_RECORD_FILES; i++) {
		const char *is = sha_of(r, i);
		size_t n = strcspn(seal, " ");

		if (n != strlen(is) || memcmp(seal, is, n) != 0) {
			char *path = wisp_record_home_path(r, sealed[i]), *aside = wisp_str("%s.changed", path);

			wisp_buf_printf(names, "%s%s", names->len > 0 ? ", " : "", path);
			rc = wisp_file_exists(path) && wisp_file_move(path, aside, WISP_NOSYNC) != 0 ? -1 : 2;
			free(aside);
			free(path);
		}
		seal += n + (seal[n] == ' ');
	}
	return rc;
}
