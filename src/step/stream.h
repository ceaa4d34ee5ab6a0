/*
 * stream: what a running agent prints, on its way to the log and the format.
 *
 * Both outputs go to the log as they are but for known secrets, up to a bound, then a note. A line
 * of standard error never begins inside a line of standard output: it waits
 * until that is over, or until too much is waiting. A log that cannot be
 * written is said once and does not end the step.
 *
 * Where standard output is asked for in a file of its own, the log is of
 * standard error alone.
 */
#ifndef WISP_STREAM_H
#define WISP_STREAM_H

#include <stdint.h>
#include "core/secrets.h"
#include "format.h"

/* A file to which bytes go, up to a bound. */
struct wisp_sink {
	int fd;				/* -1: none */
	uint64_t written;
};

struct wisp_stream {
	int out, err;			/* the pipes; -1 once they are at their end */
	struct wisp_sink log, file;	/* file: of standard output, which is then not in the log */
	uint64_t max;			/* bytes of output in the log, and in the file */
	struct wisp_parse *parse;
	uint64_t total;			/* bytes that came */
	struct wisp_text errors;	/* the end of standard error */
	/* private */
	bool out_open;			/* standard output is inside a line */
	unsigned long long errors_lively;	/* reads of standard error that are no notice */
	struct wisp_buf held;		/* of standard error */
	struct wisp_hide hide_out, hide_err;
};

/* Opens the log to append to, and `file` (may be NULL) emptied. 0, or -1 with errno. */
int wisp_stream_open(struct wisp_stream *s, const char *log, const char *file, uint64_t max,
		     struct wisp_parse *parse) WISP_CHECK;
/* Reads once from each pipe that has something; whether a sign of life was in it. */
bool wisp_stream_read(struct wisp_stream *s);
/* Nothing more is read: what could have become a secret is none. */
void wisp_stream_end(struct wisp_stream *s);
/* Closes the pipes and the log, after what was held back. */
void wisp_stream_close(struct wisp_stream *s);

#endif
