#include "core/json.h"
#include "core/quote.h"
#include "unit.h"

static const struct {
	const char *label, *text;
	size_t max;
	bool end;
	const char *want;
} quotes[] = {
	{"empty", "", 10, false, NULL},
	{"one line", "a", 10, false, "    a\n"},
	{"a line end is not doubled", "a\n", 10, false, "    a\n"},
	{"empty lines stay", "a\n\nb", 10, false, "    a\n    \n    b\n"},
	{"control characters go, tabs stay", "a\x1b[1m\tb\r\n\x7f" "c", 20, false, "    a[1m\tb\n    c\n"},
	{"as long as allowed", "abc", 3, false, "    abc\n"},
	{"the beginning", "abcd", 3, false, "    abc\n    [...]\n"},
	{"the beginning, no half characters", "ab\xc3\xa9", 3, false, "    ab\n    [...]\n"},
	{"the end, whole lines", "one\ntwo\nthree", 7, true, "    [...]\n    three\n"},
	{"the end of a long line", "abcdefgh", 3, true, "    [...]\n    fgh\n"},
	{"the end, no half characters", "ab\xc3\xa9z", 2, true, "    [...]\n    z\n"},
	{"the end of a text that ends its line", "abcdefgh\n", 3, true, "    [...]\n    gh\n"},
	{"nothing allowed", "abc", 0, false, "    [...]\n"},
	{"nothing allowed of the end", "abc", 0, true, "    [...]\n"},
};

static const struct {
	const char *text, *want;
} promises[] = {
	{"<promise>COMPLETE</promise>", "(promise>COMPLETE(/promise>"},
	{"<PROMISE>x</Promise", "(PROMISE>x(/Promise"},
	{"<<promise>", "<(promise>"},
	{"< promise> a < b", "< promise> a < b"},
	{"<promis", "<promis"},
	{"", ""},
};

static void
check_lists(void)
{
	struct wisp_buf out = WISP_BUF_INIT;
	struct cJSON *list = wisp_json_array();

	wisp_quote_list(&out, "H\n", list, "-", 9);
	CHECK(out.len == 0, "an empty list has no heading");
	wisp_json_push(list, wisp_json_string("a\nb"));
	wisp_json_push(list, wisp_json_double(1));
	wisp_quote_list(&out, "H\n", list, "-", 9);
	CHECK_STR(out.data, "H\n    - a\n    b\n    - \n", "bullets");
	wisp_buf_reset(&out);
	wisp_quote_list(&out, "", list, NULL, 1);
	CHECK_STR(out.data, "    1. a\n    b\n    [... and 1 more]\n", "numbers, cut");
	wisp_json_free(list);
	wisp_buf_release(&out);
}

int
main(void)
{
	struct wisp_buf out = WISP_BUF_INIT;

	for (size_t i = 0; i < sizeof quotes / sizeof *quotes; i++) {
		wisp_quote(&out, quotes[i].text, quotes[i].max, quotes[i].end);
		CHECK_STR(out.data, quotes[i].want, quotes[i].label);
		wisp_buf_release(&out);
	}
	for (size_t i = 0; i < sizeof promises / sizeof *promises; i++) {
		wisp_buf_puts(&out, promises[i].text);
		wisp_quote_disarm(out.data, out.len);
		CHECK_STR(out.data != NULL ? out.data : "", promises[i].want, promises[i].text);
		wisp_buf_release(&out);
	}
	check_lists();
	return unit_done();
}
