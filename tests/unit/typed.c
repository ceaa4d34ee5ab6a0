/*
 * typed: what a person types, key by key, into a text; and when that is complete.
 */
#include <locale.h>

#include "unit.h"
#include "wait/typed.h"

static void
check_text(void)
{
	static const struct {
		const char *label, *keys;
		bool more;
		const char *text;
		bool ended;
	} cases[] = {
		{"a line, and Enter", "8080\n", false, "8080", true},
		{"a carriage return is Enter", "8080\r", false, "8080", true},
		{"no Enter yet", "8080", false, "8080", false},
		{"Enter alone sends nothing", "\n", false, "", false},
		{"... nor does it begin what comes behind it", "\n80\n", false, "80", true},
		{"blanks and Enter send nothing", "  \n", false, "  ", false},
		{"a backslash before Enter begins a line", "a\\\n", false, "a\n", false},
		{"the line after it ends it", "a\\\nb\n", false, "a\nb", true},
		{"a backslash elsewhere is one", "a\\b\n", false, "a\\b", true},
		{"Alt-Enter begins a line", "a\033\rb\n", false, "a\nb", true},
		{"Enter with more behind it begins a line", "a\nb\n", false, "a\nb", true},
		{"... also where that is yet to be read", "a\n", true, "a\n", false},
		{"marked as pasted, nothing ends it", "\033[200~a\\\nb\n\033[201~", false, "a\\\nb\n", false},
		{"... until Enter", "\033[200~a\nb\033[201~c\n", false, "a\nbc", true},
		{"Ctrl-D ends it", "a\004", false, "a", true},
		{"Ctrl-D on nothing means nothing", "\004", false, "", false},
		{"Backspace", "ab\177\bc", false, "c", false},
		{"Backspace on nothing", "\177a", false, "a", false},
		{"Backspace takes a whole character", "a\303\251\346\227\245\177\177", false, "a", false},
		{"Backspace goes back over a line", "a\\\n\177b", false, "ab", false},
		{"Ctrl-W takes a word", "one two \027", false, "one ", false},
		{"Ctrl-U takes a line", "a\\\nb c\025", false, "a\n", false},
		{"arrows and function keys mean nothing", "a\033[D\033[1;5C\033OPb", false, "ab", false},
		{"control characters are none of it", "a\001\007b", false, "ab", false},
		{"a tab is one", "\033[200~a\tb\033[201~", false, "a\tb", false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wisp_typed t;
		bool ended;

		wisp_typed_init(&t, "/nonexistent/answer");
		ended = wisp_typed_feed(&t, cases[i].keys, strlen(cases[i].keys), cases[i].more, 80);
		CHECK_STR(t.text.len > 0 ? t.text.data : "", cases[i].text, cases[i].label);
		CHECK_INT(ended, cases[i].ended, cases[i].label);
		wisp_typed_release(&t);
	}
}

static void
check_empty(void)
{
	struct wisp_typed t;

	wisp_typed_init(&t, "/nonexistent/answer");
	t.empty = true;
	CHECK(wisp_typed_feed(&t, "\n", 1, false, 80), "Enter alone, where that is a text");
	CHECK(wisp_typed_feed(&t, "\004", 1, false, 80), "and so is Ctrl-D");
	CHECK(!wisp_typed_feed(&t, "\n", 1, true, 80), "but not in what is pasted");
	wisp_typed_release(&t);
}

/* A text that goes over the edge is taken away from where it began. */
static void
check_echo(void)
{
	static const struct {
		const char *label, *before, *keys;
		size_t width;
		bool plain;
		const char *echo;
	} cases[] = {
		{"what is typed is echoed", "", "ab", 80, false, "ab"},
		{"a new line has the prompt", "a", "\\\n", 80, false, "\\\n> "},
		{"erased within a row", "abc", "\177", 80, false, "\r\033[J> ab"},
		{"erased over the edge of the terminal", "abcdefghij", "\177", 6, false, "\r\033[1A\033[J> abcdefghi"},
		{"the last column is within the row", "abcd", "\177", 6, false, "\r\033[J> abc"},
		{"erased over a line", "ab\n", "\177", 80, false, "\r\033[1A\033[J> ab"},
		{"a plain terminal gets it once more", "abc", "\177", 80, true, "\n> ab"},
		{"wide characters have two columns", "\346\227\245\346\227\245\346\227\245", "\177", 6, false,
		 "\r\033[1A\033[J> \346\227\245\346\227\245"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wisp_typed t;

		wisp_typed_init(&t, "/nonexistent/answer");
		t.plain = cases[i].plain;
		wisp_buf_puts(&t.text, cases[i].before);
		(void)wisp_typed_feed(&t, cases[i].keys, strlen(cases[i].keys), false, cases[i].width);
		CHECK_STR(t.echo.data, cases[i].echo, cases[i].label);
		wisp_typed_release(&t);
	}
}

int
main(void)
{
	if (setlocale(LC_CTYPE, "C.UTF-8") == NULL)
		printf("# no UTF-8 locale\n");
	check_text();
	check_empty();
	check_echo();
	return unit_done();
}
