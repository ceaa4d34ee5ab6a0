/*
 * loop: .loop/state.json, the loop of one interactive session (seed 002_, its
 * flat schema, with `metadata` for the fields of its second one, and beside them
 * session_id, verify, pauseReason and metadata.guard). Agents and people write in
 * it: a change touches no byte but those of the changed value.
 */
#ifndef WISP_HOOK_LOOP_H
#define WISP_HOOK_LOOP_H

#include "core/json.h"

struct wisp_hook_loop {
	char *root;			/* the project's folder */
	char *path;			/* ROOT/.loop/state.json */
	enum wisp_verdict verdict;	/* WISP_INVALID: it does not hold */
	struct wisp_err err;
	struct wisp_buf bytes;
	struct cJSON *doc;		/* NULL unless valid */
	int lock;			/* -1: none could be had */
};

/*
 * Finds the project: the folder at or above `from` with a .loop/state.json, else the
 * one with a .git, else `from` itself; takes the lock and reads. Release in any case.
 */
void wisp_hook_open(struct wisp_hook_loop *h, const char *from);
/*
 * The same where the shell may stand anywhere below it: of all files at or above `from` the loop of session
 * `id`, else one that is nobody's yet (for a person, `id` being NULL: one that is not over), else the nearest.
 * A nearer one that does not hold is said.
 */
void wisp_hook_find(struct wisp_hook_loop *h, const char *from, const char *id);
void wisp_hook_release(struct wisp_hook_loop *h);
/* Lets go of the lock, and takes it again and reads anew: others may change the file in between. */
void wisp_hook_unlock(struct wisp_hook_loop *h);
void wisp_hook_reopen(struct wisp_hook_loop *h);

/*
 * Sets the value at keys[0].keys[1]... (ends with NULL) to a JSON text, making objects on the way;
 * wisp_hook_save writes it. Only in a valid file. -1 where it cannot be set.
 */
int wisp_hook_set(struct wisp_hook_loop *h, const char *const *keys, const char *json) WISP_CHECK;
int wisp_hook_set_str(struct wisp_hook_loop *h, const char *const *keys, const char *text) WISP_CHECK;
int wisp_hook_set_num(struct wisp_hook_loop *h, const char *const *keys, double n) WISP_CHECK;
int wisp_hook_save(struct wisp_hook_loop *h) WISP_CHECK;	/* -1 with errno */

bool wisp_hook_in_progress(const struct wisp_hook_loop *h);
/* Is it that of another session than `id` (NULL: not known)? One that is nobody's yet becomes that session's, in memory. */
bool wisp_hook_other(struct wisp_hook_loop *h, const char *id);
/*
 * All criteria in order, as borrowed strings: those of `criteria`, then what
 * `criteriaStatus` has beyond them. The caller frees the list.
 */
const char **wisp_hook_criteria(const struct wisp_hook_loop *h, size_t *count);
bool wisp_hook_met(const struct wisp_hook_loop *h, const char *criterion);
/* The command that alone may meet it, or NULL. Borrowed. */
const char *wisp_hook_check(const struct wisp_hook_loop *h, const char *criterion);
/*
 * Steps and iteration stand at the top, or in `metadata` where another tool wrote the file; then the spec is its
 * description, or its subject. NULL where there is none; the greater iteration counts.
 */
const struct cJSON *wisp_hook_member(const struct wisp_hook_loop *h, const char *key);
const char *wisp_hook_spec_text(const struct wisp_hook_loop *h, const char *otherwise);
long long wisp_hook_iteration(const struct wisp_hook_loop *h);
double wisp_hook_meta(const struct wisp_hook_loop *h, const char *key, double otherwise);

#endif
