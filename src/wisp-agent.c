/*
 * wisp-agent: runs one step of an agent, or reads a recorded one.
 *
 *	wisp-agent run [OPTION]... [--log FILE] [--result FILE] -- PROGRAM [ARG]...
 *	wisp-agent parse --format F [OPTION]... [FILE]
 *
 * `run` supervises the program (step/run.h) and writes step.json when the last
 * of its processes is gone; it exits 0 whatever the outcome (but for --fail, --missing and --exit-status). `parse` prints
 * the same document about a stream that was recorded.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/cli.h"
#include "core/given.h"
#include "core/hash.h"
#include "core/secrets.h"
#include "step/env.h"
#include "step/refused.h"
#include "step/run.h"
#include "step/signame.h"

#define DEFAULT_GRACE 5000
#define DEFAULT_LINGER "10s"
#define DEFAULT_MAX_OUTPUT ((long long)64 << 20)

extern char **environ;

static const char *const pidns[3] = {"auto", "true", "false"};
static const char *const limits[4] = {NULL, "wall", "idle", "linger"};

struct run_options {
	const char *agent, *format, *timeout, *idle, *linger, *grace, *pidns;
	const char *prompt, *state, *log, *output, *result, *runs, *sandbox;
	long long max_output, parent, iteration, attempt;
	bool keep_env, tools_env, outside, missing, fail, exit_status;
	struct wisp_texts set, pass;
};

/* A step knows no session: the loop does. */
static void
refuse_place(const struct wisp_cli *cli)
{
	if (cli->dir != NULL)
		die_usage("option '-C' means nothing here");
}

static const struct wisp_format *
find_format(const char *name)
{
	const struct wisp_format *f = wisp_format_find(name);
	struct wisp_buf names = WISP_BUF_INIT;

	if (f != NULL)
		return f;
	wisp_format_names(&names);
	die_usage("unknown format '%s'; there are: %s", name, names.data);
}

static wisp_ms
duration(const char *option, const char *text, wisp_ms otherwise)
{
	wisp_ms d;

	if (text == NULL || strcmp(text, "none") == 0)
		return otherwise;
	d = wisp_duration_parse(text);
	if (d < 0)
		die_usage("option '%s' needs a duration such as 90s or 1h30m, not '%s'", option, text);
	return d;
}

/* Which of the words, as their enumeration numbers them; the first where none is given. */
static int
choose(const char *option, const char *word, const char *const words[], int count,
       const char *expected)
{
	int i = 0;

	while (word != NULL && i < count && (words[i] == NULL || strcmp(word, words[i]) != 0))
		i++;
	if (i < count)
		return i;
	die_usage("option '%s' needs %s, not '%s'", option, expected, word);
}

static int
open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		die_sys("cannot open '%s'", path);
	return fd;
}

/* The agent may have removed the session's folder, or made one of the file; its step is told there all the same. */
static void
make_place(const char *path)
{
	char *folder = wisp_strdup(path), *slash = strrchr(folder, '/'), *project;
	struct stat st;

	/* But not the project: it was renamed, and nothing is left where it was. */
	if ((project = strstr(folder, WISP_SESSIONS)) != NULL) {
		*project = '\0';
		if (lstat(folder, &st) < 0 && errno == ENOENT)
			die_sys("the project '%s' is gone", folder);
		*project = '/';
	}
	if (slash != NULL && slash != folder) {
		*slash = '\0';
		if (wisp_dir_make(folder) < 0)
			die_sys("cannot make '%s'", folder);
	}
	free(folder);
	if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && wisp_dir_remove(path) < 0)
		die_sys("cannot remove the folder '%s'", path);
}

static void
note_moved(void *names, const char *name)
{
	wisp_json_push(names, wisp_json_string(name));
}

/* Nor is anything written behind a link that it has put into the session's folder. */
static void
own_place(const char *path, struct cJSON *json)
{
	const char *top = getenv("WISP_SESSION_DIR");
	char *folder = wisp_strdup(path), *slash = strrchr(folder, '/');
	size_t len = top != NULL ? strlen(top) : 0;
	struct cJSON *names = wisp_json_array();

	if (slash != NULL)
		*slash = '\0';
	if (len > 0 && strncmp(folder, top, len) == 0 && folder[len] == '/' && wisp_dir_own(top, folder, note_moved, names) < 0)
		die_sys("cannot move what stands in the place of '%s'", folder);
	if (wisp_json_len(names) > 0)
		wisp_json_set(json, "moved", wisp_json_copy(names));
	wisp_json_free(names);
	free(folder);
}

static void
write_result(const struct run_options *o, const struct wisp_step *step)
{
	struct cJSON *json = wisp_step_json(step);

	/* Whose result it is, for a restart that finds it. */
	if (o->iteration > 0)
		wisp_json_set_num(json, "iteration", (double)o->iteration);
	if (o->attempt > 0)
		wisp_json_set_num(json, "try", (double)o->attempt);
	wisp_secrets_hide_cut(json);
	own_place(o->result, json);
	make_place(o->result);
	if (wisp_json_write(o->result, json, WISP_NOSYNC) < 0)
		die_sys("cannot write '%s'", o->result);
	wisp_json_free(json);
}

/* By the clock that files are stamped with: what the program writes is never older than its start. */
static struct timespec
file_time(void)
{
	struct timespec t = {0};

#ifdef CLOCK_REALTIME_COARSE
	(void)clock_gettime(CLOCK_REALTIME_COARSE, &t);
#else
	(void)clock_gettime(CLOCK_REALTIME, &t);
#endif
	return t;
}

static long long
size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (long long)st.st_size : 0;
}

/* One more run, for who reads the log of several: `FROM TO SECONDS NANOSECONDS WORD`, in the log, since 1970, how it ended. */
static void
write_run(const struct run_options *o, long long from, struct timespec began, bool ok, bool cut)
{
	char *line = wisp_str("%lld %lld %lld %ld %s\n", from, size_of(o->log), (long long)began.tv_sec, began.tv_nsec,
			      cut ? "cut" : ok ? "ok" : "failed");
	int fd = open(o->runs, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, WISP_FILE_MODE);

	if (fd < 0 || wisp_fd_write(fd, line, strlen(line)) < 0)
		die_sys("cannot write '%s'", o->runs);
	(void)close(fd);
	free(line);
}

static void
say_withheld(const struct run_options *o, char *const *env, const char *text, struct wisp_buf *said)
{
	struct wisp_buf names = WISP_BUF_INIT;
	size_t count = wisp_env_withheld(environ, env, text, &names);

	if (count > 0 && o->agent == NULL && !o->tools_env)
		wisp_buf_printf(said, "%s was withheld from it (--env-pass NAME)", names.data);
	else if (count > 0)
		wisp_buf_printf(said, "wisp withholds %s from it: wisp config --add %s%s.env %s", names.data,
				o->agent != NULL ? "agent." : "verify", o->agent != NULL ? o->agent : "",
				count == 1 ? names.data : "NAME");
	wisp_buf_release(&names);
}

/* What a sandbox refuses is an error of the system to what is in it. */
static void
say_refused(const struct run_options *o, const char *text, struct wisp_buf *said)
{
	char *tree = getcwd(NULL, 0), *why = NULL;

	if (o->sandbox != NULL && strcmp(o->sandbox, "off") != 0)
		why = wisp_refused(text, tree);
	if (why != NULL)
		wisp_buf_printf(said, "%s%s", said->len > 0 ? "; " : "", why);
	free(why);
	free(tree);
}

/* Where it failed, and its last words name a variable that it was not given, or what it may not change, that is said. */
static void
note_withheld(const struct run_options *o, char *const *env, const struct wisp_stream *stream, struct wisp_step *step)
{
	struct wisp_buf text = WISP_BUF_INIT, said = WISP_BUF_INIT;
	char *end = wisp_text_end(&stream->errors);

	wisp_buf_printf(&text, "%s\n%s\n%s", end, step->final_text != NULL ? step->final_text : "",
			step->reason.len > 0 ? step->reason.data : "");
	free(end);
	if (step->outcome != WISP_OK) {
		say_withheld(o, env, text.data, &said);
		say_refused(o, text.data, &said);
	}
	if (said.len > 0) {
		step->withheld = wisp_buf_detach(&said);
		wisp_buf_printf(&step->reason, "%s%s", step->reason.len > 0 ? "; " : "", step->withheld);
		if (o->tools_env)
			warn("%s", step->withheld);
	}
	wisp_buf_release(&text);
	wisp_buf_release(&said);
}

/* What a sandbox is to start, NULL without one. */
static const char *
confined(const struct run_options *o, char *const *argv)
{
	while (*argv != NULL && strcmp(*argv, "--") != 0)
		argv++;
	return o->sandbox != NULL && *argv != NULL ? argv[1] : NULL;
}

/* Runs the program; 1 if the parent died meanwhile. */
static int
supervise(const struct run_options *o, char *const *argv, const struct wisp_format *format, struct wisp_step *step)
{
	char mark[WISP_UUID_SIZE];
	struct wisp_env env = {
		.kind = o->keep_env ? WISP_ENV_ALL : o->tools_env ? WISP_ENV_TOOLS : WISP_ENV_AGENT,
		.confined = o->sandbox != NULL && strcmp(o->sandbox, "off") != 0, .mark = mark, .pass = o->pass.list, .pass_count = o->pass.count,
		.set = o->set.list, .set_count = o->set.count,
	};
	/* It would take what is in it with it, and has a namespace for that. */
	bool wrapped = o->sandbox != NULL && strcmp(o->sandbox, "bwrap") == 0;
	/* Too large for a small stack. */
	static struct wisp_stream stream;
	static struct wisp_parse parse;
	struct wisp_run run = {
		.parent = o->parent > 0 ? (pid_t)o->parent : getppid(), .argv = argv, .mark = mark,
		.in = open_file(o->prompt), .stream = &stream, .wrapped = wrapped, .program = confined(o, argv),
		.pidns = choose("--pid-namespace", wrapped ? "false" : o->pidns, pidns, 3, "'auto', 'true' or 'false'"),
		.clock.timeout = duration("--timeout", o->timeout, 0),
		.clock.idle_timeout = duration("--idle-timeout", o->idle, 0),
		.clock.linger = duration("--linger", o->linger, -1), .state = o->state,
		.clock.grace = duration("--grace", o->grace, DEFAULT_GRACE),
	};
	struct timespec began = file_time();
	long long from = o->runs != NULL ? size_of(o->log) : 0;
	int rc;

	step->sandbox = o->sandbox;
	wisp_uuid(mark);
	run.env = wisp_env_make(&env, environ);
	wisp_parse_init(&parse, format, step);
	if (wisp_stream_open(&stream, o->log, o->output, (uint64_t)o->max_output, &parse) < 0)
		die_sys("cannot open '%s'", stream.log.fd < 0 ? o->log : o->output);
	rc = wisp_run(&run, step);
	if (rc < 0)
		die_sys("cannot start '%s'", argv[0]);
	note_withheld(o, run.env, &stream, step);
	if (rc == 0 && o->runs != NULL)
		write_run(o, from, began, step->outcome == WISP_OK, stream.log.written > stream.max);
	wisp_parse_release(&parse);
	wisp_env_free((char **)run.env);
	return rc;
}

/* One that is just being replaced is not found, not executable, or empty: to a shell a script that ends well. */
static bool
is_missing(const struct wisp_step *step, const char *state)
{
	return step->outcome == WISP_UNSTARTABLE ||
	       (step->outcome == WISP_ERROR && step->exit_code == 0 && step->events == 0 && step->bad_lines == 0 &&
		(state == NULL || access(state, F_OK) < 0));
}

/* As timeout(1) ends: the program's own status, 124 at a limit, 128+n for a signal, 127 where it could not begin. */
static int
exit_status(const struct wisp_step *step)
{
	if (step->outcome == WISP_OK)
		return 0;	/* also where it was ended after its final event */
	if (step->outcome == WISP_TIMEOUT || step->outcome == WISP_IDLE)
		return 124;
	if (step->outcome == WISP_UNSTARTABLE)
		return 127;
	return step->signal > 0 ? 128 + step->signal : step->exit_code > 0 ? step->exit_code : 1;
}

static int
run(struct wisp_cli *cli)
{
	struct run_options o = {
		.format = "auto", .linger = DEFAULT_LINGER, .prompt = "/dev/null",
		.max_output = DEFAULT_MAX_OUTPUT
	};
	const struct wisp_option options[] = {
		{"agent", .text = &o.agent}, {"format", .text = &o.format}, {"pid-namespace", .text = &o.pidns},
		{"timeout", .text = &o.timeout}, {"idle-timeout", .text = &o.idle}, {"grace", .text = &o.grace},
		{"linger", .text = &o.linger}, {"state", .text = &o.state},
		{"max-output", .number = &o.max_output}, {"parent", .number = &o.parent}, {"prompt", .text = &o.prompt},
		{"log", .text = &o.log}, {"output", .text = &o.output}, {"result", .text = &o.result}, {"runs", .text = &o.runs},
		{"iteration", .number = &o.iteration}, {"try", .number = &o.attempt},
		{"keep-env", .flag = &o.keep_env}, {"tools-env", .flag = &o.tools_env},
		{"outside", .flag = &o.outside}, {"sandbox", .text = &o.sandbox}, {"missing", .flag = &o.missing},
		{"fail", .flag = &o.fail}, {"exit-status", .flag = &o.exit_status},
		{"env", .list = &o.set}, {"env-pass", .list = &o.pass}, {0}
	};
	static struct wisp_step step;
	size_t i;
	int rc;

	wisp_cli_read(cli, options, 1, -1);
	refuse_place(cli);
	if (o.log == NULL)
		o.log = "-";
	for (i = 0; i < o.set.count; i++)
		if (strchr(o.set.list[i], '=') == NULL || o.set.list[i][0] == '=')
			die_usage("option '--env' needs NAME=VALUE, not '%s'", o.set.list[i]);
	wisp_given(WISP_GIVEN_ENV, &o.set, &o.pass);
	wisp_step_init(&step);
	step.agent = o.agent;
	if (supervise(&o, cli->argv, find_format(o.format), &step) == 0 && o.result != NULL)
		write_result(&o, &step);
	rc = o.exit_status ? exit_status(&step) : (o.missing && is_missing(&step, o.state)) || (o.fail && step.outcome != WISP_OK);
	wisp_step_release(&step);
	free(o.set.list);
	free(o.pass.list);
	return rc;
}

static int
signal_option(const char *option, const char *name)
{
	int sig = name != NULL ? wisp_signal_number(name) : 0;

	if (name != NULL && sig == 0)
		die_usage("option '%s' needs a signal such as TERM, not '%s'", option, name);
	return sig;
}

/* Hands a whole file on in pieces; how many bytes it has. */
static unsigned long long
read_file(int fd, const char *path, void take(void *, const char *, size_t), void *arg)
{
	static char buf[65536];
	unsigned long long total = 0;
	ssize_t n;

	while ((n = read(fd, buf, sizeof buf)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			die_sys("cannot read '%s'", path);
		take(arg, buf, (size_t)n);
		total += (unsigned long long)n;
	}
	return total;
}

static void
take_stream(void *arg, const char *p, size_t n)
{
	wisp_parse_feed(arg, p, n);
}

static void
take_errors(void *arg, const char *p, size_t n)
{
	wisp_text_add(arg, p, n);
}

static int
parse(struct wisp_cli *cli)
{
	const char *format = NULL, *sig = NULL, *sent = NULL, *timed_out = NULL, *errors = NULL, *agent = NULL, *file;
	struct wisp_ending end = {.exit_code = -1, .limit = -1};
	long long exit_code = -1;
	const struct wisp_option options[] = {
		{"format", .text = &format}, {"exit-code", .number = &exit_code}, {"signal", .text = &sig},
		{"sent-signal", .text = &sent}, {"timed-out", .text = &timed_out}, {"stderr", .text = &errors},
		{"agent", .text = &agent}, {0}
	};
	static struct wisp_text said;
	static struct wisp_parse p;
	static struct wisp_step step;

	wisp_cli_read(cli, options, 0, 1);
	refuse_place(cli);
	if (format == NULL)
		die_usage("option '--format' is needed");
	if (exit_code > 255 || (exit_code >= 0 && sig != NULL))
		die_usage("an exit status is 0 to 255, and there is none after a signal");
	end.exit_code = (int)exit_code;
	end.signal = signal_option("--signal", sig);
	end.sent_signal = signal_option("--sent-signal", sent);
	end.timed_out = choose("--timed-out", timed_out, limits, 4, "'wall', 'idle' or 'linger'");
	wisp_step_init(&step);
	step.agent = agent;
	wisp_parse_init(&p, find_format(format), &step);
	file = cli->argc > 0 ? cli->argv[0] : "-";
	step.output_bytes = read_file(strcmp(file, "-") == 0 ? 0 : open_file(file), file, take_stream, &p);
	if (errors != NULL)
		(void)read_file(open_file(errors), errors, take_errors, &said);
	end.errors = &said;
	wisp_parse_finish(&p, &end);
	wisp_cli_json(wisp_step_json(&step));
	wisp_parse_release(&p);
	wisp_step_release(&step);
	return 0;
}

static const char run_help[] =
	"supervises one step\n"
	"      --agent NAME           for step.json\n"
	"      --iteration N, --try N the same\n"
	"      --format F             of the stream (auto)\n"
	"      --prompt FILE          standard input (nothing)\n"
	"      --timeout D            for all of it (none)\n"
	"      --idle-timeout D       without a sign of life (none)\n"
	"      --state FILE           the claim that it is to leave\n"
	"      --linger D             after its final event, once that is valid (10s)\n"
	"      --parent PID           whose death ends it (its own parent's)\n"
	"      --grace D              from TERM to KILL (5s)\n"
	"      --pid-namespace P      whether all of it has one: auto, true, false (auto)\n"
	"      --fail                 1 where the outcome is not ok\n"
	"      --missing              1 where the program was missing, or none\n"
	"      --max-output N         bytes kept in the log (64 MiB)\n"
	"      --log FILE             what it prints (standard output)\n"
	"      --result FILE          where step.json goes (nowhere)\n"
	"      --runs FILE            a line more there: where this run stands in the log\n"
	"      --exit-status          ends as the program did; 124 at a limit\n"
	"      --output FILE          standard output there, and not in the log\n"
	"      --keep-env             the whole environment, not only what agents need\n"
	"      --tools-env            nothing of what is for agents alone\n"
	"      --sandbox KIND         PROGRAM is one: what it starts stands after a --\n"
	"      --outside              right after run: a person's own program, no step\n"
	"      --env-pass NAME        lets one more variable through\n"
	"      --env NAME=VALUE       sets one";

static const char parse_help[] =
	"reads a recorded stream, prints its step.json\n"
	"      --exit-code N          how the agent ended, or\n"
	"      --signal NAME          of what signal it died\n"
	"      --sent-signal NAME     which one it was sent for a person\n"
	"      --timed-out LIMIT      at which it was ended: wall, idle or linger\n"
	"      --stderr FILE          what it said there";

int
main(int argc, char **argv)
{
	static const struct wisp_verb verbs[] = {
		{"run", run, "[OPTION]... [--log FILE] [--result FILE] -- PROGRAM [ARG]...", run_help},
		{"parse", parse, "--format F [OPTION]... [FILE]", parse_help},
		{0}
	};

	wisp_cli_main(argc, argv, "runs one step of an agent, or reads a recorded one", verbs);
}
