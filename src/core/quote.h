/*
 * quote: text that others wrote, put into a prompt so that it cannot pass for
 * the controller's own words: every line indented by four spaces, control
 * characters left out.
 *
 * `max` bounds what is shown of a text, in bytes; what was left out shows as
 * `[...]`. Nothing is added for an empty text.
 */
#ifndef WISP_QUOTE_H
#define WISP_QUOTE_H

#include <stdbool.h>
#include "buf.h"

struct cJSON;

/* The beginning of a text, or with `end` its last lines. */
void wisp_quote(struct wisp_buf *out, const char *text, size_t max, bool end);
/* `heading`, then the strings of an array, each after `bullet` or, where that is NULL, numbered; nothing for none. */
void wisp_quote_list(struct wisp_buf *out, const char *heading, const struct cJSON *list, const char *bullet, size_t most);
/* Breaks each promise tag in text[0..len), so that an agent that echoes its prompt promises nothing. */
void wisp_quote_disarm(char *text, size_t len);

#endif
