/*
 * filter_exec: what filter.c starts in a program that does not load libjq: its child becomes `wisp-filter child`, which
 * does there what filter_child.c does.
 *
 * That reads the filters from its standard input, a NUL after each, and then the document: an argument is not
 * as long as a filter may be.
 */
#include "filter_child.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "self.h"

static _Noreturn void
fail(int out)
{
	char *why = wisp_str("cannot run wisp-filter: %s", strerror(errno));

	(void)!wisp_fd_write(out, why, strlen(why));
	_exit(WISP_FILTER_FAILED);
}

/* A pipe holds less than a document may be: another child writes it. */
static int
fed(int out, const struct wisp_buf *text)
{
	int fd[2];
	pid_t pid;

	if (pipe(fd) < 0 || (pid = fork()) < 0)
		fail(out);
	if (pid == 0) {
		close(out);
		close(fd[0]);
		_exit(wisp_fd_write(fd[1], text->data, text->len) == 0 ? 0 : 1);
	}
	close(fd[1]);
	return fd[0];
}

static _Noreturn void
become(int out, int seconds, const char *const *filters, size_t count, const struct cJSON *input)
{
	struct wisp_buf text = WISP_BUF_INIT;
	char limit[12], number[24], *program = wisp_self_find("wisp-filter");
	int in;

	for (size_t i = 0; i < count; i++)
		wisp_buf_add(&text, filters[i], strlen(filters[i]) + 1);
	if (input != NULL)
		wisp_json_print(&text, input);
	snprintf(limit, sizeof limit, "%d", seconds);
	snprintf(number, sizeof number, "%zu", count);
	errno = ENOENT;
	if (program == NULL)
		fail(out);
	in = fed(out, &text);
	if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
		fail(out);
	close(in);
	close(out);
	execl(program, "wisp-filter", "child", "--seconds", limit, "--filters", number, (char *)NULL);
	fail(STDOUT_FILENO);
}

_Noreturn void
wisp_filter_child_run(int out, const char *filter, const struct cJSON *input, int seconds)
{
	become(out, seconds, &filter, 1, input);
}

_Noreturn void
wisp_filter_child_compile(int out, const char *const *filters, size_t count)
{
	become(out, WISP_FILTER_SECONDS, filters, count, NULL);
}
