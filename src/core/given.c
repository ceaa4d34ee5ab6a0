/*
 * given: see given.h.
 */
#include "given.h"

#include <stdlib.h>
#include <string.h>

void
wisp_given(const char *variable, struct wisp_texts *set, struct wisp_texts *names)
{
	const char *line = getenv(variable), *end;
	char *copy;

	for (; line != NULL && *line != '\0'; line = *end != '\0' ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		if (end == line)
			continue;
		copy = wisp_str("%.*s", (int)(end - line), line);
		if (strchr(copy, '=') != NULL && *copy != '=')
			wisp_texts_add(set, copy);
		else if (names != NULL)
			wisp_texts_add(names, copy);
		else
			free(copy);
	}
}
