/*
 * output: what a step's agent printed (its output.log), shown on standard
 * output while it grows.
 */
#ifndef WISP_OUTPUT_H
#define WISP_OUTPUT_H

#include "say.h"

#define WISP_OUTPUT_END ((long long)1 << 20)	/* bytes that are shown of a long one */

struct wisp_output {
	char *path;
	bool raw, whole;
	int fd;			/* -1: not there yet */
	struct wisp_say say;
	struct wisp_buf text;
};

/*
 * `dir` is the step's folder. `raw`: the bytes as they are, else as text for
 * people; not `whole`: of a long one only the end, from the beginning of a
 * line, found without reading the rest. `o` must not be moved.
 */
void wisp_output_open(struct wisp_output *o, const char *dir, bool raw, bool whole);
void wisp_output_show(struct wisp_output *o);	/* what has come since; a missing file is fine. Dies where it must. */
void wisp_output_close(struct wisp_output *o);	/* shows the rest */

#endif
