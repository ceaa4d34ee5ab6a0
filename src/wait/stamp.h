/*
 * stamp: what is behind a path, in one word without commas: another word once
 * the file is written to or another takes its place; `-` where there is none.
 */
#ifndef WISP_WAIT_STAMP_H
#define WISP_WAIT_STAMP_H

#include "core/buf.h"

/* The caller frees it. Dies where the system refuses to look. */
char *wisp_stamp(const char *path);

#endif
