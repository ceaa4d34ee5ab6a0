/*
 * live: the status line of a run's screen by its width, and the lines of its events.
 */
#include <locale.h>

#include "screen/cells.h"
#include "session/live_line.h"
#include "unit.h"

#define TASK "greet NAME prints 'Hello, NAME!' and exits with 0"

static void
check_status(void)
{
	static const struct { const char *label; size_t width; struct wisp_live_line line; const char *want; } cases[] = {
		{"all of it", 121, {"[3/50] 2/5 tasks", TASK, "Bash: make test", "$1.23 of $20", "3h51m left", 42000},
		 "[3/50] 2/5 tasks | 0:42 | " TASK " | Bash: make test | $1.23 of $20 | 3h51m left"},
		{"79: the title is cut", 79, {"[3/50] 2/5 tasks", TASK, "Bash: make test", "$1.23 of $20", "", 42000},
		 "[3/50] 2/5 tasks | 0:42 | greet NAME prints '\xe2\x80\xa6 | Bash: make test | $1.23 of $20"},
		{"79: of two that are long each gets a half", 79, {"[3/50] 2/5 tasks", TASK, "Bash: " TASK, "", "3h51m left", 42000},
		 "[3/50] 2/5 tasks | 0:42 | greet NAME prints\xe2\x80\xa6 | Bash: greet NAME p\xe2\x80\xa6 | 3h51m left"},
		{"60: time and title give way", 60, {"[3/50] 2/5 tasks", TASK, "Bash: make test", "$1.23 of $20", "3h51m left", 42000},
		 "[3/50] 2/5 tasks | 0:42 | Bash: make test | $1.23 of $20"},
		{"40: no title", 40, {"[3/50] 2/5 tasks", TASK, "Bash: make test", "$1.23 of $20", "3h51m left", 42000},
		 "[3/50] 2/5 tasks | 0:42 | Bash: make te\xe2\x80\xa6"},
		{"20: where it stands", 20, {"[3/50] 2/5 tasks", TASK, "Bash: make test", "", "", 42000}, "[3/50] 2/5 tasks"},
		{"8", 8, {"[3/50] 2/5 tasks", "", "", "", "", 0}, "[3/50] \xe2\x80\xa6"},
		{"1", 1, {"[3/50] 2/5 tasks", "", "", "", "", 0}, "\xe2\x80\xa6"},
		{"nothing has happened yet", 79, {"[1/50]", "", "", "", "", 3725000}, "[1/50] | 1:02:05"},
		{"in phases", 79, {"[GREEN] Iteration 5/10 | 6/10 tests passing | Status: running", "", "Edit: src/a.c", "$1", "", 1000},
		 "[GREEN] Iteration 5/10 | 6/10 tests passing | Status: running | 0:01 | Edit: s\xe2\x80\xa6"},
		{"control characters are shown as none", 79, {"[1/50]", "a\033[31mb\tc", "d\xff", "", "", 0}, "[1/50] | 0:00 | a?[31mb?c | d?"},
		{"wide characters count twice", 24, {"[1/50]", "", "\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5", "", "", 0},
		 "[1/50] | 0:00 | \xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5"},
		{"... and are not cut in the middle", 22, {"[1/50]", "", "\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5\xe6\x97\xa5", "", "", 0},
		 "[1/50] | 0:00 | \xe6\x97\xa5\xe6\x97\xa5\xe2\x80\xa6"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wisp_buf b = WISP_BUF_INIT;

		wisp_live_status(&b, &cases[i].line, cases[i].width, true);
		CHECK_STR(b.data, cases[i].want, cases[i].label);
		CHECK(wisp_cells_width(b.data, true) <= cases[i].width, cases[i].label);
		wisp_buf_release(&b);
	}
}

/* No width, and no mix of what is known, makes it wider than the terminal. */
static void
check_widths(void)
{
	static const char *const texts[] = {"", "x", TASK};
	size_t wrong = 0;

	for (size_t width = 1; width < 150; width++)
		for (int i = 0; i < 81; i++) {
			struct wisp_live_line line = {"[3/50] 2/5 tasks", texts[i % 3], texts[i / 3 % 3], texts[i / 9 % 3], texts[i / 27], 0};
			struct wisp_buf b = WISP_BUF_INIT;

			wisp_live_status(&b, &line, width, false);
			wrong += wisp_cells_width(b.data, false) > width;
			wisp_buf_release(&b);
		}
	CHECK_INT(wrong, 0, "never wider than the terminal");
}

static void
check_event(void)
{
	static const struct { const char *label, *text; size_t width; bool colour; const char *want; } cases[] = {
		{"a call", "  > Bash: make test", 79, false, "  > Bash: make test"},
		{"a call, in bold", "  > Bash: make test", 79, true, "\033[1m  > Bash: make test\033[0m"},
		{"a result, dim", "  < 12 passed", 79, true, "\033[2m  < 12 passed\033[0m"},
		{"a failure, red", "  ! failed: exit status 1", 79, true, "\033[31m  ! failed: exit status 1\033[0m"},
		{"a message as it is", "    Reading the list.", 79, true, "    Reading the list."},
		{"a message that looks like a call", "    > quoted", 79, true, "    > quoted"},
		{"cut at the edge", "  > Bash: make test", 10, false, "  > Bash:\xe2\x80\xa6"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wisp_buf b = WISP_BUF_INIT;

		wisp_live_event(&b, cases[i].text, cases[i].width, true, cases[i].colour);
		CHECK_STR(b.data, cases[i].want, cases[i].label);
		wisp_buf_release(&b);
	}
}

int
main(void)
{
	if (setlocale(LC_CTYPE, "C.UTF-8") == NULL)
		printf("# no UTF-8 locale\n");
	check_status();
	check_widths();
	check_event();
	return unit_done();
}
