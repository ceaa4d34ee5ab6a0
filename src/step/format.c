/*
 * format: see format.h. Here is what all formats share.
 */
#include "format.h"

#include <stdlib.h>
#include <string.h>

#include "reset.h"
#include "signame.h"
#include "texts.h"

#define EXCERPT 300		/* bytes of what a program said before it failed */
#define NOT_EXECUTABLE 126	/* as shells exit */
#define NOT_FOUND 127

static const struct wisp_format *const formats[] = {
	&wisp_format_auto, &wisp_format_text, &wisp_format_claude, &wisp_format_codex, &wisp_format_gemini,
	&wisp_format_qwen, &wisp_format_opencode, &wisp_format_copilot, &wisp_format_amp,
};

#define FORMATS (sizeof formats / sizeof *formats)

const struct wisp_format *
wisp_format_find(const char *name)
{
	size_t i;

	for (i = 0; i < FORMATS; i++)
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
	return NULL;
}

void
wisp_format_names(struct wisp_buf *out)
{
	size_t i;

	for (i = 0; i < FORMATS; i++)
		wisp_buf_printf(out, "%s%s", i == 0 ? "" : " ", formats[i]->name);
}

static void
on_pieces(void *arg, int want, const char *s, size_t n)
{
	struct wisp_parse *p = arg;

	if (p->format->pieces != NULL)
		p->format->pieces(p, want, s, n);
}

static void
on_item(void *arg, int want)
{
	struct wisp_parse *p = arg;

	p->format->item(p, want);
}

static void
on_line(void *arg)
{
	struct wisp_parse *p = arg;

	p->quiet = false;
	if (!p->format->line(p))
		p->step->unknown_events++;
	p->lively += !p->quiet;
}

void
wisp_parse_become(struct wisp_parse *p, const struct wisp_format *format)
{
	const struct wisp_event_sink sink = {{on_pieces, on_item, p}, on_line, p};

	free(p->state);
	wisp_event_release(&p->event);
	p->format = format;
	p->step->format = format->name;
	p->state = wisp_alloc(1, format->size > 0 ? format->size : 1);
	wisp_event_init(&p->event, format->wants, format->count, &sink);
}

void
wisp_parse_init(struct wisp_parse *p, const struct wisp_format *format, struct wisp_step *step)
{
	memset(p, 0, sizeof *p);
	p->step = step;
	wisp_parse_become(p, format);
}

void
wisp_parse_release(struct wisp_parse *p)
{
	free(p->state);
	wisp_event_release(&p->event);
	p->state = NULL;
}

void
wisp_parse_feed(struct wisp_parse *p, const char *s, size_t n)
{
	unsigned long long bad = p->event.bad;

	if (p->format->feed != NULL) {
		p->lively += n > 0;
		p->format->feed(p, s, n);
	} else {
		wisp_event_feed(&p->event, s, n);
		p->lively += p->event.bad > bad || wisp_event_busy(&p->event);
	}
}

void
wisp_parse_tool(struct wisp_parse *p, const char *name, const char *id)
{
	uint64_t hash = 14695981039346656037u;	/* FNV-1a */
	const char *c;
	size_t i;

	for (c = id; *c != '\0'; c++)
		hash = (hash ^ (unsigned char)*c) * 1099511628211u;
	for (i = 0; *id != '\0' && i < WISP_IDS; i++)
		if (p->ids[i] == hash)
			return;
	p->ids[p->id_at++ % WISP_IDS] = hash;
	wisp_step_tool(p->step, name);
}

void
wisp_parse_piece(struct wisp_parse *p, const char *s, size_t n, bool join)
{
	if (s != NULL)
		wisp_text_add(&p->next, s, n);
	else if (join)
		p->next = p->final;
	else
		wisp_text_reset(&p->next);
}

void
wisp_parse_take(struct wisp_parse *p)
{
	p->final = p->next;
}

int
wisp_parse_http(const char *text)
{
	if (strspn(text, "0123456789") != 3 || text[0] < '1' || text[0] > '5')
		return 0;
	return (text[0] - '0') * 100 + (text[1] - '0') * 10 + (text[2] - '0');
}

enum wisp_outcome
wisp_parse_status(int status)
{
	switch (status) {
	case 401:
	case 402:
	case 403:
		return WISP_AUTH;
	case 429:
		return WISP_LIMITED;
	case 408:
		return WISP_TRANSIENT;
	default:
		return status >= 500 && status <= 599 ? WISP_TRANSIENT : WISP_ERROR;
	}
}

/* What a person has to do about a failed login that no text explains. */
static const char *
auth_kind(int status)
{
	switch (status) {
	case 401:
		return "token";
	case 402:
		return "credit";
	default:
		return "login";
	}
}

void
wisp_parse_failed(struct wisp_parse *p, const char *text, enum wisp_outcome otherwise,
		  const char *kind, wisp_ms resets_at)
{
	struct wisp_buf folded = WISP_BUF_INIT;
	const struct wisp_text_row *row;
	enum wisp_outcome outcome = otherwise;
	struct wisp_step *s = p->step;

	wisp_texts_fold(&folded, text);
	row = *text != '\0' ? wisp_texts_find(p->format->name, folded.data) : NULL;
	if (row != NULL)
		outcome = row->outcome;
	if (outcome != otherwise)
		kind = NULL;
	if (resets_at < 0 && *text != '\0')
		resets_at = wisp_reset_find(folded.data, s->started_at, s->ended_at);
	if (outcome == WISP_AUTH) {
		s->auth = row != NULL ? row->kind : kind != NULL ? kind : auth_kind(s->api_status);
		/* What a person could pay for, and time lifts as well. */
		if (resets_at >= 0 &&
		    (strcmp(s->auth, "credit") == 0 || strcmp(s->auth, "plan") == 0))
			outcome = WISP_LIMITED;
	}
	if (outcome == WISP_LIMITED) {
		s->limit_kind = kind != NULL		       ? kind
				: row == NULL		       ? "requests"
				: row->outcome == WISP_LIMITED ? row->kind
							       : "quota";
		s->resets_at = resets_at;
	}
	wisp_step_end(s, outcome, "%s%s",
		      row != NULL && outcome == WISP_ERROR ? "too much for the model's context: "
							   : "",
		      *text != '\0' ? text : "the agent reported a failure");
	wisp_buf_release(&folded);
}

void
wisp_parse_lost(struct wisp_parse *p, int exit_code, const char *what)
{
	struct wisp_buf said = WISP_BUF_INIT, odd = WISP_BUF_INIT;

	/* An agent of another version may end its stream with a line that nobody here has heard of. */
	if (p->step->unknown_events > 0)
		wisp_buf_printf(&odd, ", %llu of %llu lines unknown (another version?)",
				p->step->unknown_events, p->step->events);
	if (p->errors != NULL)
		wisp_text_excerpt(p->errors, &said, EXCERPT);
	if (said.len == 0 && p->event.bad > 0)
		wisp_buf_line(&said, p->event.bad_text, EXCERPT);
	wisp_step_end(p->step, WISP_ERROR, "exit status %d%s%s%s%s%s", exit_code, *what != '\0' ? ", " : "", what,
		      odd.len > 0 ? odd.data : "", said.len > 0 ? ": " : "", said.len > 0 ? said.data : "");
	/* Agents are started by scripts, and this is how a shell says that the program is not there. */
	if ((exit_code == NOT_FOUND || exit_code == NOT_EXECUTABLE) && p->event.lines == 0 && p->format->line != NULL)
		p->step->outcome = WISP_UNSTARTABLE;
	wisp_buf_release(&said);
	wisp_buf_release(&odd);
}

/* By events and exit status. */
static void
judge(struct wisp_parse *p, int exit_code)
{
	struct wisp_step *s = p->step;

	p->format->judge(p, exit_code);
	if (s->outcome != WISP_OK)
		return;
	/* Some remember an error that they got over in their exit status. */
	if (exit_code != 0 && (exit_code != 1 || !p->recovered))
		wisp_step_end(s, WISP_ERROR, "reported success, but its exit status is %d", exit_code);
	else if (s->denial_count > 0 && p->worked == 0)
		wisp_step_end(s, WISP_REFUSED, "no tool was allowed to run: %s", s->denials[0]);
}

static void
end_late(struct wisp_step *s, const struct wisp_ending *end)
{
	bool wall = end->timed_out == WISP_WALL_TIME;
	char *limit = end->limit >= 0 ? wisp_duration_text(end->limit) : NULL;
	const char *what = wall		    ? "took longer than"
			   : s->retries > 0 ? "printed nothing but retries for"
					    : "printed nothing for";

	wisp_step_end(s, wall ? WISP_TIMEOUT : WISP_IDLE, "%s%s%s", what,
		      limit != NULL ? " " : wall ? " allowed" : " too long", limit != NULL ? limit : "");
	free(limit);
}

/* By its final event alone: its end after TERM means nothing. */
static void
end_lingering(struct wisp_parse *p, const struct wisp_ending *end)
{
	char *limit = end->limit >= 0 ? wisp_duration_text(end->limit) : NULL;

	judge(p, 0);
	if (p->step->outcome == WISP_OK)
		wisp_step_end(p->step, WISP_OK,
			      "wisp ended it %s after its final event, with a valid state.json",
			      limit != NULL ? limit : "some time");
	free(limit);
}

static void
give_up(struct wisp_step *s)
{
	if (s->api_status > 0)
		wisp_step_end(s, WISP_AUTH, "cannot log in (%d); ended at the first failure",
			      s->api_status);
	else
		wisp_step_end(s, WISP_AUTH, "cannot log in; ended at the first failure");
}

static void
decide(struct wisp_parse *p, const struct wisp_ending *end)
{
	struct wisp_step *s = p->step;
	char name[WISP_SIGNAME_SIZE];

	if (end->unstartable != NULL)
		wisp_step_end(s, WISP_UNSTARTABLE, "cannot start: %s", end->unstartable);
	else if (end->sent_signal != 0)
		wisp_step_end(s, WISP_INTERRUPTED, "stopped by a person (%s)",
			      wisp_signal_name(end->sent_signal, name));
	else if (end->timed_out == WISP_LINGERED)
		end_lingering(p, end);
	else if (end->timed_out != WISP_IN_TIME)
		end_late(s, end);
	else if (end->given_up)
		give_up(s);
	else if (end->signal != 0)
		wisp_step_end(s, WISP_CRASHED, "died of signal %s", wisp_signal_name(end->signal, name));
	else
		judge(p, end->exit_code < 0 ? 0 : end->exit_code);
}

void
wisp_parse_finish(struct wisp_parse *p, const struct wisp_ending *end)
{
	struct wisp_step *s = p->step;

	if (p->format->close != NULL)
		p->format->close(p);
	if (p->format->line != NULL)
		wisp_event_end(&p->event);
	p->errors = end->errors;
	s->exit_code = end->exit_code;
	s->signal = end->signal;
	s->events = p->event.lines;
	s->bad_lines = p->event.bad;
	s->final_text = wisp_text_end(&p->final);
	s->promise = !p->no_promise && wisp_text_promise(&p->final);
	decide(p, end);
	if (s->outcome != WISP_LIMITED)
		s->limit_kind = NULL;
	if (s->outcome != WISP_AUTH)
		s->auth = NULL;
}
