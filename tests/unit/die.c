/*
 * die: messages and exit codes, each in a child of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/buf.h"
#include "unit.h"

static void usage(void) {die_usage("needs a %s", "NAME");}
static void bug(void) {die_bug("cannot be: %d", 7);}
static void data(void) {die_data("'%s' is odd", "x");}
static void sys(void) {errno = ENOENT; die_sys("cannot read '%s'", "/f");}
static void sys_none(void) {errno = 0; die_sys("cannot go on");}
static void controls(void) {die_data("a\nb\tc\x1b[0m\x7f\xc2\x9b!\xc3\xa9");}
static void turned(void) {die_data("a\xe2\x80\xae" "b\xd8\x9c" "c\xe2\x81\xa9\xe2\x82\xac\xe2");}
static void warning(void) {warn("so %s", "so"); wisp_exit(0);}
static void named(void) {wisp_die_name("/usr/bin/wisp-x"); die_data("x");}
static void unnamed(void) {wisp_die_name(NULL); die_data("x");}
static void no_memory(void) {struct wisp_buf b = WISP_BUF_INIT; wisp_buf_grow(&b, (size_t)-1 / 2);}
static void overflow(void) {free(wisp_realloc(NULL, (size_t)-1 / 2, 4));}

static void
located(void)
{
	struct wisp_err err = WISP_ERR_INIT;

	wisp_err_set(&err, "/f", 3, 4, "no %s", "good");
	die_err(&err);
}

static void
stdout_full(void)
{
	int fd = open("/dev/full", O_WRONLY);

	if (fd < 0)	/* a system without one */
		errno = ENOSPC, die_sys("cannot write to standard output");
	dup2(fd, STDOUT_FILENO);
	printf("text");
	wisp_exit(0);
}

static void
pipe_closed(void)
{
	int fd[2];

	signal(SIGPIPE, SIG_IGN);
	if (pipe(fd) < 0)
		die_sys("cannot make a pipe");
	dup2(fd[1], STDOUT_FILENO);
	close(fd[0]);
	printf("text");
	wisp_exit(0);
}

static void stdout_closed(void) {close(STDOUT_FILENO); wisp_exit(1);}
static void stdout_closed_used(void) {close(STDOUT_FILENO); printf("text"); wisp_exit(0);}

/* What `f` writes to standard error, and its exit code in front. */
static char *
run(void (*f)(void))
{
	struct wisp_buf out = WISP_BUF_INIT;
	char chunk[8192];
	int fd[2], status;
	ssize_t n;
	pid_t pid;

	fflush(stdout);
	if (pipe(fd) < 0 || (pid = fork()) < 0)
		die_sys("cannot start a child");
	if (pid == 0) {
		close(fd[0]);
		dup2(fd[1], STDERR_FILENO);
		f();
		_exit(99);
	}
	close(fd[1]);
	while ((n = read(fd[0], chunk, sizeof chunk)) > 0)
		wisp_buf_add(&out, chunk, (size_t)n);
	close(fd[0]);
	waitpid(pid, &status, 0);
	chunk[0] = '\0';
	char *text = wisp_str("%d %s", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
			      out.len > 0 ? out.data : chunk);
	wisp_buf_release(&out);
	return text;
}

static void
test_messages(void)
{
	static const struct {
		void (*f)(void);
		const char *want, *label;
	} t[] = {
		{usage, "100 wisp: needs a NAME\n", "called wrongly"},
		{bug, "101 wisp: bug: cannot be: 7\n", "a bug"},
		{data, "102 wisp: 'x' is odd\n", "bad data"},
		{located, "102 wisp: /f:3:4: no good\n", "bad data with its place"},
		{sys, "111 wisp: cannot read '/f': No such file or directory\n", "the system"},
		{sys_none, "111 wisp: cannot go on\n", "the system without a reason"},
		{controls, "102 wisp: a?b?c?[0m??" "?!\xc3\xa9\n", "control characters"},
		{turned, "102 wisp: a???b??c???\xe2\x82\xac\xe2\n", "what turns text around"},
		{warning, "0 wisp: so so\n", "a warning"},
		{named, "102 wisp-x: x\n", "the name without its folder"},
		{unnamed, "102 wisp: x\n", "no name"},
		{no_memory, "111 wisp: cannot go on: Cannot allocate memory\n", "out of memory"},
		{overflow, "111 wisp: cannot go on: Cannot allocate memory\n", "a size that overflows"},
		{stdout_full, "111 wisp: cannot write to standard output: No space left on device\n", "a full disk"},
		{pipe_closed, "111 ", "a closed pipe is quiet"},
		{stdout_closed, "1 ", "no standard output, and none needed"},
		{stdout_closed_used, "111 wisp: cannot write to standard output: Bad file descriptor\n", "no standard output"},
	};
	size_t i;

	for (i = 0; i < sizeof t / sizeof *t; i++)
		CHECK_OWN(run(t[i].f), t[i].want, t[i].label);
}

static void
long_message(void)
{
	char text[9000];

	memset(text, 'a', sizeof text);
	text[sizeof text - 1] = '\0';
	errno = ENOENT;
	die_sys("%s", text);
}

static void
test_long(void)
{
	char *got = run(long_message);
	size_t len = strlen(got);

	CHECK(len > 4000 && len <= 4100, "a long message is cut");
	CHECK_STR(len > 5 ? got + len - 5 : got, "a...\n", "and says so");
	free(got);
}

static void
test_err(void)
{
	struct wisp_err err = WISP_ERR_INIT;

	CHECK_INT(wisp_err_set(NULL, "f", 1, 1, "x"), -1, "nobody wants to know");
	CHECK_INT(wisp_err_set(&err, NULL, 0, 0, "text"), -1, "set returns -1");
	CHECK_OWN(wisp_err_string(&err), "text", "text alone");
	wisp_err_set(&err, "f", 0, 0, "again: %s", err.text);
	CHECK_OWN(wisp_err_string(&err), "f: again: text", "set again from itself");
	wisp_err_set(&err, NULL, 2, 3, "text");
	CHECK_OWN(wisp_err_string(&err), "2:3: text", "no path");
	wisp_err_release(&err);
	wisp_err_release(&err);
	CHECK_OWN(wisp_err_string(&err), "", "nothing");
}

int
main(void)
{
	test_messages();
	test_long();
	test_err();
	return unit_done();
}
