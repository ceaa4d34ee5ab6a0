/*
 * turn_adopt: what a person changed while no step was open, in words: for the
 * person who resumes, and for the next prompt.
 */
#include "turn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "lines.h"
#include "state.h"

#define SUMMARY_MAX 500	/* characters of a summary in history (wisp-state(5)) */
#define SHOWN 10	/* numbers, or settings, that are named one by one */

/* `, ` between two parts. */
static void
part(struct wisp_buf *out)
{
	if (out->len > 0)
		wisp_buf_puts(out, ", ");
}

/* `2 added (4, 5)`: tasks by number; nothing for none. */
static void
tasks_line(struct wisp_buf *out, const char *what, const size_t *numbers, size_t count)
{
	if (count == 0)
		return;
	part(out);
	wisp_buf_printf(out, "%zu %s (", count, what);
	for (size_t i = 0; i < count && i < SHOWN; i++)
		wisp_buf_printf(out, "%s%zu", i > 0 ? ", " : "", numbers[i]);
	wisp_buf_printf(out, "%s)", count > SHOWN ? " ..." : "");
}

/* A task without an id whose description changed is lost and added; at the same place, to people, it is reworded. */
static void
find_reworded(struct wisp_tasks_diff *d, size_t *reworded, size_t *count)
{
	size_t lost = 0, added = 0, i = 0, j = 0;

	while (i < d->n_lost || j < d->n_added) {
		if (i < d->n_lost && j < d->n_added && d->lost[i] == d->added[j]) {
			reworded[(*count)++] = d->lost[i++];
			j++;
		} else if (j == d->n_added || (i < d->n_lost && d->lost[i] < d->added[j])) {
			d->lost[lost++] = d->lost[i++];
		} else {
			d->added[added++] = d->added[j++];
		}
	}
	d->n_lost = lost;
	d->n_added = added;
}

char *
wisp_turn_tasks_changed(const struct wisp_tasks *old, const struct wisp_tasks *new)
{
	struct wisp_buf out = WISP_BUF_INIT;
	struct wisp_tasks_diff d;
	size_t *reworded, count;

	wisp_tasks_compare(&d, old, new);
	count = d.n_reworded;
	reworded = wisp_alloc(count + d.n_lost + 1, sizeof *reworded);
	if (count > 0)
		memcpy(reworded, d.reworded, count * sizeof *reworded);
	find_reworded(&d, reworded, &count);
	tasks_line(&out, "added", d.added, d.n_added);
	tasks_line(&out, "reworded", reworded, count);
	tasks_line(&out, "removed", d.lost, d.n_lost);
	tasks_line(&out, "moved", d.moved, d.n_moved);
	tasks_line(&out, "passed", d.passed, d.n_passed);
	tasks_line(&out, "opened again", d.reopened, d.n_reopened);
	if (out.len == 0)
		wisp_buf_puts(&out, "notes, or how it is written");
	free(reworded);
	wisp_tasks_diff_release(&d);
	return wisp_buf_detach(&out);
}

/*
 * A value as the user writes it; those of a list with `; ` between them. Of variables the names are shown: their values may be secrets.
 */
static void
setting(struct wisp_buf *out, const struct wisp_key *key, const struct cJSON *value)
{
	struct wisp_buf text = WISP_BUF_INIT;
	size_t len = strlen(key->name);
	bool variables = len > 4 && strcmp(key->name + len - 4, ".env") == 0;

	if (wisp_json_type(value) == WISP_T_ARRAY) {
		for (const struct cJSON *v = wisp_json_first(value); v != NULL; v = wisp_json_next(v)) {
			const char *item = wisp_json_text(v, "");

			wisp_buf_puts(&text, text.len > 0 ? "; " : "");
			if (variables && strchr(item, '=') != NULL)
				wisp_buf_printf(&text, "%.*s=...", (int)strcspn(item, "="), item);
			else
				wisp_buf_puts(&text, item);
		}
		if (text.len == 0)
			wisp_buf_puts(&text, "none");
	} else {
		wisp_config_print(&text, key, value);
	}
	wisp_buf_line(out, text.len > 0 ? text.data : "none", WISP_LINE_NAMES);
	wisp_buf_release(&text);
}

/* Those of `config` that are not so in `other`; where both have it, only `forward` says so. */
static void
settings_line(struct wisp_buf *out, size_t *n, const struct cJSON *config, const struct cJSON *other, bool forward)
{
	for (const struct cJSON *v = wisp_json_first(config); v != NULL; v = wisp_json_next(v)) {
		const char *name = wisp_json_key(v);
		const struct cJSON *now = wisp_json_get(other, name);
		const struct wisp_key *key = wisp_config_key(name, NULL);

		if (key == NULL || (now != NULL ? !forward || wisp_json_equal(v, now) : wisp_json_type(v) <= WISP_T_NULL))
			continue;
		if (++*n > SHOWN)
			continue;
		part(out);
		wisp_buf_printf(out, "%s ", name);
		setting(out, key, forward ? v : NULL);
		wisp_buf_puts(out, " -> ");
		setting(out, key, forward ? now : v);
	}
}

char *
wisp_turn_config_changed(const struct cJSON *old, const struct cJSON *new)
{
	struct wisp_buf out = WISP_BUF_INIT;
	size_t n = 0;

	settings_line(&out, &n, old, new, true);
	settings_line(&out, &n, new, old, false);
	if (n > SHOWN)
		wisp_buf_printf(&out, " and %zu more", n - SHOWN);
	return n > 0 ? wisp_buf_detach(&out) : NULL;
}

void
wisp_turn_adopt_config(struct wisp_record *r, const struct cJSON *config, bool tell, struct cJSON *answer)
{
	/* What a template with phases has taken out of force is nobody's change. */
	static const char *const taken[] = {"stuck.noProgress", "stuck.falseDone"};
	struct cJSON *old = wisp_json_copy(wisp_record_config(r));
	char *changed;

	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		if (wisp_json_type(wisp_json_get(r->doc, "machine")) == WISP_T_OBJECT)
			wisp_json_set(old, taken[i], wisp_json_copy(wisp_json_get(config, taken[i])));
	changed = tell ? wisp_turn_config_changed(old, config) : NULL;
	wisp_json_set_str(answer, "config", changed);
	wisp_json_set(r->doc, "config", wisp_json_copy(config));
	wisp_json_free(old);
	free(changed);
}

/* The step's entry in history says what its state file says now. */
static void
renew_summary(struct wisp_record *r, const char *summary)
{
	long long n = wisp_json_int(wisp_turn_step(r), "iteration", 0);
	char *cut = wisp_str("%.*s", (int)wisp_utf8_chars(summary, strlen(summary), SUMMARY_MAX), summary);

	for (struct cJSON *e = wisp_json_first(wisp_json_get(r->doc, "history")); e != NULL; e = wisp_json_next(e))
		if (wisp_json_int(e, "iteration", -1) == n)
			wisp_json_set_str(e, "summary", cut);
	free(cut);
}

static bool
differs(const char *path, const char *archived)
{
	struct wisp_buf b = WISP_BUF_INIT;
	bool yes = wisp_file_read(archived, WISP_FILE_MAX, &b) == 0 && wisp_file_exists(path) && !wisp_file_holds(path, b.data, b.len);

	wisp_buf_release(&b);
	errno = 0;
	return yes;
}

void
wisp_turn_adopt_state(struct wisp_record *r, struct cJSON *answer)
{
	char *path = wisp_record_dir_path(r, "state.json"), *archived = wisp_turn_step_path(r, "state.json"), *why;
	const struct cJSON *step = wisp_turn_step(r);
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_state st = {0};

	if (strcmp(wisp_json_str(step, "stage", ""), "recorded") == 0 &&
	    strcmp(wisp_json_str(step, "state", ""), "valid") == 0 && differs(path, archived)) {
		if (wisp_state_load(&st, path, &err) == WISP_VALID && wisp_file_copy(path, archived, WISP_NOSYNC) == 0) {
			renew_summary(r, st.summary);
			wisp_record_tell(r, "adopted", "a person changed what the last state file says");
			wisp_json_set_str(answer, "state", "what it says goes into the next prompt");
		} else {
			why = wisp_err_string(&err);
			wisp_json_set_str(answer, "state", why);
			free(why);
		}
	}
	wisp_state_release(&st);
	wisp_err_release(&err);
	free(path);
	free(archived);
}
