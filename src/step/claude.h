/*
 * claude: the lines that claude prints, and with differences qwen and amp.
 *
 * This reads them; what they mean for the outcome is the formats' own.
 */
#ifndef WISP_CLAUDE_H
#define WISP_CLAUDE_H

#include "format.h"

struct wisp_claude {
	bool result, success;		/* a result line came; it says so */
	bool report;			/* the turn is about a background task that has ended */
	bool erred;			/* a request failed */
	bool keyed;			/* the login is a key of the environment's own */
	double used[WISP_TOKENS];	/* by the models of the line that is read */
	bool uses;			/* it names them */
	unsigned long long bad;		/* lines that were none before it */
	char subtype[65], terminal[65];
	char failure[301];		/* of a failed result that has no text: why */
	char error[65];			/* of the last assistant line */
	bool rejected;			/* by a subscriber's limit */
	char limit_type[33];
	wisp_ms resets_at;
};

#define WISP_CLAUDE_WANTS 42
extern const struct wisp_want wisp_claude_wants[WISP_CLAUDE_WANTS];

void wisp_claude_pieces(struct wisp_parse *p, int want, const char *s, size_t n);
void wisp_claude_item(struct wisp_parse *p, int want);
/* False unless the type, and for `system` the subtype, is one of the words (NULL ends them). */
bool wisp_claude_line(struct wisp_parse *p, const char *const *types, const char *const *subtypes);
/* What a person has to do about an `error` of the agent's, as in step.json; NULL if nothing of the kind. */
const char *wisp_claude_auth(const char *error);
/* The result's text, or what else says why it failed; appended to `out`. */
void wisp_claude_reason(const struct wisp_parse *p, struct wisp_buf *out);

#endif
