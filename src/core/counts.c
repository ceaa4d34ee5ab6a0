/*
 * counts: see counts.h. Here: TAP 12 to 14, and what is told apart from what.
 *
 * Of TAP only lines without indentation count, so that a subtest counts once, by
 * its own line. A run of them is a document if it has a plan or a version line,
 * else prose that looks like it; a second plan or version begins another one.
 * As tests one by one those with four blanks for each level are taken, too.
 */
#include "counts.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "cases.h"
#include "counts_go.h"
#include "counts_junit.h"
#include "metrics.h"

#define NUMBER_MAX 9		/* digits: what is longer is no number of tests */
#define DOCUMENTS_MAX 10000	/* of XML in one output */
#define LEVEL 4			/* blanks before a subtest */
#define LEVELS_MAX 8

/* A document that is being read. */
struct tap {
	struct wisp_counts sum;		/* of those that are over */
	bool any;			/* ... were there any? */
	struct wisp_counts now;
	long long points, due;		/* test lines so far; what the plan says */
	bool version, plan, last;	/* last: the plan came after the tests */
	struct wisp_counts go;		/* of lines that are none of TAP's, but go's */
	bool any_go;
	struct wisp_cases *cases;	/* or NULL */
	size_t first;			/* of the document's in it */
};

static void
add(struct wisp_counts *sum, const struct wisp_counts *c)
{
	sum->total += c->total;
	sum->passed += c->passed;
	sum->failed += c->failed;
	sum->skipped += c->skipped;
}

static void
fail(struct tap *t, long long n)
{
	t->now.total += n;
	t->now.failed += n;
}

/* The document is over; the next line belongs to another one. */
static void
finish(struct tap *t)
{
	bool is = t->plan || t->version;

	if (t->plan && t->due > t->points) {
		fail(t, t->due - t->points);
		if (t->cases != NULL)
			t->cases->cut = true;
	}
	if (is)
		add(&t->sum, &t->now);
	if (t->cases != NULL)
		wisp_cases_settle(t->cases, t->first, is);
	*t = (struct tap){
		.sum = t->sum, .any = t->any || is, .go = t->go, .any_go = t->any_go, .cases = t->cases,
		.first = t->cases != NULL ? t->cases->count : 0,
	};
}

/* What follows a word: its end or a blank. */
static bool
ends(const char *p, const char *end)
{
	return p == end || *p == ' ' || *p == '\t';
}

static const char *
skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

/* A number at p, which is moved behind it; -1 where there is none. */
static long long
read_number(const char **p, const char *end)
{
	const char *from = *p;
	long long n = 0;

	while (*p < end && **p >= '0' && **p <= '9' && *p - from <= NUMBER_MAX)
		n = n * 10 + *(*p)++ - '0';
	return *p > from && *p - from <= NUMBER_MAX ? n : -1;
}

static bool
begins(const char *p, const char *end, const char *word)
{
	return (size_t)(end - p) >= strlen(word) && strncasecmp(p, word, strlen(word)) == 0;
}

/* The directive of a test line, `# SKIP` or `# TODO`: is there one? */
static bool
is_directive(const char *p, const char *end, const char *word)
{
	for (; p < end; p++) {
		const char *text = skip_blanks(p + 1, end);

		if (*p == '\\')
			p++;
		else if (*p == '#' && begins(text, end, word))
			return true;
	}
	return false;
}

/* A plan alone on its line, but for a remark: `1..5`, `1..0 # SKIP no display`. */
static bool
read_plan(const char *p, const char *end, long long *due)
{
	if (!begins(p, end, "1.."))
		return false;
	p += 3;
	*due = read_number(&p, end);
	p = skip_blanks(p, end);
	return *due >= 0 && (p == end || *p == '#');
}

static bool
read_version(const char *p, const char *end)
{
	static const char words[] = "TAP version ";

	if ((size_t)(end - p) < sizeof words || strncmp(p, words, sizeof words - 1) != 0)
		return false;
	p += sizeof words - 1;
	return read_number(&p, end) >= 0 && skip_blanks(p, end) == end;
}

/* How long the name is without the time that bats says after it: ` in 12ms`, ` in 3sec`. */
static size_t
without_time(const char *name, size_t len)
{
	size_t unit = len > 2 && memcmp(name + len - 2, "ms", 2) == 0 ? 2 : len > 3 && memcmp(name + len - 3, "sec", 3) == 0 ? 3 : 0;
	size_t at = len - unit;

	while (unit > 0 && at > 0 && isdigit((unsigned char)name[at - 1]))
		at--;
	return at + unit < len && at > 4 && memcmp(name + at - 4, " in ", 4) == 0 ? at - 4 : len;
}

/* The description of a test line: what stands before an unescaped `#`, a dash before it apart. */
static size_t
name_point(struct tap *t, const char *p, const char *end, long long number)
{
	struct wisp_buf name = WISP_BUF_INIT;
	size_t at;

	p = skip_blanks(p, end);
	if (end - p >= 2 && p[0] == '-' && p[1] == ' ')
		p = skip_blanks(p + 1, end);
	for (; p < end && *p != '#'; p++) {
		p += *p == '\\' && p + 1 < end && (p[1] == '#' || p[1] == '\\');
		wisp_buf_putc(&name, *p);
	}
	while (name.len > 0 && (name.data[name.len - 1] == ' ' || name.data[name.len - 1] == '\t'))
		name.len--;
	if (name.len > 0)
		name.len = without_time(name.data, name.len);
	if (name.len == 0)
		wisp_buf_printf(&name, "test %lld", number);
	at = wisp_cases_name(t->cases, name.data, name.len);
	wisp_buf_release(&name);
	return at;
}

/* What the document has since its last test of that depth are subtests: true where one of them failed, *any if there are some. */
static bool
adopt_subtests(const struct tap *t, size_t name, unsigned char depth, bool *any)
{
	struct wisp_cases *c = t->cases;
	struct wisp_buf path = WISP_BUF_INIT;
	bool failed = false;

	for (size_t i = c->count; i > t->first && c->list[i - 1].depth > depth; i--) {
		struct wisp_case *k = &c->list[i - 1];

		*any = true;
		failed |= k->result == WISP_CASE_FAILED;
		k->depth = depth;
		if (k->suite == 0) {
			k->suite = name;
			continue;
		}
		wisp_buf_reset(&path);
		wisp_case_label(&path, wisp_case_text(c, name), wisp_case_text(c, k->suite), 1);
		k->suite = i < c->count && strcmp(wisp_case_text(c, c->list[i].suite), path.data) == 0
			? c->list[i].suite : wisp_cases_name(c, path.data, path.len);
	}
	wisp_buf_release(&path);
	return failed;
}

static void
keep_point(struct tap *t, const char *p, const char *end, long long number, enum wisp_case_result result, size_t depth)
{
	size_t name = name_point(t, p, end, number);
	bool any = false, failed = adopt_subtests(t, name, (unsigned char)depth, &any);
	struct wisp_case *k = any && (failed || result != WISP_CASE_FAILED) ? NULL : wisp_cases_add(t->cases, 0, name, result);

	if (k != NULL) {
		k->depth = (unsigned char)depth;
		k->pending = true;
	}
}

static enum wisp_case_result
point_result(const char *p, const char *end, bool ok)
{
	if (is_directive(p, end, "skip") || (!ok && is_directive(p, end, "todo")))
		return WISP_CASE_SKIPPED;
	return ok ? WISP_CASE_PASSED : WISP_CASE_FAILED;
}

static void
count(struct wisp_counts *c, enum wisp_case_result result)
{
	c->skipped += result == WISP_CASE_SKIPPED;
	c->total += result != WISP_CASE_SKIPPED;
	c->passed += result == WISP_CASE_PASSED;
	c->failed += result == WISP_CASE_FAILED;
}

/* A test line: `ok 3 - text`, `not ok`. */
static void
take_point(struct tap *t, const char *p, const char *end, bool ok)
{
	enum wisp_case_result result;
	long long number;

	p = skip_blanks(p, end);
	number = read_number(&p, end);
	if (t->points > 0 && (t->last || (number == 1 && (!t->plan || t->points >= t->due))))
		finish(t);
	t->points++;
	result = point_result(p, end, ok);
	count(&t->now, result);
	if (t->cases != NULL)
		keep_point(t, p, end, number >= 0 ? number : t->points, result, 0);
}

/* The same, indented: a subtest. */
static void
take_subtest(struct tap *t, const char *p, const char *end)
{
	const char *from = p;
	long long number;
	size_t depth;
	bool ok;

	while (p < end && *p == ' ')
		p++;
	depth = (size_t)(p - from) / LEVEL;
	if ((p - from) % LEVEL != 0 || depth > LEVELS_MAX || end - p < 2)
		return;
	ok = *p == 'o';
	if (!ok && begins(p, end, "not "))
		p += 4;
	if (end - p < 2 || memcmp(p, "ok", 2) != 0 || !ends(p + 2, end))
		return;
	p = skip_blanks(p + 2, end);
	number = read_number(&p, end);
	keep_point(t, p, end, number, point_result(p, end, ok), depth);
}

/* A test of go's, and a package that did not come to its tests. */
static void
take_event(struct tap *t, const char *p, const char *end)
{
	struct wisp_go_event e;

	if (!wisp_go_read(&e, p, (size_t)(end - p)))
		return;
	count(&t->go, e.result);
	t->any_go = true;
	if (t->cases != NULL)
		(void)wisp_cases_add(t->cases, wisp_cases_name(t->cases, e.package, strlen(e.package)),
				     wisp_cases_name(t->cases, e.test, strlen(e.test)), e.result);
}

static void
take_line(struct tap *t, const char *p, const char *end)
{
	long long due;

	if (end - p >= 2 && memcmp(p, "ok", 2) == 0 && ends(p + 2, end)) {
		take_point(t, p + 2, end, true);
	} else if (end - p >= 6 && memcmp(p, "not ok", 6) == 0 && ends(p + 6, end)) {
		take_point(t, p + 6, end, false);
	} else if (read_plan(p, end, &due)) {
		if (t->plan)
			finish(t);
		t->plan = true;
		t->due = due;
		t->last = t->points > 0;
	} else if (read_version(p, end)) {
		if (t->plan || t->version || t->points > 0)
			finish(t);
		t->version = true;
	} else if (begins(p, end, "Bail out!") && (t->plan || t->version)) {
		/* Whatever the plan says, it did not hold. */
		if (t->due <= t->points)
			fail(t, 1);
		if (t->cases != NULL)
			t->cases->cut = true;
		finish(t);
	}
}

static void
take_text(struct tap *t, const char *p, size_t len)
{
	const char *all = p + len, *end, *next;

	for (; p < all; p = next) {
		end = memchr(p, '\n', (size_t)(all - p));
		next = end == NULL ? all : end + 1;
		end = end == NULL ? all : end;
		while (end > p && (end[-1] == '\r' || end[-1] == ' '))
			end--;
		if (end > p && strchr("on1TBb", *p) != NULL)
			take_line(t, p, end);
		else if (end > p && *p == '{')
			take_event(t, p, end);
		else if (end - p > LEVEL && *p == ' ' && t->cases != NULL)
			take_subtest(t, p, end);
	}
}

/* Does a document of XML that matters begin here? After one that broke, what is left of it must not be counted once more. */
static bool
is_xml(const char *p, const char *end, bool broken)
{
	static const char suite[] = "<testsuite";

	if (begins(p, end, "<?xml"))
		return true;
	if (broken || !begins(p, end, suite))
		return false;
	p += sizeof suite - 1;
	p += p < end && *p == 's';
	return p < end && strchr(" \t\r\n/>", *p) != NULL;
}

/* The next one from `p` on, where a line or the text begins, or NULL. */
static const char *
find_xml(const char *p, const char *end, bool broken)
{
	while (p < end) {
		while (p < end && isspace((unsigned char)*p))
			p++;
		if (p < end && is_xml(p, end, broken))
			return p;
		p = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
		if (p == NULL)
			break;
	}
	return NULL;
}

int
wisp_counts_read(struct wisp_counts *c, struct wisp_cases *cases, const char *data, size_t len)
{
	const char *p = data, *end = data + len, *xml;
	struct tap tap = {.cases = cases, .first = cases != NULL ? cases->count : 0};
	struct wisp_counts junit = {0}, one;
	bool broken = false, any = false;
	size_t used;

	if (len >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
		p += 3;
	for (int n = 0; n < DOCUMENTS_MAX && (xml = find_xml(p, end, broken)) != NULL; n++) {
		enum wisp_junit kind;

		take_text(&tap, p, (size_t)(xml - p));
		one = (struct wisp_counts){0};
		kind = wisp_junit_read(&one, cases, xml, (size_t)(end - xml), &used);
		broken = kind == WISP_JUNIT_BROKEN;
		any |= kind == WISP_JUNIT_WHOLE || (broken && one.total + one.skipped > 0);
		add(&junit, &one);
		p = xml + used;
	}
	take_text(&tap, p, (size_t)(end - p));
	finish(&tap);
	*c = tap.sum;
	add(c, &junit);
	add(c, &tap.go);
	return tap.any || tap.any_go || any;
}

struct cJSON *
wisp_counts_json(const struct wisp_counts *c)
{
	struct cJSON *o = wisp_json_object();

	wisp_json_set_num(o, "tests_total", (double)c->total);
	wisp_json_set_num(o, "tests_passing", (double)c->passed);
	wisp_json_set_num(o, "tests_failing", (double)c->failed);
	wisp_json_set_num(o, "tests_skipped", (double)c->skipped);
	return o;
}

struct cJSON *
wisp_counts_metrics(const char *data, size_t len, struct wisp_err *err)
{
	struct wisp_counts c;
	struct cJSON *metrics;
	const char *fault;
	size_t i = 0;

	if (len >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
		i = 3;
	while (i < len && isspace((unsigned char)data[i]))
		i++;
	if (i == len) {
		(void)wisp_err_set(err, NULL, 0, 0, "it printed nothing");
		return NULL;
	}
	if (data[i] == '{' && !wisp_counts_read(&c, NULL, data, len)) {
		metrics = wisp_json_parse(data, len, "standard output", err);
		if ((fault = wisp_metrics_fault(metrics)) == NULL)
			return metrics;
		(void)wisp_err_set(err, NULL, 0, 0, "the metrics that it printed are %s", fault);
		wisp_json_free(metrics);
		return NULL;
	}
	if (wisp_counts_read(&c, NULL, data, len))
		return wisp_counts_json(&c);
	(void)wisp_err_set(err, NULL, 0, 0, "it printed neither a JSON object, nor TAP, nor JUnit XML");
	return NULL;
}
