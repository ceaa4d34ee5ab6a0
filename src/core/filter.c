/*
 * filter: see filter.h.
 *
 * The parent counts the time and the bytes that its child takes (filter_child.h),
 * and kills it.
 */
#include "filter.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "filter_child.h"
#include "time.h"

#define MESSAGE 500		/* bytes of jq's message that are kept */
#define CHUNK 65536

/* What a child is to do: run the first filter over `input`, or compile them all. */
struct task {
	bool compile;
	const char *const *filters;
	size_t count;
	const struct cJSON *input;
	int seconds;			/* of CPU, at most; a filter waits for nothing, so PATIENCE times that is a machine too busy */
};

#define PATIENCE 5

static const char *
too_long(int seconds)
{
	return seconds == WISP_FILTER_SECONDS ? "it takes more than 2 seconds" : "it takes more than a minute";
}

/* Reads all that the child sends. NULL, or why it must be ended. */
static const char *
receive(int in, int seconds, struct wisp_buf *data)
{
	wisp_ms left, end = wisp_time_monotonic() + (wisp_ms)seconds * PATIENCE * 1000;
	struct pollfd p = {in, POLLIN, 0};
	ssize_t n;

	for (;;) {
		left = end - wisp_time_monotonic();
		if (left <= 0)
			return too_long(seconds);
		if (data->len > WISP_FILTER_OUTPUT)
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
start(const struct task *t, int *in)
{
	int fd[2];
	pid_t pid;

	if (pipe(fd) < 0)
		return -1;
	*in = fd[0];
	pid = fork();
	if (pid == 0 && !t->compile)
		wisp_filter_child_run(fd[1], t->filters[0], t->input, t->seconds);
	if (pid == 0)
		wisp_filter_child_compile(fd[1], t->filters, t->count);
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

/* Fills `data` with what the child sent. NULL; or why it failed, which lives as long as `data`. */
static const char *
run(const struct task *t, struct wisp_buf *data)
{
	int in, status = 0;
	pid_t pid = start(t, &in);
	const char *why;

	if (pid < 0)
		return strerror(errno);
	why = receive(in, t->seconds, data);
	if (why != NULL)
		kill(pid, SIGKILL);
	close(in);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (why == NULL && WIFEXITED(status) && WEXITSTATUS(status) == WISP_FILTER_FAILED)
		why = data->len > 0 ? data->data : "it cannot be run";
	else if (why == NULL && WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
		why = too_long(t->seconds);
	else if (why == NULL && (!WIFEXITED(status) || WEXITSTATUS(status) != WISP_FILTER_RESULTS))
		why = "it takes too much memory";
	return why;
}

static int
run_over(const char *filter, const struct cJSON *input, int seconds, struct wisp_buf *out, struct wisp_err *err)
{
	struct wisp_buf data = WISP_BUF_INIT;
	const struct task t = {false, &filter, 1, input, seconds};
	const char *why = run(&t, &data);

	if (why == NULL)
		wisp_buf_add(out, data.data, data.len);
	else
		fault(err, filter, why);
	wisp_buf_release(&data);
	return why == NULL ? 0 : -1;
}

int
wisp_filter_run(const char *filter, const struct cJSON *input, struct wisp_buf *out, struct wisp_err *err)
{
	return run_over(filter, input, WISP_FILTER_SECONDS, out, err);
}

int
wisp_filter_run_own(const char *filter, const struct cJSON *input, struct wisp_buf *out, struct wisp_err *err)
{
	return run_over(filter, input, WISP_FILTER_PATIENCE, out, err);
}

int
wisp_filter_compile(const char *const *filters, size_t count, size_t *bad, struct wisp_err *err)
{
	const struct task t = {true, filters, count, NULL, WISP_FILTER_SECONDS};
	struct wisp_buf data = WISP_BUF_INIT;
	const char *why = count > 0 ? run(&t, &data) : NULL;
	char *rest;

	*bad = 0;
	if (why != NULL && why == data.data) {
		*bad = (size_t)strtoull(why, &rest, 10);
		why = *rest == ' ' ? rest + 1 : rest;
	}
	if (why != NULL)
		fault(err, filters[*bad], why);
	wisp_buf_release(&data);
	return why == NULL ? 0 : -1;
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
