/*
 * template_load: loop.json is read and held against all that must be true of it.
 */
#include "template.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter.h"
#include "schema.h"

#define ITERATIONS_MAX 100	/* of max_iterations: current_iteration goes no further (000_) */

static const struct wisp_field fields[] = {
	{"name", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"description", WISP_T_STRING, 0, NULL, WISP_T_NONE},
	{"state", WISP_T_STRING, 0, "tasks|phases", WISP_T_NONE},
	{"phases", WISP_T_ARRAY, 0, NULL, WISP_T_OBJECT},
	{"reject", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{"config", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{"orchestrator", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{0}
};

static const struct wisp_field phase_fields[] = {
	{"name", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"weight", WISP_T_NUMBER, WISP_REQUIRED, NULL, WISP_T_NONE},
	{"prompt", WISP_T_STRING, WISP_FILLED, NULL, WISP_T_NONE},
	{"agent", WISP_T_STRING, WISP_FILLED, NULL, WISP_T_NONE},
	{"model", WISP_T_STRING, WISP_FILLED, NULL, WISP_T_NONE},
	{"max_iterations", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"gate", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"progress", WISP_T_STRING, WISP_FILLED, NULL, WISP_T_NONE},
	{"breaker", WISP_T_OBJECT, 0, NULL, WISP_T_NONE},
	{0}
};

static const struct wisp_field breaker_fields[] = {
	{"no_progress", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{"same_error", WISP_T_NUMBER, WISP_INTEGER, NULL, WISP_T_NONE},
	{0}
};

static const struct wisp_field reject_fields[] = {
	{"phase", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"goto", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"when", WISP_T_STRING, WISP_REQUIRED | WISP_FILLED, NULL, WISP_T_NONE},
	{"max", WISP_T_NUMBER, WISP_REQUIRED | WISP_INTEGER, NULL, WISP_T_NONE},
	{0}
};

/* What is checked: the folder for its prompts, and where the phases stand for messages. */
struct check {
	const char *dir;
	struct wisp_source src;
	const struct cJSON *doc;
	struct wisp_err *err;
};

static const struct wisp_at in_phases = {NULL, "phases", 0}, in_reject = {NULL, "reject", 0};

/* An optional whole number from 1 to `most`. */
static int
check_count(const struct check *c, const struct wisp_at *up, const struct cJSON *object, const char *key, long long most)
{
	const struct cJSON *v = wisp_json_get(object, key);
	const struct wisp_at at = {up, key, 0};
	double n = wisp_json_number(v, 1);

	if (n >= 1 && n <= (double)most)
		return 0;
	return wisp_schema_refuse(&c->src, &at, c->err, "expected a whole number from 1 to %lld", most);
}

static int
check_name(const struct check *c, const struct wisp_at *up, const struct cJSON *phase)
{
	const char *name = wisp_json_str(phase, "name", "");
	const struct wisp_at at = {up, "name", 0};

	for (const char *p = name; *p != '\0'; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			return wisp_schema_refuse(&c->src, &at, c->err, "must not hold a control character");
	/* Itself is the first of its name, unless it is the second. */
	if (wisp_template_phase(c->doc, name) != phase)
		return wisp_schema_refuse(&c->src, &at, c->err, "there is a phase '%s' already", name);
	return 0;
}

static int
check_prompt(const struct check *c, const struct wisp_at *up, const struct cJSON *phase)
{
	const char *prompt = wisp_json_str(phase, "prompt", NULL);
	const struct wisp_at at = {up, "prompt", 0};
	struct wisp_buf text = WISP_BUF_INIT;
	char *path;
	int rc = 0;

	if (prompt == NULL)
		return 0;
	if (strchr(prompt, '/') != NULL)
		return wisp_schema_refuse(&c->src, &at, c->err, "expected the name of a file in the template's folder, not '%s'",
					  prompt);
	path = wisp_str("%s/%s", c->dir, prompt);
	if (wisp_file_read(path, WISP_FILE_MAX, &text) != 0)
		rc = wisp_schema_refuse(&c->src, &at, c->err, "there is no file '%s' to be read in the template's folder", prompt);
	wisp_buf_release(&text);
	free(path);
	return rc;
}

static int
check_phase(const struct check *c, const struct wisp_at *at, const struct cJSON *phase)
{
	const struct cJSON *breaker = wisp_json_get(phase, "breaker");
	const struct wisp_at in_breaker = {at, "breaker", 0}, weight = {at, "weight", 0};
	double w = wisp_json_num(phase, "weight", 0);

	if (wisp_schema_check(&c->src, at, phase, phase_fields, NULL, c->err) != 0 || check_name(c, at, phase) != 0)
		return -1;
	if (!(w >= 0 && w <= 100))
		return wisp_schema_refuse(&c->src, &weight, c->err, "expected a number from 0 to 100");
	if (check_prompt(c, at, phase) != 0 || check_count(c, at, phase, "max_iterations", ITERATIONS_MAX) != 0)
		return -1;
	if (wisp_json_type(breaker) != WISP_T_OBJECT)
		return 0;
	if (wisp_schema_check(&c->src, &in_breaker, breaker, breaker_fields, NULL, c->err) != 0)
		return -1;
	return check_count(c, &in_breaker, breaker, "no_progress", ITERATIONS_MAX) != 0 ||
	       check_count(c, &in_breaker, breaker, "same_error", ITERATIONS_MAX) != 0 ? -1 : 0;
}

static int
check_phases(const struct check *c, const struct cJSON *phases)
{
	struct wisp_at at = {&in_phases, NULL, 0};
	double sum = 0;

	if (wisp_json_len(phases) == 0)
		return wisp_schema_refuse(&c->src, &in_phases, c->err, "expected at least one phase");
	for (const struct cJSON *p = wisp_json_first(phases); p != NULL; p = wisp_json_next(p), at.index++) {
		if (check_phase(c, &at, p) != 0)
			return -1;
		sum += wisp_json_num(p, "weight", 0);
	}
	if (fabs(sum - 100) > 1e-6)
		return wisp_schema_refuse(&c->src, &in_phases, c->err, "the weights add up to %.10g, not to 100", sum);
	return 0;
}

/* The phases that `reject` names: there, and `goto` not after the other. */
static int
check_reject(const struct check *c, const struct cJSON *reject)
{
	static const char *const names[] = {"phase", "goto"};
	const struct cJSON *found[2];

	if (wisp_schema_check(&c->src, &in_reject, reject, reject_fields, NULL, c->err) != 0 ||
	    check_count(c, &in_reject, reject, "max", ITERATIONS_MAX) != 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		const struct wisp_at at = {&in_reject, names[i], 0};
		const char *name = wisp_json_str(reject, names[i], "");

		found[i] = wisp_template_phase(c->doc, name);
		if (found[i] == NULL)
			return wisp_schema_refuse(&c->src, &at, c->err, "there is no phase '%s'", name);
	}
	for (const struct cJSON *p = wisp_json_next(found[0]); p != NULL; p = wisp_json_next(p))
		if (p == found[1]) {
			const struct wisp_at at = {&in_reject, "goto", 0};

			return wisp_schema_refuse(&c->src, &at, c->err, "phase '%s' comes after '%s'",
						  wisp_json_str(reject, "goto", ""), wisp_json_str(reject, "phase", ""));
		}
	return 0;
}

static int
check(const struct check *c)
{
	static const struct wisp_at state = {NULL, "state", 0};
	const struct cJSON *phases, *reject;
	const char *word;

	if (wisp_schema_check(&c->src, NULL, c->doc, fields, NULL, c->err) != 0 ||
	    wisp_template_orchestra_check(&c->src, c->doc, c->err) != 0)
		return -1;
	phases = wisp_json_get(c->doc, "phases");
	reject = wisp_json_get(c->doc, "reject");
	word = wisp_json_str(c->doc, "state", NULL);
	if (wisp_json_type(phases) == WISP_T_ARRAY) {
		if (word != NULL && strcmp(word, "phases") != 0)
			return wisp_schema_refuse(&c->src, &state, c->err, "expected phases, for there are some");
		if (check_phases(c, phases) != 0)
			return -1;
	} else if (word != NULL && strcmp(word, "phases") == 0) {
		return wisp_schema_refuse(&c->src, &in_phases, c->err, "is missing");
	}
	return wisp_json_type(reject) == WISP_T_OBJECT ? check_reject(c, reject) : 0;
}

/* Where the filters stand, in the order in which they are compiled. */
struct filters {
	const char **text;
	struct { size_t phase; const char *key; } *place;
	size_t count;
};

static void
add_filter(struct filters *f, const char *text, size_t phase, const char *key)
{
	if (text == NULL)
		return;
	f->text = wisp_realloc(f->text, f->count + 1, sizeof *f->text);
	f->place = wisp_realloc(f->place, f->count + 1, sizeof *f->place);
	f->text[f->count] = text;
	f->place[f->count].phase = phase;
	f->place[f->count++].key = key;
}

static int
compile(const struct check *c, wisp_compile *filters)
{
	struct wisp_err why = WISP_ERR_INIT;
	struct filters f = {0};
	struct wisp_at at = {&in_phases, NULL, 0}, member = {&at, NULL, 0};
	size_t i = 0, bad;
	int rc;

	for (const struct cJSON *p = wisp_json_first(wisp_json_get(c->doc, "phases")); p != NULL; p = wisp_json_next(p), i++) {
		add_filter(&f, wisp_json_str(p, "gate", NULL), i, "gate");
		add_filter(&f, wisp_json_str(p, "progress", NULL), i, "progress");
	}
	add_filter(&f, wisp_json_str(wisp_json_get(c->doc, "reject"), "when", NULL), i, "when");
	rc = filters(f.text, f.count, &bad, &why);
	if (rc != 0) {
		at.index = f.place[bad].phase;
		member.key = f.place[bad].key;
		member.up = at.index < i ? &at : &in_reject;
		wisp_schema_refuse(&c->src, &member, c->err, "%s", why.text);
	}
	wisp_err_release(&why);
	free(f.text);
	free(f.place);
	return rc;
}

int
wisp_template_load(const char *dir, wisp_compile *filters, struct cJSON **doc, struct wisp_err *err)
{
	char *path = wisp_str("%s/loop.json", dir);
	struct wisp_buf bytes = WISP_BUF_INIT;
	enum wisp_verdict verdict = wisp_json_read(path, &bytes, doc, err);
	struct check c = {dir, {bytes.data, bytes.len, path, "template"}, NULL, err};
	int rc = 0;

	if (verdict == WISP_MISSING && wisp_file_exists(dir)) {
		wisp_err_release(err);
		*doc = wisp_json_object();
	} else if (verdict == WISP_VALID) {
		c.doc = *doc;
		rc = check(&c) != 0 || (filters != NULL && compile(&c, filters) != 0) ? -1 : 0;
	} else {
		rc = -1;
	}
	if (rc != 0 && verdict == WISP_VALID) {
		wisp_json_free(*doc);
		*doc = NULL;
	}
	wisp_buf_release(&bytes);
	free(path);
	return rc;
}
