/*
 * live: the verb live of wisp-session: the run's own screen while a step, or its verify command, runs. A line for each
 * event of the output, as it comes, and below them one status line, drawn anew each second.
 *
 * The status line has no line end: whoever else writes to the terminal begins with `\r\033[K` (lib/loop-live.bash), and
 * the next draw puts it below that. It ends once a file is there, with all of the output that was there by then, and
 * removes that file and the line.
 */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/config.h"
#include "core/fsevent.h"
#include "core/session.h"
#include "core/status.h"
#include "live_line.h"
#include "say.h"
#include "screen/cells.h"
#include "verb.h"
#include "wait/parent.h"

#define WIDTH 80			/* where the terminal does not say */
#define PIECE 65536
#define BEHIND ((off_t)1 << 20)		/* bytes of output that came at once, of which only the end is shown */
#define PAUSE_MS 100			/* between two looks at an output that flows */
#define EDGE 3				/* columns that stay free, for the ^C that the terminal echoes */

struct live {
	const char *log, *over;
	bool quiet;		/* the output is not shown but for its last line */
	pid_t parent;
	bool utf8, colour;
	char *head, *title, *spent;
	wisp_ms hours;		/* that were left at the beginning; -1: no limit */
	wisp_ms start;		/* monotonic */
	int fd;			/* of the log; -1: not there yet */
	off_t at;
	bool skip;		/* to the next line */
	struct wisp_say say;
	struct wisp_buf text;	/* what say made of it */
	struct wisp_buf doing;	/* the last event */
	struct wisp_buf out;	/* what is to be written in one go */
	size_t drawn;		/* columns of the status line on the screen */
	long long second;	/* that it shows */
};

static volatile sig_atomic_t ended, resized;

static void
note(int sig)
{
	if (sig == SIGWINCH)
		resized = 1;
	else
		ended = 1;
}

/* Ctrl-C is for the loop, which has this end with the step. */
static void
obey_signals(void)
{
	struct sigaction sa = {.sa_handler = note}, ignore = {.sa_handler = SIG_IGN};

	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGHUP, &sa, NULL);
	sigaction(SIGWINCH, &sa, NULL);
	sigaction(SIGINT, &ignore, NULL);
	sigaction(SIGPIPE, &ignore, NULL);
}

static size_t
terminal_width(void)
{
	return wisp_cells_terminal(STDOUT_FILENO, WIDTH);
}

/* Where the session stands. */
static char *
head_of(const struct wisp_record *r, const struct cJSON *status)
{
	const struct cJSON *tasks = wisp_json_get(status, "tasks");
	long long total = wisp_json_int(tasks, "total", 0);
	struct wisp_buf b = WISP_BUF_INIT;

	if (wisp_report_phase_line(&b, r))
		return wisp_buf_detach(&b);
	wisp_verb_iteration(&b, r);
	if (total > 0)
		wisp_buf_printf(&b, " %lld/%lld tasks", wisp_json_int(tasks, "passed", 0), total);
	return wisp_buf_detach(&b);
}

/* A cost that the agent does not tell is not 0. */
static char *
spent_of(const struct wisp_record *r)
{
	double money = wisp_config_number(wisp_json_get(r->doc, "config"), "limits.maxCostUsd");
	double cost = wisp_session_total(wisp_json_get(r->doc, "session"), "cost_usd");

	if (cost <= 0)
		return wisp_strdup("");
	return money >= 0 ? wisp_str("$%.2f of $%g", cost, money) : wisp_str("$%.2f", cost);
}

static void
look_at_session(struct live *l, const struct wisp_record *r, const char *title)
{
	struct cJSON *status = wisp_status_of(r, wisp_time_now());
	double hours = wisp_json_num(wisp_json_get(status, "left"), "hours", -1);

	l->head = head_of(r, status);
	if (title == NULL)
		title = wisp_json_str(wisp_json_get(wisp_json_get(status, "tasks"), "next"), "description", "");
	l->title = wisp_strdup(title);
	l->spent = spent_of(r);
	l->hours = hours >= 0 ? (wisp_ms)(hours * 3600 * 1000) : -1;
	wisp_json_free(status);
}

/* A terminal that has gone ends this program alone: the loop notices by itself. */
static void
flush(struct live *l)
{
	if (l->out.len > 0 && wisp_fd_write(STDOUT_FILENO, l->out.data, l->out.len) < 0)
		ended = 1;
	wisp_buf_reset(&l->out);
}

/*
 * The status line goes, and what is written next stands where it began. A terminal that was made narrower has broken it.
 * In the background the cursor stands where a person types.
 */
static void
clear(struct live *l, size_t width)
{
	size_t rows;

	if (wisp_cells_behind(STDOUT_FILENO))
		l->drawn = 0;
	rows = l->drawn > 0 ? (l->drawn - 1) / width : 0;
	if (rows > 0)
		wisp_buf_printf(&l->out, "\r\033[%zuA\033[J", rows);
	else if (l->drawn > 0)
		wisp_buf_puts(&l->out, "\r\033[K");
	l->drawn = 0;
}

static void
draw(struct live *l, wisp_ms now)
{
	size_t width = terminal_width(), start;
	wisp_ms rest = l->hours - (now - l->start);
	char *left = l->hours >= 0 ? wisp_duration_text(rest > 0 ? rest : 0) : NULL, *text = NULL;
	struct wisp_live_line line = {
		.head = l->head, .title = l->title, .spent = l->spent, .doing = l->doing.len > 0 ? l->doing.data : "",
		.left = "", .elapsed = now - l->start,
	};

	if (left != NULL)
		line.left = text = wisp_str("%s left", left);
	clear(l, width);
	if (!wisp_cells_behind(STDOUT_FILENO)) {
		wisp_buf_puts(&l->out, l->colour ? "\033[7m" : "");
		start = l->out.len;
		wisp_live_status(&l->out, &line, width > EDGE ? width - EDGE : 1, l->utf8);
		l->drawn = wisp_cells_width(l->out.data + start, l->utf8);
		wisp_buf_puts(&l->out, l->colour ? "\033[0m" : "");
	}
	l->second = (now - l->start) / 1000;
	flush(l);
	free(left);
	free(text);
}

/* One line of what say.h made: on the screen, and as what the agent does. */
static void
take_line(struct live *l, const char *line, size_t width)
{
	const char *words = line + strspn(line, " ");

	if (strncmp(words, "> ", 2) == 0 || l->quiet) {
		wisp_buf_reset(&l->doing);
		wisp_buf_puts(&l->doing, words + (l->quiet ? 0 : 2));
	}
	if (l->quiet)
		return;
	wisp_live_event(&l->out, line, width, l->utf8, l->colour);
	wisp_buf_putc(&l->out, '\n');
}

static void
take_text(struct live *l)
{
	size_t width = terminal_width();
	char *line = l->text.data, *stop;

	if (l->text.len == 0)
		return;
	if (!l->quiet)
		clear(l, width);
	for (; (stop = strchr(line, '\n')) != NULL; line = stop + 1) {
		*stop = '\0';
		take_line(l, line, width > 1 ? width - 1 : 1);
	}
	wisp_buf_reset(&l->text);
	l->second = -1;
}

/* Of very much at once only the end is shown, from the beginning of a line. */
static void
keep_up(struct live *l)
{
	off_t size = lseek(l->fd, 0, SEEK_END);

	if (size < l->at)	/* it was made anew */
		l->at = 0;
	if (size - l->at > BEHIND) {
		wisp_buf_printf(&l->text, "  ... %lld kB are not shown here\n", (long long)(size - PIECE - l->at) / 1000);
		l->at = size - PIECE;
		l->skip = true;
	}
}

/* Is there anything new? */
static bool
look_at_output(struct live *l)
{
	static char piece[PIECE];
	const char *p, *stop;
	bool found = false;
	ssize_t n;

	if (l->fd < 0)
		l->fd = open(l->log, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (l->fd < 0)
		return false;
	for (keep_up(l); (n = pread(l->fd, piece, sizeof piece, l->at)) > 0; l->at += n) {
		found = true;
		p = piece;
		stop = l->skip ? memchr(piece, '\n', (size_t)n) : NULL;
		if (l->skip && stop == NULL)
			continue;
		if (stop != NULL)
			p = stop + 1;
		l->skip = false;
		wisp_say_feed(&l->say, p, (size_t)(piece + n - p));
	}
	return found;
}

static void
run(struct live *l)
{
	const char *paths[] = {l->over, l->log};
	struct wisp_fsevent any, over;
	bool found, end;
	wisp_ms now;

	wisp_fsevent_init(&any, paths, 2);
	wisp_fsevent_init(&over, paths, 1);
	do {
		wisp_fsevent_arm(&any);
		wisp_fsevent_arm(&over);
		end = wisp_file_exists(l->over) || ended || wisp_parent_gone(l->parent);
		found = look_at_output(l);
		if (end)
			wisp_say_end(&l->say);
		take_text(l);
		if (end)
			break;
		now = wisp_time_monotonic();
		if (resized || l->second != (now - l->start) / 1000)
			draw(l, now);
		resized = 0;
		if (found)
			(void)wisp_fsevent_wait(&over, PAUSE_MS);
		else
			(void)wisp_fsevent_wait(&any, (int)(1000 - (now - l->start) % 1000));
	} while (true);
	wisp_fsevent_release(&any);
	wisp_fsevent_release(&over);
	clear(l, terminal_width());
	flush(l);
}

int
wisp_verb_live(struct wisp_cli *cli)
{
	struct live l = {.fd = -1, .second = -1};
	const char *parent = NULL, *title = NULL, *no_colour = getenv("NO_COLOR");
	const struct wisp_option options[] = {
		{"log", .text = &l.log}, {"over", .text = &l.over}, {"title", .text = &title}, {"parent", .text = &parent}, {0}
	};
	struct wisp_record r;

	wisp_verb_open(&r, cli, options);
	if (l.log == NULL || l.over == NULL)
		die_usage("--log and --over are needed");
	setlocale(LC_CTYPE, "");
	obey_signals();
	if (parent != NULL)
		l.parent = wisp_parent_follow(parent);
	l.utf8 = wisp_cells_utf8();
	l.colour = no_colour == NULL || *no_colour == '\0';
	l.start = wisp_time_monotonic();
	l.quiet = title != NULL;
	look_at_session(&l, &r, title);
	wisp_record_release(&r);
	wisp_say_init(&l.say, &l.text);
	run(&l);
	(void)unlink(l.over);
	if (l.fd >= 0)
		close(l.fd);
	wisp_say_release(&l.say);
	wisp_buf_release(&l.text);
	wisp_buf_release(&l.doing);
	wisp_buf_release(&l.out);
	free(l.head);
	free(l.title);
	free(l.spent);
	return 0;
}
