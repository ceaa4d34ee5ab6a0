/*
 * hash: SHA-256 (libmd) and what is made of random bytes.
 *
 * libmd and not libcrypto: the same interface is in the libc of the BSDs, it
 * is 30 kB against 5 MB, and a program that links it starts as fast as one
 * that does not (docs/choices.md has the figures).
 */
#ifndef WISP_HASH_H
#define WISP_HASH_H

#include "buf.h"

#define WISP_HASH_SIZE 65	/* 64 hex digits and a NUL */
#define WISP_UUID_SIZE 37

void wisp_hash(const void *data, size_t len, char hex[WISP_HASH_SIZE]);
/* 0, or -1 with errno; in constant memory. Beyond WISP_FILE_MAX it is the size and the time of the file that are hashed. */
int wisp_hash_file(const char *path, char hex[WISP_HASH_SIZE]) WISP_CHECK;
/*
 * One hash over a tree of files: names, kinds, the exec bit and contents, in
 * sorted order; links by their target. 0, or -1 with errno.
 */
int wisp_hash_tree(const char *dir, char hex[WISP_HASH_SIZE]) WISP_CHECK;
void wisp_uuid(char out[WISP_UUID_SIZE]);	/* version 4 */
bool wisp_uuid_valid(const char *s, const char *versions);	/* is it one of these versions: "4"? */

#endif
