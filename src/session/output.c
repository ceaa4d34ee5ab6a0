/*
 * output: see output.h.
 */
#include "output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "verb.h"

#define PIECE 65536

void
wisp_output_open(struct wisp_output *o, const char *dir, bool raw, bool whole)
{
	memset(o, 0, sizeof *o);
	o->path = wisp_str("%s/output.log", dir);
	o->raw = raw;
	o->whole = whole || raw;
	o->fd = -1;
	wisp_say_init(&o->say, &o->text);
}

static void
print(struct wisp_output *o)
{
	if (!o->raw)
		wisp_verb_print(&o->text);
	else if (o->text.len > 0 && fwrite(o->text.data, 1, o->text.len, stdout) != o->text.len)
		die_sys("cannot write to standard output");
	wisp_buf_reset(&o->text);
}

static ssize_t
read_at(const struct wisp_output *o, char *piece, size_t n, off_t at)
{
	ssize_t got;

	do
		got = pread(o->fd, piece, n, at);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		die_sys("cannot read '%s'", o->path);
	return got;
}

/* The beginning of the first line in from..size, or -1. */
static off_t
line_after(const struct wisp_output *o, off_t from, off_t size)
{
	static char piece[PIECE];
	const char *stop;
	ssize_t n;

	for (; (n = read_at(o, piece, sizeof piece, from)) > 0; from += n) {
		stop = memchr(piece, '\n', (size_t)n);
		if (stop != NULL)
			return from + (stop - piece) + 1 < size ? from + (stop - piece) + 1 : -1;
	}
	return -1;
}

/* The beginning of the line that `to` is in. */
static off_t
line_before(const struct wisp_output *o, off_t to)
{
	static char piece[PIECE];
	ssize_t n, i;
	off_t from;

	for (; to > 0; to = from) {
		from = to > PIECE ? to - PIECE : 0;
		n = read_at(o, piece, (size_t)(to - from), from);
		for (i = n; i > 0; i--)
			if (piece[i - 1] == '\n')
				return from + i;
	}
	return 0;
}

/* Goes to where the end begins: a line that is longer than that is shown nevertheless. */
static void
seek_end(struct wisp_output *o)
{
	off_t size = lseek(o->fd, 0, SEEK_END), from = size - WISP_OUTPUT_END, at = 0;

	if (from > 0) {
		at = line_after(o, from - 1, size);
		if (at < 0)
			at = line_before(o, from);
	}
	if (size < 0 || lseek(o->fd, at, SEEK_SET) < 0)
		die_sys("cannot read '%s'", o->path);
	if (at > 0)
		wisp_buf_printf(&o->text, "  ... %lld kB before this; --all shows them\n", (long long)at / 1000);
}

void
wisp_output_show(struct wisp_output *o)
{
	static char piece[PIECE];
	ssize_t n;

	if (o->fd < 0) {
		o->fd = wisp_file_open(o->path);
		if (o->fd >= 0 && !o->whole)
			seek_end(o);
	}
	while (o->fd >= 0 && (n = read(o->fd, piece, sizeof piece)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			die_sys("cannot read '%s'", o->path);
		if (o->raw)
			wisp_buf_add(&o->text, piece, (size_t)n);
		else
			wisp_say_feed(&o->say, piece, (size_t)n);
		print(o);
	}
}

void
wisp_output_close(struct wisp_output *o)
{
	wisp_output_show(o);
	wisp_say_end(&o->say);
	print(o);
	if (o->fd >= 0)
		close(o->fd);
	wisp_say_release(&o->say);
	wisp_buf_release(&o->text);
	free(o->path);
}
