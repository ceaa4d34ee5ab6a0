/*
 * sessions: see sessions.h.
 */
#include "sessions.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
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

/* FNV-1a, over what stat tells of a path; the sum of all, so that their order does not matter. */
static void
mix(unsigned long long *stamp, const char *path)
{
	struct stat st;
	unsigned long long parts[4] = {0}, hash = 14695981039346656037ULL;
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
		hash = (hash ^ parts[i]) * 1099511628211ULL;
	*stamp += hash;
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
	unsigned long long stamp = 0;
	char *root = wisp_place_root();
	size_t i;

	if (root != NULL)
		mix(&stamp, root);
	free(root);
	for (i = 0; i < s->count; i++) {
			mix(&stamp, s->rows[i].shared);
		mix_below(&stamp, s->rows[i].home, WISP_RECORD);
		mix_below(&stamp, s->rows[i].home, WISP_RECORD_NOW);
		mix_below(&stamp, s->rows[i].dir, "tasks.json");
		mix_below(&stamp, s->rows[i].dir, "response.json");
	}
	return stamp;
}

int
wisp_sessions_load(struct wisp_sessions *s, const char *project)
{
	struct wisp_sessions fresh = {.loaded = wisp_time_monotonic()};

	if (wisp_status_each(project, add, &fresh, wisp_time_now()) < 0) {
		wisp_sessions_release(&fresh);
		return -1;
	}
	fresh.shown = fresh.count;
	fresh.took = wisp_time_monotonic() - fresh.loaded;
	fresh.stamp = stamp_of(&fresh);
	wisp_sessions_release(s);
	*s = fresh;
	return 0;
}

enum { WAITS, STOPPED, OPEN, OVER, HIDDEN, FILTERED }; /* by urgency */

static bool
contains(const char *text, const char *part)
{
	size_t len = strlen(part);

	for (; *text != '\0'; text++)
		if (strncasecmp(text, part, len) == 0)
			return true;
	return len == 0;
}

static bool
matches(const struct wisp_row *row, const char *filter)
{
	char *text;
	bool yes;

	if (filter == NULL)
		return true;
	text = wisp_str("%s %s %s %s", row->branch, wisp_row_project(row), row->word,
			row->note != NULL ? row->note : "");
	yes = contains(text, filter);
	free(text);
	return yes;
}

static int
urgency_of(const struct wisp_row *row, const struct wisp_choice *choice)
{
	static const struct {
		const char *word;
		int urgency;
	} words[] = {
		{"halted", STOPPED}, {"stale", STOPPED}, {"broken", STOPPED}, {"completed", OVER}, {"gone", OVER},
	};
	size_t i;

	if (!matches(row, choice->filter))
		return FILTERED;
	if (wisp_row_waits(row))
		return WAITS;
	if (strcmp(row->word, "completed") == 0 && row->last < choice->since)
		return HIDDEN;
	for (i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i].word, row->word) == 0)
			return words[i].urgency;
	return OPEN;
}

static const char *
family(const struct wisp_row *row)
{
	return row->parent != NULL ? row->parent : row->branch;
}

static int
by_family(const void *a, const void *b)
{
	const struct wisp_row *x = a, *y = b;
	int order = strcmp(wisp_row_project(x), wisp_row_project(y));

	if (order == 0)
		order = strcmp(x->shared, y->shared);
	if (order == 0)
		order = strcmp(family(x), family(y));
	if (order == 0)
		order = (x->parent != NULL) - (y->parent != NULL);
	return order != 0 ? order : strcmp(x->branch, y->branch);
}

static int
by_urgency(const void *a, const void *b)
{
	const struct wisp_row *x = a, *y = b;

	return x->urgency != y->urgency ? x->urgency - y->urgency : by_family(a, b);
}

/* All that are shown of a family become as urgent as the first of them is. */
static void
join_family(struct wisp_row *rows, size_t count)
{
	size_t i;
	int least = HIDDEN;

	for (i = 0; i < count; i++)
		least = rows[i].urgency < least ? rows[i].urgency : least;
	for (i = 0; i < count; i++)
		if (rows[i].urgency < HIDDEN)
			rows[i].urgency = least;
}

void
wisp_sessions_arrange(struct wisp_sessions *s, const struct wisp_choice *choice)
{
	size_t i, from;

	for (i = 0; i < s->count; i++)
		s->rows[i].urgency = urgency_of(&s->rows[i], choice);
	if (s->count > 1)
		qsort(s->rows, s->count, sizeof *s->rows, by_family);
	for (from = i = 0; i < s->count; i++)
		if (i + 1 == s->count || strcmp(s->rows[i].shared, s->rows[i + 1].shared) != 0 ||
		    strcmp(family(&s->rows[i]), family(&s->rows[i + 1])) != 0) {
			join_family(&s->rows[from], i + 1 - from);
			from = i + 1;
		}
	if (s->count > 1)
		qsort(s->rows, s->count, sizeof *s->rows, by_urgency);
	for (s->shown = s->hidden = i = 0; i < s->count; i++) {
		s->shown += s->rows[i].urgency < HIDDEN;
		s->hidden += s->rows[i].urgency == HIDDEN;
	}
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

	for (i = 0; i < s->shown; i++)
		if (home != NULL && strcmp(s->rows[i].home, home) == 0)
			return i;
	return otherwise < s->shown ? otherwise : s->shown > 0 ? s->shown - 1 : 0;
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
