/*
 * tmux: what lib/tmux.bash has to know: the name of a session's server, and the
 * line that stands at the bottom of its screen.
 */
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/config.h"
#include "core/hash.h"
#include "core/session.h"
#include "core/status.h"

#define NAME_DIGITS 16	/* of the hash; a socket's path is short */

/* `wisp-` and a hash: tmux changes dots and colons in names without a word, and two branches could then be one. */
int
wisp_verb_server(struct wisp_cli *cli)
{
	char hex[WISP_HASH_SIZE];
	char *place;

	wisp_cli_read(cli, NULL, 0, 0);
	wisp_cli_place(cli);
	if (cli->place.branch == NULL)
		die_usage("'%s' is no session's folder", cli->place.dir);
	place = wisp_str("%s\n%s", cli->place.project, cli->place.branch);
	wisp_hash(place, strlen(place), hex);
	printf("wisp-%.*s\n", NAME_DIGITS, hex);
	free(place);
	return 0;
}

void
wisp_verb_iteration(struct wisp_buf *out, const struct wisp_record *r)
{
	long long max = wisp_config_count(wisp_json_get(r->doc, "config"), "limits.maxIterations");
	const struct cJSON *step = wisp_json_get(r->doc, "step"), *session = wisp_json_get(r->doc, "session");
	bool runs = strcmp(wisp_json_str(step, "stage", "recorded"), "recorded") != 0;

	wisp_buf_printf(out, "[%lld", wisp_json_int(runs ? step : session, runs ? "iteration" : "loop_count", 0));
	if (max > 0)
		wisp_buf_printf(out, "/%lld", max);
	wisp_buf_putc(out, ']');
}

/* What the loop does: the status, or the answer, limit or money that it waits for, and until when. */
static void
put_doing(struct wisp_buf *out, const struct cJSON *status)
{
	const struct cJSON *question = wisp_json_get(status, "question"), *waiting = wisp_json_get(status, "waiting");
	bool asks = wisp_json_type(question) == WISP_T_OBJECT && !wisp_json_bool(question, "answered", false);
	char *until;

	if (asks || waiting == NULL || !wisp_json_bool(status, "alive", false)) {
		wisp_buf_printf(out, "  %s%s", wisp_status_word(status), asks ? ": asks" : "");
	} else if (wisp_status_untimed(waiting) != NULL) {
		wisp_buf_printf(out, "  waits for %s", wisp_status_untimed(waiting));
	} else {
		until = wisp_time_clock(wisp_time_parse(wisp_json_str(waiting, "until", NULL)), wisp_time_now());
		wisp_buf_printf(out, "  waits: %s until %s", wisp_status_timed(waiting), until);
		free(until);
	}
}

static void
put_bar(struct wisp_buf *out, const struct wisp_record *r, const struct cJSON *status)
{
	const struct cJSON *session = wisp_json_get(status, "session"), *tasks = wisp_json_get(status, "tasks");
	const char *phase = wisp_json_str(status, "phase", NULL);

	wisp_buf_printf(out, "%s  ", wisp_json_str(status, "branch", "-"));
	wisp_verb_iteration(out, r);
	if (phase != NULL)
		wisp_buf_printf(out, " %s", phase);
	if (wisp_json_int(tasks, "total", 0) > 0)
		wisp_buf_printf(out, "  %lld/%lld tasks", wisp_json_int(tasks, "passed", 0), wisp_json_int(tasks, "total", 0));
	put_doing(out, status);
	if (wisp_session_total(session, "cost_usd") > 0)
		wisp_buf_printf(out, "  $%.2f", wisp_session_total(session, "cost_usd"));
}

/* One line; `#` is doubled, since tmux reads its own marks in what is shown there. */
int
wisp_verb_bar(struct wisp_cli *cli)
{
	struct wisp_buf text = WISP_BUF_INIT, line = WISP_BUF_INIT;
	struct wisp_record r;
	struct cJSON *status;
	size_t i;

	wisp_verb_open(&r, cli, NULL);
	status = wisp_status_of(&r, wisp_time_now());
	put_bar(&text, &r, status);
	for (i = 0; i < text.len; i++) {
		if (text.data[i] == '#')
			wisp_buf_putc(&line, '#');
		wisp_buf_putc(&line, text.data[i]);
	}
	wisp_buf_putc(&line, '\n');
	wisp_cli_print(&line);
	wisp_buf_release(&text);
	wisp_json_free(status);
	wisp_record_release(&r);
	return 0;
}
