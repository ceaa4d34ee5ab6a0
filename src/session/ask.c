/*
 * ask: the verbs by which a person asks something of a session, or answers it.
 */
#include "verb.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/answer.h"
#include "core/config.h"
#include "core/request.h"

#define ANSWER_MAX ((size_t)1 << 20)

int
wisp_verb_owner(struct wisp_cli *cli)
{
	struct wisp_record r;
	const struct cJSON *who;
	bool alive;

	wisp_verb_open(&r, cli, NULL);
	who = wisp_json_get(wisp_json_get(r.doc, "session"), "owner");
	alive = wisp_cli_owned(&r);
	if (who != NULL && wisp_json_int(who, "pid", 0) > 0)
		printf("pid=%lld\n", wisp_json_int(who, "pid", 0));
	wisp_cli_pair("host", wisp_json_str(who, "host", NULL));
	wisp_cli_pair("since", wisp_json_str(who, "since", NULL));
	printf("grace=%lld\n", (long long)wisp_config_ms(wisp_json_get(r.doc, "config"), "step.grace"));
	wisp_cli_pair("alive", alive ? "true" : "false");
	wisp_record_release(&r);
	return alive ? 0 : 1;
}

int
wisp_verb_request(struct wisp_cli *cli)
{
	bool now = false;
	const struct wisp_option options[] = {{"now", .flag = &now}, {0}};
	struct wisp_record r;
	struct cJSON *asked;
	long long pid;
	const char *verb;

	wisp_cli_read(cli, options, 1, 1);
	verb = cli->argv[0];
	if (strcmp(verb, "pause") != 0 && strcmp(verb, "stop") != 0)
		die_usage("pause or stop, not '%s'", verb);
	if (now && strcmp(verb, "stop") != 0)
		die_usage("--now goes with stop");
	wisp_cli_place(cli);
	wisp_cli_refuse_step(&cli->place, verb);
	wisp_cli_need_record(cli, &r, WISP_READ);
	if (!wisp_cli_owned(&r)) {
		warn("no loop is running");
		wisp_record_release(&r);
		return 1;
	}
	pid = wisp_json_int(wisp_json_get(wisp_json_get(r.doc, "session"), "owner"), "pid", 0);
	if (pid <= 1)
		die_data("the record in '%s' does not say which process the loop is", r.home);
	asked = wisp_json_object();
	wisp_json_set_str(asked, "verb", verb);
	wisp_json_set_num(asked, "owner", (double)pid);
	wisp_json_set_bool(asked, "now", now);
	if (wisp_request_add(r.home, asked) < 0)
		die_sys("cannot leave a request in '%s/requests'", r.home);
	printf("%lld\n", pid);
	wisp_record_release(&r);
	return 0;
}

/* The question as people read it, a line for each choice. */
int
wisp_verb_question(struct wisp_cli *cli)
{
	struct wisp_buf text = WISP_BUF_INIT;
	const struct cJSON *asked;
	struct wisp_record r;

	wisp_verb_open(&r, cli, NULL);
	asked = wisp_answer_question(&r);
	if (asked != NULL)
		wisp_answer_show(&text, asked);
	else
		warn("no question is open");
	wisp_cli_print(&text);
	wisp_record_release(&r);
	return asked != NULL ? 0 : 1;
}

/* The whole standard input, for the answer. */
static void
read_answer(struct wisp_buf *text)
{
	char piece[4096];
	ssize_t n;

	while ((n = read(STDIN_FILENO, piece, sizeof piece)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			die_sys("cannot read the answer from standard input");
		wisp_buf_add(text, piece, (size_t)n);
		if (text->len > ANSWER_MAX)
			die_usage("the answer is longer than %zu bytes", ANSWER_MAX);
	}
	if (text->len > 0 && memchr(text->data, '\0', text->len) != NULL)
		die_usage("the answer holds a NUL byte");
}

int
wisp_verb_answer(struct wisp_cli *cli)
{
	struct wisp_buf text = WISP_BUF_INIT;
	const struct cJSON *question;
	struct wisp_record r;

	wisp_cli_read(cli, NULL, 1, 1);
	wisp_cli_place(cli);
	wisp_cli_refuse_step(&cli->place, "answering");
	wisp_cli_need_record(cli, &r, WISP_READ);
	question = wisp_answer_question(&r);
	if (question == NULL) {
		warn("no question is open");
		wisp_record_release(&r);
		return 1;
	}
	if (strcmp(cli->argv[0], "-") == 0)
		read_answer(&text);
	else
		wisp_buf_puts(&text, cli->argv[0]);
	while (text.len > 0 && (text.data[text.len - 1] == '\n' || text.data[text.len - 1] == '\r'))
		text.data[--text.len] = '\0';
	if (text.data == NULL || text.data[strspn(text.data, " \t\r\n")] == '\0')
		die_usage("the answer is empty");
	if (wisp_answer_write(&r, question, text.data) < 0)
		die_sys("cannot write '%s/response.json'", cli->place.dir);
	wisp_cli_pair("question", wisp_json_str(question, "id", NULL));
	wisp_cli_pair("response", wisp_answer_text(question, text.data));
	wisp_cli_pair("alive", wisp_cli_owned(&r) ? "true" : "false");
	wisp_buf_release(&text);
	wisp_record_release(&r);
	return 0;
}
