/*
 * tasks: the schema with its positions, which task is next, changes that touch
 * no other byte, and what became of a list.
 */
#include <unistd.h>

#include "core/tasks.h"
#include "unit.h"

#define T(rest) "{\"category\":\"test\",\"description\":\"d\",\"steps\":[],\"passes\":false" rest "}"

static enum wisp_verdict
parse(struct wisp_tasks *t, const char *text, struct wisp_err *err)
{
	return wisp_tasks_parse(t, text, strlen(text), "f", err);
}

/* What must be refused, and how. NULL: it holds. */
static const struct {
	const char *text, *error;
} schema[] = {
	{"[]", NULL},
	{"\xef\xbb\xbf[]\r\n", NULL},
	{"[" T("") "]", NULL},
	{"[" T(",\"id\":\"a\",\"priority\":-3,\"depends_on\":[],\"acceptance\":[\"x\"],\"verify\":\"v\",\"notes\":\"\"") "]",
	  NULL},
	{"[" T(",\"x\":1e400,\"passes \":3,\"Passes\":0") "]", NULL},
	{"[" T(",\"id\":null,\"priority\":null,\"depends_on\":null,\"verify\":null") "]", NULL},
	{"[" T(",\"id\":\"a\",\"depends_on\":[\"b\",\"b\"]") "," T(",\"id\":\"b\"") "]", NULL},
	{"", "f: empty"},
	{"\xef\xbb\xbf \r\n", "f: empty"},
	{"{}", "f:1:1: tasks: expected an array, not an object"},
	{"[\n 3]", "f:2:2: tasks[0]: expected an object, not a number"},
	{"[\n {}\n]", "f:2:2: tasks[0].category: is missing"},
	{"[{\"category\":\"tests\"}]",
	  "f:1:14: tasks[0].category: expected one of setup|feature|bugfix|refactor|test|docs, not 'tests'"},
	{"[{\"category\":\"\"}]",
	  "f:1:14: tasks[0].category: expected one of setup|feature|bugfix|refactor|test|docs, not ''"},
	{"[{\"category\":\"setup|feature\"}]",
	  "f:1:14: tasks[0].category: expected one of setup|feature|bugfix|refactor|test|docs, not 'setup|feature'"},
	{"[{\"category\":\"docs\",\n\"description\":\"\"}]", "f:2:15: tasks[0].description: must not be empty"},
	{"[{\"category\":\"docs\",\"description\":null}]",
	  "f:1:35: tasks[0].description: expected a string, not null"},
	{"[" T("") ",\n{\"category\":\"docs\",\"description\":\"x\",\"steps\":\"y\"}]",
	  "f:2:46: tasks[1].steps: expected an array, not a string"},
	{"[{\"category\":\"docs\",\"description\":\"x\",\"steps\":[\"a\",\r\n\t7]}]",
	  "f:2:2: tasks[0].steps[1]: expected a string, not a number"},
	{"[{\"category\":\"docs\",\"description\":\"x\",\"steps\":[],\"passes\":\"false\"}]",
	  "f:1:59: tasks[0].passes: expected a boolean, not a string"},
	{"[{\"category\":\"docs\",\"description\":\"x\",\"steps\":[],\"Passes\":false}]", "f:1:2: tasks[0].passes: is missing"},
	{"[" T(",\"id\":7") "]", "f:1:70: tasks[0].id: expected a string, not a number"},
	{"[" T(",\"id\":\"\"") "]", "f:1:70: tasks[0].id: must not be empty"},
	{"[" T(",\"priority\":1.5") "]", "f:1:76: tasks[0].priority: expected a whole number"},
	{"[" T(",\"priority\":1e400") "]", "f:1:76: tasks[0].priority: expected a whole number"},
	{"[" T(",\"priority\":\"1\"") "]", "f:1:76: tasks[0].priority: expected a number, not a string"},
	{"[" T(",\"acceptance\":\"x\"") "]", "f:1:78: tasks[0].acceptance: expected an array, not a string"},
	{"[" T(",\"verify\":\"\"") "]", "f:1:74: tasks[0].verify: must not be empty"},
	{"[" T(",\"notes\":[]") "]", "f:1:73: tasks[0].notes: expected a string, not an array"},
	{"[" T(",\"id\":\"a\"") "," T(",\"id\":\"b\"") ",\n" T(",\"id\":\"\\u0061\"") "]",
	  "f:2:69: tasks[2].id: 'a' is the id of task 1 already"},
	{"[" T(",\"depends_on\":[\"b\"]") "]", "f:1:79: tasks[0].depends_on[0]: there is no task 'b'"},
	{"[" T(",\"id\":\"a\",\"depends_on\":[\"a\"]") "]", "f:1:87: tasks[0].depends_on: 'a' waits for 'a'"},
	{"[" T(",\"id\":\"c\",\"depends_on\":[\"a\"]") ",\n" T(",\"id\":\"a\",\"depends_on\":[\"b\"]") ",\n"
	  T(",\"id\":\"b\",\"depends_on\":[\"a\"]") "]",
	  "f:2:86: tasks[1].depends_on: 'a' waits for 'b' waits for 'a'"},
	{"[" T("") "] x", "f:1:67: text after the value"},
	{"[{\"passes\":true,\n\"passes\":false}]", "f:2:1: duplicate key 'passes'"},
};

static void
schemas(void)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_tasks t;
	char *text;
	size_t i;

	for (i = 0; i < sizeof schema / sizeof *schema; i++) {
		if (parse(&t, schema[i].text, &err) == WISP_VALID) {
			CHECK_STR(NULL, schema[i].error, "the list holds");
		} else {
			text = wisp_err_string(&err);
			CHECK_STR(text, schema[i].error, "the list is refused");
			free(text);
		}
		wisp_tasks_release(&t);
		wisp_err_release(&err);
	}
}

static void
verdicts(void)
{
	char path[] = "/tmp/wisp-unit-tasks-XXXXXX";
	struct wisp_err err = WISP_ERR_INIT;
	int fd = mkstemp(path);
	struct wisp_tasks t;

	CHECK_INT(wisp_tasks_load(&t, path, &err), WISP_EMPTY, "an empty file");
	CHECK_INT(wisp_file_write(path, "[", 1, WISP_NOSYNC), 0, "write");
	CHECK_INT(wisp_tasks_load(&t, path, &err), WISP_MALFORMED, "half a file");
	CHECK_INT(wisp_file_write(path, "{}", 2, WISP_NOSYNC), 0, "write");
	CHECK_INT(wisp_tasks_load(&t, path, &err), WISP_INVALID, "not a list");
	CHECK_INT(t.count, 0, "nothing is left of a refused list");
	CHECK_INT(wisp_file_write(path, "[" T("") "]", sizeof "[" T("") "]" - 1, WISP_NOSYNC), 0, "write");
	CHECK_INT(wisp_tasks_load(&t, path, NULL), WISP_VALID, "a list");
	CHECK_INT(t.count, 1, "it has a task");
	CHECK_INT(wisp_tasks_write(&t, path), 0, "it is written");
	wisp_tasks_release(&t);
	wisp_tasks_release(&t);
	close(fd);
	unlink(path);
	CHECK_INT(wisp_tasks_load(&t, path, &err), WISP_MISSING, "no file");
	CHECK_STR(err.text, "missing", "  says so");
	CHECK_INT(wisp_tasks_load(&t, "/", &err), WISP_UNREADABLE, "a folder");
	wisp_err_release(&err);
}

#define N(id, rest) "{\"category\":\"test\",\"description\":\"" id "\",\"id\":\"" id "\",\"steps\":[]," rest "}"
#define OPEN "\"passes\":false"
#define DONE "\"passes\":true"

static const struct {
	const char *text, *next;	/* its id, or NULL */
	size_t passed;
} orders[] = {
	{"[]", NULL, 0},
	{"[" N("a", DONE) "]", NULL, 1},
	{"[" N("a", OPEN) "," N("b", OPEN) "]", "a", 0},
	{"[" N("a", DONE) "," N("b", OPEN) "]", "b", 1},
	{"[" N("a", OPEN) "," N("b", OPEN ",\"priority\":9") "," N("c", OPEN ",\"priority\":2") "]", "c", 0},
	{"[" N("a", OPEN ",\"priority\":1") "," N("b", OPEN ",\"priority\":1") "]", "a", 0},
	{"[" N("a", OPEN ",\"priority\":1") "," N("b", OPEN ",\"priority\":-1") "]", "b", 0},
	{"[" N("a", DONE ",\"priority\":1") "," N("b", OPEN) "]", "b", 1},
	{"[" N("a", OPEN ",\"depends_on\":[\"b\"]") "," N("b", OPEN) "]", "b", 0},
	{"[" N("a", OPEN ",\"depends_on\":[\"b\"]") "," N("b", DONE) "]", "a", 1},
	{"[" N("a", OPEN ",\"depends_on\":[\"b\",\"c\"]") "," N("b", DONE) "," N("c", OPEN ",\"priority\":5") "]", "c", 1},
	{"[" N("a", OPEN ",\"priority\":1,\"depends_on\":[\"b\"]") "," N("b", OPEN ",\"priority\":2") "]", "b", 0},
};

static void
nexts(void)
{
	const struct wisp_task *next;
	struct wisp_tasks t;
	size_t i;

	for (i = 0; i < sizeof orders / sizeof *orders; i++) {
		CHECK_INT(parse(&t, orders[i].text, NULL), WISP_VALID, "a list");
		CHECK_INT(t.passed, orders[i].passed, "  so many pass");
		next = wisp_tasks_next(&t);
		CHECK_STR(next != NULL ? next->id : NULL, orders[i].next, "  and this is next");
		wisp_tasks_release(&t);
	}
}

static void
names(void)
{
	static const struct {
		const char *name;
		size_t number;	/* 0: none */
	} cases[] = {
		{"1", 1}, {"2", 3}, {"3", 3}, {"x", 2}, {"4", 0}, {"0", 0}, {"-1", 0}, {"01", 0},
		{"1 ", 0}, {"", 0}, {"99999999999999999999", 0}, {"X", 0},
	};
	const struct wisp_task *task;
	struct wisp_tasks t;
	size_t i;

	CHECK_INT(parse(&t, "[" T("") "," N("x", OPEN) "," N("2", OPEN) "]", NULL), WISP_VALID, "a list");
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		task = wisp_tasks_find(&t, cases[i].name);
		CHECK_INT(task != NULL ? task->number : 0, cases[i].number, cases[i].name);
	}
	wisp_tasks_release(&t);
}

static void
changes(void)
{
	/* An escaped key, one of the same name deeper, a look-alike, a number that no double holds. */
	static const char before[] =
		"\xef\xbb\xbf[\r\n  { \"p\\u0061sses\" :  false,\"x\":{\"passes\":false}, \"category\":\"docs\",\r\n"
		"\"description\": \"\xc3\xa4\", \"steps\":[\"passes\"],\"n\":1.10,\"passes2\":12345678901234567890,\"pass\":false,\"\":false},"
		T("") "]\r\n\r\n";
	static const char after[] =
		"\xef\xbb\xbf[\r\n  { \"p\\u0061sses\" :  true,\"x\":{\"passes\":false}, \"category\":\"docs\",\r\n"
		"\"description\": \"\xc3\xa4\", \"steps\":[\"passes\"],\"n\":1.10,\"passes2\":12345678901234567890,\"pass\":false,\"\":false},"
		T("") "]\r\n\r\n";
	struct wisp_tasks t;

	CHECK_INT(parse(&t, before, NULL), WISP_VALID, "a list in somebody's own layout");
	wisp_tasks_mark(&t, 1, true);
	CHECK_STR(t.bytes.data, after, "  only one value is changed");
	CHECK(t.list[0].passes && t.passed == 1, "  the list knows");
	CHECK(wisp_json_bool(t.list[0].json, "passes", false), "  the document knows");
	wisp_tasks_mark(&t, 1, true);
	CHECK_STR(t.bytes.data, after, "  again is no change");
	wisp_tasks_mark(&t, 1, false);
	CHECK_STR(t.bytes.data, before, "  and back");
	CHECK(t.passed == 0, "  the list knows");
	wisp_tasks_release(&t);
}

static struct cJSON *
document(const char *text)
{
	return wisp_json_parse(text, strlen(text), NULL, NULL);
}

static void
additions(void)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_tasks t;

	CHECK_INT(parse(&t, "[" T("") "]", NULL), WISP_VALID, "a list on one line");
	CHECK_INT(wisp_tasks_append(&t, document(N("a", OPEN)), &err), 0, "a task is added");
	CHECK_STR(t.bytes.data, "[" T("") "," N("a", OPEN) "]", "  on the same line");
	CHECK_INT(t.count, 2, "  the list knows");
	CHECK_STR(t.list[1].id, "a", "  the document knows");
	CHECK_INT(wisp_tasks_append(&t, document(N("a", OPEN)), &err), -1, "an id that is there is refused");
	CHECK_STR(err.text, "tasks[2].id: 'a' is the id of task 2 already", "  and named");
	CHECK_INT(err.line, 0, "  without a line");
	CHECK_INT(wisp_tasks_append(&t, document("{}"), &err), -1, "no task at all is refused");
	CHECK_STR(t.bytes.data, "[" T("") "," N("a", OPEN) "]", "  the list stays as it was");
	wisp_tasks_release(&t);

	CHECK_INT(parse(&t, "[ ]\n", NULL), WISP_VALID, "an empty list");
	CHECK_INT(wisp_tasks_append(&t, document("{\"category\":\"docs\",\"description\":\"d\",\"steps\":[],\"passes\":false}"),
				    &err), 0, "its first task");
	CHECK_STR(t.bytes.data, "[\n  {\n    \"category\": \"docs\",\n    \"description\": \"d\",\n"
		  "    \"steps\": [],\n    \"passes\": false\n  }\n]\n", "  is printed on lines");
	wisp_tasks_mark(&t, 1, true);
	CHECK_INT(t.passed, 1, "  and can be changed");
	wisp_tasks_release(&t);
	wisp_err_release(&err);
}

static int
apply(struct wisp_tasks *t, const char *change, struct wisp_err *err)
{
	struct cJSON *v = document(change);
	int rc = wisp_tasks_apply(t, v, err);

	wisp_json_free(v);
	return rc;
}

static void
applying(void)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_tasks t;

	CHECK_INT(parse(&t, "[" N("a", OPEN) "]", NULL), WISP_VALID, "a list");
	CHECK_INT(apply(&t, "{\"op\":\"pass\",\"task\":\"a\"}", &err), 0, "pass");
	CHECK_INT(t.passed, 1, "  it passes");
	CHECK_INT(apply(&t, "{\"op\":\"open\",\"task\":\"1\"}", &err), 0, "open");
	CHECK_INT(t.passed, 0, "  it does not");
	CHECK_INT(apply(&t, "{\"op\":\"pass\",\"task\":\"b\"}", &err), 1, "no such task");
	CHECK_INT(apply(&t, "{\"op\":\"add\",\"add\":" T("") "}", &err), 0, "add");
	CHECK_INT(t.count, 2, "  it is there");
	CHECK_INT(apply(&t, "{\"op\":\"drop\",\"task\":\"a\"}", &err), -1, "no such change");
	CHECK_STR(err.text, "'drop' is no change of tasks", "  and named");
	wisp_tasks_release(&t);
	wisp_err_release(&err);
}

/* A chain, each task waiting for the next one: recursion would end here. */
static void
chain(bool closed)
{
	enum { LINKS = 20000 };
	struct wisp_buf b = WISP_BUF_INIT;
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_tasks t;
	int i;

	for (i = 0; i < LINKS; i++) {
		wisp_buf_printf(&b, "%c{\"id\":\"t%d\",\"category\":\"test\",\"description\":\"same\",\"steps\":[],"
				"\"passes\":false", i == 0 ? '[' : ',', i);
		if (i + 1 < LINKS || closed)
			wisp_buf_printf(&b, ",\"depends_on\":[\"t%d\"]", (i + 1) % LINKS);
		wisp_buf_putc(&b, '}');
	}
	wisp_buf_putc(&b, ']');
	CHECK_INT(wisp_tasks_parse(&t, b.data, b.len, NULL, &err), closed ? WISP_INVALID : WISP_VALID,
		  "a long chain");
	if (closed)
		CHECK_STR(err.text, "tasks[0].depends_on: 't0' waits for 't1' waits for 't2' waits for 't3' "
			  "waits for 't4' waits for ... waits for 't0'", "  that is closed");
	else
		CHECK_INT(wisp_tasks_next(&t)->number, LINKS, "  its end is next");
	wisp_tasks_release(&t);
	wisp_err_release(&err);
	wisp_buf_release(&b);
}

/* Forty pairs, each task waiting for both of the next pair: 2^40 ways through, 80 tasks. */
static void
lattice(void)
{
	enum { PAIRS = 40 };
	struct wisp_buf b = WISP_BUF_INIT;
	struct wisp_tasks t;
	int i;

	for (i = 0; i < 2 * PAIRS; i++) {
		wisp_buf_printf(&b, "%c{\"id\":\"t%d\",\"category\":\"test\",\"description\":\"d\",\"steps\":[],"
				"\"passes\":false,\"depends_on\":[", i == 0 ? '[' : ',', i);
		if (i / 2 + 1 < PAIRS)
			wisp_buf_printf(&b, "\"t%d\",\"t%d\"", i / 2 * 2 + 2, i / 2 * 2 + 3);
		wisp_buf_puts(&b, "]}");
	}
	wisp_buf_putc(&b, ']');
	CHECK_INT(wisp_tasks_parse(&t, b.data, b.len, NULL, NULL), WISP_VALID, "a lattice holds");
	CHECK_INT(wisp_tasks_next(&t)->number, 2 * PAIRS - 1, "  its end is next");
	wisp_tasks_release(&t);
	wisp_buf_release(&b);
}

/* The same bytes are parsed once; a change of one list is none of the others. */
static void
shared(void)
{
	static const char text[] = "[{\"category\":\"docs\",\"description\":\"a\",\"steps\":[],\"passes\":false}]";
	struct wisp_tasks a, b, c;
	struct wisp_tasks_diff d;

	CHECK(wisp_tasks_parse(&a, text, sizeof text - 1, NULL, NULL) == WISP_VALID, "a list");
	CHECK(wisp_tasks_parse(&b, text, sizeof text - 1, NULL, NULL) == WISP_VALID && b.doc == a.doc, "the same bytes are not parsed again");
	wisp_tasks_mark(&a, 1, true);
	CHECK(a.doc != b.doc && a.passed == 1 && a.list[0].passes, "a list that is changed has its own document");
	CHECK(b.passed == 0 && !b.list[0].passes && !wisp_json_bool(b.list[0].json, "passes", true), "the other is as it was");
	CHECK(wisp_tasks_parse(&c, text, sizeof text - 1, NULL, NULL) == WISP_VALID && c.passed == 0, "and so is the next that is read");
	wisp_tasks_compare(&d, &b, &a);
	CHECK(d.lawful && d.n_passed == 1, "the two differ");
	wisp_tasks_diff_release(&d);
	wisp_tasks_compare(&d, &b, &c);
	CHECK(d.lawful && d.n_passed == 0 && d.n_added == 0, "the same list does not");
	wisp_tasks_diff_release(&d);
	wisp_tasks_release(&a);
	wisp_tasks_release(&b);
	wisp_tasks_release(&c);
	wisp_tasks_release(&c);
	CHECK(wisp_tasks_parse(&c, text, sizeof text - 1, NULL, NULL) == WISP_VALID && c.count == 1, "it is kept when nobody uses it");
	wisp_tasks_release(&c);
}

int
main(void)
{
	schemas();
	verdicts();
	nexts();
	names();
	changes();
	additions();
	applying();
	chain(false);
	chain(true);
	lattice();
	shared();
	return unit_done();
}
