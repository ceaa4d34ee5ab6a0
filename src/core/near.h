/*
 * near: which of the known words was meant by one that is not known.
 */
#ifndef WISP_NEAR_H
#define WISP_NEAR_H

#include <stddef.h>

/* Letters to add, drop, change or swap, case aside; SIZE_MAX where a word has more than 63 bytes. */
size_t wisp_distance(const char *a, const char *b);

/*
 * ` (did you mean X or Y?)`: the words that `word` begins, else those the fewest letters away (one, or two of a word
 * of six and more); "" where all are farther. `words` ends with NULL. The caller frees it.
 */
char *wisp_did_you_mean(const char *word, char *const *words);

#endif
