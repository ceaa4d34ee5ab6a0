/*
 * texts: see texts.h.
 */
#include "texts.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define LIMIT(agents, text, kind) {agents, text, WISP_LIMITED, kind}
#define AUTH(agents, text, kind) {agents, text, WISP_AUTH, kind}
#define TRANSIENT(agents, text) {agents, text, WISP_TRANSIENT, NULL}
#define CONTEXT(agents, text) {agents, text, WISP_ERROR, NULL}

/*
 * The first that matches counts, so the narrower stand before the wider. A row
 * of credit or plan is a limit where the text names the time that lifts it.
 */
const struct wisp_text_row wisp_texts[] = {
	/* Claude Code */
	TRANSIENT("claude", "not your usage limit"),
	AUTH("claude", "you've hit your * spend limit", "credit"),
	AUTH("claude", "you've hit your org's monthly usage limit", "credit"),
	AUTH("claude", "you've hit your team's shared budget", "credit"),
	AUTH("claude", "reached your specified * usage limits", "credit"),
	AUTH("claude", "out of extra usage", "credit"),
	AUTH("claude", "out of usage credits", "credit"),
	AUTH("claude", "usage credits required for", "credit"),
	AUTH("claude", "requires usage credits", "credit"),
	AUTH("claude", "you've hit your usage credit limit", "credit"),
	AUTH("claude", "your org is out of usage", "credit"),
	AUTH("claude", "your group's usage limit is set to", "credit"),
	AUTH("claude", "extra usage * required for", "credit"),
	AUTH("claude", "extra usage required for", "credit"),
	LIMIT("claude", "you've hit your session limit", "five_hour"),
	LIMIT("claude", "5-hour limit", "five_hour"),
	LIMIT("claude", "session limit reached", "five_hour"),
	LIMIT("claude", "you've hit your weekly limit", "seven_day"),
	LIMIT("claude", "weekly limit reached", "seven_day"),
	LIMIT("claude", "you've hit your opus limit", "seven_day"),
	LIMIT("claude", "you've hit your sonnet limit", "seven_day"),
	LIMIT("claude", "you've hit your fable limit", "seven_day"),
	LIMIT("claude", "you've hit your * limit", "unknown"),
	LIMIT("claude", "you've reached your * limit", "unknown"),
	LIMIT("claude", "you've hit your limit", "unknown"),
	LIMIT("claude", "usage limit reached", "unknown"),
	LIMIT("claude", "would exceed your account's rate limit", "requests"),
	LIMIT("claude", "request rejected (429)", "requests"),
	AUTH("claude", "login expired", "token"),
	AUTH("claude", "oauth session expired", "token"),
	AUTH("claude", "oauth token revoked", "token"),
	AUTH("claude", "oauth token has expired", "token"),
	AUTH("claude", "oauth access token has expired", "token"),
	AUTH("claude", "oauth token has been revoked", "token"),
	AUTH("claude", "oauth access token has been revoked", "token"),
	AUTH("claude", "cloud gateway session expired", "token"),
	AUTH("claude", "cloud gateway token expired", "token"),
	AUTH("claude", "invalid authentication credentials", "token"),
	AUTH("claude", "aws credentials expired", "token"),
	AUTH("claude", "google cloud credentials expired", "token"),
	AUTH("claude", "aws authentication failed", "login"),
	AUTH("claude", "google cloud authentication failed", "login"),
	AUTH("claude", "microsoft foundry authentication failed", "login"),
	AUTH("claude", "could not resolve authentication method", "login"),
	AUTH("claude", "your apikeyhelper script is failing", "login"),
	AUTH("claude", "organization has been disabled", "plan"),
	AUTH("claude", "your organization has disabled", "plan"),
	AUTH("claude", "service is disabled for your org", "plan"),
	AUTH("claude", "your seat type doesn't include", "plan"),
	AUTH("claude", "usage allocation has been disabled", "plan"),
	AUTH("claude", "does not have access to claude", "plan"),
	AUTH("claude", "is not available with the claude pro plan", "plan"),
	TRANSIENT("claude", "repeated 529 overloaded"),
	TRANSIENT("claude", "is experiencing high load"),
	TRANSIENT("claude", "internal server error"),
	TRANSIENT("claude", "unable to connect to api"),
	TRANSIENT("claude", "request timed out"),
	TRANSIENT("claude", "connection closed mid-response"),
	TRANSIENT("claude", "response stalled mid-stream"),
	TRANSIENT("claude", "server error mid-response"),
	CONTEXT("claude amp", "context limit reached"),
	CONTEXT("claude", "conversation too long"),
	CONTEXT("claude", "request too large"),
	CONTEXT("claude", "exceed context limit"),

	/* Codex */
	LIMIT("codex", "you've hit your usage limit", "unknown"),
	LIMIT("codex", "you've reached your usage limit", "unknown"),
	LIMIT("codex", "rate limit reached for", "requests"),
	AUTH("codex", "you're out of credits", "credit"),
	AUTH("codex", "your workspace is out of credits", "credit"),
	AUTH("codex", "you hit your spend cap", "credit"),
	AUTH("codex opencode", "upgrade to plus: https://chatgpt.com", "plan"),
	AUTH("codex", "access token could not be refreshed", "token"),
	AUTH("codex", "authentication session could not be refreshed", "token"),
	AUTH("codex", "access blocked by cloudflare", "plan"),
	TRANSIENT("codex", "selected model is at capacity"),
	TRANSIENT("codex", "capacity is unavailable"),
	TRANSIENT("codex", "flex capacity unavailable"),
	TRANSIENT("codex gemini", "currently experiencing high demand"),
	TRANSIENT("codex", "agent loop died unexpectedly"),
	TRANSIENT("codex", "error while reading the server response"),
	TRANSIENT("codex", "connection failed: "),
	TRANSIENT("codex", "request timed out"),
	CONTEXT("codex", "ran out of room in the model's context window"),

	/* Gemini CLI */
	LIMIT("gemini", "exhausted your daily quota", "quota"),
	LIMIT("gemini", "reached your daily * quota limit", "quota"),
	LIMIT("gemini", "reached your daily quota limit", "quota"),
	LIMIT("gemini", "quota exceeded for quota metric", "quota"),
	LIMIT("gemini", "exhausted your capacity on this model", "quota"),
	LIMIT("gemini", "resource has been exhausted", "requests"),
	LIMIT("gemini", "rate_limit_exceeded", "requests"),
	LIMIT("gemini", "suggested retry after", "requests"),
	AUTH("gemini", "insufficient_g1_credits_balance", "credit"),
	AUTH("gemini", "api key not valid", "login"),
	AUTH("gemini", "api key expired", "login"),
	AUTH("gemini", "please set an auth method", "login"),
	AUTH("gemini", "manual authorization is required", "login"),
	AUTH("gemini", "verify your account", "login"),
	TRANSIENT("gemini", "no capacity available for model"),
	TRANSIENT("gemini", "the model is overloaded"),
	TRANSIENT("gemini", "fetch failed"),
	TRANSIENT("gemini", "[api error: terminated]"),
	{"gemini", "maximum session turns exceeded", WISP_CAPPED, NULL},
	CONTEXT("gemini", "context window will overflow"),
	CONTEXT("gemini", "might exceed the context window limit"),

	/* Qwen Code */
	AUTH("qwen", "qwen oauth free tier has been discontinued", "plan"),
	LIMIT("qwen", "qwen oauth quota exceeded", "quota"),
	LIMIT("qwen", "qwen api quota exceeded", "quota"),
	AUTH("qwen", "free allocated quota exceeded", "credit"),
	LIMIT("qwen", "allocated quota exceeded", "requests"),
	LIMIT("qwen", "throttling", "requests"),
	AUTH("qwen", "invalid api-key provided", "login"),
	TRANSIENT("qwen", "^connection error"),
	TRANSIENT("qwen", "^terminated"),
	CONTEXT("qwen", "range of input length should be"),

	/* opencode, its own service first */
	LIMIT("opencode", "5-hour usage limit reached", "five_hour"),
	LIMIT("opencode", "5 hour usage limit reached", "five_hour"),
	LIMIT("opencode", "weekly usage limit reached", "seven_day"),
	LIMIT("opencode", "monthly usage limit reached", "quota"),
	LIMIT("opencode", "subscription quota exceeded", "quota"),
	LIMIT("opencode", "free usage exceeded", "quota"),
	AUTH("opencode", "insufficient balance", "credit"),
	AUTH("opencode", "no payment method", "credit"),
	AUTH("opencode", "monthly spending limit of", "credit"),
	TRANSIENT("opencode", "provider is overloaded"),

	/* GitHub Copilot CLI */
	LIMIT("copilot", "exceeded your weekly rate limit", "seven_day"),
	LIMIT("copilot", "you've hit a rate limit", "requests"),
	LIMIT("copilot", "you've hit your * rate limit", "requests"),
	LIMIT("copilot", "you have been rate-limited", "requests"),
	LIMIT("copilot", "your request was rate-limited", "requests"),
	LIMIT("copilot", "exceeded your copilot token usage", "requests"),
	AUTH("copilot", "you have no quota", "credit"),
	AUTH("copilot", "quota exceeded. upgrade", "credit"),
	AUTH("copilot", "monthly * quota. upgrade", "credit"),
	AUTH("copilot", "exceeded your premium request allowance", "credit"),
	AUTH("copilot", "additional budget limit", "credit"),
	AUTH("copilot", "additional usage limit", "credit"),
	AUTH("copilot", "no authentication information found", "login"),
	AUTH("copilot", "access denied by copilot policy", "plan"),
	AUTH("copilot", "not authorized to use this copilot feature", "plan"),
	TRANSIENT("copilot", "transient api error"),
	TRANSIENT("copilot", "failed to get response from the ai model"),
	CONTEXT("copilot", "exceeds the limit of"),

	/* Amp */
	LIMIT("amp", "until the next hour starts", "requests"),
	LIMIT("amp", "rate limit hit", "requests"),
	LIMIT("amp", "usage quota exceeded", "quota"),
	AUTH("amp", "require paid credits", "credit"),
	AUTH("amp", "add paid credits", "credit"),
	AUTH("amp", "no paid credits are available", "credit"),
	AUTH("amp", "add credits to keep using amp", "credit"),
	AUTH("amp", "workspace usage limit has been reached", "credit"),
	AUTH("amp", "out of credits", "credit"),
	AUTH("amp", "insufficient credit", "credit"),
	AUTH("amp", "amp login", "login"),
	{"amp", "turn limit reached", WISP_CAPPED, NULL},
	CONTEXT("amp", "reached the context window limit"),

	/* Services that several of them pass on */
	AUTH("", "credit balance is too low", "credit"),
	AUTH("", "credit balance too low", "credit"),
	AUTH("", "quota exceeded. check your plan", "credit"),
	AUTH("", "exceeded your current quota", "credit"),
	AUTH("", "insufficient_quota", "credit"),
	AUTH("", "not logged in", "login"),
	AUTH("", "invalid api key", "login"),
	AUTH("", "incorrect api key", "login"),
	TRANSIENT("", "stream disconnected before completion"),
	TRANSIENT("", "overloaded"),
	CONTEXT("", "prompt is too long"),
	CONTEXT("", "input is too long for requested model"),
	CONTEXT("", "exceeds the context window"),
	CONTEXT("", "exceeds context window"),
	CONTEXT("", "input token count * exceeds the maximum"),
	CONTEXT("", "maximum context length"),
	CONTEXT("", "maximum prompt length is"),
	CONTEXT("", "reduce the length of the messages"),
	CONTEXT("", "exceeds the available context size"),
	CONTEXT("", "greater than the context length"),
	CONTEXT("", "context window exceeds limit"),
	CONTEXT("", "exceeded model token limit"),
	CONTEXT("", "context_length_exceeded"),
	CONTEXT("", "request entity too large"),
	LIMIT("", "too many requests", "requests"),
	LIMIT("", "rate limit exceeded", "requests"),
	LIMIT("", "rate limit reached", "requests"),
	LIMIT("", "rate limited", "requests"),
};

const size_t wisp_texts_count = sizeof wisp_texts / sizeof *wisp_texts;

/* What a character of several bytes stands for: how many bytes, 0 for one that is kept. */
static size_t
plain(const char *s, char *c)
{
	static const struct {
		const char *bytes;
		char c;
	} table[] = {
		{"\xe2\x80\x98", '\''}, {"\xe2\x80\x99", '\''}, {"\xca\xbc", '\''},
		{"\xe2\x80\x9c", '"'},	{"\xe2\x80\x9d", '"'},	{"\xc2\xa0", ' '},
		{"\xe2\x80\xaf", ' '},	{"\xe2\x80\x91", '-'},
	};
	size_t i, n;

	for (i = 0; i < sizeof table / sizeof *table; i++) {
		n = strlen(table[i].bytes);
		if (strncmp(s, table[i].bytes, n) == 0) {
			*c = table[i].c;
			return n;
		}
	}
	*c = isspace((unsigned char)*s) ? ' ' : *s;
	return 1;
}

void
wisp_texts_fold(struct wisp_buf *out, const char *text)
{
	size_t begin = out->len;
	char c;

	wisp_buf_grow(out, strlen(text));
	while (*text != '\0') {
		text += plain(text, &c);
		if (c != ' ' || (out->len > begin && out->data[out->len - 1] != ' '))
			wisp_buf_putc(out, c);
	}
}

/* Where the first `n` bytes of `part` stand in the text, whatever its case. */
static const char *
find_part(const char *text, const char *part, size_t n)
{
	size_t i;

	for (; *text != '\0'; text++) {
		for (i = 0; i < n && tolower((unsigned char)text[i]) == part[i]; i++)
			;
		if (i == n)
			return text;
	}
	return NULL;
}

static bool
matches(const char *text, const char *pattern)
{
	size_t n;

	if (*pattern == '^')
		return strncasecmp(text, pattern + 1, strlen(pattern + 1)) == 0;

	for (; text != NULL && *pattern != '\0'; pattern += n + (pattern[n] == '*')) {
		n = strcspn(pattern, "*");
		text = find_part(text, pattern, n);
		if (text != NULL)
			text += n;
	}
	return text != NULL;
}

static bool
is_of(const char *agents, const char *format)
{
	size_t n = strlen(format);
	const char *at = agents;

	if (*agents == '\0')
		return true;
	for (; (at = strstr(at, format)) != NULL; at += n)
		if ((at == agents || at[-1] == ' ') && (at[n] == '\0' || at[n] == ' '))
			return true;
	return false;
}

const struct wisp_text_row *
wisp_texts_find(const char *format, const char *folded)
{
	size_t i;

	for (i = 0; i < wisp_texts_count; i++)
		if (is_of(wisp_texts[i].agents, format) && matches(folded, wisp_texts[i].text))
			return &wisp_texts[i];
	return NULL;
}

bool
wisp_texts_notice(const char *line, size_t n)
{
	static const char *const notices[] = {"attempt * failed*retrying", "reconnecting... ",
					      "will retry in ", "retrying in "};
	char text[256];
	size_t i;

	n = n < sizeof text ? n : sizeof text - 1;
	memcpy(text, line, n);
	text[n] = '\0';
	for (i = 0; i < sizeof notices / sizeof *notices; i++)
		if (matches(text, notices[i]))
			return true;
	return false;
}
