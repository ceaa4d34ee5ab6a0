/*
 * parse: JSON texts of tests as documents.
 */
#ifndef UNIT_PARSE_H
#define UNIT_PARSE_H

#include <string.h>

#include "core/json.h"

/* A text that is known to be JSON; the caller frees the document. */
static inline struct cJSON *
parse(const char *text)
{
	struct cJSON *v = wisp_json_parse(text, strlen(text), NULL, NULL);

	if (v == NULL)
		die_bug("not JSON: %s", text);
	return v;
}

#endif
