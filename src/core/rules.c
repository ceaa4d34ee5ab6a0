/*
 * rules: see rules.h. What the rules mean where the words leave room:
 *
 * - Two sets of files overlap by |A and B| / max(|A|, |B|); an empty set
 *   overlaps with nothing; an entry without `files` is passed over.
 * - Errors count whether there was progress between them or not. An entry with
 *   an error_hash alone is compared by that.
 * - The tree returns at an entry whose tree was seen before, but not just
 *   before; only entries with a valid state are looked at, since the controller
 *   itself puts the tree back after a failed step.
 * - falseDone: the largest count of one reason since the last progress. A
 *   refused DONE in the very iteration that made progress does not count.
 */
#include "rules.h"

#include <stdlib.h>
#include <string.h>

#define SHOWN_FILES 3	/* in the evidence */
#define TEXT_MAX 160

static bool
is_word(const struct cJSON *entry, const char *key, const char *word)
{
	return strcmp(wisp_json_str(entry, key, ""), word) == 0;
}

static const struct cJSON *
hit_entry(const struct wisp_view *v, size_t i)
{
	return v->item[v->hit[i]].entry;
}

/* Is the evidence of a session with phases? Then tasks say nothing of progress. */
static bool
in_phase(const struct wisp_view *v)
{
	return v->hits > 0 && wisp_json_str(hit_entry(v, v->hits - 1), "phase", NULL) != NULL;
}

/* Did something happen before or in this item that ends a row of iterations without progress? */
static bool
fresh(const struct wisp_item *it)
{
	return it->new_phase || it->progress == WISP_PROGRESS_YES;
}

static void
no_progress(struct wisp_view *v, struct wisp_buf *why)
{
	size_t i;

	for (i = 0; i < v->count; i++) {
		if (fresh(&v->item[i]))
			v->hits = 0;
		if (v->item[i].counts && v->item[i].progress == WISP_PROGRESS_NO)
			v->hit[v->hits++] = i;
	}
	wisp_buf_printf(why, ": %s", in_phase(v) ? "no metric improved" : "no task newly passed");
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names in an array, sorted, each once; the caller frees the list alone. */
static const char **
name_set(const struct cJSON *files, size_t *count)
{
	const char **list = wisp_alloc(wisp_json_len(files), sizeof *list);
	const struct cJSON *f;
	size_t i, n = 0;

	for (f = wisp_json_first(files); f != NULL; f = wisp_json_next(f))
		if (wisp_json_type(f) == WISP_T_STRING)
			list[n++] = wisp_json_text(f, "");
	if (n > 0)
		qsort(list, n, sizeof *list, by_text);
	for (*count = i = 0; i < n; i++)
		if (i == 0 || strcmp(list[i], list[i - 1]) != 0)
			list[(*count)++] = list[i];
	return list;
}

/* 80% of the larger one */
static bool
overlap(const struct cJSON *a, const struct cJSON *b)
{
	size_t na, nb, i = 0, j = 0, both = 0;
	const char **as = name_set(a, &na), **bs = name_set(b, &nb);
	int order;

	while (i < na && j < nb) {
		order = strcmp(as[i], bs[j]);
		both += order == 0;
		i += order <= 0;
		j += order >= 0;
	}
	free(as);
	free(bs);
	return both > 0 && 5 * both >= 4 * (na > nb ? na : nb);
}

/* Is a file named in an earlier entry of the evidence, or earlier in this one? */
static bool
named_before(const struct wisp_view *v, size_t hit, const struct cJSON *file)
{
	const struct cJSON *f;

	for (size_t i = 0; i <= hit; i++)
		for (f = wisp_json_first(wisp_json_get(hit_entry(v, i), "files")); f != NULL && f != file; f = wisp_json_next(f))
			if (wisp_json_equal(f, file))
				return true;
	return false;
}

/* `src/a.c, src/b.c and src/c.c`: all files that the evidence changed, the first ones by name. */
static void
put_files(const struct wisp_view *v, struct wisp_buf *why)
{
	const struct cJSON *shown[SHOWN_FILES], *f;
	size_t i, n = 0, named;

	for (i = 0; i < v->hits; i++)
		for (f = wisp_json_first(wisp_json_get(hit_entry(v, i), "files")); f != NULL; f = wisp_json_next(f))
			if (!named_before(v, i, f) && n++ < SHOWN_FILES)
				shown[n - 1] = f;
	named = n > SHOWN_FILES ? SHOWN_FILES : n;
	for (i = 0; i < named; i++) {
		wisp_buf_puts(why, i == 0 ? "" : i + 1 == n ? " and " : ", ");
		wisp_buf_line(why, wisp_json_text(shown[i], "?"), TEXT_MAX);
	}
	if (n > named)
		wisp_buf_printf(why, " and %zu more", n - named);
}

static void
same_files(struct wisp_view *v, struct wisp_buf *why)
{
	const struct cJSON *files;
	size_t i;

	for (i = 0; i < v->count; i++) {
		files = wisp_json_get(v->item[i].entry, "files");
		if (fresh(&v->item[i]))
			v->hits = 0;
		if (!v->item[i].counts || v->item[i].progress == WISP_PROGRESS_YES || wisp_json_type(files) != WISP_T_ARRAY)
			continue;
		if (v->hits > 0 && !overlap(wisp_json_get(hit_entry(v, v->hits - 1), "files"), files))
			v->hits = 0;
		if (wisp_json_len(files) > 0)
			v->hit[v->hits++] = i;
	}
	if (v->hits == 0)
		return;
	wisp_buf_puts(why, " changed only ");
	put_files(v, why);
	wisp_buf_printf(why, ", %s", in_phase(v) ? "no metric improved" : "no task passed");
}

struct trouble {
	char *text;	/* normalised */
	size_t at;
};

static int
by_trouble(const void *a, const void *b)
{
	const struct trouble *x = a, *y = b;
	int order = strcmp(x->text, y->text);

	return order != 0 ? order : x->at < y->at ? -1 : x->at > y->at;
}

static const char *
entry_error(const struct cJSON *entry)
{
	const char *error = wisp_json_str(entry, "error", "");

	return *error != '\0' ? error : wisp_json_str(entry, "error_hash", "");
}

static void
similar_errors(struct wisp_view *v, struct wisp_buf *why)
{
	struct trouble *list = wisp_alloc(v->count, sizeof *list);
	size_t i, k, end, n = 0;

	for (i = 0; i < v->count; i++)
		if (v->item[i].counts && *entry_error(v->item[i].entry) != '\0')
			list[n++] = (struct trouble){wisp_error_normal(entry_error(v->item[i].entry)), i};
	if (n > 0)
		qsort(list, n, sizeof *list, by_trouble);
	for (i = 0; i < n; i = end) {
		for (end = i; end < n && strcmp(list[end].text, list[i].text) == 0; end++)
			;
		if (end - i <= v->hits)
			continue;
		for (v->hits = 0, k = i; k < end; k++)
			v->hit[v->hits++] = list[k].at;
	}
	for (i = 0; i < n; i++)
		free(list[i].text);
	free(list);
	wisp_buf_puts(why, ": the same error: ");
	if (v->hits > 0)
		wisp_buf_line(why, entry_error(hit_entry(v, v->hits - 1)), TEXT_MAX);
}

static void
returning_tree(struct wisp_view *v, struct wisp_buf *why)
{
	size_t *good = wisp_alloc(v->count, sizeof *good), i, k, n = 0;
	const char *tree;

	wisp_buf_puts(why, ": the work tree was again what it was after iteration");
	for (i = 0; i < v->count; i++) {
		tree = wisp_json_str(v->item[i].entry, "tree", NULL);
		if (!v->item[i].counts || tree == NULL || strcmp(wisp_json_str(v->item[i].entry, "state", "valid"), "valid") != 0)
			continue;
		for (k = n; k > 0 && !is_word(v->item[good[k - 1]].entry, "tree", tree); k--)
			;
		if (k > 0 && k < n) {
			wisp_buf_printf(why, "%s %lld", v->hits > 0 ? "," : "", v->item[good[k - 1]].iteration);
			v->hit[v->hits++] = i;
		}
		good[n++] = i;
	}
	free(good);
}

const char *
wisp_rules_refused(const struct cJSON *entry)
{
	const struct cJSON *refused = wisp_json_get(entry, "refused");
	long long total = wisp_json_int(entry, "tasks_total", -1), passed = wisp_json_int(entry, "tasks_passed", total);

	if (refused != NULL)
		return wisp_json_text(refused, NULL);
	if (!is_word(entry, "status", "DONE") || strcmp(wisp_json_str(entry, "state", "valid"), "valid") != 0 ||
	    wisp_json_str(entry, "phase", NULL) != NULL)
		return NULL;
	if (passed < total)
		return "tasks";
	if (!wisp_json_bool(entry, "promise", true))
		return "promise";
	return is_word(entry, "verify", "failed") ? "verify" : NULL;
}

static void
refused_for(struct wisp_view *v, const char *reason)
{
	const char *refused;
	size_t i;

	for (v->hits = i = 0; i < v->count; i++) {
		refused = wisp_rules_refused(v->item[i].entry);
		if (fresh(&v->item[i]))
			v->hits = 0;
		if (v->item[i].counts && v->item[i].progress != WISP_PROGRESS_YES && refused != NULL &&
		    strcmp(refused, reason) == 0)
			v->hit[v->hits++] = i;
	}
}

static void
false_done(struct wisp_view *v, struct wisp_buf *why)
{
	static const struct {
		const char *reason, *text;
	} reasons[] = {
		{"tasks", "tasks are open"}, {"promise", "the promise is missing"}, {"verify", "verify failed"},
		{"commit", "the work could not be committed"}
	};
	size_t i, best = 0, most = 0;

	for (i = 0; i < sizeof reasons / sizeof *reasons; i++) {
		refused_for(v, reasons[i].reason);
		if (v->hits > most) {
			most = v->hits;
			best = i;
		}
	}
	refused_for(v, reasons[best].reason);
	wisp_buf_printf(why, ": DONE was refused: %s", reasons[best].text);
}

const struct wisp_rule_judge wisp_rules[WISP_RULES] = {
	[WISP_NO_PROGRESS] = {"stuck.noProgress", no_progress},
	[WISP_SAME_FILES] = {"stuck.sameFiles", same_files},
	[WISP_SIMILAR_ERRORS] = {"stuck.similarErrors", similar_errors},
	[WISP_RETURNING_TREE] = {"stuck.returningTree", returning_tree},
	[WISP_FALSE_DONE] = {"stuck.falseDone", false_done},
};
