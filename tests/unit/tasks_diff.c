/*
 * tasks_diff: a table of lists before and after a step, in short. A word is a
 * task: its description, then #id, + if it passes, ! with another wording, ~
 * with notes, ^ with a field that is nobody's business.
 */
#include "core/tasks.h"
#include "unit.h"

static void
make(struct wisp_tasks *t, const char *words)
{
	struct wisp_buf b = WISP_BUF_INIT;
	const char *w, *id;
	size_t len, name, n;

	wisp_buf_putc(&b, '[');
	for (w = words; *w != '\0'; w += len + (w[len] == ' ')) {
		len = strcspn(w, " ");
		name = strcspn(w, "#+!~^ ");
		wisp_buf_printf(&b, "%s{\"category\":\"test\",\"description\":\"%.*s\"", b.len > 1 ? "," : "",
				(int)name, w);
		if (w[name] == '#') {
			id = w + name + 1;
			n = strcspn(id, "+!~^ ");
			wisp_buf_printf(&b, ",\"id\":\"%.*s\"", (int)n, id);
			name += n + 1;
		}
		wisp_buf_printf(&b, ",\"steps\":[%s],\"passes\":%s",
				memchr(w + name, '!', len - name) != NULL ? "\"x\"" : "",
				memchr(w + name, '+', len - name) != NULL ? "true" : "false");
		if (memchr(w + name, '~', len - name) != NULL)
			wisp_buf_puts(&b, ",\"notes\":\"n\",\"verify\":null");
		if (memchr(w + name, '^', len - name) != NULL)
			wisp_buf_puts(&b, ",\"mine\":1");
		wisp_buf_putc(&b, '}');
	}
	wisp_buf_putc(&b, ']');
	CHECK_INT(wisp_tasks_parse(t, b.data, b.len, NULL, NULL), WISP_VALID, "a list");
	wisp_buf_release(&b);
}

static void
add(struct wisp_buf *out, const char *name, const size_t *numbers, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		wisp_buf_printf(out, "%s%s=%zu", out->len > 0 ? " " : "", name, numbers[i]);
}

static const struct {
	const char *old, *new;
	const char *diff;	/* * at the end: an agent may do that */
	const char *back;	/* which of the old ones pass once it was put back */
} cases[] = {
	{"", "", "*", ""},
	{"a b", "a b", "*", "--"},
	{"a b", "a+ b", "passed=1*", "+-"},
	{"a+ b", "a b+", "passed=2 reopened=1*", "-+"},
	{"a b", "a~ b~^", "*", "--"},
	{"a b~^", "a b", "*", "--"},
	{"a", "a b c+", "passed=3 added=2 added=3*", "-"},
	{"a b", "a c b", "added=2", "--"},
	{"a", "c a", "added=1", "-"},
	{"a b c", "a c", "lost=2", "---"},
	{"a b", "", "lost=1 lost=2", "--"},
	{"a b", "a+ c", "lost=2 passed=1 added=2", "+-"},
	{"a b", "a+!", "lost=2 reworded=1 passed=1", "--"},
	/* An id holds a task together, whatever it says. */
	{"a#1 b#2", "a#1 x#2+", "reworded=2 passed=2", "--"},
	{"a#1 b#2", "b#1 a#2", "reworded=1 reworded=2", "--"},
	{"a#1", "a#2", "lost=1 added=1", "-"},
	{"a#1", "a+", "reworded=1 passed=1", "-"},
	{"a", "a#1+", "reworded=1 passed=1", "-"},
	/* Equal descriptions go in order, those without an id first. */
	{"a a a", "a a+ a", "passed=2*", "-+-"},
	{"a a", "a+", "lost=2 passed=1", "+-"},
	{"a#1 a", "a a#1", "moved=1", "--"},
	{"a#1 a", "a#2 a+", "lost=1 passed=2 added=1", "-+"},
	{"a a#1", "a#2 a#3", "lost=2 reworded=1 added=2", "--"},
	/* The fewest that were moved. */
	{"a b c d", "b c d a", "moved=1", "----"},
	{"a b c d", "d a b c", "moved=4", "----"},
	{"a b c d", "a c+ b d", "moved=2 passed=2", "--+-"},
	{"a b c d", "d c b a", "moved=1 moved=2 moved=3", "----"},
	{"a b c d e", "a d e+", "lost=2 lost=3 passed=3", "----+"},
	{"a b", "b+ x a", "moved=1 passed=1 added=2", "-+"},
};

static void
compare(void)
{
	struct wisp_tasks old, new;
	struct wisp_tasks_diff d;
	struct wisp_buf text = WISP_BUF_INIT;
	size_t i, j;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		make(&old, cases[i].old);
		make(&new, cases[i].new);
		wisp_tasks_compare(&d, &old, &new);
		wisp_buf_reset(&text);
		add(&text, "lost", d.lost, d.n_lost);
		add(&text, "reworded", d.reworded, d.n_reworded);
		add(&text, "moved", d.moved, d.n_moved);
		add(&text, "passed", d.passed, d.n_passed);
		add(&text, "reopened", d.reopened, d.n_reopened);
		add(&text, "added", d.added, d.n_added);
		wisp_buf_puts(&text, d.lawful ? "*" : "");
		CHECK_STR(text.data, cases[i].diff, "  what became of it");
		wisp_tasks_diff_release(&d);
		wisp_tasks_diff_release(&d);

		wisp_tasks_put_back(&old, &new);
		wisp_buf_reset(&text);
		wisp_buf_puts(&text, "");
		for (j = 0; j < old.count; j++)
			wisp_buf_putc(&text, old.list[j].passes ? '+' : '-');
		CHECK_STR(text.data, cases[i].back, "  what passes once it is put back");
		wisp_tasks_release(&old);
		wisp_tasks_release(&new);
	}
	wisp_buf_release(&text);
}

/* Ten thousand equal tasks, reversed by their ids: quadratic code would be felt. */
static void
many(void)
{
	enum { MANY = 10000 };
	struct wisp_buf a = WISP_BUF_INIT, b = WISP_BUF_INIT;
	struct wisp_tasks old, new;
	struct wisp_tasks_diff d;
	int i;

	for (i = 0; i < MANY; i++) {
		wisp_buf_printf(&a, "same#%d ", i);
		wisp_buf_printf(&b, "same#%d+ ", MANY - 1 - i);
	}
	for (i = 0; i < MANY; i++) {
		wisp_buf_puts(&a, "same ");
		wisp_buf_puts(&b, "same ");
	}
	make(&old, a.data);
	make(&new, b.data);
	wisp_tasks_compare(&d, &old, &new);
	CHECK_INT(d.n_lost, 0, "  none is lost");
	CHECK_INT(d.n_moved, MANY - 1, "  all but one are moved");
	CHECK_INT(d.n_passed, MANY, "  half of them pass");
	wisp_tasks_put_back(&old, &new);
	CHECK_INT(old.passed, MANY, "  and do so once it is put back");
	wisp_tasks_diff_release(&d);
	wisp_tasks_release(&old);
	wisp_tasks_release(&new);
	wisp_buf_release(&a);
	wisp_buf_release(&b);
}

/* What bytes alone say: the newly passing, and by how many more pass; "parse" where they do not. */
static void
flips(void)
{
#define TASK(more, passes) "{\"steps\":[\"\\\"passes\",\"{\"]," more "\"passes\"" passes ",\"category\":\"test\"}"
#define TWO(first, second) "[" TASK("\"description\":\"a\",", first) ", " TASK("\"x\":{\"passes\":true},\"description\":\"b\",", second) " ]\n"
	static const struct {
		const char *old, *now, *said;
	} bytes[] = {
		{"[]", "[]", " 0"},
		{TWO(":false", ":false"), TWO(":false", ":false"), " 0"},
		{TWO(":false", ":false"), TWO(":false", ": true"), "2 1"},
		{TWO(":\n\tfalse", ":false"), TWO(":true", ":true"), "1 2 2"},
		{TWO(":true", ":true"), TWO(":true", ":false"), " -1"},
		{TWO(":true", ":false"), TWO(":false", ":true"), "2 0"},
		{TWO(":true", ":false"), TWO(":true", ":null"), "parse"},
		{TWO(":true", ":false"), TWO(":true", ":tru"), "parse"},
		{TWO(":true", ":false"), TWO(":true", ":\"true\""), "parse"},
		{TWO(":true", ":false"), TWO(":true", ":true,\"notes\":\"n\""), "parse"},
		{TWO(":true", ":false"), TWO(":true", ":true") "x", "parse"},
		{TWO(":true", ":false"), "[" TASK("\"description\":\"a\",", ":true") "]", "parse"},
		{TWO(":true", ":false"), "", "parse"},
		{TWO(":true", ":false"), TWO(":true", ":@true"), "parse"},	/* @: a NUL */
		{"[{\"x\":{\"passes\":true},\"passes\":true}]", "[{\"x\":{\"passes\":false},\"passes\":true}]", "parse"},
		{"[{\"p\\u0061sses\":false}]", "[{\"p\\u0061sses\":true}]", "parse"},
	};
	struct wisp_buf old = WISP_BUF_INIT, now = WISP_BUF_INIT, text = WISP_BUF_INIT;
	struct cJSON *claims, *some;
	size_t passed;

	for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
		wisp_buf_reset(&old);
		wisp_buf_reset(&now);
		wisp_buf_reset(&text);
		wisp_buf_puts(&old, bytes[i].old);
		wisp_buf_puts(&now, bytes[i].now);
		for (char *at; (at = memchr(now.data, '@', now.len)) != NULL; *at = '\0')
			;
		claims = wisp_json_array();
		passed = 7;
		if (!wisp_tasks_flips(&old, &now, claims, &passed)) {
			wisp_buf_puts(&text, "parse");
		} else {
			for (const struct cJSON *c = wisp_json_first(claims); c != NULL; c = wisp_json_next(c))
				wisp_buf_printf(&text, "%s%d", text.len > 0 ? " " : "", (int)wisp_json_number(c, 0));
			wisp_buf_printf(&text, " %d", (int)passed - 7);
		}
		CHECK_STR(text.data, bytes[i].said, bytes[i].now);
		wisp_json_free(claims);
	}
	wisp_buf_reset(&old);
	wisp_buf_puts(&old, TWO(":true", ":false"));
	claims = wisp_json_array();
	for (int n = 3; n >= 0; n--)
		wisp_json_push(claims, wisp_json_double(n));
	some = wisp_tasks_some(&old, claims);
	wisp_buf_reset(&text);
	for (const struct cJSON *t = wisp_json_first(some); t != NULL; t = wisp_json_next(t))
		wisp_buf_puts(&text, wisp_json_str(t, "description", "?"));
	CHECK_STR(text.data, "ba", "those that are there, in the order that was asked for");
	wisp_json_free(some);
	wisp_json_free(claims);
	wisp_buf_release(&old);
	wisp_buf_release(&now);
	wisp_buf_release(&text);
#undef TWO
#undef TASK
}

int
main(void)
{
	compare();
	many();
	flips();
	return unit_done();
}
