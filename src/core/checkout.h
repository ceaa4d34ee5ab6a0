/*
 * checkout: what a step may have done to the main checkout, which is a person's,
 * while it worked in a work tree beside it: told, and not undone, since the person
 * may have done it. Read without git: HEAD, the commit of its branch, and the
 * tracked files that are not as the index has them.
 */
#ifndef WISP_CHECKOUT_H
#define WISP_CHECKOUT_H

#include "json.h"

#define WISP_CHECKOUT_FILES 20000 /* of a larger one the files are not looked at */

/*
 * The checkout at `top`, whose object ids have `hash` bytes: {"head", "commit", "files": {name: mark}}, of the first 200
 * such files; files is null where it is too large. NULL where .git is no folder.
 */
struct cJSON *wisp_checkout_look(const char *top, size_t hash);
/* What differs, in words for a person; false if nothing does, or one of the two is NULL. */
bool wisp_checkout_differs(const struct cJSON *before, const struct cJSON *now, struct wisp_buf *out);

#endif
