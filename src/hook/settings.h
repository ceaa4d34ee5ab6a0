/*
 * settings: a settings file of Claude Code, changed in place: no byte but those of the
 * changed value is touched. Whatever cannot be done ends the program: 102 for a file
 * that does not hold, 111 where the system refuses; the file is then as it was.
 */
#ifndef WISP_HOOK_SETTINGS_H
#define WISP_HOOK_SETTINGS_H

#include "core/json.h"
#include "core/scan.h"

struct wisp_hook_settings {
	char *path;
	struct wisp_buf bytes;
	struct cJSON *doc;	/* what `bytes` are: an object, parsed anew with each change */
};

/* Which file is meant: the project's, its local one, or the person's. The caller frees it. */
char *wisp_hook_settings_path(bool local, bool user);
/* Reads s->path; a missing or empty file is an empty object. A link is followed for good: `path` is then where it leads. */
void wisp_hook_settings_read(struct wisp_hook_settings *s);
/* Writes it where it was; one that is not to be written is not replaced. */
void wisp_hook_settings_write(const struct wisp_hook_settings *s);
void wisp_hook_settings_release(struct wisp_hook_settings *s);
/* Sets what steps[0..n) name to a JSON text. */
void wisp_hook_settings_put(struct wisp_hook_settings *s, struct wisp_path_step *steps, size_t n, const char *json);
/* Takes it out; it has to be there. */
void wisp_hook_settings_drop(struct wisp_hook_settings *s, struct wisp_path_step *steps, size_t n);

#endif
