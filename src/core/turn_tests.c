/*
 * turn_tests: see turn_tests.h.
 */
#include "turn_tests.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "counts.h"
#include "life.h"
#include "reports.h"
#include "turn_compare.h"
#include "turn_phase.h"

#define NAMES_MAX 20		/* of tests, in the record and in the next prompt */
#define REMOVED_MAX 100
#define REASON_MAX 500		/* bytes */
#define NS 1000000000

/* --- what was said ---------------------------------------------------------- */

/* A command that ran: what it printed is from..to in the log. */
struct run {
	size_t from, to;
	int64_t began;
	bool ok, cut;
	bool said;		/* there were tests in it, or in its reports */
};

struct said {
	struct run *runs;
	struct wisp_life_run *lives;	/* one for each */
	size_t n;
	struct wisp_cases cases;
	struct wisp_counts counts;
	struct wisp_buf note;
};

static void
note(struct wisp_buf *b, const char *text)
{
	wisp_buf_printf(b, "%s%s", b->len > 0 ? "; " : "", text);
}

static void
read_runs(struct wisp_record *r, struct said *s)
{
	char *path = wisp_turn_step_path(r, "verify.runs"), *line, *next;
	struct cJSON *commands = wisp_turn_commands(r, false);
	const struct cJSON *command = wisp_json_first(commands);
	struct wisp_buf b = WISP_BUF_INIT;
	char sha[WISP_HASH_SIZE];

	s->runs = wisp_alloc(wisp_json_len(commands) + 1, sizeof *s->runs);
	s->lives = wisp_alloc(wisp_json_len(commands) + 1, sizeof *s->lives);
	if (wisp_file_read(path, WISP_FILE_MAX, &b) != 0)
		errno = 0;
	for (line = b.data; line != NULL && *line != '\0' && command != NULL; line = next, command = wisp_json_next(command)) {
		struct run *run = &s->runs[s->n];
		long long from, to, seconds, ns;
		char word[8];

		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		if (sscanf(line, "%lld %lld %lld %lld %7s", &from, &to, &seconds, &ns, word) != 5 || from < 0 || to < from)
			break;
		*run = (struct run){(size_t)from, (size_t)to, seconds * NS + ns, strcmp(word, "ok") == 0, strcmp(word, "cut") == 0, false};
		wisp_hash(wisp_json_text(command, ""), strlen(wisp_json_text(command, "")), sha);
		memcpy(s->lives[s->n].command, sha, WISP_CASE_COMMAND - 1);
		s->n++;
	}
	wisp_buf_release(&b);
	wisp_json_free(commands);
	free(path);
}

static void
take_text(struct said *s, size_t i, const char *text, size_t len)
{
	struct wisp_counts c;
	bool any;

	memcpy(s->cases.command, s->lives[i].command, WISP_CASE_COMMAND);
	any = len > 0 && wisp_counts_read(&c, &s->cases, text, len);
	s->runs[i].cut |= s->cases.cut;
	s->cases.cut = false;
	if (!any)
		return;
	s->runs[i].said = true;
	s->counts.total += c.total;
	s->counts.passed += c.passed;
	s->counts.failed += c.failed;
	s->counts.skipped += c.skipped;
}

/* A report is of the last command that had begun when it was written. */
static void
take_report(void *arg, int64_t changed, const char *text, size_t len)
{
	struct said *s = arg;
	size_t i = s->n - 1;

	while (i > 0 && s->runs[i].began > changed)
		i--;
	take_text(s, i, text, len);
}

static void
read_reports(const struct wisp_record *r, const struct cJSON *patterns, struct said *s)
{
	char *left_out = wisp_reports_read(wisp_json_str(r->doc, "worktree", "."), patterns, s->runs[0].began, take_report, s), *text;

	for (size_t i = 0; left_out != NULL && i < s->n; i++)
		s->runs[i].cut = true;
	if (left_out != NULL) {
		text = wisp_str("verify.report: %s", left_out);
		note(&s->note, text);
		free(text);
	}
	free(left_out);
}

/* What a command has printed counts where it has written no report. */
static void
read_log(struct wisp_record *r, struct said *s)
{
	char *path = wisp_turn_step_path(r, "verify.log");
	struct wisp_buf b = WISP_BUF_INIT;

	if (wisp_file_read(path, WISP_FILE_MAX, &b) != 0) {
		if (errno == EFBIG)
			note(&s->note, "verify.log: it is too long for its tests to be counted");
		for (size_t i = 0; errno == EFBIG && i < s->n; i++)
			s->runs[i].cut = true;
		errno = 0;
	} else {
		for (size_t i = 0; i < s->n; i++)
			if (!s->runs[i].said && s->runs[i].from < b.len)
				take_text(s, i, b.data + s->runs[i].from,
					  (s->runs[i].to < b.len ? s->runs[i].to : b.len) - s->runs[i].from);
	}
	wisp_buf_release(&b);
	free(path);
}

static void
read_said(struct wisp_record *r, struct said *s)
{
	const struct cJSON *patterns = wisp_json_get(wisp_record_config(r), "verify.report");

	*s = (struct said){0};
	read_runs(r, s);
	if (s->n > 0 && patterns != NULL && wisp_json_type(patterns) != WISP_T_NULL)
		read_reports(r, patterns, s);
	if (s->n > 0)
		read_log(r, s);
	for (size_t i = 0; i < s->n; i++) {
		s->lives[i].ok = s->runs[i].ok;
		s->lives[i].whole = !s->runs[i].cut;
	}
	if (s->cases.count == WISP_CASES_MAX)
		note(&s->note, "there are more tests than are kept");
	wisp_cases_index(&s->cases);
}

static void
release(struct said *s)
{
	wisp_cases_release(&s->cases);
	wisp_buf_release(&s->note);
	free(s->runs);
	free(s->lives);
}

/* The metrics that are observed of it (turn_observe.c). */
static void
note_counts(struct cJSON *step, const struct said *s)
{
	bool any = false;

	for (size_t i = 0; i < s->n; i++)
		any |= s->runs[i].said;
	if (any)
		wisp_json_set(step, "observed", wisp_counts_json(&s->counts));
	else
		wisp_json_drop(step, "observed");
	wisp_json_set_str(step, "observed_note", s->note.data);
}

/* --- what it means ---------------------------------------------------------- */

/* The agent's reason for a test that is no more, from its state.json; NULL: it gives none. */
static const char *
reason_of(const struct cJSON *state, const char *label, const char *name)
{
	const struct cJSON *e = wisp_json_first(wisp_json_get(state, "tests_removed"));

	for (; e != NULL; e = wisp_json_next(e)) {
		const char *test = wisp_json_str(e, "test", ""), *reason = wisp_json_str(e, "reason", "");

		if (reason[strspn(reason, " \t\r\n")] != '\0' && (strcmp(test, label) == 0 || strcmp(test, name) == 0))
			return reason;
	}
	return NULL;
}

struct asked {
	struct wisp_record *r;
	struct cJSON *state;		/* the document of state.json, or NULL */
	struct cJSON *removed;		/* what it gives a reason for: {"test", "reason", "iteration"} each */
};

static bool
has_reason(void *arg, const char *label, const char *name)
{
	struct asked *a = arg;
	const char *reason = reason_of(a->state, label, name);
	struct wisp_buf line = WISP_BUF_INIT;
	struct cJSON *one;

	if (reason == NULL)
		return false;
	one = wisp_json_object();
	wisp_buf_line(&line, reason, REASON_MAX);
	wisp_json_set_str(one, "test", label);
	wisp_json_set_str(one, "reason", line.data);
	wisp_json_set_num(one, "iteration", wisp_json_num(wisp_turn_step(a->r), "iteration", 1));
	wisp_json_push(a->removed, one);
	wisp_buf_release(&line);
	return true;
}

/* A runner that names no file may still tell it by the suite: `tests.unit.test_a.TestB` is in tests/unit/test_a.py. */
static bool
is_protected(void *arg, const struct wisp_life_row *row)
{
	const struct asked *a = arg;
	char *path, *end;
	bool yes;

	if (row->file[0] != '\0' || strchr(row->suite, '/') != NULL)
		return wisp_turn_protects(a->r, row->file[0] != '\0' ? row->file : row->suite, true);
	path = wisp_strdup(row->suite);
	for (char *p = path; *p != '\0'; p++)
		*p = *p == '.' ? '/' : *p;
	yes = wisp_turn_protects(a->r, path, false);
	while (!yes && (end = strrchr(path, '/')) != NULL) {
		*end = '\0';
		yes = wisp_turn_protects(a->r, path, false);
	}
	free(path);
	return yes;
}

static void
put_names(struct cJSON *tests, const char *member, const struct cJSON *all)
{
	struct cJSON *o, *names;
	size_t n = 0;

	if (wisp_json_len(all) == 0)
		return;
	o = wisp_json_object_at(tests, member);
	names = wisp_json_array_at(o, "names");
	wisp_json_set_num(o, "count", (double)wisp_json_len(all));
	for (const struct cJSON *a = wisp_json_first(all); a != NULL && n < NAMES_MAX; a = wisp_json_next(a), n++)
		wisp_json_push(names, wisp_json_copy(a));
}

/* What is accepted is kept with its reason, for people. */
static void
keep_reasons(struct wisp_record *r, const struct cJSON *removed)
{
	struct cJSON *all = wisp_json_array_at(r->doc, "tests_removed");

	for (const struct cJSON *e = wisp_json_first(removed); e != NULL; e = wisp_json_next(e)) {
		wisp_json_push(all, wisp_json_copy(e));
		if (wisp_json_len(all) > REMOVED_MAX)
			wisp_json_shift(all);
	}
	if (wisp_json_len(all) == 0)
		wisp_json_drop(r->doc, "tests_removed");
}

static struct cJSON *
tests_object(const struct said *s, const struct wisp_life_verdict *v, long long iteration)
{
	struct cJSON *tests = wisp_json_object();

	wisp_json_set_num(tests, "iteration", (double)iteration);
	wisp_json_set_num(tests, "passed", (double)s->counts.passed);
	wisp_json_set_num(tests, "failed", (double)s->counts.failed);
	wisp_json_set_num(tests, "skipped", (double)s->counts.skipped);
	wisp_json_set_num(tests, "new", (double)v->n_new);
	put_names(tests, "lost", v->lost);
	put_names(tests, "vanished", v->vanished);
	put_names(tests, "protected", v->protected);
	put_names(tests, "removed", v->removed);
	put_names(tests, "flaky", v->flaky);
	put_names(tests, "worn", v->worn);
	put_names(tests, "failing", v->failed);
	return tests;
}

/* Does what was lost speak against a verify that passed? With phases it is an observation, as verify is. */
static bool
refuses(struct wisp_record *r, const struct wisp_life_verdict *v)
{
	const char *lost = wisp_config_text(wisp_record_config(r), "verify.lost");
	bool all = lost != NULL && strcmp(lost, "fail") == 0;

	return wisp_turn_machine(r) == NULL &&
	       (wisp_json_len(v->vanished) > 0 || wisp_json_len(v->protected) > 0 || (all && wisp_json_len(v->lost) > 0));
}

/* --- a second run ----------------------------------------------------------- */

static struct cJSON *
load_state(const struct wisp_record *r)
{
	char *path = wisp_record_dir_path(r, "state.json");
	struct wisp_state st;
	struct cJSON *doc = NULL;

	if (wisp_state_load(&st, path, NULL) == WISP_VALID)
		doc = wisp_json_copy(st.doc);
	wisp_state_release(&st);
	free(path);
	return doc;
}

/* What failed in the first run and passes in this one is flaky. */
static void
find_flaky(const char *first, struct said *s)
{
	struct wisp_cases before = {0};
	struct wisp_buf b = WISP_BUF_INIT;

	if (wisp_file_read(first, WISP_FILE_MAX, &b) != 0)
		errno = 0;
	wisp_cases_parse(&before, b.data);
	for (size_t i = 0; i < before.count; i++) {
		const struct wisp_case *k = &before.list[i];
		struct wisp_case *now = k->result != WISP_CASE_FAILED ? NULL
			: wisp_cases_find(&s->cases, k->command, wisp_case_text(&before, k->suite), wisp_case_text(&before, k->name), k->nth);

		if (now != NULL)
			now->flaky = now->result == WISP_CASE_PASSED;
	}
	wisp_cases_release(&before);
	wisp_buf_release(&b);
}

/* Only a run in which tests failed is made again, once; with phases it is to fail at times. */
static bool
is_due_again(struct wisp_record *r, const struct said *s, enum wisp_verify verify)
{
	return verify == WISP_VERIFY_FAILED && s->counts.failed > 0 && s->cases.count > 0 && wisp_turn_machine(r) == NULL &&
	       strcmp(wisp_config_text(wisp_record_config(r), "verify.retries"), "0") != 0;
}

static int
write_cases(const char *path, const struct wisp_cases *cases)
{
	struct wisp_buf b = WISP_BUF_INIT;
	int rc;

	wisp_cases_print(cases, &b);
	rc = wisp_file_write(path, b.data != NULL ? b.data : "", b.len, WISP_NOSYNC);
	wisp_buf_release(&b);
	return rc;
}

/* --- together --------------------------------------------------------------- */

/* Judges, and writes what is kept; `life` is what the file beside the record says. */
static int
judge(struct wisp_record *r, struct said *s, struct wisp_buf *text, const char *path, enum wisp_verify *verify)
{
	struct cJSON *step = wisp_turn_step(r), *tests;
	struct asked asked = {r, load_state(r), wisp_json_array()};
	struct wisp_life_ask ask = {
		.iteration = wisp_json_int(step, "iteration", 1), .cases = &s->cases, .runs = s->lives, .n_runs = s->n,
		.has_reason = has_reason, .is_protected = is_protected, .arg = &asked,
	};
	struct wisp_buf out = WISP_BUF_INIT;
	struct wisp_life_verdict v;
	struct wisp_life l;
	bool refused;
	int rc;

	wisp_life_read(&l, text->data, ask.iteration - 1);
	wisp_life_judge(&l, &ask, &v);
	refused = *verify == WISP_VERIFY_PASSED && refuses(r, &v);
	tests = tests_object(s, &v, ask.iteration);
	if (refused) {
		wisp_json_set_bool(tests, "refused", true);
		*verify = WISP_VERIFY_FAILED;
	}
	keep_reasons(r, asked.removed);
	wisp_life_print(&l, &ask, *verify == WISP_VERIFY_PASSED, &out);
	rc = wisp_file_write(path, out.data, out.len, WISP_NOSYNC);
	wisp_json_set(r->doc, "tests", wisp_json_copy(tests));
	wisp_json_set(step, "tests", tests);
	wisp_life_release(&l);
	wisp_life_verdict_release(&v);
	wisp_buf_release(&out);
	wisp_json_free(asked.state);
	wisp_json_free(asked.removed);
	return rc;
}

char *
wisp_turn_tests(struct wisp_record *r, enum wisp_verify *verify, bool again, int *rc, struct wisp_err *err)
{
	struct cJSON *step = wisp_turn_step(r);
	char *life = wisp_record_home_path(r, "tests"), *kept, *first, *why = NULL;
	struct wisp_buf text = WISP_BUF_INIT;
	struct said s;

	*rc = 0;
	if (step == NULL || strcmp(wisp_json_str(step, "stage", ""), "ran") != 0) {
		*rc = wisp_err_set(err, r->home, 0, 0, "no step is open that ran and was not verified");
		free(life);
		return NULL;
	}
	kept = wisp_turn_step_path(r, "tests");
	first = wisp_turn_step_path(r, "tests.first");
	read_said(r, &s);
	if (!again)
		*rc = wisp_dir_remove(first);
	else
		find_flaky(first, &s);
	if (wisp_file_read(life, WISP_LIFE_MAX, &text) != 0)
		errno = 0;
	wisp_turn_forget_tests(step);
	if (*rc == 0 && !again && is_due_again(r, &s, *verify)) {
		*rc = write_cases(first, &s.cases);
		why = wisp_str("failed (%lld test%s): running it once more", s.counts.failed, s.counts.failed == 1 ? "" : "s");
	} else if (*rc == 0) {
		note_counts(step, &s);
		if (s.cases.count > 0)
			*rc = wisp_turn_clear(kept, false) == 0 ? write_cases(kept, &s.cases) : -1;
		if (*rc == 0 && (s.cases.count > 0 || text.len > 0))
			*rc = judge(r, &s, &text, life, verify);
	}
	release(&s);
	wisp_buf_release(&text);
	free(life);
	free(kept);
	free(first);
	return why;
}
