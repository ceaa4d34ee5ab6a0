/*
 * status_list: every session of a project, or of all projects. A record that
 * cannot be read is one of the list like the others.
 */
#include "status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "scan.h"

/* Whom to tell of each session. */
struct call {
	wisp_status_fn *each;
	void *arg;
	wisp_ms now;
};

/* Empties an array of a JSON text that is not looked at; it may be most of the text. */
static void
cut(struct wisp_buf *text, const char *path)
{
	struct wisp_path steps = {0};
	struct wisp_span span;

	if (wisp_path_parse(&steps, path, NULL) == 0 &&
	    wisp_scan_find(text->data, text->len, &steps, &span, NULL) == 0 && text->data[span.start] == '[') {
		memmove(text->data + span.start + 1, text->data + span.end - 1, text->len - span.end + 2);
		text->len -= span.end - span.start - 2;
	}
	wisp_path_release(&steps);
}

/*
 * wisp_record_open to read, without the history: a thousand of them are read
 * at once. Only what is nothing but a sound record of our version is: all else is
 * the matter of wisp_record_open.
 */
static int
peek(struct wisp_record *r, const struct wisp_place *place, struct wisp_err *err)
{
	char *path = wisp_str("%s/" WISP_RECORD, place->home), *now = wisp_str("%s/" WISP_RECORD_NOW, place->home);
	struct wisp_buf text = WISP_BUF_INIT;
	struct cJSON *doc = NULL;
	int rc = 0;

	if (!wisp_file_exists(now) && wisp_file_read(path, WISP_FILE_MAX, &text) == 0 && text.len > 0) {
		cut(&text, ".history");
		doc = wisp_json_parse(text.data, text.len, path, NULL);
	}
	if (wisp_json_type(doc) == WISP_T_OBJECT && wisp_json_int(doc, "version", 0) == 1) {
		*r = (struct wisp_record){.place = place, .home = wisp_strdup(place->home), .doc = doc, .lock = -1};
	} else {
		wisp_json_free(doc);
		rc = wisp_record_open(r, place, WISP_READ, err);
	}
	wisp_buf_release(&text);
	free(now);
	free(path);
	return rc;
}

static void
set_problem(struct cJSON *status, const char *kind, const char *text)
{
	struct cJSON *problem = wisp_json_object_at(status, "problem");

	wisp_json_set_str(problem, "kind", kind);
	wisp_json_set_str(problem, "text", text);
}

/* The object of a session whose record cannot be read. */
static struct cJSON *
broken(const struct wisp_place *place, const char *problem)
{
	static const char *const unknown[] = {"session", "alive", "tasks", "phase", "question", "unverified",
					      "exit", "reason", "left"};
	struct cJSON *status = wisp_json_object();
	size_t i;

	wisp_json_set_num(status, "version", 1);
	wisp_json_set_str(status, "branch", place->branch);
	wisp_json_set_str(status, "project", place->project);
	for (i = 0; i < sizeof unknown / sizeof *unknown; i++)
		wisp_json_set_null(status, unknown[i]);
	set_problem(status, "broken", problem);
	return status;
}

/* Where the project of `place` is not known yet, the record names it. */
static void
tell(const struct call *call, struct wisp_place *place)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_record r = {0};
	struct cJSON *status;
	struct stat st;
	char *text;
	int rc = peek(&r, place, &err);

	if (rc == 0) {
		if (place->project == NULL && wisp_json_str(r.doc, "project", NULL) != NULL) {
			free(place->dir);
			place->project = wisp_strdup(wisp_json_str(r.doc, "project", NULL));
			place->dir = wisp_str("%s%s%s", place->project, WISP_SESSIONS, place->branch);
		}
		status = wisp_status_of(&r, call->now);
		if (stat(place->dir, &st) < 0 && errno == ENOENT)
			set_problem(status, "gone", "its folder is not there any more");
	} else {
		text = rc > 0 ? wisp_str("%s: no session is here", place->home)
			      : err.text != NULL ? wisp_err_string(&err)
						 : wisp_str("cannot read %s/record.json: %s", place->home, strerror(errno));
		status = broken(place, text);
		free(text);
	}
	call->each(call->arg, place, rc == 0 ? &r : NULL, status);
	wisp_record_release(&r);
	wisp_err_release(&err);
}

/* A folder that cannot be read is one of the list, too: the others are seen all the same. */
static void
tell_unreadable(const struct call *call, const char *shared, const char *branch, const char *home)
{
	char *text = wisp_str("cannot read '%s': %s", *branch != '\0' ? home : shared, strerror(errno));
	const char *name = *branch != '\0' ? branch : strrchr(shared, '/') + 1;
	struct wisp_place place = {.branch = wisp_strdup(name), .home = wisp_strdup(home), .shared = wisp_strdup(shared),
				   .dir = wisp_strdup(home)};

	call->each(call->arg, &place, NULL, broken(&place, text));
	wisp_place_release(&place);
	free(text);
}

/* The sessions whose homes are at and below BRANCH ("" for the top) in the home `shared` of a project. */
static void
walk(const struct call *call, const char *shared, const char *branch, int depth)
{
	char *home = wisp_str("%s/%s", shared, branch), *below;
	struct wisp_place place = {0};
	char **names = NULL;
	size_t i, count = 0;

	if (*branch != '\0' && wisp_record_there(home)) {
		place = (struct wisp_place){.branch = wisp_strdup(branch), .home = wisp_strdup(home),
					    .shared = wisp_strdup(shared), .dir = wisp_strdup(home)};
		tell(call, &place);
		wisp_place_release(&place);
	} else if (depth < WISP_BRANCH_PARTS && wisp_dir_list(home, &names, &count) < 0 && errno != ENOENT &&
		   errno != ENOTDIR) {
		tell_unreadable(call, shared, branch, home);
	}
	for (i = 0; i < count; i++) {
		below = wisp_str("%s%s%s", branch, *branch != '\0' ? "/" : "", names[i]);
		if (wisp_branch_ok(below))
			walk(call, shared, below, depth + 1);
		free(below);
	}
	wisp_dir_list_free(names, count);
	free(home);
}

static int
walk_all(const struct call *call)
{
	char *root = wisp_place_root(), **names = NULL, *shared;
	size_t i, count = 0;
	int rc = 0;

	if (root != NULL && wisp_dir_list(root, &names, &count) < 0)
		rc = errno == ENOENT ? 0 : -1;
	for (i = 0; i < count; i++) {
		shared = wisp_str("%s/%s", root, names[i]);
		if (names[i][0] != '.')
			walk(call, shared, "", 0);
		free(shared);
	}
	wisp_dir_list_free(names, count);
	free(root);
	return rc;
}

int
wisp_status_each(const char *project, wisp_status_fn *each, void *arg, wisp_ms now)
{
	const struct call call = {each, arg, now};
	struct wisp_place place = {0};
	char **branches = NULL;
	size_t i, count = 0;
	int rc;

	if (project == NULL)
		return walk_all(&call);
	rc = wisp_place_sessions(project, &branches, &count);
	for (i = 0; i < count; i++) {
		if (wisp_place_session(&place, project, branches[i], NULL) == 0)
			tell(&call, &place);
		wisp_place_release(&place);
	}
	wisp_dir_list_free(branches, count);
	return rc;
}

static void
push(void *list, const struct wisp_place *place, const struct wisp_record *r, struct cJSON *status)
{
	(void)place;
	(void)r;
	wisp_json_push(list, status);
}

int
wisp_status_list(const char *project, struct cJSON **list, wisp_ms now)
{
	*list = wisp_json_array();
	return wisp_status_each(project, push, *list, now);
}
