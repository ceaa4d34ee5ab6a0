/*
 * message: what a hook is told by Claude Code on its standard input.
 */
#ifndef WISP_HOOK_MESSAGE_H
#define WISP_HOOK_MESSAGE_H

#include "core/json.h"

#define WISP_HOOK_MARKER "<loop-complete>"	/* 002_ */

/*
 * Standard input as an object, as far as it can be made out: at most 8 MiB of it, and what arrives within
 * 5 seconds; its end is not waited for once it is whole. NULL where it is none. The caller frees it.
 */
struct cJSON *wisp_hook_input(void);
/* Where the project is looked for: CLAUDE_PROJECT_DIR, else `cwd` of the input (which may be gone), else the current folder. The caller frees it. */
char *wisp_hook_from(const struct cJSON *input);
/* The session that calls, or NULL where that is not told. Borrowed. */
const char *wisp_hook_session(const struct cJSON *input);
/*
 * Does the last assistant message have the marker alone on a line? It is `last_assistant_message`, else
 * the last one of the transcript, which is looked at again for up to 300 ms: it may not be flushed yet.
 */
bool wisp_hook_marker(const struct cJSON *input);
/* Is it so in a text? */
bool wisp_hook_marked(const char *text);

#endif
