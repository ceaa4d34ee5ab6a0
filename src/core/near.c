/*
 * near: see near.h.
 */
#include "near.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "buf.h"

#define WORD_MAX 63	/* bytes; longer than any key, option or command */

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool
same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

size_t
wisp_distance(const char *a, const char *b)
{
	size_t rows[3][WORD_MAX + 1], *older = rows[0], *old = rows[1], *row = rows[2], *spare;
	size_t la = strlen(a), lb = strlen(b), i, j;

	if (la > WORD_MAX || lb > WORD_MAX)
		return SIZE_MAX;
	for (j = 0; j <= lb; j++)
		row[j] = j;
	for (i = 1; i <= la; i++) {
		spare = older;
		older = old;
		old = row;
		row = spare;
		row[0] = i;
		for (j = 1; j <= lb; j++) {
			row[j] = least(old[j - 1] + !same(a[i - 1], b[j - 1]), least(old[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
				row[j] = least(row[j], older[j - 2] + 1);
		}
	}
	return row[lb];
}

/* What it begins is not far from it. */
static size_t
far_from(const char *word, const char *known)
{
	size_t len = strlen(word);

	return len > 0 && strncmp(known, word, len) == 0 ? 0 : wisp_distance(word, known);
}

char *
wisp_did_you_mean(const char *word, char *const *words)
{
	struct wisp_buf text = WISP_BUF_INIT;
	size_t best = strlen(word) < 6 ? 1 : 2;
	const char *between = " (did you mean ";

	for (char *const *w = words; *w != NULL; w++)
		best = least(best, far_from(word, *w));
	for (char *const *w = words; *w != NULL; w++) {
		if (far_from(word, *w) == best) {
			wisp_buf_printf(&text, "%s%s", between, *w);
			between = " or ";
		}
	}
	if (text.len > 0)
		wisp_buf_puts(&text, "?)");
	return wisp_buf_detach(&text);
}
