/*
 * notice: what notify.command is told of an event: the status of the session, as
 * `wisp status --json` has it, with the members event, title and text before it.
 * With --words: the title, then the text, which may have several lines.
 */
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/answer.h"
#include "core/lines.h"
#include "core/secrets.h"
#include "core/status.h"

struct event {
	const char *name, *words;	/* the title is `wisp: BRANCH WORDS` */
};

static const struct event *
find(const char *name)
{
	static const struct event events[] = {
		{"needs_input", "asks a question"}, {"gate", "asks for approval"}, {"blocked", "is blocked"}, {"stuck", "is stuck"},
		{"limit", "has reached a limit"}, {"agent", "cannot run its agent"},
		{"completed", "is completed"}, {"failed", "has ended with a failure"}
	};

	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		if (strcmp(events[i].name, name) == 0)
			return &events[i];
	die_usage("'%s' is no event", name);
}

/* For people: the question and its choices, what is waited for, or the reason. */
static char *
text_of(const struct wisp_record *r, const struct cJSON *status)
{
	struct wisp_buf text = WISP_BUF_INIT;
	const struct cJSON *question = wisp_json_get(r->doc, "question");
	const struct cJSON *gate = wisp_json_first(wisp_json_get(wisp_json_get(status, "orchestration"), "gates"));
	struct cJSON *waiting = wisp_status_waiting(r, wisp_time_now());

	if (wisp_json_type(question) == WISP_T_OBJECT)
		wisp_answer_show(&text, question);
	else if (gate != NULL)
		wisp_status_gate(&text, gate);
	else if (wisp_json_str(waiting, "text", NULL) != NULL)
		wisp_buf_puts(&text, wisp_json_str(waiting, "text", NULL));
	else
		wisp_buf_line(&text, wisp_json_str(status, "reason", ""), WISP_LINE_TEXT);
	wisp_json_free(waiting);
	while (text.len > 0 && text.data[text.len - 1] == '\n')
		text.data[--text.len] = '\0';
	return text.data != NULL ? wisp_buf_detach(&text) : wisp_strdup("");
}

/* Members of its own first, then those of the status. */
static void
print_document(const struct event *event, const char *title, const char *text, const struct cJSON *status)
{
	struct cJSON *notice = wisp_json_object();

	wisp_json_set_str(notice, "event", event->name);
	wisp_json_set_str(notice, "title", title);
	wisp_json_set_str(notice, "text", text);
	for (const struct cJSON *m = wisp_json_first(status); m != NULL; m = wisp_json_next(m))
		wisp_json_set(notice, wisp_json_key(m), wisp_json_copy(m));
	wisp_cli_json(notice);
}

static void
hide(char **text)
{
	char *hidden = wisp_secrets_hidden(*text);

	free(*text);
	*text = hidden;
}

int
wisp_verb_notice(struct wisp_cli *cli)
{
	bool words = false;
	const struct wisp_option options[] = {{"words", .flag = &words}, {0}};
	const struct event *event;
	struct cJSON *status;
	struct wisp_record r;
	char *title, *text;

	wisp_cli_read(cli, options, 1, 1);
	event = find(cli->argv[0]);
	wisp_cli_place(cli);
	wisp_cli_need_record(cli, &r, WISP_READ);
	status = wisp_status_of(&r, wisp_time_now());
	title = wisp_str("wisp: %s %s", wisp_json_str(status, "branch", "a session"), event->words);
	text = text_of(&r, status);
	wisp_secrets_hide_json(status);
	hide(&title);
	hide(&text);
	if (words)
		printf("%s\n%s\n", title, text);
	else
		print_document(event, title, text, status);
	free(title);
	free(text);
	wisp_json_free(status);
	wisp_record_release(&r);
	return 0;
}
