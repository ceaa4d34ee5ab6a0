/*
 * text: an agent, or a verify command, that prints words. All of its standard
 * output is the final message, and only the exit status says how it went.
 */
#include "format.h"

static void
feed(struct wisp_parse *p, const char *s, size_t n)
{
	wisp_text_add(&p->final, s, n);
}

static void
judge(struct wisp_parse *p, int exit_code)
{
	if (exit_code == 0)
		wisp_step_end(p->step, WISP_OK, "%s", "");
	else
		wisp_parse_lost(p, exit_code, "");
}

const struct wisp_format wisp_format_text = {
	.name = "text", .feed = feed, .judge = judge,
};
