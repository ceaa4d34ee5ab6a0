/*
 * pool_file: pool.json is found, read, checked and written, and made (pool.h).
 */
#include "pool_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kinds.h"
#include "limits.h"
#include "pool.h"

static const struct wisp_field pool[] = {
	{"version", WISP_T_NUMBER, WISP_REQUIRED | WISP_INTEGER, NULL, WISP_T_NONE},
	{"parallel", WISP_T_NUMBER, WISP_REQUIRED | WISP_INTEGER, NULL, WISP_T_NONE},
	{"max_cost_usd", WISP_T_NUMBER, 0, NULL, WISP_T_NONE},
	{"calls_per_hour", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"limits", WISP_T_OBJECT, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"sessions", WISP_T_OBJECT, WISP_REQUIRED, NULL, WISP_T_NONE},
	{0}
};

static const struct wisp_field entry[] = {
	{"branch", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"cost_usd", WISP_T_NUMBER, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"reserved_usd", WISP_T_NUMBER, 0, NULL, WISP_T_NONE},
	{"calls", WISP_T_NUMBER, WISP_REQUIRED | WISP_INTEGER, NULL, WISP_T_NONE},
	{0}
};

static int
check(const struct wisp_source *src, const struct cJSON *doc, struct wisp_err *err)
{
	const struct wisp_at sessions = {NULL, "sessions", 0}, version = {NULL, "version", 0};
	const struct wisp_source limits = {NULL, 0, src->path, "pool.limits"};

	if (wisp_schema_check(src, NULL, doc, pool, NULL, err) != 0)
		return -1;
	if (wisp_json_int(doc, "version", 0) != 1)
		return wisp_schema_refuse(src, &version, err, "expected 1");
	for (const struct cJSON *e = wisp_json_first(wisp_json_get(doc, "sessions")); e != NULL; e = wisp_json_next(e)) {
		const struct wisp_at at = {&sessions, wisp_json_key(e), 0};

		if (wisp_schema_check(src, &at, e, entry, NULL, err) != 0)
			return -1;
	}
	return wisp_kind_hold(wisp_kind_find("limits"), &limits, wisp_json_get(doc, "limits"), err);
}

static enum wisp_verdict
load(const char *path, struct cJSON **doc, struct wisp_err *err)
{
	struct wisp_buf bytes = WISP_BUF_INIT;
	enum wisp_verdict verdict = wisp_json_read(path, &bytes, doc, err);
	struct wisp_source src = {bytes.data, bytes.len, path, "pool"};

	if (verdict == WISP_VALID && check(&src, *doc, err) != 0) {
		verdict = WISP_INVALID;
		wisp_json_free(*doc);
		*doc = NULL;
	}
	wisp_buf_release(&bytes);
	return verdict;
}

/* The orchestration's home, NULL where it is gone or there is none. */
static char *
find_home(const struct wisp_record *r)
{
	const char *branch = wisp_pool_of(r);
	struct wisp_place place;
	char *home = NULL;

	if (branch == NULL)
		return NULL;
	if (strcmp(branch, r->place->branch) == 0)
		return wisp_strdup(r->home);
	if (wisp_place_session(&place, r->place->project, branch, NULL) != 0)
		return NULL;
	if (wisp_record_there(place.home))
		home = wisp_strdup(place.home);
	wisp_place_release(&place);
	return home;
}

static int
take_lock(const char *home)
{
	char *path = wisp_str("%s/.pool", home);
	int fd = wisp_lock(path);

	free(path);
	return fd;
}

void
wisp_pool_release(struct wisp_pool *p)
{
	int saved = errno;

	wisp_json_free(p->doc);
	free(p->path);
	if (p->lock >= 0)
		(void)close(p->lock);
	memset(p, 0, sizeof *p);
	p->lock = -1;
	errno = saved;
}

/* Path and, to write, the lock. 1: there is no such orchestration. */
static int
reach(struct wisp_pool *p, const struct wisp_record *r, enum wisp_record_mode mode)
{
	char *home = find_home(r);

	memset(p, 0, sizeof *p);
	p->lock = -1;
	if (home == NULL)
		return 1;
	if (mode == WISP_WRITE)
		p->lock = take_lock(home);
	if (p->lock >= 0)
		wisp_file_sweep(home);
	p->path = wisp_str("%s/pool.json", home);
	free(home);
	if (mode == WISP_READ || p->lock >= 0)
		return 0;
	wisp_pool_release(p);
	return -1;
}

char *
wisp_pool_path(const struct wisp_record *r)
{
	char *home = find_home(r), *path = home != NULL ? wisp_str("%s/pool.json", home) : NULL;

	free(home);
	return path;
}

int
wisp_pool_open(struct wisp_pool *p, const struct wisp_record *r, enum wisp_record_mode mode, struct wisp_err *err)
{
	struct wisp_err why = WISP_ERR_INIT;
	enum wisp_verdict verdict;
	int rc = reach(p, r, mode);

	if (rc != 0)
		return rc;
	verdict = load(p->path, &p->doc, &why);
	/* Without it nobody knows what the others have spent. */
	if (verdict != WISP_VALID) {
		rc = wisp_err_set(err, p->path, why.line, why.col, "%s: wisp orchestrate --resume makes it anew",
				  verdict == WISP_MISSING ? "the budget of the orchestration is missing" : why.text);
		wisp_pool_release(p);
		errno = 0;
	}
	wisp_err_release(&why);
	return rc;
}

static struct cJSON *
new_pool(const struct cJSON *sessions)
{
	struct cJSON *doc = wisp_json_object();

	wisp_json_set_num(doc, "version", 1);
	wisp_json_set_num(doc, "parallel", 1);
	wisp_json_set_null(doc, "max_cost_usd");
	wisp_json_set_null(doc, "calls_per_hour");
	wisp_json_set(doc, "limits", wisp_limits_new());
	wisp_json_set(doc, "sessions", wisp_json_copy(sessions));
	return doc;
}

int
wisp_pool_make(struct wisp_pool *p, const struct wisp_record *r, const struct cJSON *sessions, char **bad)
{
	struct wisp_err why = WISP_ERR_INIT;
	enum wisp_verdict verdict;
	char *aside;
	int rc = reach(p, r, WISP_WRITE);

	*bad = NULL;
	if (rc != 0)
		return -1;
	verdict = load(p->path, &p->doc, &why);
	if (verdict != WISP_VALID)
		p->doc = new_pool(sessions);
	if (verdict != WISP_VALID && verdict != WISP_MISSING) {
		*bad = wisp_err_string(&why);
		aside = wisp_str("%s.bad", p->path);
		rc = wisp_file_move(p->path, aside, WISP_SYNC);
		free(aside);
	}
	wisp_err_release(&why);
	if (rc != 0)
		wisp_pool_release(p);
	return rc;
}

int
wisp_pool_commit(struct wisp_pool *p)
{
	struct wisp_buf b = WISP_BUF_INIT;
	int rc = 0;

	wisp_json_print(&b, p->doc);
	if (!wisp_file_holds(p->path, b.data, b.len))
		rc = wisp_file_write(p->path, b.data, b.len, WISP_SYNC);
	wisp_buf_release(&b);
	wisp_pool_release(p);
	return rc;
}
