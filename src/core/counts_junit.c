/*
 * counts_junit: see counts_junit.h.
 *
 * Elements are counted; what attributes say counts where there is no test case,
 * and of a document that is cut, where they say that there were to be more. A
 * DOCTYPE is refused, and with it every entity: nothing can grow.
 */
#include "counts_junit.h"

#include <expat.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "cases.h"

#define DEPTH_MAX 64
#define NUMBER_MAX 9	/* digits */
#define PIECE_MIN 4096

/* From 2.9 on these are the ones that are not deprecated; before it, they are not there. */
#if XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION < 9
#define XML_GetCurrentByteIndex64 XML_GetCurrentByteIndex
#define XML_GetCurrentByteCount64 XML_GetCurrentByteCount
#endif

struct reader {
	XML_Parser parser;
	int depth, in_case;	/* in_case: the depth of the test case that is open, or 0 */
	bool junit, other, over;
	bool failed, skipped;	/* the open test case */
	size_t read;		/* test cases */
	struct wisp_counts counted, root, suites;	/* by elements; by attributes of the root, of the suites in it */
	bool root_says;
	int64_t end;		/* of the document, once it is over */
	struct wisp_cases *cases;	/* or NULL */
	size_t suite[DEPTH_MAX + 1], file[DEPTH_MAX + 1];	/* the names that hold at a depth */
	size_t name, class, source;	/* of the open test case; 0: it has none */
};

static bool
is_suite(const char *name)
{
	return strcmp(name, "testsuite") == 0 || strcmp(name, "testsuites") == 0;
}

/* An attribute that is a count, 0 where it is none. */
static long long
number_of(const char *text)
{
	long long n = 0;

	if (strlen(text) > NUMBER_MAX)
		return 0;
	for (; *text >= '0' && *text <= '9'; text++)
		n = n * 10 + *text - '0';
	return *text == '\0' ? n : 0;
}

/* What a suite says of itself, added to `c`; does it say how many tests there are? */
static bool
add_attributes(struct wisp_counts *c, const char **attributes)
{
	long long total = 0, failed = 0, skipped = 0;
	bool says = false;

	for (const char **a = attributes; a[0] != NULL; a += 2) {
		if (strcmp(a[0], "tests") == 0) {
			total = number_of(a[1]);
			says = true;
		} else if (strcmp(a[0], "failures") == 0 || strcmp(a[0], "errors") == 0) {
			failed += number_of(a[1]);
		} else if (strcmp(a[0], "skipped") == 0 || strcmp(a[0], "disabled") == 0) {
			skipped += number_of(a[1]);
		}
	}
	skipped = skipped < total ? skipped : total;
	total -= skipped;
	failed = failed < total ? failed : total;
	c->total += total;
	c->failed += failed;
	c->passed += total - failed;
	c->skipped += skipped;
	return says;
}

/* A case that was never run is not one that passed, whether or not an element says so. */
static bool
not_run(const char **attributes)
{
	for (const char **a = attributes; a[0] != NULL; a += 2)
		if (strcmp(a[0], "status") == 0 && (strcmp(a[1], "notrun") == 0 || strcmp(a[1], "disabled") == 0))
			return true;
	return false;
}

/* A name that an element has, else what it is without. */
static size_t
name_of(struct reader *r, const char **attributes, const char *key, size_t otherwise)
{
	for (const char **a = attributes; a[0] != NULL; a += 2)
		if (strcmp(a[0], key) == 0 && *a[1] != '\0')
			return wisp_cases_name(r->cases, a[1], strlen(a[1]));
	return otherwise;
}

static void
take_names(struct reader *r, const char *name, const char **attributes)
{
	size_t suite = r->suite[r->depth - 1], file = r->file[r->depth - 1];

	if (is_suite(name)) {
		suite = name_of(r, attributes, "name", suite);
		file = name_of(r, attributes, "file", name_of(r, attributes, "filepath", file));
	} else if (strcmp(name, "testcase") == 0) {
		r->name = name_of(r, attributes, "name", 0);
		r->class = name_of(r, attributes, "classname", suite);
		r->source = name_of(r, attributes, "file", file);
	}
	r->suite[r->depth] = suite;
	r->file[r->depth] = file;
}

static void
open_element(struct reader *r, const char *name, const char **attributes)
{
	if (r->in_case != 0) {
		if (r->depth == r->in_case + 1) {
			r->failed |= strcmp(name, "failure") == 0 || strcmp(name, "error") == 0;
			r->skipped |= strcmp(name, "skipped") == 0;
		}
	} else if (strcmp(name, "testcase") == 0) {
		r->in_case = r->depth;
		r->failed = false;
		r->skipped = not_run(attributes);
	} else if (is_suite(name) && r->depth == 1) {
		r->root_says = add_attributes(&r->root, attributes);
	} else if (is_suite(name) && r->depth == 2) {
		(void)add_attributes(&r->suites, attributes);
	}
}

static void XMLCALL
on_start(void *arg, const XML_Char *name, const XML_Char **attributes)
{
	struct reader *r = arg;

	r->depth++;
	if (r->depth == 1) {
		r->junit = is_suite(name);
		r->other = !r->junit;
	}
	if (r->other || r->depth > DEPTH_MAX) {
		(void)XML_StopParser(r->parser, XML_FALSE);
		return;
	}
	if (r->cases != NULL && r->in_case == 0)
		take_names(r, name, attributes);
	open_element(r, name, attributes);
}

static void
keep_case(struct reader *r)
{
	struct wisp_case *k = wisp_cases_add(r->cases, r->class, r->name, r->failed ? WISP_CASE_FAILED
					     : r->skipped ? WISP_CASE_SKIPPED : WISP_CASE_PASSED);

	if (k != NULL)
		k->file = r->source;
}

static void
close_case(struct reader *r)
{
	r->read++;
	r->in_case = 0;
	if (r->cases != NULL)
		keep_case(r);
	if (r->skipped && !r->failed) {
		r->counted.skipped++;
		return;
	}
	r->counted.total++;
	if (r->failed)
		r->counted.failed++;
	else
		r->counted.passed++;
}

static void XMLCALL
on_end(void *arg, const XML_Char *name)
{
	struct reader *r = arg;

	(void)name;
	if (r->depth == r->in_case)
		close_case(r);
	if (--r->depth == 0) {
		r->over = true;
		r->end = XML_GetCurrentByteIndex64(r->parser) + (int64_t)XML_GetCurrentByteCount64(r->parser);
		(void)XML_StopParser(r->parser, XML_FALSE);
	}
}

static void XMLCALL
on_doctype(void *arg, const XML_Char *name, const XML_Char *system, const XML_Char *public, int subset)
{
	struct reader *r = arg;

	(void)name;
	(void)system;
	(void)public;
	(void)subset;
	(void)XML_StopParser(r->parser, XML_FALSE);
}

/* Of a document that is cut: the case that was open failed, and so did those that were to come. */
static void
count_missing(struct reader *r, const struct wisp_counts *said)
{
	long long there, due = said->total + said->skipped;

	if (r->in_case != 0) {
		r->failed = true;
		close_case(r);
	}
	there = r->counted.total + r->counted.skipped;
	if (due > there) {
		r->counted.total += due - there;
		r->counted.failed += due - there;
	}
}

/*
 * In pieces, since expat copies what it is given and most documents end early; each
 * is as long as all before it, since of a long token it begins anew with each piece.
 */
static void
feed(struct reader *r, const char *data, size_t len)
{
	size_t done = 0, piece = PIECE_MIN;
	enum XML_Status status;

	do {
		if (piece > len - done)
			piece = len - done;
		status = XML_Parse(r->parser, data + done, (int)piece, done + piece == len);
		done += piece;
		piece = done;
	} while (status == XML_STATUS_OK && done < len);
}

enum wisp_junit
wisp_junit_read(struct wisp_counts *c, struct wisp_cases *cases, const char *data, size_t len, size_t *used)
{
	struct reader r = {.parser = XML_ParserCreate(NULL), .cases = cases};
	const struct wisp_counts *said;
	int64_t at;

	if (r.parser == NULL)
		die_sys("out of memory");
	if (len > INT_MAX)
		len = INT_MAX;
	XML_SetUserData(r.parser, &r);
	XML_SetElementHandler(r.parser, on_start, on_end);
	XML_SetStartDoctypeDeclHandler(r.parser, on_doctype);
	feed(&r, data, len);
	at = r.over ? r.end : XML_GetCurrentByteIndex64(r.parser);
	*used = at > 0 && (size_t)at <= len ? (size_t)at : 1;
	XML_ParserFree(r.parser);
	if (!r.junit)
		return WISP_JUNIT_NONE;
	said = r.root_says ? &r.root : &r.suites;
	if (!r.over)
		count_missing(&r, said);
	else if (r.read == 0)
		r.counted = *said;
	if (cases != NULL && (!r.over || (r.read == 0 && said->total > 0)))
		cases->cut = true;
	c->total += r.counted.total;
	c->passed += r.counted.passed;
	c->failed += r.counted.failed;
	c->skipped += r.counted.skipped;
	return r.over ? WISP_JUNIT_WHOLE : WISP_JUNIT_BROKEN;
}
