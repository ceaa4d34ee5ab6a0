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
	const char *ship;	/* what was to become of them, by the setting of that name; NULL: nothing */
	const char *shipped;	/* and what did: the document of wisp done; NULL: it gave none */
};
/* The document; the caller frees it. NULL with errno where the file cannot be read. */
struct cJSON *wisp_summary_of(const struct wisp_record *r, const struct wisp_summary_commits *commits, wisp_ms now);
/* Its member `phases`: null for a template without; the caller frees it. */
struct cJSON *wisp_summary_phases(const struct wisp_record *r);
/* At most a screen of 80 columns. The paths and commands alone may be longer. */
void wisp_summary_text(struct wisp_buf *out, const struct wisp_record *r, const struct cJSON *summary, wisp_ms now);
/* ... and its lines about phases. */
void wisp_summary_put_phases(struct wisp_buf *out, const struct wisp_record *r, const struct cJSON *summary);

/* What `ship` came to: the document's member, null for none, and its line; the caller frees the former. */
struct cJSON *wisp_summary_shipped(const char *what, const char *file);
void wisp_summary_shipped_text(struct wisp_buf *out, const struct cJSON *summary);

int wisp_verb_summary(struct wisp_cli *cli);

#endif
