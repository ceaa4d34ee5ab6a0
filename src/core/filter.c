/*
 * filter: see filter.h.
 *
 * The child has one descriptor that matters, the pipe, and is not able to open
 * another: RLIMIT_NOFILE is 0, so that whatever a version of jq would look for
 * (modules, ~/.jq, the password file) cannot be read. It has no environment.
 * It sends the results, or why there are none, and says by its exit code which.
 * The parent counts the time and the bytes, and kills it.
 */
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__) && !defined(WISP_PORTABLE)
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include <jq.h>
#include <jv.h>

#include "time.h"

#define SECONDS 2
#define MEMORY ((rlim_t)512 << 20)
#define OUTPUT ((size_t)16 << 20)
#define ANSWER 3		/* the child's descriptor */
#define DESCRIPTORS 1024	/* no program of wisp has one above */
#define MESSAGE 500		/* bytes of jq's message that are kept */
#define CHUNK 65536
/*
 * 1.7 has a callback for `stderr` that is unset at first, 1.6 no function to
 * set it. Modules can only be named before the first definition: no more.
 */
#define PRELUDE "def stderr: .; "

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

enum answer { RESULTS, FAILED, NO_MEMORY };

extern char **environ;

/* --- in the child ----------------------------------------------------------- */

static void
close_from(int first)
{
	int fd;

#ifdef SYS_close_range
	if (syscall(SYS_close_range, (unsigned)first, UINT_MAX, 0) == 0)
		return;
#endif
	for (fd = first; fd < DESCRIPTORS; fd++)
		close(fd);
}

static void
limit(int resource, rlim_t most)
{
	struct rlimit r = {most, most};

	if (setrlimit(resource, &r) < 0)
		_exit(FAILED);
}

/* Nothing to read, nothing to write but ANSWER, little memory, little time should the parent be killed. */
static void
shut_in(int out)
{
	static char *nothing[] = {NULL};
	int null, fd;

#ifdef PR_SET_PDEATHSIG
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (dup2(out, ANSWER) < 0 || (null = open("/dev/null", O_RDWR)) < 0)
		_exit(FAILED);
	for (fd = 0; fd < ANSWER; fd++)
		if (dup2(null, fd) < 0)
			_exit(FAILED);
	close_from(ANSWER + 1);
	environ = nothing;
	limit(RLIMIT_NOFILE, 0);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, SECONDS + 1);
#if defined(RLIMIT_AS) && !defined(__SANITIZE_ADDRESS__)	/* which reserves terabytes */
	limit(RLIMIT_AS, MEMORY);
#endif
	signal(SIGPIPE, SIG_DFL);
}

static _Noreturn void
answer(enum answer what, const char *data, size_t len)
{
	ssize_t n;

	for (; len > 0; data += n, len -= (size_t)n)
		if ((n = write(ANSWER, data, len)) < 0 && errno == EINTR)
			n = 0;
		else if (n < 0)
			_exit(FAILED);
	_exit(what);
}

static void
no_memory(void *arg)
{
	(void)arg;
	_exit(NO_MEMORY);
}

/* jq says `jq: error: WHAT\nTHE FILTER:...`, then `jq: 1 compile error`: the first line tells. */
static void
first_message(void *arg, jv msg)
{
	struct wisp_buf *b = arg;
	jv text = jq_format_error(msg);
	const char *s = jv_string_value(text);
	static const char prefix[] = "jq: error: ", hint[] = " (Unix shell quoting issues?)";
	const char *aside;
	size_t n;

	if (b->len == 0) {
		if (strncmp(s, prefix, strlen(prefix)) == 0)
			s += strlen(prefix);
		n = strcspn(s, "\n");
		aside = strstr(s, hint);
		if (aside != NULL && aside < s + n) {
			wisp_buf_add(b, s, (size_t)(aside - s));
			n -= (size_t)(aside - s) + strlen(hint);
			s = aside + strlen(hint);
		}
		wisp_buf_add(b, s, n > 0 && s[n - 1] == ':' ? n - 1 : n);
	}
	jv_free(text);
}

/* The value of a result that is none: why. 0 if the results are just over. */
static int
failure(jq_state *jq, jv result, struct wisp_buf *why)
{
	jv msg;

	if (jq_halted(jq)) {
		wisp_buf_puts(why, "it halts");
		jv_free(result);
		return -1;
	}
	if (!jv_invalid_has_msg(jv_copy(result))) {
		jv_free(result);
		return 0;
	}
	msg = jv_invalid_get_msg(result);
	if (jv_get_kind(msg) != JV_KIND_STRING)
		msg = jv_dump_string(msg, 0);
	wisp_buf_puts(why, strcmp(jv_string_value(msg), "break") == 0 ? "there is no more input" : jv_string_value(msg));
	jv_free(msg);
	return -1;
}

static _Noreturn void
child(int out, const char *filter, const struct wisp_buf *text)
{
	struct wisp_buf results = WISP_BUF_INIT, why = WISP_BUF_INIT;
	char *program;
	jq_state *jq;
	jv result;

	shut_in(out);
	jq = jq_init();
	if (jq == NULL)
		_exit(NO_MEMORY);
	jq_set_nomem_handler(jq, no_memory, NULL);
	jq_set_error_cb(jq, first_message, &why);
	/* jq_init leaves these unset. */
	jq_set_input_cb(jq, NULL, NULL);
	jq_set_debug_cb(jq, NULL, NULL);
	jq_set_attr(jq, jv_string("JQ_LIBRARY_PATH"), jv_array());
	program = wisp_str(PRELUDE "%s", filter);
	if (!jq_compile(jq, program))
		answer(FAILED, why.data, why.len);
	jq_start(jq, jv_parse_sized(text->data, (int)text->len), 0);
	while (jv_is_valid(result = jq_next(jq))) {
		result = jv_dump_string(result, 0);
		wisp_buf_add(&results, jv_string_value(result), (size_t)jv_string_length_bytes(jv_copy(result)));
		wisp_buf_putc(&results, '\n');
		jv_free(result);
		if (results.len > OUTPUT)
			break;
	}
	if (results.len <= OUTPUT && failure(jq, result, &why) < 0)
		answer(FAILED, why.data, why.len);
	answer(RESULTS, results.data, results.len);
}

/* --- in the parent ---------------------------------------------------------- */

/* Reads all that the child sends. NULL, or why it must be ended. */
static const char *
receive(int in, struct wisp_buf *data)
{
	wisp_ms left, end = wisp_time_monotonic() + SECONDS * 1000;
	struct pollfd p = {in, POLLIN, 0};
	ssize_t n;

	for (;;) {
		left = end - wisp_time_monotonic();
		if (left <= 0)
			return "it takes more than 2 seconds";
		if (data->len > OUTPUT)
			return "it gives more than 16 MiB";
		if (poll(&p, 1, (int)left) <= 0)
			continue;
		wisp_buf_grow(data, CHUNK);
		n = read(in, data->data + data->len, CHUNK);
		if (n == 0)
			return NULL;
		if (n < 0 && errno != EINTR)
			return strerror(errno);
		if (n > 0) {
			data->len += (size_t)n;
			data->data[data->len] = '\0';
		}
	}
}

/* Starts the child: its pid and *in, or -1 with errno. */
static pid_t
start(const char *filter, const struct wisp_buf *text, int *in)
{
	int fd[2];
	pid_t pid;

	if (pipe(fd) < 0)
		return -1;
	*in = fd[0];
	pid = fork();
	if (pid == 0)
		child(fd[1], filter, text);
	close(fd[1]);
	if (pid < 0)
		close(fd[0]);
	return pid;
}

static int
fault(struct wisp_err *err, const char *filter, const char *why)
{
	struct wisp_buf shown = WISP_BUF_INIT, line = WISP_BUF_INIT;

	wisp_buf_line(&shown, filter, 80);
	wisp_buf_line(&line, why, MESSAGE);
	wisp_err_set(err, NULL, 0, 0, "filter '%s': %s", shown.data, line.data);
	wisp_buf_release(&shown);
	wisp_buf_release(&line);
	return -1;
}

/* Fills `data` with what the child sent. -1 with `err`. */
static int
run(const char *filter, const struct wisp_buf *text, struct wisp_buf *data, struct wisp_err *err)
{
	int in, status = 0;
	pid_t pid = start(filter, text, &in);
	const char *why;

	if (pid < 0)
		return fault(err, filter, strerror(errno));
	why = receive(in, data);
	if (why != NULL)
		kill(pid, SIGKILL);
	close(in);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (why == NULL && WIFEXITED(status) && WEXITSTATUS(status) == FAILED)
		why = data->len > 0 ? data->data : "it cannot be run";
	else if (why == NULL && (!WIFEXITED(status) || WEXITSTATUS(status) != RESULTS))
		why = "it takes too much memory";
	return why != NULL ? fault(err, filter, why) : 0;
}

int
wisp_filter_run(const char *filter, const struct cJSON *input, struct wisp_buf *out, struct wisp_err *err)
{
	struct wisp_buf text = WISP_BUF_INIT, data = WISP_BUF_INIT;
	int rc;

	wisp_json_print_compact(&text, input);
	rc = run(filter, &text, &data, err);
	if (rc == 0)
		wisp_buf_add(out, data.data, data.len);
	wisp_buf_release(&text);
	wisp_buf_release(&data);
	return rc;
}

int
wisp_filter_bool(const char *filter, const struct cJSON *input, struct wisp_err *err)
{
	struct wisp_buf out = WISP_BUF_INIT, why = WISP_BUF_INIT;
	int rc = wisp_filter_run(filter, input, &out, err);

	if (rc == 0 && out.len > 0 && strcmp(out.data, "true\n") == 0) {
		rc = 1;
	} else if (rc == 0 && (out.len == 0 || strcmp(out.data, "false\n") != 0)) {
		wisp_buf_puts(&why, "expected true or false, not ");
		wisp_buf_line(&why, out.len > 0 ? out.data : "nothing", 60);
		rc = fault(err, filter, why.data);
	}
	wisp_buf_release(&why);
	wisp_buf_release(&out);
	return rc;
}
