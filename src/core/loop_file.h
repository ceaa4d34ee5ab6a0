/*
 * loop_file: .loop/state.json against its schema (wisp-hook(1)).
 */
#ifndef WISP_LOOP_FILE_H
#define WISP_LOOP_FILE_H

#include "schema.h"

/* -1 with `err` if the document does not hold. */
int wisp_loop_file_check(const struct wisp_source *src, const struct cJSON *doc, struct wisp_err *err) WISP_CHECK;

#endif
