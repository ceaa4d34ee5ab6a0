/*
 * stream: see stream.h.
 */
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "texts.h"

#define CHUNK 65536		/* the size of a pipe */
#define HELD_MAX 65536

static void put_out(void *arg, const char *p, size_t n);
static void put_err(void *arg, const char *p, size_t n);

int
wisp_stream_open(struct wisp_stream *s, const char *log, const char *file, uint64_t max, struct wisp_parse *parse)
{
	const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY;

	memset(s, 0, sizeof *s);
	s->out = s->err = s->file.fd = -1;
	s->max = max;
	s->parse = parse;
	s->hide_out = (struct wisp_hide){.secrets = wisp_secrets(), .put = put_out, .arg = s};
	s->hide_err = (struct wisp_hide){.secrets = wisp_secrets(), .put = put_err, .arg = s};
	s->log.fd = strcmp(log, "-") == 0 ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
					  : open(log, flags | O_APPEND, WISP_FILE_MODE);
	if (s->log.fd >= 0 && file != NULL)
		s->file.fd = open(file, flags | O_TRUNC, WISP_FILE_MODE);
	return s->log.fd < 0 || (file != NULL && s->file.fd < 0) ? -1 : 0;
}

static void
close_sink(struct wisp_sink *sink)
{
	if (sink->fd >= 0)
		(void)close(sink->fd);
	sink->fd = -1;
}

static void
write_all(struct wisp_sink *sink, const char *p, size_t n)
{
	ssize_t done;

	while (n > 0 && sink->fd >= 0) {
		done = write(sink->fd, p, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0) {
			warn("cannot write the log, going on without: %s", strerror(errno));
			close_sink(sink);
			return;
		}
		p += done;
		n -= (size_t)done;
	}
}

static void
log_bytes(struct wisp_stream *s, const char *p, size_t n)
{
	uint64_t room = s->max - s->log.written;
	char *note;

	if (n == 0 || s->log.written > s->max)
		return;
	if (n <= room) {
		write_all(&s->log, p, n);
		s->log.written += n;
		return;
	}
	write_all(&s->log, p, (size_t)room);
	s->log.written = s->max + 1;
	note = wisp_str("\n[wisp: the output is longer than %llu bytes; the rest is not kept]\n",
			(unsigned long long)s->max);
	write_all(&s->log, note, strlen(note));
	free(note);
}

/* A file for programs: what is beyond the bound is cut off without a word in it. */
static void
file_bytes(struct wisp_stream *s, const char *p, size_t n)
{
	uint64_t room = s->max - s->file.written;

	if (n > room)
		n = (size_t)room;
	write_all(&s->file, p, n);
	s->file.written += n;
}

/* How many of the bytes belong to lines that are over. */
static size_t
whole_lines(const char *p, size_t n)
{
	const char *last = n > 0 ? memrchr(p, '\n', n) : NULL;

	return last != NULL ? (size_t)(last - p) + 1 : 0;
}

/* Logs what is held of standard error: its whole lines, or all of it. */
static void
let_go(struct wisp_stream *s, bool all)
{
	size_t n = s->held.len;

	if (n == 0 || (s->out_open && !all))
		return;
	if (!all)
		n = whole_lines(s->held.data, n);
	log_bytes(s, s->held.data, n);
	memmove(s->held.data, s->held.data + n, s->held.len - n);
	s->held.len -= n;
}

static void
put_out(void *arg, const char *p, size_t n)
{
	struct wisp_stream *s = arg;
	size_t whole = whole_lines(p, n);

	if (s->file.fd >= 0) {
		file_bytes(s, p, n);
		return;
	}
	log_bytes(s, p, whole);
	if (whole > 0) {
		s->out_open = false;
		let_go(s, false);
	}
	log_bytes(s, p + whole, n - whole);
	if (whole < n)
		s->out_open = true;
}

/* What is made of it is judged by what the agent said, secrets and all. */
static void
take_out(struct wisp_stream *s, const char *p, size_t n)
{
	wisp_parse_feed(s->parse, p, n);
	wisp_hide_feed(&s->hide_out, p, n);
}

/* The first line makes a notice: what is dumped after it belongs to it. */
static void
take_err(struct wisp_stream *s, const char *p, size_t n)
{
	const char *end = memchr(p, '\n', n);

	s->errors_lively += !wisp_texts_notice(p, end != NULL ? (size_t)(end - p) : n);
	wisp_hide_feed(&s->hide_err, p, n);
}

static void
put_err(void *arg, const char *p, size_t n)
{
	struct wisp_stream *s = arg;

	wisp_text_add(&s->errors, p, n);
	wisp_buf_add(&s->held, p, n);
	let_go(s, s->held.len > HELD_MAX);
}

/* One read; what came goes to `take`. At its end the pipe is closed. */
static void
read_pipe(struct wisp_stream *s, int *fd, void take(struct wisp_stream *, const char *, size_t))
{
	static char buf[CHUNK];
	ssize_t n;

	if (*fd < 0)
		return;
	do
		n = read(*fd, buf, sizeof buf);
	while (n < 0 && errno == EINTR);
	if (n < 0 && errno == EAGAIN)
		return;
	if (n <= 0) {
		(void)close(*fd);
		*fd = -1;
		return;
	}
	s->total += (uint64_t)n;
	take(s, buf, (size_t)n);
}

bool
wisp_stream_read(struct wisp_stream *s)
{
	unsigned long long lively = s->parse->lively + s->errors_lively;

	read_pipe(s, &s->out, take_out);
	read_pipe(s, &s->err, take_err);
	return s->parse->lively + s->errors_lively > lively;
}

void
wisp_stream_end(struct wisp_stream *s)
{
	wisp_hide_end(&s->hide_out);
	wisp_hide_end(&s->hide_err);
}

void
wisp_stream_close(struct wisp_stream *s)
{
	wisp_stream_end(s);
	let_go(s, true);
	wisp_buf_release(&s->held);
	if (s->out >= 0)
		(void)close(s->out);
	if (s->err >= 0)
		(void)close(s->err);
	close_sink(&s->log);
	close_sink(&s->file);
	s->out = s->err = -1;
}
