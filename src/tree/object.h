/*
 * object: a commit as git stores one that is in no pack: its id, and the bytes of its file, which are a zlib stream. The
 * text is not compressed (core.compression=0): a commit of a checkpoint takes one block of a disk either way.
 */
#ifndef WISP_TREE_OBJECT_H
#define WISP_TREE_OBJECT_H

#include "core/hash.h"

/* Of a commit with that text: the id, of SHA-256 or SHA-1; `file` gets the bytes. */
void wisp_object_commit(const struct wisp_buf *text, bool sha256, char id[WISP_HASH_SIZE], struct wisp_buf *file);

#endif
