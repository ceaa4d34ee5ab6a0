/*
 * format: what each agent's output means.
 *
 * A format is knowledge, in one file each: which values of which lines say
 * something (event.h), and how the step ended by them and the exit status.
 * `auto` finds the format by the stream. All of it runs in constant memory.
 *
 * Words inside messages, tool output or the project decide nothing.
 */
#ifndef WISP_FORMAT_H
#define WISP_FORMAT_H

#include "event.h"
#include "step.h"
#include "text.h"

#define WISP_HTTP_MAX 999
#define WISP_TURNS_MAX 1000000000LL
#define WISP_SECONDS_MAX 253402300799LL	/* the end of the year 9999 */
#define WISP_IDS 256		/* of the latest tool calls, to count each once */

/* How the agent's process ended, and what wisp had to do with it. */
/* Lingered: its final event and a valid state.json were there, and it went on. */
enum wisp_timed_out { WISP_IN_TIME, WISP_WALL_TIME, WISP_IDLE_TIME, WISP_LINGERED };
struct wisp_ending {
	int exit_code;			/* -1: not known, or it died of a signal */
	int signal;			/* 0: none */
	int sent_signal;		/* by wisp, for a person */
	enum wisp_timed_out timed_out;	/* ended by wisp at that limit */
	wisp_ms limit;			/* how long that was; -1: not known */
	bool given_up;			/* ended by wisp because it cannot log in */
	const char *unstartable;	/* why it was not started, or NULL */
	const struct wisp_text *errors;	/* its standard error, for the reason; may be NULL */
};

struct wisp_parse {
	const struct wisp_format *format;
	struct wisp_step *step;
	struct wisp_event event;
	void *state;			/* the format's own */
	struct wisp_text final, next;	/* the final message, and the one being read */
	bool no_promise;		/* `final` is a failure's text, not the agent's words */
	bool hopeless;			/* not logged in: it is of no use to let it go on */
	bool over;			/* the final event is out; what comes then is no work */
	bool quiet;			/* the line that is read only says that it waits */
	bool recovered;			/* an error, then a turn that was finished */
	unsigned long long lively;	/* signs of life: lines that are not quiet, and all text */
	unsigned long long worked;	/* tool calls that succeeded */
	uint64_t ids[WISP_IDS];
	size_t id_at;
	const struct wisp_text *errors;
};

struct wisp_format {
	const char *name;
	size_t size;			/* of its state */
	const struct wisp_want *wants;
	size_t count;
	void (*pieces)(struct wisp_parse *p, int want, const char *s, size_t n);
	void (*item)(struct wisp_parse *p, int want);
	bool (*line)(struct wisp_parse *p);	/* false: an event of unknown type */
	/* Outcome and reason by events and exit status (0 where that is not known). */
	void (*judge)(struct wisp_parse *p, int exit_code);
	/* Instead of all the above but `judge`: for what is not made of events. */
	void (*feed)(struct wisp_parse *p, const char *s, size_t n);
	void (*close)(struct wisp_parse *p);
};

extern const struct wisp_format wisp_format_text, wisp_format_auto, wisp_format_claude, wisp_format_amp,
	wisp_format_codex, wisp_format_gemini, wisp_format_qwen, wisp_format_opencode, wisp_format_copilot;

/* By name; NULL if there is none. */
const struct wisp_format *wisp_format_find(const char *name);
/* The names, with blanks between, for messages. */
void wisp_format_names(struct wisp_buf *out);

void wisp_parse_init(struct wisp_parse *p, const struct wisp_format *format, struct wisp_step *step);
void wisp_parse_feed(struct wisp_parse *p, const char *s, size_t n);
/* Fills the rest of the step, its outcome by the precedence of wisp-agent(1). */
void wisp_parse_finish(struct wisp_parse *p, const struct wisp_ending *end);
void wisp_parse_release(struct wisp_parse *p);

/* For formats. */

/* Changes to another format; what was read so far is the caller's to feed again. */
void wisp_parse_become(struct wisp_parse *p, const struct wisp_format *format);
void wisp_parse_tool(struct wisp_parse *p, const char *name, const char *id);
/* One more piece of `next`; p NULL begins it anew, after what `final` holds if `join`. */
void wisp_parse_piece(struct wisp_parse *p, const char *s, size_t n, bool join);
void wisp_parse_take(struct wisp_parse *p);	/* `next` becomes `final` */
int wisp_parse_http(const char *text);	/* the HTTP status that a text begins with, or 0 */
/* Outcome by an HTTP status: auth, limit (requests), transient or error. */
enum wisp_outcome wisp_parse_status(int status);
/*
 * It failed, in these words of the agent's own ("" where there are none): the outcome by the
 * table of texts, else `otherwise`. For that one `kind` is the kind of the limit or of the login's
 * failure, and `resets_at` the end of the limit, where the agent has fields for them (else NULL
 * and -1: then the words are searched).
 */
void wisp_parse_failed(struct wisp_parse *p, const char *text, enum wisp_outcome otherwise,
		       const char *kind, wisp_ms resets_at);
/*
 * An error for want of a good end: the exit status, `what` is missing (may be ""), how many lines were unknown, and
 * what the program said last.
 */
void wisp_parse_lost(struct wisp_parse *p, int exit_code, const char *what);

#endif
