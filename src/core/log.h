/*
 * log: what a session's last iterations were, from its history and the folders
 * of its steps.
 */
#ifndef WISP_LOG_H
#define WISP_LOG_H

#include "record.h"

/*
 * The last `most` entries of the history (-1: all) beyond iteration `after`,
 * oldest first, each with one member more: `dir`, the folder of its step, null
 * if it was removed. The caller frees it.
 */
struct cJSON *wisp_log_entries(const struct wisp_record *r, long long most, long long after);
/* One such entry as a block for people: its first line, and the others. */
void wisp_log_head(struct wisp_buf *out, const struct cJSON *entry);
void wisp_log_body(struct wisp_buf *out, const struct cJSON *entry);

#endif
