/*
 * screen: rows and a size in, lines of text out; and text by its columns.
 */
#include <locale.h>

#include "screen/cells.h"
#include "screen/pager.h"
#include "screen/sessions.h"
#include "unit.h"

#define NOW ((wisp_ms)1768558385000)	/* 2026-01-16 10:13:05 UTC */
#define AGO(seconds) (NOW - (wisp_ms)(seconds) * 1000)

static struct wisp_row rows[] = {
	{.branch = (char[]){"feature/login"}, .project = (char[]){"/home/me/shop"}, .word = (char[]){"running"},
	 .cost = (char[]){"1.93"},
	 .iteration = 4,
	 .most = 50,
	 .passed = 3,
	 .total = 7,
	 .tasks = (char[]){"3/7"},
	 .percent = 42,
	 .alive = true,
	 .last = AGO(12)},
	{.branch = (char[]){"port"}, .project = (char[]){"/home/me/shop"}, .word = (char[]){"paused"},
	 .tasks = (char[]){"GREEN 3/12"},
	 .note = (char[]){"asks: Which port?"},
	 .question = (char[]){"q-3"},
	 .phase = (char[]){"GREEN"},
	 .iteration = 3, .most = -1, .passed = 0, .total = 10, .percent = 0, .last = AGO(185)},
	{.branch = (char[]){"lost"}, .word = (char[]){"broken"}, .note = (char[]){"cannot be read"}, .iteration = -1, .most = -1,
	 .passed = -1, .total = -1, .percent = -1, .last = -1},
};

/* The lines with `|` between; frees them. */
static char *
joined(struct wisp_lines *lines)
{
	struct wisp_buf b = WISP_BUF_INIT;
	size_t i;

	for (i = 0; i < lines->count; i++)
		wisp_buf_printf(&b, "%s%s", i > 0 ? "|" : "", lines->list[i].text);
	wisp_lines_release(lines);
	return wisp_buf_detach(&b);
}

static void
check_screen(void)
{
	static const struct { const char *label; size_t width, height, count, selected; const char *want; } cases[] = {
		{"20x5: the title, two rows, a line of detail, the keys", 20, 5, 3, 0,
		 "wisp: 3 sessions, 1~|> feature/l~ running|? port       paused|asks  Which port?|keys"},
		{"20x5: the selected one is seen", 20, 5, 3, 2,
		 "wisp: 3 sessions, 1~|? port       paused|> lost       broken|asks  Which port?|keys"},
		{"10x2: a title and the selected one", 10, 2, 3, 1, "wisp: 3 s~|> port"},
		{"3x1", 3, 1, 3, 0, "> ~"},
		{"40x8: heads, and a line of its own for what is asked", 40, 8, 2, 0,
		 "wisp: 2 sessions, 1 waiting for an answ~|  BRANCH     STATUS  TASKS      ITER AGE|"
		 "> feature/l~ running 3/7        4/50 12s|? port       paused  GREEN 3/12    3  3m|    asks: Which port?|"
		 "----------------------------------------|asks  Which port?|keys"},
		{"40x8: what the selected one asks stands below alone", 40, 8, 2, 1,
		 "wisp: 2 sessions, 1 waiting for an answ~|  BRANCH     STATUS  TASKS      ITER AGE|"
		 "  feature/l~ running 3/7        4/50 12s|> port       paused  GREEN 3/12    3  3m||"
		 "----------------------------------------|asks  Which port?|keys"},
		{"no session", 60, 5, 0, 0, "wisp: 0 sessions, 0 running                            10:13|"
		 "  no sessions yet: `wisp plan` and `wisp run` make them||asks  Which port?|keys"},
	};
	struct wisp_lines lines = {0};
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wisp_view view = {.width = cases[i].width, .height = cases[i].height, .selected = cases[i].selected,
					 .now = NOW, .detail = "asks  Which port?\n", .foot = "keys"};

		wisp_layout(&lines, &view, rows, cases[i].count);
		CHECK_INT(lines.count, cases[i].height, cases[i].label);
		CHECK_OWN(joined(&lines), cases[i].want, cases[i].label);
	}
}

static void
check_table(void)
{
	static const struct { size_t width; const char *want; } cases[] = {
		{24, "  BRANCH   STATUS  TASKS|  feature~ running 3/7|? port     paused  GREE~|    asks: Which port?|"
		     "  lost     broken  -|    cannot be read"},
		{80,
		 "  BRANCH        PROJECT  STATUS  PROGRESS             TASKS      ITER AGE  COST|"
		      "  feature/login shop     running ########------------ 3/7        4/50 12s $1.93|"
		 "? port          shop     paused  -------------------- GREEN 3/12    3  3m     -|    asks: Which port?|"
		 "  lost          -        broken                       -             -   -     -|    cannot be read"},
		{110,
		 "  BRANCH        PROJECT  STATUS  PROGRESS             TASKS      ITER AGE  COST|"
		 "  feature/login shop     running ########------------ 3/7        4/50 12s $1.93|"
		 "? port          shop     paused  -------------------- GREEN 3/12    3  3m     - asks: Which port?|"
		 "  lost          -        broken                       -             -   -     - cannot be read"},
		{90,
		 "  BRANCH        PROJECT  STATUS  PROGRESS             TASKS      ITER AGE  COST|"
		 "  feature/login shop     running ########------------ 3/7        4/50 12s $1.93|"
		 "? port          shop     paused  -------------------- GREEN 3/12    3  3m     -|    asks: Which port?|"
		 "  lost          -        broken                       -             -   -     -|    cannot be read"},
		{WISP_WIDE,
		 "BRANCH        PROJECT       STATUS  PROGRESS             TASKS      ITER AGE  COST|"
		 "feature/login /home/me/shop running ########------------ 3/7        4/50 12s $1.93|"
		 "port          /home/me/shop paused  -------------------- GREEN 3/12    3  3m     - asks: Which port?|"
		 "lost          -             broken                       -             -   -     - cannot be read"},
	};
	struct wisp_lines lines = {0};
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct wisp_view view = {.width = cases[i].width, .plain = true, .now = NOW};
		char *label = cases[i].width == WISP_WIDE ? wisp_strdup("the table where no width is known")
							  : wisp_str("the table in %zu columns", cases[i].width);

		wisp_layout_table(&lines, &view, rows, sizeof rows / sizeof *rows);
		CHECK_OWN(joined(&lines), cases[i].want, label);
		free(label);
	}
}

/* Every width and height gives a screen of that size, whatever is selected. */
static void
check_sizes(void)
{
	size_t width, height, selected, i, bad = 0;
	struct wisp_lines lines = {0};

	for (width = 1; width < 140; width += 3)
		for (height = 1; height < 30; height++)
			for (selected = 0; selected < 3; selected++) {
				struct wisp_view view = {.width = width, .height = height, .selected = selected, .top = 2,
							 .now = NOW, .detail = "a\nb\n", .foot = "a line at the foot"};

				wisp_layout(&lines, &view, rows, 3);
				bad += lines.count != height || view.top > selected;
				for (i = 0; i < lines.count; i++)
					bad += wisp_cells_width(lines.list[i].text, false) > width;
				wisp_lines_release(&lines);
			}
	CHECK_INT(bad, 0, "screens of every size");
}

static void
check_prompt(void)
{
	struct wisp_view view = {.width = 10, .height = 3, .now = NOW, .foot = "answer: abcdefgh", .foot_end = true};
	struct wisp_lines lines = {0};

	wisp_layout(&lines, &view, rows, 1);
	CHECK_STR(lines.list[2].text, " abcdefgh", "of a prompt that is too long its end is seen, and a place for the cursor");
	wisp_lines_release(&lines);
}

static char *
cut(const char *s, size_t width, bool utf8)
{
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_cells_pad(&b, s, width, false, utf8);
	wisp_buf_putc(&b, '|');
	return wisp_buf_detach(&b);
}

static void
check_cells(bool utf8)
{
	static const struct { const char *s; size_t width; const char *ascii, *wide; } cases[] = {
		{"abc", 5, "abc  |", "abc  |"},
		{"abcdef", 4, "abc~|", "abc\xe2\x80\xa6|"},
		{"", 2, "  |", "  |"},
		{"a\x1b[31mb\x7f\n", 8, "a?[31mb~|", "a?[31mb\xe2\x80\xa6|"},
		{"\xc3\xa9t\xc3\xa9", 4, "?t? |", "\xc3\xa9t\xc3\xa9 |"},
		{"\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", 5, "???  |", "\xe6\x97\xa5\xe6\x9c\xac\xe2\x80\xa6|"},
		{"\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", 6, "???   |", "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e|"},
		{"\xe6\x97\xa5\xe6\x9c\xac", 2, "??|", "\xe2\x80\xa6 |"},
		{"\xc2\x9b" "31m", 5, "?31m |", "?31m |"},			/* CSI of C1 */
		{"a\xe2\x80\xae" "b", 4, "a?b |", "a?b |"},			/* right-to-left override */
		{"e\xcc\x81x", 4, "e?x |", "e\xcc\x81x  |"},			/* a combining accent */
		{"\xff\xfe", 4, "??  |", "??  |"},
	};
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK_OWN(cut(cases[i].s, cases[i].width, utf8), utf8 ? cases[i].wide : cases[i].ascii, cases[i].ascii);
}

static void
check_wrap(void)
{
	static const struct { const char *s; size_t width; const char *want; } cases[] = {
		{"one two three", 8, "one two|three"}, {"one two three", 7, "one two|three"}, {"one two three", 6, "one|two|three"},
		{"abcdefgh", 3, "abc|def|gh"}, {"a bcdefgh", 3, "a|bcd|efg|h"}, {"", 3, ""}, {"ab", 1, "a|b"},
	};
	struct wisp_buf b = WISP_BUF_INIT;
	const char *rest;
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		wisp_buf_reset(&b);
		wisp_buf_puts(&b, "");
		for (rest = cases[i].s; *rest != '\0';) {
			if (b.len > 0)
				wisp_buf_putc(&b, '|');
			rest = wisp_cells_wrap(&b, rest, cases[i].width, false);
		}
		CHECK_STR(b.data, cases[i].want, cases[i].want);
	}
	wisp_buf_release(&b);
}

static void
check_typing(void)
{
	static const unsigned int typed[] = {'a', 0xe9, 0x65e5, 0x1f600};
	struct wisp_buf b = WISP_BUF_INIT;
	size_t i;

	for (i = 0; i < sizeof typed / sizeof *typed; i++)
		wisp_cells_put(&b, typed[i]);
	CHECK_STR(b.data, "a\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80", "characters of every length");
	wisp_cells_drop(&b);
	wisp_cells_drop(&b);
	CHECK_STR(b.data, "a\xc3\xa9", "two less");
	wisp_cells_drop(&b);
	wisp_cells_drop(&b);
	wisp_cells_drop(&b);
	CHECK_STR(b.data, "", "none, and one less than that");
	wisp_buf_release(&b);
}

static void
check_age(void)
{
	static const struct { wisp_ms since; const char *want; } cases[] = {
		{-1, "-"},	 {NOW + 5000, "now"}, {AGO(4), "now"},	 {AGO(5), "5s"},     {AGO(59), "59s"},
		{AGO(60), "1m"}, {AGO(3599), "59m"},  {AGO(3600), "1h"}, {AGO(86400), "1d"}, {0, "20469d"},
	};
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK_OWN(wisp_age(cases[i].since, NOW), cases[i].want, cases[i].want);
}

/* What is shown, with `|` between, and how many completed ones are not. */
static char *
arranged(struct wisp_sessions *s, const char *filter, wisp_ms since)
{
	const struct wisp_choice choice = {filter, since};
	struct wisp_buf b = WISP_BUF_INIT;
	size_t i;

	wisp_sessions_arrange(s, &choice);
	for (i = 0; i < s->shown; i++)
		wisp_buf_printf(&b, "%s|", s->rows[i].branch);
	wisp_buf_printf(&b, "%zu", s->hidden);
	return wisp_buf_detach(&b);
}

static void
check_arrange(void)
{
#define ROW(name, state, ...)                                                                      \
	{                                                                                          \
		.branch = (char[]){name}, .word = (char[]){state}, .project = (char[]){"/w/shop"}, \
		.shared = (char[]){"shop"}, __VA_ARGS__                                            \
	}
	struct wisp_row list[] = {
		ROW("idle", "paused", .last = AGO(9)),
		ROW("old", "completed", .last = AGO(99)),
		ROW("new", "completed", .last = AGO(1)),
		ROW("bad", "halted", .note = (char[]){"Same error"}),
		ROW("ask", "paused", .question = (char[]){"q-1"}),
		ROW("spec", "running", .last = AGO(9)),
		ROW("spec-ui", "paused", .parent = (char[]){"spec"}, .question = (char[]){"q-1"}),
		ROW("spec-db", "completed", .parent = (char[]){"spec"}, .last = AGO(99)),
		ROW("gate", "running", .stage = (char[]){"gate-1"}),
	};
	struct wisp_sessions s = {.rows = list, .count = sizeof list / sizeof *list};

	CHECK_OWN(arranged(&s, NULL, AGO(50)), "ask|gate|spec|spec-ui|bad|idle|new|2",
		  "first what waits, with its family; what was completed before is hidden");
	CHECK_OWN(arranged(&s, NULL, -1), "ask|gate|spec|spec-db|spec-ui|bad|idle|new|old|0",
		  "all, those that are over last");
	CHECK_OWN(arranged(&s, "SPEC", AGO(50)), "spec|spec-ui|1", "those with a text in the branch, in either case");
	CHECK_OWN(arranged(&s, "same err", -1), "bad|0", "in the note");
	CHECK_OWN(arranged(&s, "halt", -1), "bad|0", "in the status");
	CHECK_OWN(arranged(&s, "nowhere", -1), "0", "in none");
}

/* The log of seven lines, the third one long, on a screen of 20x5 after those keys. */
static char *
paged(const char *label, const int *keys, size_t count)
{
	const struct wisp_view view = {.width = 20, .height = 5, .now = NOW};
	struct wisp_pager p = {.title = (char[]){"log of b"}};
	struct wisp_lines lines = {0};
	char *text;
	size_t i;

	wisp_buf_puts(&p.log.text, "one\n\n  three is longer\tthan that\nfour\nfive\nsix\nseven\n");
	p.log.read = p.log.text.len;
	wisp_pager_layout(&lines, &p, &view);
	for (i = 0; i < count; i++) {
		wisp_lines_release(&lines);
		CHECK_INT(wisp_pager_key(&p, keys[i], view.height), keys[i] != 'q', label);
		wisp_pager_layout(&lines, &p, &view);
	}
	text = joined(&lines);
	p.title = NULL;
	wisp_pager_close(&p);
	return text;
}

static void
check_pager(void)
{
	static const struct {
		const char *label;
		int keys[4];
		size_t count;
		const char *want;
	} cases[] = {
		{"a log begins at its end", {0}, 0, "log of b|five|six|seven|q back  j k PgUp Pg~"},
		{"g: its beginning", {'g'}, 1, "log of b|one||  three is longer|q back  j k PgUp Pg~"},
		{"j and k", {'g', 'j', 'j', 'k'}, 4, "log of b||  three is longer|than that|q back  j k PgUp Pg~"},
		{"a page up and down", {'b', 'b', ' '}, 3, "log of b|than that|four|five|q back  j k PgUp Pg~"},
		{"G: the end", {'g', 'G'}, 2, "log of b|five|six|seven|q back  j k PgUp Pg~"},
		{"q leaves", {'q'}, 1, "log of b|five|six|seven|q back  j k PgUp Pg~"},
	};
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK_OWN(paged(cases[i].label, cases[i].keys, cases[i].count), cases[i].want, cases[i].label);
}

static void
check_say(void)
{
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_row_say(&b, &rows[0]);
	CHECK_STR(b.data, "running, iteration 4 of 50, tasks 3/7, $1.93", "a row in words");
	wisp_buf_reset(&b);
	wisp_row_say(&b, &rows[1]);
	CHECK_STR(b.data, "paused, phase GREEN, iteration 3, tasks 0/10; asks: Which port?", "a row that asks");
	wisp_buf_reset(&b);
	wisp_row_say(&b, &rows[2]);
	CHECK_STR(b.data, "broken; cannot be read", "a row of which nothing is known");
	wisp_buf_release(&b);
}

int
main(void)
{
	setenv("TZ", "UTC", 1);
	check_screen();
	check_table();
	check_sizes();
	check_prompt();
	check_wrap();
	check_typing();
	check_age();
	check_arrange();
	check_pager();
	check_say();
	check_cells(false);
	if (setlocale(LC_CTYPE, "C.UTF-8") != NULL || setlocale(LC_CTYPE, "en_US.UTF-8") != NULL)
		check_cells(true);
	return unit_done();
}
