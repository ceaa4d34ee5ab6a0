/*
 * index_flags: files that a git index hides from git: by assume-unchanged or by
 * skip-worktree. Only the index file is read, no git is started.
 */
#ifndef WISP_INDEX_FLAGS_H
#define WISP_INDEX_FLAGS_H

#include "json.h"

enum wisp_index_flag { WISP_INDEX_ASSUMED, WISP_INDEX_SKIPPED, WISP_INDEX_FLAGS };

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
