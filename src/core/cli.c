/*
 * cli: the command line of cli.h; what verbs call beside is in cli_verb.c.
 *
 * Options are read here and not by getopt_long: it abbreviates, it prints
 * itself, and its hidden state makes a second reading (before the verb, after
 * it) a matter of the libc at hand.
 */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inherit.h"

#define COLUMN 24	/* where the help of a verb begins */
#define WIDTH 80
#define INDENT 5	/* of what a verb's arguments go on with; a blank comes before each of them */

static const char *
separator(const struct wisp_verb *v)
{
	return *v->name != '\0' && *v->args != '\0' ? " " : "";
}

/* A verb's arguments from `column` on, broken before an option where they are too long; the column behind them. */
static int
print_args(const char *args, int column)
{
	const char *next;
	int n;

	for (; *args != '\0'; args = next) {
		next = strstr(args + 1, " [");
		if (next == NULL)
			next = args + strlen(args);
		n = (int)(next - args);
		if (*args == ' ' && column + n > WIDTH)
			column = printf("\n%*s", INDENT, "") - 1;
		column += printf("%.*s", n, args);
	}
	return column;
}

static _Noreturn void
print_help(const struct wisp_cli *cli)
{
	const struct wisp_verb *v;
	int width;

	printf("usage: %s [-C DIR] [--json] [-q]%s [OPTION | OPERAND]...\n%s\n\n", wisp_die_program(),
	       *cli->verbs->name != '\0' ? " VERB" : "", cli->about);
	for (v = cli->verbs; v->name != NULL; v++) {
		if (cli->verb != NULL && cli->verb != v)
			continue;
		width = print_args(v->args, printf("  %s%s", v->name, separator(v)));
		if (width >= COLUMN && *v->help != '\0')
			width = printf("\n") - 1;
		printf("%*s%s\n", *v->help != '\0' ? COLUMN - width : 0, "", v->help);
	}
	printf("\n"
	       "  -C DIR    the session's folder; else $WISP_SESSION_DIR, or this work tree's\n"
	       "  --json    the answer as one JSON document\n"
	       "  -q        no answer but the exit code\n"
	       "  -h, -V    this help; the version\n");
	wisp_exit(0);
}

static _Noreturn void
print_version(void)
{
	printf("%s %s\n", wisp_die_program(), WISP_VERSION);
	wisp_exit(0);
}

static _Noreturn void
die_synopsis(const struct wisp_cli *cli)
{
	const struct wisp_verb *v = cli->verb;

	die_usage("usage: %s%s%s%s%s", wisp_die_program(), *v->name != '\0' || *v->args != '\0' ? " " : "", v->name,
		  separator(v), v->args);
}

static const struct wisp_option *
find_option(const struct wisp_option *o, const char *name, size_t len, char letter)
{
	for (; o != NULL && (o->name != NULL || o->letter != 0); o++) {
		if (letter != 0 ? o->letter == letter
				: o->name != NULL && strncmp(o->name, name, len) == 0 && o->name[len] == '\0')
			return o;
	}
	return NULL;
}

void
wisp_texts_add(struct wisp_texts *list, const char *text)
{
	list->list = wisp_realloc(list->list, list->count + 1, sizeof *list->list);
	list->list[list->count++] = text;
}

/* `shown` is the option as it was written, for messages. */
static void
store(const struct wisp_option *o, const char *shown, const char *value)
{
	char *end;

	if (value == NULL)
		die_usage("option '%s' needs a value", shown);
	if (o->text != NULL) {
		*o->text = value;
	} else if (o->list != NULL) {
		wisp_texts_add(o->list, value);
	} else {
		errno = 0;
		*o->number = strtoll(value, &end, 10);
		if (*value < '0' || *value > '9' || *end != '\0' || errno != 0)
			die_usage("option '%s' needs a whole number, not '%s'", shown, value);
	}
}

/* The options at argv[i], with the value of the last one; returns the index of what follows. */
static int
take_option(const struct wisp_option *own, const struct wisp_option *common, char **argv, int i)
{
	const char *arg = argv[i++], *p;
	const struct wisp_option *o;
	char shown[3] = "-?";
	size_t len;

	if (arg[1] == '-') {
		len = strcspn(arg + 2, "=");
		if ((o = find_option(own, arg + 2, len, 0)) == NULL &&
		    (o = find_option(common, arg + 2, len, 0)) == NULL)
			die_usage("unknown option '%.*s' (-h lists them)", (int)len + 2, arg);
		p = arg[len + 2] == '=' ? arg + len + 3 : NULL;
		if (o->flag != NULL && p != NULL)
			die_usage("option '--%s' takes no value", o->name);
		if (o->flag != NULL)
			*o->flag = true;
		else
			store(o, arg, p != NULL ? p : argv[i++]);
		return i;
	}
	for (p = arg + 1; *p != '\0'; p++) {
		shown[1] = *p;
		if ((o = find_option(own, NULL, 0, *p)) == NULL && (o = find_option(common, NULL, 0, *p)) == NULL)
			die_usage("unknown option '%s' (-h lists them)", shown);
		if (o->flag != NULL) {
			*o->flag = true;
			continue;
		}
		store(o, shown, p[1] != '\0' ? p + 1 : argv[i++]);
		break;
	}
	return i;
}

/* `-` is an operand, and so is a number below 0. */
static bool
is_option(const char *arg)
{
	return arg[0] == '-' && arg[1] != '\0' && (arg[1] < '0' || arg[1] > '9');
}

/* The exit code is the answer: what is started inherits that nothing is printed. */
static void
be_quiet(void)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
		die_sys("cannot open '/dev/null'");
	if (fd != STDOUT_FILENO)
		close(fd);
}

/* Reads argv up to the first operand, or all of it with `anywhere`; the operands are moved to its beginning. */
static int
read_options(struct wisp_cli *cli, const struct wisp_option *own, char **argv, bool anywhere)
{
	bool help = false, version = false, quiet = false;
	const struct wisp_option common[] = {
		{NULL, 'C', .text = &cli->dir},
		{"json", .flag = &cli->json},
		{"quiet", 'q', .flag = &quiet},
		{"help", 'h', .flag = &help},
		{"version", 'V', .flag = &version},
		{0}
	};
	int i = 0, n = 0;

	while (argv[i] != NULL && !help && !version) {
		if (strcmp(argv[i], "--") == 0) {
			i++;
			break;
		}
		if (is_option(argv[i]))
			i = take_option(own, common, argv, i);
		else if (anywhere)
			argv[n++] = argv[i++];
		else
			break;
	}
	if (help)
		print_help(cli);
	if (version)
		print_version();
	if (quiet)
		be_quiet();
	if (!anywhere)
		return i;
	while (argv[i] != NULL)
		argv[n++] = argv[i++];
	argv[n] = NULL;
	return n;
}

/* Finds the verb and puts what follows it into argv. */
static void
read_verb(struct wisp_cli *cli, int argc, char **argv)
{
	const struct wisp_verb *v = cli->verbs;
	int i = 1;

	if (*v->name != '\0') {
		i += read_options(cli, NULL, argv + 1, false);
		if (argv[i] == NULL)
			die_usage("no verb given (-h lists the verbs)");
		while (v->name != NULL && strcmp(v->name, argv[i]) != 0)
			v++;
		if (v->name == NULL)
			die_usage("unknown verb '%s' (-h lists them)", argv[i]);
		i++;
	}
	cli->verb = v;
	cli->argv = argv + i;
	cli->argc = argc - i;
}

_Noreturn void
wisp_cli_main(int argc, char **argv, const char *about, const struct wisp_verb *verbs)
{
	struct wisp_cli cli = {.about = about, .verbs = verbs};
	int rc;

	wisp_inherit_reset();
	if (argc < 1)
		die_usage("started without a name");
	wisp_die_name(argv[0]);
	read_verb(&cli, argc, argv);
	rc = cli.verb->run(&cli);
	wisp_place_release(&cli.place);
	wisp_exit(rc);
}

void
wisp_cli_read(struct wisp_cli *cli, const struct wisp_option *options, int min, int max)
{
	cli->argc = read_options(cli, options, cli->argv, true);
	if (cli->argc < min || (max >= 0 && cli->argc > max))
		die_synopsis(cli);
}
