/*
 * turn_enter: the facts of a step, and its entry in history.
 */
#include "turn_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "hash.h"
#include "session.h"
#include "turn_compare.h"
#include "turn_tests.h"

#define ERROR_MAX 500		/* characters of an error in history, and of a summary (wisp-state(5)) */
#define READ_ONLY_BEFORE 160	/* bytes of what stands before those words, where the path is */
#define VERIFY_TAIL 4096	/* bytes of verify's output that the next prompt shows */

void
wisp_turn_facts(struct wisp_record *r, struct wisp_facts *f)
{
	const struct cJSON *step = wisp_turn_step(r), *config = wisp_record_config(r);
	const char *promise = wisp_config_text(config, "completion.promise");
	struct cJSON *result = NULL;
	int word = wisp_outcome_parse(wisp_json_str(step, "outcome", "ok"));

	memset(f, 0, sizeof *f);
	(void)wisp_turn_result(r, &result, NULL);
	f->outcome = word < 0 ? WISP_ERROR : (enum wisp_outcome)word;
	word = wisp_verdict_parse(wisp_json_str(step, "state", ""));
	f->state = word < 0 ? WISP_MISSING : (enum wisp_verdict)word;
	word = wisp_status_parse(wisp_json_str(step, "status", ""));
	f->status = word < 0 ? WISP_CONTINUE : (enum wisp_status)word;
	f->tasks_total = (size_t)wisp_json_num(step, "total", 0);
	f->tasks_claimed = (size_t)wisp_json_num(step, "claimed", 0);
	f->promise = wisp_json_bool(result, "promise", false);
	f->promise_required = promise == NULL || strcmp(promise, "optional") != 0;
	word = wisp_verify_parse(wisp_json_str(step, "verify", "none"));
	f->verify = word < 0 ? WISP_VERIFY_NONE : (enum wisp_verify)word;
	f->lost = wisp_turn_tests_refused(step);
	f->uncommitted = wisp_json_str(step, "uncommitted", NULL) != NULL;
	if (wisp_json_bool(step, "deletes", false))
		f->state = WISP_INVALID;
	f->failed_before = wisp_turn_failures(wisp_json_get(r->doc, "history"), wisp_json_int(r->doc, "intervened", 0));
	f->token = wisp_turn_token(result, wisp_json_get(r->doc, "history"),
				   wisp_json_int(r->doc, "intervened", 0));
	wisp_json_free(result);
}

/* The last VERIFY_TAIL bytes of a file into `b`; a file that cannot be read has none. */
static void
read_tail(struct wisp_buf *b, const char *path)
{
	int fd = wisp_file_open(path);
	off_t size = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
	ssize_t n = 0;

	wisp_buf_grow(b, VERIFY_TAIL + 1);
	if (fd >= 0) {
		n = pread(fd, b->data, VERIFY_TAIL, size > VERIFY_TAIL ? size - VERIFY_TAIL : 0);
		(void)close(fd);
	}
	b->len = n > 0 ? (size_t)n : 0;
	b->data[b->len] = '\0';
}

char *
wisp_turn_no_state(const struct wisp_record *r)
{
	static const char words[] = "Read-only file system";
	char *path = wisp_turn_step_path(r, "output.log"), *at, *from;
	struct wisp_buf b = WISP_BUF_INIT, line = WISP_BUF_INIT;

	wisp_buf_puts(&line, "no state.json was left");
	read_tail(&b, path);
	at = memmem(b.data, b.len, words, sizeof words - 1);
	if (at != NULL) {
		at[sizeof words - 1] = '\0';
		/* A stream has one line for all that a tool said. */
		for (from = at; from > b.data && at - from < READ_ONLY_BEFORE && from[-1] != '\n' && from[-1] != '\0'; from--)
			;
		wisp_buf_puts(&line, "; its output says '");
		wisp_buf_line(&line, from, sizeof words + READ_ONLY_BEFORE);
		wisp_buf_puts(&line, "': the agent cannot write there (sandbox.write, or a sandbox of its own)");
	}
	wisp_buf_release(&b);
	free(path);
	return wisp_buf_detach(&line);
}

char *
wisp_turn_verify_tail(const struct wisp_record *r)
{
	char *path = wisp_turn_step_path(r, "verify.log"), *line, *json = wisp_turn_step_path(r, "verify.json");
	struct wisp_buf b = WISP_BUF_INIT, text = WISP_BUF_INIT;
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *result = NULL;
	const char *withheld = NULL;

	/* It comes first: what is shown of an error is cut at its end. */
	if (wisp_json_load(json, &result, &err) == WISP_VALID)
		withheld = wisp_json_str(result, "withheld", NULL);
	if (withheld != NULL)
		wisp_buf_printf(&text, "(%s)\n", withheld);
	read_tail(&b, path);
	for (size_t i = 0; i < b.len; i++)
		if (b.data[i] == '\0')
			b.data[i] = ' ';
	/* Cut from the front, it begins with a whole line where there is one. */
	line = b.len == VERIFY_TAIL ? strchr(b.data, '\n') : NULL;
	wisp_buf_puts(&text, line != NULL && line[1] != '\0' ? line + 1 : b.data);
	if (text.len == 0)
		wisp_buf_puts(&text, "the verify command failed and printed nothing");
	wisp_err_release(&err);
	wisp_json_free(result);
	wisp_buf_release(&b);
	free(path);
	free(json);
	return wisp_buf_detach(&text);
}

const char *
wisp_turn_outcome_reason(const struct wisp_turn *t)
{
	const char *reason = wisp_json_str(t->result, "reason", "");

	return reason[0] != '\0' ? reason : wisp_outcome_name(t->facts.outcome);
}

char *
wisp_turn_error(const struct wisp_turn *t)
{
	if (t->facts.state == WISP_VALID && t->state.error != NULL && t->state.error[0] != '\0')
		return wisp_strdup(t->state.error);
	if (t->facts.state != WISP_VALID)
		return wisp_strdup(wisp_json_str(t->step, "error", "no state.json was left"));
	if (t->facts.outcome != WISP_OK)
		return wisp_strdup(wisp_turn_outcome_reason(t));
	/* With phases it is an observation: in RED it has to fail. */
	if (t->facts.lost)
		return wisp_turn_tests_lost(wisp_json_get(t->step, "tests"));
	if (t->facts.verify == WISP_VERIFY_FAILED && !t->facts.phases)
		return wisp_turn_verify_tail(t->r);
	return NULL;
}

static void
set_cut_text(struct cJSON *object, const char *key, const char *text)
{
	char *cut = text == NULL ? NULL : wisp_str("%.*s", (int)wisp_utf8_chars(text, strlen(text), ERROR_MAX), text);

	wisp_json_set_str(object, key, cut);
	free(cut);
}

/* Does a task newly pass, after verify? What a failed step claimed went back. With phases: a metric is better, or the phase is over. */
static bool
progressed(const struct wisp_turn *t)
{
	if (t->facts.phases)
		return wisp_json_bool(wisp_json_get(t->step, "phase"), "progress", false) || (t->facts.gate_1 && t->facts.gate_2);
	return t->facts.state == WISP_VALID && t->facts.verify != WISP_VERIFY_FAILED &&
	       wisp_json_len(wisp_json_get(t->step, "claims")) > 0;
}

void
wisp_turn_enter_counts(struct wisp_turn *t)
{
	size_t total, passed;

	wisp_record_counts(t->r, &passed, &total);
	wisp_json_set_num(t->entry, "tasks_passed", (double)passed);
	wisp_json_set_num(t->entry, "tasks_total", (double)total);
}

void
wisp_turn_enter_refused(struct wisp_turn *t)
{
	struct wisp_decision d;

	wisp_decide(&d, &t->facts);
	wisp_json_set_str(t->entry, "refused", d.refused);
}

void
wisp_turn_enter(struct wisp_turn *t, const char *files)
{
	struct cJSON *e = t->entry = wisp_turn_entry(t->r, wisp_outcome_name(t->facts.outcome));
	char sha[WISP_HASH_SIZE];

	wisp_json_set(t->step, "entry", e);
	wisp_json_set_str(e, "state", wisp_verdict_name(t->facts.state));
	wisp_json_set_str(e, "status", t->facts.state == WISP_VALID ? wisp_status_name(t->facts.status) : NULL);
	set_cut_text(e, "summary", t->state.summary);
	wisp_turn_enter_counts(t);
	wisp_json_set_str(e, "head", wisp_json_str(t->seen, "head", NULL));
	wisp_json_set_str(e, "tree", wisp_json_str(t->seen, "tree", NULL));
	wisp_json_set(e, "files", wisp_json_copy(wisp_json_get(t->seen, "files")));
	wisp_json_set_bool(e, "progress", progressed(t));
	set_cut_text(e, "error", t->error);
	if (t->error != NULL)
		wisp_hash(t->error, strlen(t->error), sha);
	wisp_json_set_str(e, "error_hash", t->error != NULL ? sha : NULL);
	wisp_json_set_str(e, "verify", wisp_verify_name(t->facts.verify));
	wisp_json_set(e, "cost_usd", wisp_json_double(wisp_millionths(wisp_json_num(t->result, "cost_usd", NAN))));
	wisp_json_set(e, "tampered", wisp_json_copy(wisp_json_get(t->step, "tampered")));
	if (wisp_json_str(t->step, "note", NULL) != NULL)
		set_cut_text(e, "note", wisp_json_str(t->step, "note", NULL));
	wisp_turn_enter_observed(t, files);
	wisp_turn_enter_refused(t);
}
