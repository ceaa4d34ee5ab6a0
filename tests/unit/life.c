/*
 * life: what becomes of tests over the iterations.
 */
#include <stdlib.h>
#include <string.h>

#include "core/life.h"
#include "unit.h"

/*
 * Runs, one after the other, in `;`: tests with blanks between, SUITE/NAME@FILE each, `!` before one that fails, `%` skipped,
 * `~` flaky; `#failed` the command did not pass, `#cut` not all was seen, `#back:N` the iteration is N (else one more).
 * `#reason:LABEL` is a reason. `first` is the iteration of the first run. Then what the last run says, and the file.
 */
static const struct {
	const char *label, *runs;
	long long first;
	const char *want, *rows;
} cases[] = {
	{"a new one", "s/a", 1, "new 1", ". s > a\n"},
	{"two results", "s/a !s/b #failed;s/a s/b", 1, "", ".. s > a\nF. s > b\n"},
	{"one is new later", "s/a;s/a s/b", 1, "new 1", ".. s > a\n_. s > b\n"},
	{"absent: lost", "s/a s/b;s/a", 1, "lost s > b", ".. s > a\n.- s > b\n"},
	{"skipped: lost", "s/a s/b;s/a %s/b", 1, "lost s > b", ".. s > a\n.s s > b\n"},
	{"it stays lost", "s/a s/b;s/a;s/a", 1, "lost s > b", "... s > a\n.-- s > b\n"},
	{"and comes back", "s/a s/b;s/a;s/a s/b", 1, "", "... s > a\n.-. s > b\n"},
	{"one that fails is there", "s/a s/b;s/a;s/a !s/b #failed", 1, "failed s > b", "... s > a\n.-F s > b\n"},
	{"what never passed is not lost", "s/a !s/b #failed;s/a", 1, "", ".. s > a\nF- s > b\n"},
	{"what passed in a run that failed is not lost", "s/a s/b !s/c #failed;s/a s/c", 1, "", ".. s > a\n.- s > b\nF. s > c\n"},
	{"before the first step it is", "s/a s/b !s/c #failed;s/a s/c", 0, "lost s > b", ".. s > a\n.- s > b\nF. s > c\n"},
	{"a run that failed is no removal", "s/a s/b;!s/a #failed", 1, "failed s > a", ".F s > a\n.- s > b\n"},
	{"nor one that was cut", "s/a s/b;s/a #cut", 1, "", ".. s > a\n.? s > b\n"},
	{"nor one of another command", "s/a s/b;#other s/c", 1, "new 1", ".? s > a\n.? s > b\n_. s > c\n"},
	{"one of two of a name", "s/a s/a;s/a", 1, "lost s > a (2)", ".. s > a\n.- s > a (2)\n"},
	{"a new name in its place", "s/a s/b;s/a s/c", 1, "new 1", ".. s > a\n_. s > c\n"},
	{"more new names than went away", "s/a s/b;s/a s/c s/d", 1, "new 2", ".. s > a\n_. s > c\n_. s > d\n"},
	{"fewer", "s/a s/b s/c;s/a s/d", 1, "lost s > b, s > c new 1", ".. s > a\n.- s > b\n.- s > c\n_. s > d\n"},
	{"a new name that fails", "s/a s/b;s/a %s/c", 1, "lost s > b new 1", ".. s > a\n.- s > b\n_s s > c\n"},
	{"new names in another file", "s/a@f s/b@f;s/a@f s/c@g", 1, "lost s > b new 1", ".. s > a\n.- s > b\n_. s > c\n"},
	{"in one file, of another suite", "s/a@f s/b@f;s/a@f t/c@f", 1, "new 1", ".. s > a\n_. t > c\n"},
	{"moved", "s/a s/b s/c;s/a t/b t/c", 1, "new 2", ".. s > a\n_. t > b\n_. t > c\n"},
	{"moved, and one lost", "s/a s/b s/c;s/a t/b", 1, "lost s > c new 1", ".. s > a\n.- s > c\n_. t > b\n"},
	{"what came once pays once", "s/a t/a u/a;v/a", 1, "lost t > a, u > a new 1", ".- t > a\n.- u > a\n_. v > a\n"},
	{"what comes later pays for nothing", "s/a s/b;s/a;s/a s/c", 1, "lost s > b new 1", "... s > a\n.-- s > b\n__. s > c\n"},
	{"a reason", "s/a s/b;s/a #reason:s_>_b", 1, "removed s > b", ".. s > a\n.- s > b\n"},
	{"a reason by the name alone", "s/a s/b;s/a #reason:b", 1, "removed s > b", ".. s > a\n.- s > b\n"},
	{"a reason for another one", "s/a s/b;s/a #reason:a", 1, "lost s > b", ".. s > a\n.- s > b\n"},
	{"a reason holds", "s/a s/b;s/a #reason:b;s/a", 1, "", "... s > a\n.-- s > b\n"},
	{"a suite that vanishes", "s/a t/b t/c;s/a", 1, "lost t > b, t > c vanished t", ".. s > a\n.- t > b\n.- t > c\n"},
	{"all of them", "s/a t/b t/c;", 1, "lost s > a, t > b, t > c vanished t", ".- s > a\n.- t > b\n.- t > c\n"},
	{"a suite of one test is a test", "s/a t/b;s/a", 1, "lost t > b", ".. s > a\n.- t > b\n"},
	{"a suite with a new test is there", "s/a t/b t/c;s/a !t/d #failed;s/a t/d", 1, "lost t > b, t > c", "... s > a\n.-- t > b\n.-- t > c\n_F. t > d\n"},
	{"protected", "s/a s/b@tests/x;s/a", 1, "lost s > b protected s > b", ".. s > a\n.- s > b\n"},
	{"flaky", "s/a;~s/a", 1, "flaky s > a", ".~ s > a\n"},
	{"flaky from the start", "~s/a", 1, "flaky s > a new 1", "~ s > a\n"},
	{"worn", "~s/a;~s/a;s/a;~s/a", 1, "flaky s > a worn s > a", "~~.~ s > a\n"},
	{"a failure of before is excused", "s/a !s/b #failed;s/a !s/b #failed", 0, "", ".. s > a\nFF s > b\n"},
	{"unless it has passed since", "s/a !s/b #failed;s/a s/b;s/a !s/b #failed", 0, "failed s > b", "... s > a\nF.F s > b\n"},
	{"a new failure is not", "s/a;s/a !s/b #failed", 0, "failed s > b new 1", ".. s > a\n_F s > b\n"},
	{"the same iteration again", "s/a s/b;s/a;#back:2 s/a s/b", 1, "", ".. s > a\n.. s > b\n"},
	{"after a rollback", "s/a s/b;s/a;s/a s/c;#back:2 s/a s/b", 1, "", ".. s > a\n.. s > b\n"},
	{"another session", "s/a s/b;s/a;#back:1 t/c", 1, "new 1", ". t > c\n"},
};

static bool
reason(void *arg, const char *label, const char *name)
{
	char *text = arg;

	return text != NULL && (strcmp(text, label) == 0 || strcmp(text, name) == 0);
}

static bool
protected(void *arg, const struct wisp_life_row *row)
{
	(void)arg;
	return strncmp(row->file, "tests/", 6) == 0;
}

static void
put_list(struct wisp_buf *out, const char *word, const struct cJSON *list)
{
	const char *between = "";

	if (wisp_json_len(list) == 0)
		return;
	wisp_buf_printf(out, "%s%s ", out->len > 0 ? " " : "", word);
	for (const struct cJSON *t = wisp_json_first(list); t != NULL; t = wisp_json_next(t), between = ", ")
		wisp_buf_printf(out, "%s%s", between, wisp_json_text(t, "?"));
}

static void
take_test(struct wisp_cases *c, char *word)
{
	char *file = strchr(word, '@'), *name;
	enum wisp_case_result result = *word == '!' ? WISP_CASE_FAILED : *word == '%' ? WISP_CASE_SKIPPED : WISP_CASE_PASSED;
	bool flaky = *word == '~';
	struct wisp_case *k;
	size_t suite;

	word += *word == '!' || *word == '%' || *word == '~';
	name = strchr(word, '/');
	*name++ = '\0';
	if (file != NULL)
		*file++ = '\0';
	suite = wisp_cases_name(c, word, strlen(word));
	k = wisp_cases_add(c, suite, wisp_cases_name(c, name, strlen(name)), result);
	k->flaky = flaky;
	k->file = file != NULL ? wisp_cases_name(c, file, strlen(file)) : 0;
}

static void
put_rows(char *text, struct wisp_buf *out)
{
	struct wisp_life l;

	wisp_life_read(&l, text, 1000);
	for (size_t i = 0; i < l.count; i++) {
		wisp_buf_printf(out, "%.*s ", (int)l.rows[i].n_marks, l.rows[i].marks);
		wisp_case_label(out, l.rows[i].suite, l.rows[i].name, l.rows[i].nth);
		wisp_buf_putc(out, '\n');
	}
	wisp_life_release(&l);
}

/* One run: `file` becomes what it is with it, `said` what it says. */
static void
run(char *words, long long *iteration, struct wisp_buf *file, struct wisp_buf *said)
{
	struct wisp_cases c = {.command = "aaaaaaaa"};
	struct wisp_life_run r = {.command = "aaaaaaaa", .whole = true, .ok = true};
	struct wisp_life_ask ask = {.cases = &c, .runs = &r, .n_runs = 1, .has_reason = reason, .is_protected = protected};
	struct wisp_life_verdict v;
	struct wisp_life l;
	struct wisp_buf out = WISP_BUF_INIT;
	char *save, *why = NULL;

	for (char *w = strtok_r(words, " ", &save); w != NULL; w = strtok_r(NULL, " ", &save)) {
		if (strcmp(w, "#failed") == 0)
			r.ok = false;
		else if (strcmp(w, "#cut") == 0)
			r.whole = false;
		else if (strcmp(w, "#other") == 0)
			strcpy(r.command, strcpy(c.command, "bbbbbbbb"));
		else if (strncmp(w, "#back:", 6) == 0)
			*iteration = atoll(w + 6);
		else if (strncmp(w, "#reason:", 8) == 0)
			why = w + 8;
		else
			take_test(&c, w);
	}
	for (char *p = why; p != NULL && *p != '\0'; p++)
		*p = *p == '_' ? ' ' : *p;
	wisp_cases_index(&c);
	ask.iteration = *iteration;
	ask.arg = why;
	wisp_life_read(&l, file->data, *iteration - 1);
	wisp_life_judge(&l, &ask, &v);
	wisp_life_print(&l, &ask, r.ok || *iteration == 0, &out);
	wisp_buf_reset(said);
	put_list(said, "lost", v.lost);
	put_list(said, "vanished", v.vanished);
	put_list(said, "protected", v.protected);
	put_list(said, "removed", v.removed);
	put_list(said, "flaky", v.flaky);
	put_list(said, "worn", v.worn);
	put_list(said, "failed", v.failed);
	if (v.n_new > 0)
		wisp_buf_printf(said, "%snew %zu", said->len > 0 ? " " : "", v.n_new);
	wisp_life_release(&l);
	wisp_life_verdict_release(&v);
	wisp_cases_release(&c);
	wisp_buf_release(file);
	*file = out;
}

static void
runs(size_t i)
{
	struct wisp_buf file = WISP_BUF_INIT, said = WISP_BUF_INIT, rows = WISP_BUF_INIT;
	char *text = wisp_strdup(cases[i].runs), *next = text, *words;
	long long iteration = cases[i].first - 1;

	while ((words = strsep(&next, ";")) != NULL) {
		iteration++;
		run(words, &iteration, &file, &said);
	}
	CHECK_STR(said.data != NULL ? said.data : "", cases[i].want, cases[i].label);
	put_rows(file.data, &rows);
	CHECK_STR(rows.data, cases[i].rows, cases[i].label);
	wisp_buf_release(&file);
	wisp_buf_release(&said);
	wisp_buf_release(&rows);
	free(text);
}

/* More iterations than there are marks, and tests that are called otherwise each time: the file does not grow. */
static void
bounded(void)
{
	struct wisp_buf file = WISP_BUF_INIT, said = WISP_BUF_INIT, rows = WISP_BUF_INIT;

	for (long long i = 1; i <= 2 * WISP_LIFE_MARKS; i++) {
		char *words = wisp_str("s/a s/x%lld !s/y%lld", i, i);

		run(words, &i, &file, &said);
		free(words);
	}
	put_rows(file.data, &rows);
	CHECK_INT(strcspn(rows.data, " "), WISP_LIFE_MARKS, "there are no more marks than there may be");
	CHECK(file.len < 20000, "what is no more, and was not lost, is forgotten");
	wisp_buf_release(&file);
	wisp_buf_release(&said);
	wisp_buf_release(&rows);
}

static void
damaged(void)
{
	static const char *const texts[] = {
		"", "iterations\n", "iterations 1 x\n. 1 1 0 aaaaaaaa 1\ts\ta\t\n", "iterations 1\n. 1 1\n\n", "no such file\n. 1 1 0 a 1\ts\ta\t\n",
		"iterations 1\n. 1 1 0 aaaaaaaa 0\ts\ta\t\n", "iterations 1\n. 1 1 0 aaaaaaaa 1\ts\n", "iterations 1 2\n. 1 1 0 aaaaaaaa 1\ts\ta\t\n",
	};
	struct wisp_life l;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		char *text = wisp_strdup(texts[i]);

		wisp_life_read(&l, text, 10);
		CHECK_INT(l.count, i == 2, "lines that are none are passed over");
		wisp_life_release(&l);
		free(text);
	}
}

int
main(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		runs(i);
	bounded();
	damaged();
	return unit_done();
}
