/*
 * turn_compare: see turn_compare.h.
 */
#include "turn_compare.h"

#include <stdlib.h>
#include <string.h>

#include "glob.h"
#include "lines.h"
#include "turn_tests.h"

#define NAMES_MAX 50		/* of files, and of claims that differ */
#define NAME_SHOWN 1024		/* bytes of one */

const char *const wisp_turn_counts[WISP_TURN_COUNTS] = {"tests_total", "tests_passing", "tests_failing", "tests_skipped"};

/* A value in few words. */
static void
put_value(struct wisp_buf *out, const struct cJSON *v)
{
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_json_print_compact(&b, v);
	wisp_buf_line(out, b.data, 60);
	wisp_buf_release(&b);
}

/*
 * Is the claim what was observed? Tests that were skipped are counted by some
 * and not by others; either is right.
 */
static bool
same(const char *name, const struct cJSON *claim, const struct cJSON *fact, const struct cJSON *observed)
{
	double skipped = wisp_json_num(observed, "tests_skipped", 0);

	if (wisp_json_equal(claim, fact))
		return true;
	return strcmp(name, "tests_total") == 0 && wisp_json_type(claim) == WISP_T_NUMBER &&
	       wisp_json_type(fact) == WISP_T_NUMBER && wisp_json_number(claim, 0) == wisp_json_number(fact, 0) + skipped;
}

/* One claim, called `word` by the agent, against the metric `name`. */
static void
compare(const struct wisp_turn *t, const char *word, const struct cJSON *claim, const char *name, struct cJSON *names,
	struct cJSON *items)
{
	const struct cJSON *observed = wisp_json_get(t->step, "observed"), *fact = wisp_json_get(observed, name);
	struct wisp_buf line = WISP_BUF_INIT;

	if (fact == NULL || claim == NULL || wisp_json_type(claim) == WISP_T_NULL || same(name, claim, fact, observed) ||
	    wisp_json_len(names) >= NAMES_MAX)
		return;
	wisp_buf_line(&line, word, NAME_SHOWN);
	wisp_json_push(names, wisp_json_string(line.data));
	wisp_buf_puts(&line, ": claimed ");
	put_value(&line, claim);
	wisp_buf_puts(&line, ", observed ");
	put_value(&line, fact);
	wisp_json_push(items, wisp_json_string(line.data));
	wisp_buf_release(&line);
}

static void
compare_all(const struct wisp_turn *t, struct cJSON *names, struct cJSON *items)
{
	const struct cJSON *metrics = t->state.metrics;
	char *word;

	if (t->facts.state != WISP_VALID)
		return;
	if (metrics == NULL)
		metrics = wisp_json_get(wisp_json_get(t->step, "phase"), "claimed");
	compare(t, "tests_run", wisp_json_get(t->state.doc, "tests_run"), "tests_total", names, items);
	compare(t, "tests_passed", wisp_json_get(t->state.doc, "tests_passed"), "tests_passing", names, items);
	for (const struct cJSON *m = wisp_json_first(metrics); m != NULL; m = wisp_json_next(m)) {
		word = wisp_str("metrics.%s", wisp_json_key(m));
		compare(t, word, m, wisp_json_key(m), names, items);
		free(word);
	}
}

static bool
is_protected(const struct cJSON *patterns, const char *name)
{
	const char *one = wisp_json_text(patterns, NULL);

	if (one != NULL)
		return wisp_glob(one, name);
	for (const struct cJSON *p = wisp_json_first(patterns); p != NULL; p = wisp_json_next(p))
		if (wisp_glob(wisp_json_text(p, ""), name))
			return true;
	return false;
}

bool
wisp_turn_protects(struct wisp_record *r, const char *name, bool path)
{
	const struct cJSON *patterns = wisp_json_get(wisp_record_config(r), "verify.protect");
	const struct cJSON *p = wisp_json_type(patterns) == WISP_T_ARRAY ? wisp_json_first(patterns) : patterns;
	bool yes = patterns != NULL && is_protected(patterns, name);

	for (; !yes && !path && p != NULL; p = p == patterns ? NULL : wisp_json_next(p)) {
		const char *pattern = wisp_json_text(p, ""), *dot = strrchr(pattern, '.');
		char *full = dot != NULL && strchr(dot, '/') == NULL ? wisp_str("%s%s", name, dot) : NULL;

		yes = full != NULL && wisp_glob(pattern, full);
		free(full);
	}
	return yes;
}

/* The first of all changed names, not only of those that the record keeps, that match verify.protect. A new array. */
static struct cJSON *
protected_names(const struct wisp_turn *t, const char *files)
{
	const struct cJSON *patterns = wisp_json_get(wisp_record_config(t->r), "verify.protect");
	struct cJSON *names = wisp_json_array();
	struct wisp_buf b = WISP_BUF_INIT, line = WISP_BUF_INIT;
	int rc = -1;

	if (files != NULL && patterns != NULL && wisp_json_type(patterns) != WISP_T_NULL)
		rc = wisp_file_read(files, WISP_FILE_MAX, &b);
	for (size_t i = 0; rc == 0 && i < b.len && wisp_json_len(names) < NAMES_MAX; i += strlen(b.data + i) + 1) {
		if (!is_protected(patterns, b.data + i))
			continue;
		wisp_buf_reset(&line);
		wisp_buf_line(&line, b.data + i, NAME_SHOWN);
		wisp_json_push(names, wisp_json_string(line.data));
	}
	wisp_buf_release(&b);
	wisp_buf_release(&line);
	return names;
}

/* Sets an array that has something in it; else it is freed. */
static void
set_filled(struct cJSON *object, const char *key, struct cJSON *array)
{
	if (wisp_json_len(array) > 0)
		wisp_json_set(object, key, array);
	else
		wisp_json_free(array);
}

void
wisp_turn_enter_observed(struct wisp_turn *t, const char *files)
{
	const struct cJSON *observed = wisp_json_get(t->step, "observed");
	struct cJSON *shown = wisp_json_object(), *names = wisp_json_array(), *items = wisp_json_array();

	/* The counts alone: the history is read by people, and kept for many iterations. */
	for (size_t i = 0; i < WISP_TURN_COUNTS; i++)
		if (wisp_json_get(observed, wisp_turn_counts[i]) != NULL)
			wisp_json_set(shown, wisp_turn_counts[i], wisp_json_copy(wisp_json_get(observed, wisp_turn_counts[i])));
	set_filled(t->entry, "observed", shown);
	compare_all(t, names, items);
	set_filled(t->entry, "claimed_differs", names);
	set_filled(t->entry, "protected", protected_names(t, files));
	wisp_turn_enter_tests(t);
	wisp_json_free(items);
}

static void
tell(struct wisp_turn *t, const char *kind, const char *text, const struct cJSON *items)
{
	struct cJSON *told = wisp_record_tell(t->r, kind, text);

	wisp_json_set_num(told, "iteration", wisp_json_num(t->step, "iteration", 0));
	if (items != NULL)
		wisp_json_set(told, "items", wisp_json_copy(items));
}

void
wisp_turn_tell_observed(struct wisp_turn *t)
{
	const struct cJSON *changed = wisp_json_get(t->entry, "protected");
	const char *note = wisp_json_str(t->step, "observed_note", NULL);
	struct cJSON *names = wisp_json_array(), *items = wisp_json_array();

	compare_all(t, names, items);
	if (wisp_json_len(items) > 0)
		tell(t, "claim", NULL, items);
	if (wisp_json_len(changed) > 0)
		tell(t, "protected", NULL, changed);
	if (note != NULL)
		tell(t, "metrics", note, NULL);
	wisp_turn_tell_tests(t);
	wisp_json_free(names);
	wisp_json_free(items);
}

/* A list as text on one line; none where it is empty. */
static void
answer_names(struct cJSON *answer, const char *key, const struct cJSON *names)
{
	struct wisp_buf b = WISP_BUF_INIT;

	if (wisp_json_len(names) > 0) {
		wisp_line_names(&b, names);
		b.data[b.len - 1] = '\0';
		wisp_json_set_str(answer, key, b.data);
	}
	wisp_buf_release(&b);
}

void
wisp_turn_answer_observed(const struct wisp_turn *t, struct cJSON *answer)
{
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_line_tests(&b, wisp_json_get(t->entry, "observed"));
	wisp_json_set_str(answer, "observed", b.data);
	answer_names(answer, "differs", wisp_json_get(t->entry, "claimed_differs"));
	answer_names(answer, "protected", wisp_json_get(t->entry, "protected"));
	wisp_buf_release(&b);
}
