/*
 * wisp-wait: waits until one of the paths changes, is made or removed, or the
 * time is over.
 *
 *	wisp-wait [--since STAMP] [--for DURATION | --until TIME] [--countdown TEXT]
 *	          [--keys KEYS | --type FILE [--empty]] [--parent PID]
 *	          [-q] [PATH...]
 *	wisp-wait --stamp PATH...
 *
 * A file changes with its contents or when another takes its place, a folder
 * when a name in it comes or goes. A path need not exist, nor its folder. The
 * first that changed is printed.
 *
 * No change is missed: watches are set before the state is read, and --since
 * compares with a stamp from before the caller looked at the files.
 *
 * --for counts the time that passes, --until goes by the wall clock, however
 * it is set meanwhile: it is looked at every 30 seconds at the least, and so
 * are the paths, for file systems whose changes the kernel does not see.
 *
 * Exit: 0 changed, or a key was pressed, or a text typed; 1 the time is over, 100, 111; 128+N at
 * once by INT, TERM, HUP or QUIT, with the terminal as it was.
 */
#include <getopt.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/fsevent.h"
#include "core/time.h"
#include "wait/parent.h"
#include "wait/stamp.h"
#include "wait/terminal.h"

#define LOOK_AGAIN 30000	/* ms */
#define KEY_ENTER '\n'
#define LOOK_OFTEN 1000		/* where the kernel tells of no change, while keys are waited for */

struct opts {
	const char *const *paths;
	size_t count;
	char **stamps;		/* as the paths were when the wait began */
	const char *since;
	bool stamp, quiet;
	wisp_ms end, until;	/* -1 for none; `end` by the monotonic clock */
	pid_t parent;		/* with whom the wait ends, or 0 */
	struct wisp_terminal terminal;
	char key;		/* that ended the wait, or 0; KEY_ENTER: a text was typed */
};

static void
usage(void)
{
	printf("usage: wisp-wait [--since STAMP] [--for DURATION | --until TIME]\n"
	       "                 [--countdown TEXT] [--keys KEYS | --type FILE [--empty]]\n"
	       "                 [--parent PID] [-q] [PATH...]\n"
	       "       wisp-wait --stamp PATH...\n"
	       "waits until a path changes, or a key is pressed (0), or the time is over (1)\n\n"
	       "  --for DURATION  at most that long, such as 90s or 1h30m\n"
	       "  --until TIME    at most until then, ISO 8601 with a zone\n"
	       "  --countdown TEXT  shows it with the time that is left\n"
	       "  --keys KEYS     ends with one of these letters typed, and prints key=LETTER\n"
	       "  --type FILE     ends with a text typed, which goes to FILE; prints key=enter\n"
	       "  --empty         with --type: Enter alone is a text, too\n"
	       "  --parent PID    ends with that process, whose child it is\n"
	       "  --stamp         only prints what the paths are like now\n"
	       "  --since STAMP   at once if they are no longer like that\n"
	       "  -q, --quiet     prints nothing: the exit code is the answer\n"
	       "  -h, -V          this help; the version\n");
	wisp_exit(0);
}

static void
print_stamp(const struct opts *o)
{
	size_t i;
	char *s;

	for (i = 0; i < o->count; i++) {
		s = wisp_stamp(o->paths[i]);
		printf("%s%s", i > 0 ? "," : "", s);
		free(s);
	}
	printf("\n");
	wisp_exit(0);
}

/* Takes what print_stamp printed for as many paths. */
static void
read_stamp(struct opts *o)
{
	const char *p = o->since;
	size_t i, n;

	for (i = 0; i < o->count; i++) {
		n = strcspn(p, ",");
		if (n == 0 || p[n] != (i + 1 < o->count ? ',' : '\0'))
			die_usage("'%s' is no stamp of %zu path%s", o->since, o->count, o->count == 1 ? "" : "s");
		o->stamps[i] = wisp_str("%.*s", (int)n, p);
		p += n + 1;
	}
}

/* The index of the first path that is not as it was, or -1; what has no stamp yet gets it. */
static int
look(struct opts *o)
{
	size_t i;
	bool same;
	char *s;

	for (i = 0; i < o->count; i++) {
		s = wisp_stamp(o->paths[i]);
		if (o->stamps[i] == NULL) {
			o->stamps[i] = s;
			continue;
		}
		same = strcmp(s, o->stamps[i]) == 0;
		free(s);
		if (!same)
			return (int)i;
	}
	return -1;
}

static void
end(int sig)
{
	wisp_terminal_leave();
	_exit(128 + sig);
}

/* Is something to be read from the terminal? */
static bool
asks(const struct opts *o)
{
	return o->terminal.keys != NULL || o->terminal.file != NULL;
}

/* Milliseconds to sleep, 0 if the time is over. */
static wisp_ms
left(struct opts *o)
{
	wisp_ms rest = LOOK_AGAIN, ms;
	bool behind;

	wisp_terminal_attend(&o->terminal);
	behind = asks(o) && !o->terminal.on;
	if (wisp_parent_gone(o->parent))
		end(SIGTERM);
	if (o->end >= 0)
		rest = o->end - wisp_time_monotonic();
	else if (o->until >= 0)
		rest = o->until - wisp_time_now();
	if (rest <= 0 || (o->end < 0 && o->until < 0 && o->count == 0 && !o->terminal.on))
		return 0;
	ms = wisp_terminal_draw(&o->terminal, rest);
	if (behind && ms > WISP_TERMINAL_LOOK)
		ms = WISP_TERMINAL_LOOK;
	return ms < LOOK_AGAIN ? ms : LOOK_AGAIN;
}

/* Sleeps until something may have happened: the index of a path that changed for certain, or -1. */
static int
poll_once(struct opts *o, struct wisp_fsevent *f, wisp_ms ms)
{
	struct pollfd p[] = {{STDIN_FILENO, POLLIN, 0}, {f->fd, POLLIN, 0}};

	if (!o->terminal.on)
		return wisp_fsevent_wait(f, (int)ms);
	if (o->count > 0 && f->fd < 0 && ms > LOOK_OFTEN)
		ms = LOOK_OFTEN;
	(void)poll(p, 2, (int)ms);
	o->key = wisp_terminal_typed(&o->terminal) ? KEY_ENTER : wisp_terminal_key(&o->terminal);
	return wisp_fsevent_wait(f, 0);
}

/* The index of the path that changed, or -1 once the time is over or a key is pressed. */
static int
wait_for(struct opts *o)
{
	struct wisp_fsevent f;
	wisp_ms ms;
	int i;

	wisp_fsevent_init(&f, o->paths, o->count);
	do {
		wisp_fsevent_arm(&f);
		i = look(o);
		ms = left(o);
	} while (i < 0 && ms > 0 && (i = poll_once(o, &f, ms)) < 0 && o->key == 0);
	wisp_fsevent_release(&f);
	return i;
}

/*
 * Also where whoever started us has ignored or blocked them, as shells do in the background; but QUIT, which a shell
 * that runs a script has none of its programs obey.
 */
static void
obey_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction sa = {.sa_handler = end}, quit;
	sigset_t set;
	size_t i;

	sigemptyset(&set);
	for (i = 0; i < sizeof signals / sizeof *signals; i++) {
		sigaddset(&set, signals[i]);
		sigaction(signals[i], &sa, NULL);
	}
	if (sigaction(SIGQUIT, NULL, &quit) == 0 && quit.sa_handler != SIG_IGN)
		sigaction(SIGQUIT, &sa, NULL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* Lower-case letters, each a key. */
static const char *
keys(const char *text)
{
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz");

	if (n == 0 || text[n] != '\0')
		die_usage("--keys needs letters such as rsa, not '%s'", text);
	return text;
}

static const struct option options[] = {
	{"for", required_argument, NULL, 'f'},
	{"until", required_argument, NULL, 'u'},
	{"since", required_argument, NULL, 's'},
	{"countdown", required_argument, NULL, 'c'},
	{"keys", required_argument, NULL, 'k'},
	{"type", required_argument, NULL, 't'},
	{"empty", no_argument, NULL, 'e'},
	{"parent", required_argument, NULL, 'P'},
	{"stamp", no_argument, NULL, 'p'},
	{"quiet", no_argument, NULL, 'q'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{0}
};

static void
read_options(struct opts *o, int argc, char **argv)
{
	wisp_ms d;
	int c;

	while ((c = getopt_long(argc, argv, "hqV", options, NULL)) != -1) {
		switch (c) {
		case 'f':
			if ((d = wisp_duration_parse(optarg)) < 0)
				die_usage("--for needs a duration such as 90s or 1h30m, not '%s'", optarg);
			o->end = wisp_time_monotonic() + d;
			break;
		case 'u':
			if ((o->until = wisp_time_parse(optarg)) < 0)
				die_usage("--until needs a time in ISO 8601 with a zone, not '%s'", optarg);
			break;
		case 's':
			o->since = optarg;
			break;
		case 'c':
			o->terminal.text = optarg;
			break;
		case 'k':
			o->terminal.keys = keys(optarg);
			break;
		case 't':
			o->terminal.file = optarg;
			break;
		case 'e':
			o->terminal.empty = true;
			break;
		case 'P':
			o->parent = wisp_parent_follow(optarg);
			break;
		case 'p':
			o->stamp = true;
			break;
		case 'q':
			o->quiet = true;
			break;
		case 'h':
			usage();
			break;
		case 'V':
			printf("wisp-wait %s\n", WISP_VERSION);
			wisp_exit(0);
		default:
			die_usage("-h tells how it is called");
		}
	}
	o->paths = (const char *const *)argv + optind;
	o->count = (size_t)(argc - optind);
	o->stamps = wisp_alloc(o->count, sizeof *o->stamps);
}

int
main(int argc, char **argv)
{
	struct opts o = {.end = -1, .until = -1};
	bool timed;
	int i;

	setlocale(LC_CTYPE, "");
	wisp_die_name(argv[0]);
	obey_signals();
	read_options(&o, argc, argv);
	timed = o.end >= 0 || o.until >= 0;
	if (o.end >= 0 && o.until >= 0)
		die_usage("--for and --until exclude each other");
	if (o.terminal.keys != NULL && o.terminal.file != NULL)
		die_usage("--keys and --type exclude each other");
	if (o.terminal.empty && o.terminal.file == NULL)
		die_usage("--empty needs --type");
	if (o.count == 0 && (o.stamp || o.since != NULL || (!timed && !asks(&o))))
		die_usage("there is nothing to wait for");
	if (o.terminal.text != NULL && o.terminal.file != NULL)
		die_usage("--countdown and --type exclude each other");
	if (o.terminal.text != NULL && !timed)
		die_usage("--countdown needs --for or --until");
	if (o.stamp && (o.since != NULL || timed || asks(&o)))
		die_usage("--stamp does not wait");
	if (o.stamp)
		print_stamp(&o);
	if (o.since != NULL)
		read_stamp(&o);
	wisp_terminal_enter(&o.terminal);
	i = wait_for(&o);
	wisp_terminal_clear(&o.terminal);
	wisp_terminal_leave();
	wisp_terminal_keep(&o.terminal);
	if (o.quiet)
		;
	else if (o.key == KEY_ENTER)
		printf("key=enter\n");
	else if (o.key != 0)
		printf("key=%c\n", o.key);
	else if (i >= 0)
		printf("%s\n", o.paths[i]);
	wisp_exit(i >= 0 || o.key != 0 ? 0 : 1);
}
