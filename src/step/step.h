/*
 * step: what is known of one run of an agent, and step.json (wisp-agent(1)).
 *
 * What is not known is -1, NaN or NULL here and null there: a cost that the
 * agent does not report is not 0.
 */
#ifndef WISP_STEP_H
#define WISP_STEP_H

#include <stdbool.h>
#include "core/decide.h"
#include "core/time.h"

#define WISP_STEP_TOOLS 128	/* distinct tools; further ones are counted as "other" */
#define WISP_STEP_DENIALS 50
#define WISP_STEP_REASON 500	/* bytes */

struct cJSON;

enum wisp_tokens { WISP_INPUT, WISP_OUTPUT, WISP_CACHE_READ, WISP_CACHE_WRITE, WISP_TOKENS };

struct wisp_tool {
	char *name;
	unsigned long long calls;
};

struct wisp_step {
	const char *agent, *format, *sandbox;	/* borrowed; sandbox: what confined it, NULL where nobody says */
	char *agent_version, *model, *agent_session;
	wisp_ms started_at, ended_at;
	double duration_s;
	int exit_code;			/* -1 where it died of a signal */
	int signal;			/* 0: none */
	enum wisp_outcome outcome;
	struct wisp_buf reason;
	char *withheld;			/* which variables that it asks for it was not given, in words */
	int api_status;			/* 0: none */
	const char *limit_kind;		/* static; NULL: none */
	wisp_ms resets_at;
	const char *auth;		/* static: "token", "login", "credit", "plan"; or NULL */
	int overage;			/* paid extra usage of a subscription; -1: not known */
	double cost_usd;
	double tokens[WISP_TOKENS];
	long long turns, retries;
	char *final_text;
	bool promise;
	char *denials[WISP_STEP_DENIALS];
	size_t denial_count;
	struct wisp_tool tools[WISP_STEP_TOOLS];
	size_t tool_count;
	unsigned long long events, unknown_events, bad_lines, output_bytes;
	size_t survivors_killed;
	long long peak_rss_kb;
};

void wisp_step_init(struct wisp_step *s);
void wisp_step_release(struct wisp_step *s);

/* Sets outcome and reason; the reason is brought to one line. */
void wisp_step_end(struct wisp_step *s, enum wisp_outcome outcome, const char *fmt, ...) WISP_PRINTF(3, 4);
void wisp_step_tool(struct wisp_step *s, const char *name);	/* one more call */
void wisp_step_denial(struct wisp_step *s, const char *tool, const char *what);	/* `what` may be "" */
/* Replaces a string field, unless `text` is empty. */
void wisp_step_note(char **field, const char *text);

/* step.json; the caller frees it. */
struct cJSON *wisp_step_json(const struct wisp_step *s);

#endif
