/*
 * change: the task list is changed for a new spec, or for a review. core/change.h says what each word does.
 */
#include "verb.h"

#include <string.h>

#include "core/change.h"

/* The change as people see it, on stdout. */
static int
show(struct wisp_record *r, struct wisp_err *err)
{
	struct wisp_buf text = WISP_BUF_INIT;
	size_t n = 0;
	int rc = wisp_change_text(r, &text, &n, err);

	if (rc == 0)
		wisp_cli_print(&text);
	else
		wisp_buf_release(&text);
	return rc;
}

/* differences= how many a list that is proposed has. */
static int
look(struct wisp_record *r, const struct wisp_change *c, struct cJSON *answer, struct wisp_err *err)
{
	struct wisp_buf text = WISP_BUF_INIT;
	size_t n = 0;
	int rc = wisp_change_look(r, c->file, answer, err);

	if (rc == 0 && strcmp(wisp_json_str(answer, "change_stage", ""), "proposed") == 0) {
		rc = wisp_change_text(r, &text, &n, err);
		wisp_json_set_num(answer, "differences", (double)n);
	}
	wisp_buf_release(&text);
	return rc;
}

/* 0, -1, or -2 for a word that is none. */
static int
act(const char *word, struct wisp_record *r, const struct wisp_change *c, struct cJSON *answer, struct wisp_err *err)
{
	if (strcmp(word, "look") == 0)
		return look(r, c, answer, err);
	if (strcmp(word, "ask") == 0)
		return wisp_change_ask(r, c, answer, err);
	if (strcmp(word, "show") == 0)
		return show(r, err);
	if (strcmp(word, "take") == 0)
		return wisp_change_take(r, answer, err);
	if (strcmp(word, "wait") == 0)
		return wisp_change_wait(r);
	return strcmp(word, "drop") == 0 ? wisp_change_drop(r) : -2;
}

int
wisp_verb_change(struct wisp_cli *cli)
{
	struct wisp_change c = {0};
	const struct wisp_option options[] = {
		{"kind", .text = &c.kind}, {"spec", .text = &c.spec}, {"file", .text = &c.file}, {"told", .text = &c.told},
		{"phases", .flag = &c.phases}, {"yes", .flag = &c.yes}, {0}
	};
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *answer;
	struct wisp_record r;
	bool asks;
	int rc;

	wisp_cli_read_loop(cli, options, 1, 1);
	if (strcmp(cli->argv[0], "ask") == 0 && (c.kind == NULL || c.file == NULL))
		die_usage("ask needs --kind and --file");
	asks = strcmp(cli->argv[0], "look") == 0 || strcmp(cli->argv[0], "show") == 0;
	if (asks)
		wisp_cli_need_record(cli, &r, WISP_WRITE);
	else
		(void)wisp_cli_need_loop(cli, &r, NULL);
	answer = wisp_json_object();
	rc = act(cli->argv[0], &r, &c, answer, &err);
	if (rc == -2)
		die_usage("expected look, ask, show, take, wait or drop, not '%s'", cli->argv[0]);
	wisp_cli_must(rc, &err, &r);
	wisp_cli_answer(cli, answer);
	wisp_record_release(&r);
	return 0;
}
