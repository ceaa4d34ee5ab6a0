/*
 * summary: what a session came to, for the end of a run: one document for
 * programs (wisp-report(5)), and the same for people.
 */
#ifndef WISP_SUMMARY_H
#define WISP_SUMMARY_H

#include "core/cli.h"
#include "core/status.h"

struct wisp_summary_commits {
	const char *file;	/* lines `ID SUBJECT`, the newest first; NULL: they are not known */
	long long count;	/* how many there are; the file may hold fewer */
};
/* The document; the caller frees it. NULL with errno where the file cannot be read. */
struct cJSON *wisp_summary_of(const struct wisp_record *r, const struct wisp_summary_commits *commits, wisp_ms now);
/* At most a screen of 80 columns. The paths and commands alone may be longer. */
void wisp_summary_text(struct wisp_buf *out, const struct wisp_record *r, const struct cJSON *summary, wisp_ms now);

int wisp_verb_summary(struct wisp_cli *cli);

#endif
