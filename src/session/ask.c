/*
 * ask: the verbs by which a person asks something of a session, or answers it.
 */
#include "verb.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/answer.h"
#include "core/config.h"
#include "core/holder.h"
#include "core/lines.h"
#include "core/question.h"
#include "core/request.h"

#define ANSWER_MAX ((size_t)1 << 20)
#define MOMENT_MS 2000
#define PAUSE_MS 20

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

/* Of the loop of that process: was the same asked of it, and not obeyed yet? */
static bool
asked_before(const char *home, const char *verb, bool now, long long pid)
{
	struct wisp_requests q;
	bool found = false;

	if (wisp_requests_load(&q, home) != 0)
		die_sys("cannot read the requests in '%s/requests'", home);
	for (size_t i = 0; i < q.count; i++)
		found = found || (strcmp(wisp_json_str(q.list[i], "verb", ""), verb) == 0 &&
				  wisp_json_bool(q.list[i], "now", false) == now && wisp_json_int(q.list[i], "owner", 0) == pid);
	wisp_requests_release(&q);
	return found;
}

/* The number of the process that the record calls the loop; 0 where that is not there. */
static long long
loop_process(const struct wisp_record *r)
{
	long long pid = wisp_json_int(wisp_json_get(wisp_json_get(r->doc, "session"), "owner"), "pid", 0);

	return pid > 1 && !wisp_process_ended((long)pid) ? pid : 0;
}

/* What its owner is at: doing=step with iteration=, wait, ask or between; begin where it is no loop yet. */
static void
print_doing(const struct wisp_record *r, long long pid)
{
	const struct cJSON *step = wisp_json_get(r->doc, "step");
	const char *doing = "between";

	if (pid != loop_process(r)) {
		doing = "begin";
	} else if (wisp_json_type(step) == WISP_T_OBJECT && strcmp(wisp_json_str(step, "stage", "recorded"), "recorded") != 0) {
		doing = "step";
		printf("iteration=%lld\n", wisp_json_int(step, "iteration", 0));
	} else if (wisp_json_str(wisp_json_get(r->doc, "waits"), "for", NULL) != NULL) {
		doing = "wait";
	} else if (wisp_answer_question(r) != NULL) {
		doing = "ask";
	}
	wisp_cli_pair("doing", doing);
}

/* The process of this host that has the lock, and is no loop yet, or never: `wisp done`, a resume that asks first. */
static long long
holding_process(const struct wisp_record *r)
{
	char *path = wisp_str("%s/lock", r->home), host[sizeof ((struct wisp_holder *)NULL)->host] = "";
	struct wisp_holder h;
	long long pid = 0;

	if (wisp_cli_owned(r) && wisp_holder_read(&h, path)) {
		if (gethostname(host, sizeof host - 1) == 0 && strcmp(host, h.host) == 0 && !wisp_process_ended(h.pid))
			pid = h.pid;
		wisp_holder_release(&h);
	}
	free(path);
	return pid;
}

/*
 * Opens the record, with the process that owns the session in *pid; 0: none does. The lock may be held by a loop that
 * has not written itself into the record yet, or by what one that was killed had just started: for a moment.
 */
static void
open_owned(struct wisp_cli *cli, struct wisp_record *r, long long *pid)
{
	struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};

	for (int i = 0; i <= MOMENT_MS / PAUSE_MS; i++) {
		wisp_cli_need_record(cli, r, WISP_READ);
		*pid = wisp_cli_owned(r) ? loop_process(r) : 0;
		if (*pid == 0 && i == MOMENT_MS / PAUSE_MS)
			*pid = holding_process(r);
		if (*pid > 0 || !wisp_cli_owned(r))
			return;
		wisp_record_release(r);
		(void)nanosleep(&pause, NULL);
	}
	warn("a loop is only just starting, or another wisp command owns the session: ask again");
	wisp_exit(WISP_EXIT_SYS);
}

int
wisp_verb_request(struct wisp_cli *cli)
{
	bool now = false;
	const struct wisp_option options[] = {{"now", .flag = &now}, {0}};
	struct wisp_record r;
	struct cJSON *asked;
	long long pid;
	const char *verb, *status;
	bool before;

	wisp_cli_read(cli, options, 1, 1);
	verb = cli->argv[0];
	if (strcmp(verb, "pause") != 0 && strcmp(verb, "stop") != 0)
		die_usage("pause or stop, not '%s'", verb);
	if (now && strcmp(verb, "stop") != 0)
		die_usage("--now goes with stop");
	wisp_cli_place(cli);
	wisp_cli_refuse_step(&cli->place, verb);
	open_owned(cli, &r, &pid);
	if (pid == 0) {
		status = wisp_json_str(wisp_record_session(&r), "status", "paused");
		warn("no loop of %s is running: it is %s", cli->place.branch != NULL ? cli->place.branch : "this session",
		     strcmp(status, "running") == 0 ? "stale (wisp resume goes on)" : status);
		wisp_record_release(&r);
		return 1;
	}
	before = asked_before(r.home, verb, now, pid);
	asked = wisp_json_object();
	wisp_json_set_str(asked, "verb", verb);
	wisp_json_set_num(asked, "owner", (double)pid);
	wisp_json_set_bool(asked, "now", now);
	if (before)
		wisp_json_free(asked);
	else if (wisp_request_add(r.home, asked) < 0)
		die_sys("cannot leave a request in '%s/requests'", r.home);
	printf("pid=%lld\n", pid);
	print_doing(&r, pid);
	wisp_cli_pair("before", before ? "yes" : "no");
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

/* An answer is text, and says something; line ends at its end are none of it. */
static void
check_answer(struct wisp_buf *text)
{
	while (text->len > 0 && (text->data[text->len - 1] == '\n' || text->data[text->len - 1] == '\r'))
		text->data[--text->len] = '\0';
	if (text->data == NULL || text->data[strspn(text->data, " \t\r\n")] == '\0')
		die_usage("the answer is empty");
	for (size_t i = 0; i < text->len;) {
		int n = wisp_utf8_char(text->data + i, text->len - i);

		if (n < 0)
			die_usage("the answer is not a text: byte %zu is not UTF-8", i + 1);
		i += (size_t)n;
	}
}

/* The first answer counts: is there one that the loop has not taken yet? */
static bool
answered(const struct wisp_record *r, const char *id)
{
	char *why, *there = wisp_question_answered(r, &why);
	struct wisp_buf line = WISP_BUF_INIT;

	if (there != NULL) {
		wisp_buf_line(&line, there, WISP_LINE_NAMES);
		warn("%s is answered already: '%s' (--replace puts this answer in its place)", id, line.data);
	}
	wisp_buf_release(&line);
	free(why);
	free(there);
	return there != NULL;
}

int
wisp_verb_answer(struct wisp_cli *cli)
{
	bool replace = false;
	const struct wisp_option options[] = {{"replace", .flag = &replace}, {0}};
	struct wisp_buf text = WISP_BUF_INIT;
	const struct cJSON *question;
	struct wisp_record r;
	const char *id;

	wisp_cli_read(cli, options, 1, 1);
	wisp_cli_place(cli);
	wisp_cli_refuse_step(&cli->place, "answering");
	if (strcmp(cli->argv[0], "-") == 0)
		read_answer(&text);
	else
		wisp_buf_puts(&text, cli->argv[0]);
	/* Under the lock: of two people who answer at once, one is told of the other. */
	wisp_cli_need_record(cli, &r, WISP_WRITE);
	question = wisp_answer_question(&r);
	if (question == NULL)
		die_usage("no question is open: there is nothing to answer");
	check_answer(&text);
	id = wisp_json_str(question, "id", "q");
	if (!replace && answered(&r, id)) {
		wisp_record_release(&r);
		return 1;
	}
	if (wisp_answer_write(&r, question, text.data) < 0)
		die_sys("cannot write '%s/response.json'", cli->place.dir);
	wisp_cli_pair("question", id);
	wisp_cli_pair("response", wisp_answer_text(question, text.data));
	wisp_cli_pair("alive", wisp_cli_owned(&r) ? "true" : "false");
	wisp_buf_release(&text);
	wisp_record_release(&r);
	return 0;
}
