/*
 * life: see life.h.
 */
#include "life.h"

#include <stdlib.h>
#include <string.h>

#define HEAD "iterations"
#define NOT_GOOD (-1)
#define ROW_MAX (4 * WISP_CASE_NAME_MAX)	/* bytes */

/* --- reading ---------------------------------------------------------------- */

/* The field at *p, which is moved behind it; NULL where there is none. */
static char *
field(char **p, char end)
{
	char *from = *p, *at = from != NULL ? strchr(from, end) : NULL;

	*p = at != NULL ? at + 1 : NULL;
	if (at != NULL)
		*at = '\0';
	return from;
}

static bool
number(char **p, char end, long long *n)
{
	char *text = field(p, end), *rest;

	if (text == NULL || *text == '\0')
		return false;
	*n = strtoll(text, &rest, 10);
	return *rest == '\0';
}

static bool
read_row(struct wisp_life_row *row, char *line)
{
	long long nth;

	row->marks = field(&line, ' ');
	if (!number(&line, ' ', &row->born) || !number(&line, ' ', &row->good) || !number(&line, ' ', &row->lost))
		return false;
	row->command = field(&line, ' ');
	if (row->command == NULL || !number(&line, '\t', &nth) || nth < 1 || nth > UINT32_MAX)
		return false;
	row->nth = (uint32_t)nth;
	row->suite = field(&line, '\t');
	row->name = field(&line, '\t');
	row->file = line;
	row->n_marks = strlen(row->marks);
	return row->name != NULL && row->file != NULL;
}

/* What came after `last` counts for nothing: no mark, and nothing that was concluded from it. */
static bool
cut_row(struct wisp_life_row *row, size_t n, long long last)
{
	if (row->n_marks < n || row->born > last)
		return false;
	row->n_marks = n;
	row->good = row->good > last ? NOT_GOOD : row->good;
	row->lost = row->lost > last ? 0 : row->lost;
	return true;
}

void
wisp_life_read(struct wisp_life *l, char *text, long long last)
{
	size_t room = 0;
	char *line, *next;
	long long n;

	*l = (struct wisp_life){0};
	if (text == NULL || strncmp(text, HEAD, sizeof HEAD - 1) != 0)
		return;
	line = field(&text, '\n');
	for (next = line + sizeof HEAD; l->n < WISP_LIFE_MARKS && strlen(line) >= sizeof HEAD && number(&next, ' ', &n) && n <= last;)
		l->iterations[l->n++] = n;
	while ((line = field(&text, '\n')) != NULL && *line != '\0') {
		if (l->count == room) {
			room = room == 0 ? 256 : room * 2;
			l->rows = wisp_realloc(l->rows, room, sizeof *l->rows);
		}
		l->rows[l->count] = (struct wisp_life_row){0};
		l->count += read_row(&l->rows[l->count], line) && cut_row(&l->rows[l->count], l->n, last);
	}
}

void
wisp_life_release(struct wisp_life *l)
{
	free(l->rows);
	*l = (struct wisp_life){0};
}

size_t
wisp_life_flaky(const struct wisp_life_row *row)
{
	size_t times = 0;

	for (size_t i = 0; i < row->n_marks; i++)
		times += row->marks[i] == WISP_MARK_FLAKY;
	return times + (row->mark == WISP_MARK_FLAKY);
}

/* --- judging ---------------------------------------------------------------- */

static const struct wisp_life_run *
run_of(const struct wisp_life_ask *ask, const char *command)
{
	for (size_t i = 0; i < ask->n_runs; i++)
		if (strcmp(ask->runs[i].command, command) == 0)
			return &ask->runs[i];
	return NULL;
}

static char
mark_of(const struct wisp_case *k)
{
	static const char marks[WISP_CASE_RESULTS] = {WISP_MARK_PASSED, WISP_MARK_FAILED, WISP_MARK_SKIPPED};

	return k->flaky ? WISP_MARK_FLAKY : marks[k->result];
}

static void
mark_row(struct wisp_life_row *row, const struct wisp_life_ask *ask)
{
	const struct wisp_life_run *run = run_of(ask, row->command);
	struct wisp_case *k = wisp_cases_find(ask->cases, row->command, row->suite, row->name, row->nth);

	if (k != NULL) {
		k->seen = true;
		row->mark = mark_of(k);
		if (row->file[0] == '\0' && k->file != 0)
			row->file = wisp_case_text(ask->cases, k->file);
	} else {
		row->mark = run != NULL && run->whole ? WISP_MARK_ABSENT : WISP_MARK_UNKNOWN;
	}
	row->absent_ok = row->mark == WISP_MARK_ABSENT && run->ok;
}

static bool
passes(const struct wisp_case *k)
{
	return k->result == WISP_CASE_PASSED && !k->seen && !k->used;
}

/* Where tests are at home: their file, else their suite. */
static const char *
home_of_case(const struct wisp_cases *c, const struct wisp_case *k)
{
	return k->file != 0 ? wisp_case_text(c, k->file) : wisp_case_text(c, k->suite);
}

static const char *
home_of_row(const struct wisp_life_row *row)
{
	return row->file[0] != '\0' ? row->file : row->suite;
}

struct named {
	const char *text;
	void *of;		/* a case or a row */
};

static int
by_text(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->text, ((const struct named *)b)->text);
}

/* The first of the sorted ones with that text, or NULL. */
static struct named *
first_named(struct named *list, size_t n, const char *text)
{
	const struct named key = {.text = text};
	struct named *found = n == 0 ? NULL : bsearch(&key, list, n, sizeof *list, by_text);

	while (found != NULL && found > list && strcmp(found[-1].text, text) == 0)
		found--;
	return found;
}

/* Rows that went away just now, and had passed. */
static size_t
gone_rows(struct wisp_life *l, struct named *gone)
{
	size_t n = 0;

	for (size_t i = 0; i < l->count; i++) {
		struct wisp_life_row *row = &l->rows[i];

		if (row->absent_ok && row->good != NOT_GOOD && row->lost == 0)
			gone[n++] = (struct named){home_of_row(row), row};
	}
	return n;
}

/* A new test of the same name takes the place of one that went away. */
static void
find_moved(struct named *gone, size_t n_gone, struct named *new, size_t n_new)
{
	for (size_t i = 0; i < n_gone; i++) {
		struct wisp_life_row *row = gone[i].of;
		struct named *to = first_named(new, n_new, row->name);

		for (; to != NULL && to < new + n_new && strcmp(to->text, row->name) == 0; to++) {
			struct wisp_case *k = to->of;

			if (k->used || strcmp(k->command, row->command) != 0)
				continue;
			k->used = true;
			row->elsewhere = true;
			break;
		}
	}
}

/* ... and in one file no fewer new ones than went away. */
static void
find_renamed(struct named *gone, size_t n_gone, struct named *new, size_t n_new)
{
	for (size_t i = 0, end; i < n_gone; i = end) {
		const struct named *to = first_named(new, n_new, gone[i].text);
		size_t lost = 0, come = 0;

		for (end = i; end < n_gone && strcmp(gone[end].text, gone[i].text) == 0; end++)
			lost += !((struct wisp_life_row *)gone[end].of)->elsewhere;
		for (; to != NULL && to < new + n_new && strcmp(to->text, gone[i].text) == 0; to++)
			come += !((struct wisp_case *)to->of)->used;
		for (size_t k = i; come >= lost && k < end; k++)
			((struct wisp_life_row *)gone[k].of)->elsewhere = true;
	}
}

static void
find_gone_elsewhere(struct wisp_life *l, const struct wisp_cases *c)
{
	struct named *gone = wisp_alloc(l->count + 1, sizeof *gone), *new = wisp_alloc(c->count + 1, sizeof *new);
	size_t n_gone = gone_rows(l, gone), n_new = 0;

	for (size_t i = 0; n_gone > 0 && i < c->count; i++)
		if (passes(&c->list[i]))
			new[n_new++] = (struct named){wisp_case_text(c, c->list[i].name), &c->list[i]};
	if (n_gone > 0 && n_new > 0) {
		qsort(new, n_new, sizeof *new, by_text);
		find_moved(gone, n_gone, new, n_new);
		for (size_t i = 0; i < n_new; i++)
			new[i].text = home_of_case(c, new[i].of);
		qsort(new, n_new, sizeof *new, by_text);
		qsort(gone, n_gone, sizeof *gone, by_text);
		find_renamed(gone, n_gone, new, n_new);
	}
	free(gone);
	free(new);
}

static void
push_label(struct cJSON *to, const struct wisp_life_row *row)
{
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_case_label(&b, row->suite, row->name, row->nth);
	wisp_json_push(to, wisp_json_string(b.data != NULL ? b.data : ""));
	wisp_buf_release(&b);
}

static bool
has_reason(const struct wisp_life_ask *ask, const struct wisp_life_row *row)
{
	struct wisp_buf label = WISP_BUF_INIT;
	bool yes;

	wisp_case_label(&label, row->suite, row->name, row->nth);
	yes = ask->has_reason != NULL && ask->has_reason(ask->arg, label.data != NULL ? label.data : "", row->name);
	wisp_buf_release(&label);
	return yes;
}

static void
judge_row(struct wisp_life_row *row, const struct wisp_life_ask *ask, struct wisp_life_verdict *v)
{
	const struct wisp_life_run *run = run_of(ask, row->command);

	if (row->mark == WISP_MARK_UNKNOWN)
		return;
	if (row->elsewhere || row->good == NOT_GOOD || !(row->absent_ok || (row->mark == WISP_MARK_SKIPPED && run != NULL && run->ok))) {
		if (row->mark != WISP_MARK_ABSENT && row->mark != WISP_MARK_SKIPPED)
			row->lost = 0;
		return;
	}
	if (has_reason(ask, row)) {
		row->good = NOT_GOOD;
		row->lost = 0;
		push_label(v->removed, row);
		return;
	}
	row->lost = row->lost != 0 ? row->lost : ask->iteration;
	push_label(v->lost, row);
	if (ask->is_protected != NULL && ask->is_protected(ask->arg, row))
		push_label(v->protected, row);
}

static int
by_suite(const void *a, const void *b)
{
	const struct wisp_life_row *x = ((const struct named *)a)->of, *y = ((const struct named *)b)->of;
	int rc = strcmp(x->command, y->command);

	return rc != 0 ? rc : strcmp(x->suite, y->suite);
}

/* Suites of which all tests that ever passed are lost, as none is there any more. */
static void
find_vanished(const struct wisp_life *l, const struct wisp_cases *c, struct wisp_life_verdict *v)
{
	struct named *all;
	size_t n = 0, end;

	if (wisp_json_len(v->lost) < 2)
		return;
	all = wisp_alloc(l->count + 1, sizeof *all);
	for (size_t i = 0; i < l->count; i++)
		if (l->rows[i].mark != WISP_MARK_ABSENT || l->rows[i].lost != 0)
			all[n++] = (struct named){.of = &l->rows[i]};
	qsort(all, n, sizeof *all, by_suite);
	for (size_t i = 0; i < n; i = end) {
		const struct wisp_life_row *row = all[i].of;
		bool gone = true;

		for (end = i; end < n && by_suite(&all[i], &all[end]) == 0; end++)
			gone &= ((const struct wisp_life_row *)all[end].of)->mark == WISP_MARK_ABSENT;
		for (size_t k = 0; gone && end - i > 1 && k < c->count; k++)
			gone = c->list[k].seen || strcmp(c->list[k].command, row->command) != 0 ||
			       strcmp(wisp_case_text(c, c->list[k].suite), row->suite) != 0;
		if (gone && end - i > 1)
			wisp_json_push(v->vanished, wisp_json_string(row->suite[0] != '\0' ? row->suite : "all tests"));
	}
	free(all);
}

static void
note_failed(const struct wisp_life *l, const struct wisp_cases *c, struct wisp_life_verdict *v)
{
	struct wisp_buf b = WISP_BUF_INIT;

	for (size_t i = 0; i < l->count; i++) {
		const struct wisp_life_row *row = &l->rows[i];

		if (row->mark == WISP_MARK_FLAKY)
			push_label(v->flaky, row);
		if (row->mark == WISP_MARK_FLAKY && wisp_life_flaky(row) >= 3)
			push_label(v->worn, row);
		if (row->mark == WISP_MARK_FAILED && !(row->born == 0 && row->good == NOT_GOOD))
			push_label(v->failed, row);
	}
	for (size_t i = 0; i < c->count; i++) {
		const struct wisp_case *k = &c->list[i];

		v->n_new += !k->seen;
		if (k->seen || (k->result != WISP_CASE_FAILED && !k->flaky))
			continue;
		wisp_buf_reset(&b);
		wisp_case_label(&b, wisp_case_text(c, k->suite), wisp_case_text(c, k->name), k->nth);
		wisp_json_push(k->flaky ? v->flaky : v->failed, wisp_json_string(b.data != NULL ? b.data : ""));
	}
	wisp_buf_release(&b);
}

void
wisp_life_judge(struct wisp_life *l, const struct wisp_life_ask *ask, struct wisp_life_verdict *v)
{
	*v = (struct wisp_life_verdict){
		wisp_json_array(), wisp_json_array(), wisp_json_array(), wisp_json_array(), wisp_json_array(), wisp_json_array(),
		wisp_json_array(), 0
	};
	for (size_t i = 0; i < l->count; i++)
		mark_row(&l->rows[i], ask);
	find_gone_elsewhere(l, ask->cases);
	for (size_t i = 0; i < l->count; i++)
		judge_row(&l->rows[i], ask, v);
	find_vanished(l, ask->cases, v);
	note_failed(l, ask->cases, v);
}

void
wisp_life_verdict_release(struct wisp_life_verdict *v)
{
	struct cJSON *const all[] = {v->lost, v->vanished, v->protected, v->removed, v->flaky, v->worn, v->failed};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		wisp_json_free(all[i]);
	*v = (struct wisp_life_verdict){0};
}

/* --- writing ---------------------------------------------------------------- */

static void
put_line(struct wisp_buf *out, const struct wisp_life_row *row)
{
	wisp_buf_printf(out, " %lld %lld %lld %s %u\t", row->born, row->good, row->lost, row->command, (unsigned int)row->nth);
	wisp_buf_puts(out, row->suite);
	wisp_buf_putc(out, '\t');
	wisp_buf_puts(out, row->name);
	wisp_buf_putc(out, '\t');
	wisp_buf_puts(out, row->file);
	wisp_buf_putc(out, '\n');
}

/* Is there anything left to say of it? */
static bool
is_over(const struct wisp_life_row *row, size_t from)
{
	for (size_t i = from; i < row->n_marks; i++)
		if (strchr("-?_", row->marks[i]) == NULL)
			return false;
	return row->lost == 0 && (row->mark == WISP_MARK_ABSENT || row->mark == WISP_MARK_UNKNOWN);
}

static void
put_old(const struct wisp_life *l, const struct wisp_life_ask *ask, bool good, size_t from, struct wisp_buf *out)
{
	size_t put = 0;

	for (size_t i = 0; i < l->count; i++) {
		struct wisp_life_row row = l->rows[i];

		if (out->len > WISP_LIFE_MAX - ROW_MAX || row.elsewhere || is_over(&row, from) || (row.mark == WISP_MARK_ABSENT && put >= WISP_CASES_MAX))
			continue;
		put++;
		if (row.good == NOT_GOOD && good && (row.mark == WISP_MARK_PASSED || row.mark == WISP_MARK_FLAKY))
			row.good = ask->iteration;
		wisp_buf_add(out, row.marks + from, row.n_marks - from);
		wisp_buf_putc(out, row.mark);
		put_line(out, &row);
	}
}

static void
put_new(const struct wisp_life *l, const struct wisp_life_ask *ask, bool good, size_t from, struct wisp_buf *out)
{
	const struct wisp_cases *c = ask->cases;
	char unborn[WISP_LIFE_MARKS];

	memset(unborn, WISP_MARK_UNBORN, sizeof unborn);
	for (size_t i = 0; i < c->count; i++) {
		const struct wisp_case *k = &c->list[i];
		const struct wisp_life_row row = {
			.command = k->command, .suite = wisp_case_text(c, k->suite), .name = wisp_case_text(c, k->name),
			.file = wisp_case_text(c, k->file), .nth = k->nth, .born = ask->iteration,
			.good = good && k->result == WISP_CASE_PASSED ? ask->iteration : NOT_GOOD,
		};

		if (k->seen || out->len > WISP_LIFE_MAX - ROW_MAX)
			continue;
		wisp_buf_add(out, unborn, l->n - from);
		wisp_buf_putc(out, mark_of(k));
		put_line(out, &row);
	}
}

void
wisp_life_print(const struct wisp_life *l, const struct wisp_life_ask *ask, bool good, struct wisp_buf *out)
{
	size_t from = l->n == WISP_LIFE_MARKS ? 1 : 0;

	wisp_buf_puts(out, HEAD);
	for (size_t i = from; i < l->n; i++)
		wisp_buf_printf(out, " %lld", l->iterations[i]);
	wisp_buf_printf(out, " %lld\n", ask->iteration);
	wisp_buf_grow(out, (l->count + ask->cases->count) * 160);
	put_old(l, ask, good, from, out);
	put_new(l, ask, good, from, out);
}
