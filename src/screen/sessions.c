/*
 * sessions: see sessions.h.
 */
#include "sessions.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/record.h"

#define AGAIN_MIN 5000	/* ms until they are read again in any case */
#define AGAIN_COST 200	/* or so many times what that takes: half a percent of the time */
#define PAUSE_COST 5	/* where files change all the time: a fifth of it */

static void
add(void *arg, const struct wisp_place *place, const struct wisp_record *r, struct cJSON *status)
{
	struct wisp_sessions *s = arg;

	s->rows = wisp_realloc(s->rows, s->count + 1, sizeof *s->rows);
	wisp_row_fill(&s->rows[s->count++], place, r, status, wisp_time_now());
	wisp_json_free(status);
}

/* FNV-1a, over what stat tells of a path. */
static void
mix(unsigned long long *stamp, const char *path)
{
	struct stat st;
	unsigned long long parts[4] = {0};
	size_t i;

	if (stat(path, &st) == 0) {
		parts[0] = (unsigned long long)st.st_ino;
		parts[1] = (unsigned long long)st.st_size;
#ifdef __APPLE__
		parts[2] = (unsigned long long)st.st_mtimespec.tv_sec;
		parts[3] = (unsigned long long)st.st_mtimespec.tv_nsec;
#else
		parts[2] = (unsigned long long)st.st_mtim.tv_sec;
		parts[3] = (unsigned long long)st.st_mtim.tv_nsec;
#endif
	}
	for (i = 0; i < sizeof parts / sizeof *parts; i++)
		*stamp = (*stamp ^ parts[i]) * 1099511628211ULL;
}

static void
mix_below(unsigned long long *stamp, const char *dir, const char *name)
{
	char *path = wisp_str("%s/%s", dir, name);

	mix(stamp, path);
	free(path);
}

/* The folders in which a session may come or go, and the files that a status is made of. */
static unsigned long long
stamp_of(const struct wisp_sessions *s)
{
	unsigned long long stamp = 14695981039346656037ULL;
	char *root = wisp_place_root();
	size_t i;

	if (root != NULL)
		mix(&stamp, root);
	free(root);
	for (i = 0; i < s->count; i++) {
		if (i == 0 || strcmp(s->rows[i].shared, s->rows[i - 1].shared) != 0)
			mix(&stamp, s->rows[i].shared);
		mix_below(&stamp, s->rows[i].home, WISP_RECORD);
		mix_below(&stamp, s->rows[i].home, WISP_RECORD_NOW);
		mix_below(&stamp, s->rows[i].dir, "tasks.json");
		mix_below(&stamp, s->rows[i].dir, "response.json");
	}
	return stamp;
}

int
wisp_sessions_load(struct wisp_sessions *s)
{
	struct wisp_sessions fresh = {.loaded = wisp_time_monotonic()};

	if (wisp_status_each(NULL, add, &fresh, wisp_time_now()) < 0) {
		wisp_sessions_release(&fresh);
		return -1;
	}
	fresh.took = wisp_time_monotonic() - fresh.loaded;
	fresh.stamp = stamp_of(&fresh);
	wisp_sessions_release(s);
	*s = fresh;
	return 0;
}

bool
wisp_sessions_changed(const struct wisp_sessions *s)
{
	wisp_ms since = wisp_time_monotonic() - s->loaded;

	if (since > AGAIN_MIN && since > s->took * AGAIN_COST)
		return true;
	return since > s->took * PAUSE_COST && stamp_of(s) != s->stamp;
}

size_t
wisp_sessions_find(const struct wisp_sessions *s, const char *home, size_t otherwise)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		if (home != NULL && strcmp(s->rows[i].home, home) == 0)
			return i;
	return otherwise < s->count ? otherwise : s->count > 0 ? s->count - 1 : 0;
}

void
wisp_sessions_release(struct wisp_sessions *s)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		wisp_row_release(&s->rows[i]);
	free(s->rows);
	*s = (struct wisp_sessions){0};
}
