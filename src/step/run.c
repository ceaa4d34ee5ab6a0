/*
 * run: see run.h.
 */
#include "run.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/state.h"
#include "env.h"
#include "signals.h"
#include "spawn.h"
#include "watch.h"

#define DRAIN_MS 1000		/* for what the agent left in the pipes */
#define LOOK_MS 250		/* how often to look where the system does not tell */
#define STATE_MAX ((off_t)1 << 20)	/* bytes; what is larger is no claim */
#define SAME_STOP_MS 100	/* a terminal's HUP and the loop's TERM are one stop */
#define LAST_MS 3000		/* for a process that does not even die of KILL */

struct supervisor {
	const struct wisp_run *run;
	struct wisp_step *step;
	struct wisp_ptree tree;
	struct wisp_watch *watch;
	pid_t watchdog;
	struct wisp_ending end;
	int signals, room;		/* room: of the namespace, until the agent has ended */
	bool ended, orphaned, kill;
	struct wisp_clock clock;
	struct stat seen;		/* of the state file, as it was looked at last */
	struct rusage usage;
	char *fault;			/* why the program was not started */
};

/* Takes away the dead; notes how the agent ended, if it is among them. */
static void
reap(struct supervisor *s)
{
	struct rusage usage;
	int status;
	pid_t pid;

	while ((pid = wait4(-1, &status, WNOHANG, &usage)) > 0) {
		if (pid == s->tree.init)
			s->tree.init = 0;
		if (pid != s->tree.session)
			continue;
		s->ended = true;
		s->usage = usage;
		s->end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
		s->end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
		/* As a sandbox says that what was in it was killed. */
		if (s->run->wrapped && s->end.exit_code > 128 && s->end.exit_code < 128 + NSIG) {
			s->end.signal = s->end.exit_code - 128;
			s->end.exit_code = -1;
		}
		wisp_pidns_leave(s->room, &s->tree.init);
	}
}

static bool
stopping(const struct supervisor *s)
{
	return s->clock.stopped >= 0;
}

/* The tree is asked to end. */
static void
stop(struct supervisor *s)
{
	s->clock.stopped = wisp_clock_now();
	wisp_ptree_signal(&s->tree, SIGTERM);
}

static void
on_person(struct supervisor *s, int sig)
{
	if (s->ended && !stopping(s))
		return;
	if (!stopping(s)) {
		s->end.sent_signal = sig;
		stop(s);
		s->kill = sig == SIGQUIT;
		return;
	}
	if (s->end.sent_signal == 0)
		s->end.sent_signal = sig;
	else if (s->end.sent_signal != sig && sig != SIGQUIT && wisp_clock_now() - s->clock.stopped < SAME_STOP_MS)
		return;
	s->kill = true;
}

static void
read_signals(struct supervisor *s)
{
	int sig;

	while ((sig = wisp_signals_next(s->signals)) != 0)
		if (sig != SIGCHLD && sig != WISP_SIGNAL_ORPHANED)
			on_person(s, sig);
	s->orphaned = getppid() != s->watchdog;
	reap(s);
}

static bool
same_file(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_size == b->st_size && a->st_mtime == b->st_mtime &&
	       a->st_ctime == b->st_ctime;
}

/* Is the state file a valid one? It is read when it changes; what is no plain file is the controller's to judge. */
static bool
state_valid(struct supervisor *s)
{
	struct wisp_err why = WISP_ERR_INIT;
	struct wisp_state state;
	struct stat st;
	bool valid;

	if (s->run->state == NULL || lstat(s->run->state, &st) < 0 || !S_ISREG(st.st_mode) ||
	    st.st_size > STATE_MAX)
		return false;
	/* Its times are of seconds: within one it may change unseen. */
	if (same_file(&st, &s->seen) && time(NULL) > st.st_ctime + 1)
		return false;
	s->seen = st;
	valid = wisp_state_load(&state, s->run->state, &why) == WISP_VALID;
	wisp_state_release(&state);
	wisp_err_release(&why);
	return valid;
}

/* The final event, then the state: from there on it lingers. A turn that begins anew, where a format tells, is work. */
static void
check_finished(struct supervisor *s)
{
	if (!s->run->stream->parse->over)
		s->clock.finished = -1;
	else if (s->clock.finished < 0 && s->clock.linger >= 0 && state_valid(s))
		s->clock.finished = wisp_clock_now();
}

/* What time, or a failed login, demands. */
static void
check_limits(struct supervisor *s)
{
	wisp_ms now = wisp_clock_now();

	if (stopping(s)) {
		s->kill = s->kill || wisp_clock_grace_over(&s->clock, now);
		return;
	}
	if (s->ended)
		return;
	check_finished(s);
	s->end.timed_out = wisp_clock_check(&s->clock, now);
	s->end.given_up = s->end.timed_out == WISP_IN_TIME && s->run->stream->parse->hopeless;
	if (s->end.timed_out == WISP_WALL_TIME)
		s->end.limit = s->clock.timeout;
	else if (s->end.timed_out == WISP_IDLE_TIME)
		s->end.limit = s->clock.idle_timeout;
	else if (s->end.timed_out == WISP_LINGERED)
		s->end.limit = s->clock.linger;
	else if (!s->end.given_up)
		return;
	stop(s);
}

/* For poll. */
static int
sleep_time(const struct supervisor *s)
{
	int wait = wisp_clock_sleep(&s->clock, wisp_clock_now());

	/* Its claim may come after its final event. */
	if (s->run->stream->parse->over && s->clock.finished < 0 && s->run->state != NULL &&
	    !stopping(s) && (wait < 0 || wait > LOOK_MS))
		wait = LOOK_MS;
#if !defined(__linux__) || defined(WISP_PORTABLE)
	/* No signal tells of the parent's death, nor of a grandchild's. */
	if (wait < 0 || wait > LOOK_MS)
		wait = LOOK_MS;
#endif
	return wait;
}

static void
wait_for_news(struct supervisor *s)
{
	struct wisp_stream *stream = s->run->stream;
	struct pollfd fds[] = {
		{.fd = s->signals, .events = POLLIN},
		{.fd = stream->out, .events = POLLIN},
		{.fd = stream->err, .events = POLLIN},
	};

	wisp_ms began = wisp_clock_now();
	int asked = sleep_time(s);

	(void)poll(fds, sizeof fds / sizeof *fds, asked);
	wisp_clock_woke(&s->clock, began, asked, wisp_clock_now());
	if (wisp_stream_read(stream))
		s->clock.heard = wisp_clock_now();
	read_signals(s);
}

/* KILL is sent; what comes then is the kernel's work, and may take its time. */
static void
kill_tree(struct supervisor *s)
{
	wisp_ms since = wisp_clock_now();
	size_t left;

	s->step->survivors_killed += wisp_ptree_kill(&s->tree, &left);
	if (left > 0)
		warn("%zu processes of the step could not be killed", left);
	reap(s);
	while ((!s->ended || s->tree.init != 0) && wisp_clock_now() - since < LAST_MS) {
		(void)poll(NULL, 0, 1);
		reap(s);
	}
	if (s->ended)
		return;
	warn("the agent does not even die of SIGKILL");
	s->ended = true;
	s->end.signal = SIGKILL;
}

/* Until the agent has ended and, where the tree was asked to end, the rest had its time. */
static void
supervise(struct supervisor *s)
{
	for (;;) {
		wait_for_news(s);
		if (s->orphaned)
			return;
		check_limits(s);
		if (s->kill && !s->ended)
			kill_tree(s);
		if (s->ended && (!stopping(s) || s->kill || !wisp_ptree_alive(&s->tree)))
			return;
	}
}

/* Reads what is in the pipes, but not longer than a second. */
static void
drain(struct wisp_stream *stream)
{
	wisp_ms since = wisp_clock_now();

	uint64_t total;

	do {
		total = stream->total;
		(void)wisp_stream_read(stream);
	} while (stream->total > total && wisp_clock_now() - since < DRAIN_MS);
}

/* The kernel ends what is in a sandbox's namespace with it, in its own time: that is no survivor. */
static void
let_sandbox_end(struct supervisor *s)
{
	wisp_ms since = wisp_clock_now();

	while (s->run->wrapped && s->ended && wisp_ptree_alive(&s->tree) && wisp_clock_now() - since < LAST_MS) {
		(void)poll(NULL, 0, 1);
		reap(s);
	}
}

static void
finish(struct supervisor *s)
{
	struct wisp_stream *stream = s->run->stream;
	struct wisp_step *step = s->step;

	if (s->end.unstartable == NULL) {
		drain(stream);
		let_sandbox_end(s);
		kill_tree(s);
		drain(stream);
#ifdef __APPLE__
		step->peak_rss_kb = s->usage.ru_maxrss / 1024;
#else
		step->peak_rss_kb = s->usage.ru_maxrss;
#endif
	}
	step->duration_s = (double)(wisp_clock_now() - s->clock.started) / 1000;
	step->ended_at = wisp_time_now();
	wisp_stream_end(stream);
	step->output_bytes = stream->total;
	s->end.errors = &stream->errors;
	wisp_parse_finish(stream->parse, &s->end);
}

/* 0 running or not to be started; -1 with errno. */
static int
start(struct supervisor *s)
{
	const struct wisp_run *r = s->run;
	struct wisp_spawn spawn = {.argv = r->argv, .program = r->program, .env = r->env, .in = r->in, .pidns = r->pidns};
	int rc;

	s->step->started_at = wisp_time_now();
	s->clock.started = s->clock.heard = wisp_clock_now();
	rc = wisp_spawn(&spawn);
	if (rc < 0)
		return -1;
	if (rc > 0) {
		s->fault = wisp_str("'%s' %s", r->program != NULL ? r->program : r->argv[0], spawn.fault);
		free(spawn.fault);
		s->end.unstartable = s->fault;
		return 0;
	}
	s->tree.session = spawn.pid;
	s->tree.wrapper = r->wrapped ? spawn.pid : 0;
	s->tree.init = spawn.init;
	s->room = spawn.room;
	s->watch->session = spawn.pid;
	r->stream->out = spawn.out;
	r->stream->err = spawn.err;
	return 0;
}

int
wisp_run(const struct wisp_run *r, struct wisp_step *step)
{
	struct supervisor s = {.run = r, .step = step, .clock = r->clock, .watchdog = getpid()};
	char *mark = wisp_str(WISP_ENV_MARK "=%s", r->mark);
	int error, rc = -1;

	s.end.exit_code = -1;
	s.end.limit = s.clock.stopped = s.clock.finished = -1;
	s.watch = wisp_watch_start(r->parent, mark);
	if (s.watch == NULL)
		goto out;
	s.tree = (struct wisp_ptree){.self = getpid(), .mark = mark};
	s.signals = wisp_signals_open();
	if (s.signals < 0)
		goto out;
	/* Killed before this could be heard of: nothing is started any more. */
	if (getppid() != s.watchdog) {
		rc = 1;
		goto out;
	}
	wisp_ptree_adopt();
	if (start(&s) < 0)
		goto out;
	rc = 0;
	if (s.end.unstartable == NULL)
		supervise(&s);
	if (s.orphaned) {
		kill_tree(&s);
		rc = 1;
	} else {
		finish(&s);
	}
	s.watch->over = true;
out:
	error = errno;
	wisp_stream_close(r->stream);
	free(s.fault);
	free(mark);
	errno = error;
	return rc;
}
