/*
 * change: a table of lists before and after a change, in short: may that be?
 * A word is a task: its id, then + if it passes, ! with another wording.
 */
#include "core/change.h"
#include "unit.h"

static void
make(struct wisp_tasks *t, const char *words)
{
	struct wisp_buf b = WISP_BUF_INIT;
	size_t len;

	wisp_buf_putc(&b, '[');
	for (const char *w = words; *w != '\0'; w += len + (w[len] == ' ')) {
		len = strcspn(w, " ");
		wisp_buf_printf(&b, "%s{\"id\":\"%c\",\"category\":\"test\",\"description\":\"%c\",\"steps\":[%s],\"passes\":%s}",
				b.len > 1 ? "," : "", *w, *w, memchr(w, '!', len) != NULL ? "\"x\"" : "",
				memchr(w, '+', len) != NULL ? "true" : "false");
	}
	wisp_buf_putc(&b, ']');
	CHECK_INT(wisp_tasks_parse(t, b.data, b.len, NULL, NULL), WISP_VALID, "a list");
	wisp_buf_release(&b);
}

static const struct {
	const char *old, *new;
	const char *update, *review;	/* NULL: it may; else a part of what is said */
} cases[] = {
	{"a+ b", "a+ b", NULL, NULL},
	{"a+ b", "a+ b c", NULL, NULL},
	{"a+ b", "a b", NULL, NULL},
	{"a+ b", "a b c d", NULL, NULL},
	{"", "a", NULL, NULL},
	{"a", "", "no task at all", "no task at all"},
	/* What a review may not, an update may. */
	{"a+ b", "a+ c b", NULL, "a new one before an old one"},
	{"a+ b", "a+", NULL, "1 tasks removed"},
	{"a+ b", "a+ b!", NULL, "1 reworded"},
	{"a+ b c", "a+ c b", NULL, "1 moved"},
	{"a+ b", "b a+", NULL, "1 moved"},
	/* One that passes is opened when it is reworded, or stays. */
	{"a+ b", "a! b", NULL, "1 reworded"},
	{"a+ b", "a!+ b", "task 1 (a) passes and was reworded", "1 reworded"},
	{"b a+", "a!+ b", "task 1 (a) passes and was reworded", "1 reworded"},
	{"a+ b", "b", "task 1 (a) passes and is gone", "1 tasks removed"},
	{"a b+ c+", "a c+ d", "task 2 (b) passes and is gone", "1 tasks removed"},
	/* Nothing passes by it. */
	{"a+ b", "a+ b+", "task 2 (b) passes now", "task 2 (b) passes now"},
	{"a+ b", "a+ b c+", "task 3 (c) passes now", "task 3 (c) passes now"},
	{"a+ b", "a+ b!+", "passes now", "1 reworded"},
};

static void
may(const char *kind, const struct wisp_tasks *old, const struct wisp_tasks *new, const char *want)
{
	char *why = wisp_change_refuse(kind, old, new);

	CHECK_INT((why == NULL) == (want == NULL) && (want == NULL || strstr(why, want) != NULL), true, kind);
	if (why != NULL)
		printf("# %s\n", why);
	free(why);
}

int
main(void)
{
	struct wisp_tasks old, new;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		printf("# %s -> %s\n", cases[i].old, cases[i].new);
		make(&old, cases[i].old);
		make(&new, cases[i].new);
		may("update", &old, &new, cases[i].update);
		may("review", &old, &new, cases[i].review);
		wisp_tasks_release(&old);
		wisp_tasks_release(&new);
	}
	return unit_done();
}
