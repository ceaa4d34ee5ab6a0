/*
 * adopt: what a person changed, in words: task lists, and thresholds in force.
 */
#include "core/config.h"
#include "core/turn.h"
#include "unit.h"

#define T(description, passes) "{\"category\": \"test\", \"description\": \"" description "\", \"steps\": [], \"passes\": " passes "}"
#define I(id, description) "{\"id\": \"" id "\", \"category\": \"test\", \"description\": \"" description "\", \"steps\": [], \"passes\": false}"
#define N(description) "{\"category\": \"test\", \"description\": \"" description "\", \"steps\": [], \"passes\": false, \"notes\": \"n\"}"

static const struct { const char *old, *now, *words; } lists[] = {
	{T("a", "false"), T("a", "false") "," T("b", "false"), "1 added (2)"},
	{T("a", "false") "," T("b", "false"), T("a", "false"), "1 removed (2)"},
	{T("a", "false") "," T("b", "false"), T("a", "false") "," T("c", "false"), "1 reworded (2)"},
	{I("x", "a"), I("x", "b"), "1 reworded (1)"},
	{T("a", "false"), T("a", "true"), "1 passed (1)"},
	{T("a", "true"), T("a", "false"), "1 opened again (1)"},
	{T("a", "false") "," T("b", "false"), T("b", "false") "," T("a", "false"), "1 moved (1)"},
	{T("a", "false") "," T("b", "false"), T("x", "false") "," T("b", "true") "," T("c", "false"),
	 "1 added (3), 1 reworded (1), 1 passed (2)"},
	{T("a", "false"), N("a"), "notes, or how it is written"},
	{T("a", "false"), T("a", "false") "," T("1", "false") "," T("2", "false") "," T("3", "false") "," T("4", "false") ","
	 T("5", "false") "," T("6", "false") "," T("7", "false") "," T("8", "false") "," T("9", "false") "," T("10", "false") ","
	 T("11", "false"), "11 added (2, 3, 4, 5, 6, 7, 8, 9, 10, 11 ...)"},
};

static void
parse_list(struct wisp_tasks *t, const char *text)
{
	char *all = wisp_str("[%s]", text);

	CHECK_INT(wisp_tasks_parse(t, all, strlen(all), "test", NULL), WISP_VALID, text);
	free(all);
}

static void
check_lists(void)
{
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		struct wisp_tasks old = {0}, now = {0};
		char *words;

		parse_list(&old, lists[i].old);
		parse_list(&now, lists[i].now);
		words = wisp_turn_tasks_changed(&old, &now);
		CHECK_STR(words, lists[i].words, lists[i].words);
		free(words);
		wisp_tasks_release(&old);
		wisp_tasks_release(&now);
	}
}

static const struct { const char *old, *now, *words; } settings[] = {
	{"{\"limits.maxIterations\": 50}", "{\"limits.maxIterations\": 50}", NULL},
	{"{}", "{}", NULL},
	{"{\"limits.maxIterations\": 50}", "{\"limits.maxIterations\": 60}", "limits.maxIterations 50 -> 60"},
	{"{\"step.timeout\": 60000}", "{\"step.timeout\": null}", "step.timeout 1m -> none"},
	{"{\"verify.command\": []}", "{\"verify.command\": [\"a\", \"b c\"]}", "verify.command none -> a; b c"},
	{"{\"agent.x.model\": \"one\"}", "{}", "agent.x.model one -> none"},
	{"{}", "{\"agent.x.model\": \"two\"}", "agent.x.model none -> two"},
	{"{\"notify.command\": null}", "{\"notify.command\": \"a\\u001b[1mb\", \"loop.delay\": 2000}",
	 "notify.command none -> a [1mb, loop.delay none -> 2s"},
	{"{\"no.such.key\": 1}", "{\"no.such.key\": 2}", NULL},
};

static void
check_settings(void)
{
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		struct cJSON *old = wisp_json_parse(settings[i].old, strlen(settings[i].old), "test", NULL);
		struct cJSON *now = wisp_json_parse(settings[i].now, strlen(settings[i].now), "test", NULL);
		char *words = wisp_turn_config_changed(old, now);

		CHECK_STR(words != NULL ? words : "nothing", settings[i].words != NULL ? settings[i].words : "nothing", settings[i].now);
		free(words);
		wisp_json_free(old);
		wisp_json_free(now);
	}
}

int
main(void)
{
	check_lists();
	check_settings();
	return unit_done();
}
