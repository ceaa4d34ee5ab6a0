/*
 * cases: the tests of one run, one by one, as parsers find them (counts.h), and the file that a step keeps of them.
 *
 * A test is known by the command that ran it, its suite and its name; of several with the same name each has its number,
 * in the order in which they were reported. Names are text of the agent's: invalid UTF-8 becomes U+FFFD, a control
 * character its escape (`\n`, `\x1b`), so that a name is one line everywhere, and what is longer is cut.
 */
#ifndef WISP_CASES_H
#define WISP_CASES_H

#include <stdint.h>
#include "buf.h"

#define WISP_CASE_NAME_MAX 1000			/* bytes of a suite's, a test's or a file's name */
#define WISP_CASES_MAX ((size_t)50000)		/* tests of one run; of more the rest is left out, and `cut` says so */
#define WISP_CASE_COMMAND 9			/* `command` is the first 8 hex digits of the SHA-256 of its text */

enum wisp_case_result { WISP_CASE_PASSED, WISP_CASE_FAILED, WISP_CASE_SKIPPED, WISP_CASE_RESULTS };
const char *wisp_case_word(enum wisp_case_result r);	/* passed, failed, skipped */

struct wisp_case {
	size_t suite, name, file;	/* offsets in `text`; file: of the source, "" where the runner does not say */
	uint32_t nth;			/* from 1, once they are indexed */
	uint32_t same;			/* private: how many of that name there are */
	uint32_t slot;			/* private: what the index has it under */
	char command[WISP_CASE_COMMAND];
	unsigned char result, depth;	/* depth: of a TAP subtest, while it is read */
	bool pending;			/* of what may be no TAP after all, while it is read */
	bool seen, flaky, used;		/* life.h: known before; passed in a second run alone; taken for a test that went away */
};

struct wisp_cases {
	struct wisp_buf text;		/* of names, each with its NUL */
	struct wisp_case *list;
	size_t count, room;
	char command[WISP_CASE_COMMAND];	/* of those that are added next */
	bool cut;			/* there were more, or what they are read from was cut */
	uint32_t *index;		/* private */
	size_t slots;
};

static inline const char *
wisp_case_text(const struct wisp_cases *c, size_t at)
{
	return at == 0 ? "" : c->text.data + at;
}

/* A name into `text`, made harmless as above; its offset, 0 for an empty one. */
size_t wisp_cases_name(struct wisp_cases *c, const char *name, size_t len);
/* The new test, borrowed until the next is added; NULL where there are too many. */
struct wisp_case *wisp_cases_add(struct wisp_cases *c, size_t suite, size_t name, enum wisp_case_result result);
/* Those from `first` on that are pending are tests (`keep`), or none. */
void wisp_cases_settle(struct wisp_cases *c, size_t first, bool keep);
/* All are there: numbers those of the same name, and makes them to be found. */
void wisp_cases_index(struct wisp_cases *c);
/* NULL where there is none. `suite` and `name` as this file has them. */
struct wisp_case *wisp_cases_find(struct wisp_cases *c, const char *command, const char *suite, const char *name, uint32_t nth);
/* `WORD COMMAND NTH <tab> SUITE <tab> NAME <tab> FILE` for each. */
void wisp_cases_print(const struct wisp_cases *c, struct wisp_buf *out);
/* The way back, indexed; lines that are none are passed over. `data` is changed. */
void wisp_cases_parse(struct wisp_cases *c, char *data);
/* A test as people read it: `SUITE > NAME (2)`. */
void wisp_case_label(struct wisp_buf *out, const char *suite, const char *name, uint32_t nth);
void wisp_cases_release(struct wisp_cases *c);

#endif
