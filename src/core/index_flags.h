/*
 * index_flags: the entries of a git index, and those that it hides from git: by
 * assume-unchanged or by skip-worktree. Only the file is read, no git is started.
 */
#ifndef WISP_INDEX_FLAGS_H
#define WISP_INDEX_FLAGS_H

#include <stdint.h>

#include "json.h"

enum wisp_index_flag { WISP_INDEX_ASSUMED, WISP_INDEX_SKIPPED, WISP_INDEX_FLAGS };

struct wisp_index_entry {
	const char *name;
	const unsigned char *id;			/* so many bytes as the walk was told */
	uint32_t mtime, nanoseconds, mode, size;	/* as git saw the file, the low 32 bits of each */
	bool flag[WISP_INDEX_FLAGS];
	bool unmerged;
	bool intended;					/* git add --intent-to-add: there is no content yet */
};

typedef void wisp_index_fn(void *arg, const struct wisp_index_entry *entry);

/*
 * Each entry of the index at `path`, whose object ids have `hash` bytes, in the order of their names. 0; 1 where a part
 * of the index is in another file, which is not read; -1 where it has more than `max` entries, ends early or is none.
 */
int wisp_index_walk(const char *path, size_t hash, size_t max, wisp_index_fn *fn, void *arg);

/* The tree that all entries make, in hexadecimal, where git has noted that in the index; else NULL. The caller frees it. */
char *wisp_index_tree(const char *path, size_t hash);

struct wisp_index_flags {
	size_t count[WISP_INDEX_FLAGS];
	struct cJSON *names;	/* the first few, as text */
	bool split;		/* a part of it is in another file, which is not read */
};

/*
 * What is flagged in the index at `path`, whose object ids have `hash` bytes. An index that is not there, or that is
 * none, hides nothing: git says what is wrong with it. Free with wisp_index_flags_release.
 */
void wisp_index_flags(struct wisp_index_flags *f, const char *path, size_t hash);
void wisp_index_flags_release(struct wisp_index_flags *f);

#endif
