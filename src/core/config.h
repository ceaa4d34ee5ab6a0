/*
 * config: every key of wisp-config(5) with its type, default and check, in one table,
 * and the layers over it.
 *
 * Values are text as git config gives them; here they are checked and brought
 * to one form. Keys are compared without case in section and name, as git
 * does; the middle of agent.NAME.key keeps its case. What a layer may hold
 * several times (verify.command) is a list; a later layer's list replaces an
 * earlier one.
 */
#ifndef WISP_CONFIG_H
#define WISP_CONFIG_H

#include "json.h"
#include "time.h"

enum wisp_key_type {
	WISP_KEY_COUNT,		/* integer >= 1 (maxIterations, callsPerHour ...) */
	WISP_KEY_NUMBER,	/* > 0, fractions allowed (hours, money) */
	WISP_KEY_DURATION,	/* 15m */
	WISP_KEY_BOOL,		/* true false yes no on off 1 0 */
	WISP_KEY_WORD,		/* one of the words in `words`, separated by | */
	WISP_KEY_TEXT,
	WISP_KEY_LIST		/* text, may be given several times; with `words`, which say so, hosts */
};

struct wisp_key {
	const char *name;		/* canonical: "limits.maxIterations", "agent.*.command" */
	enum wisp_key_type type;
	const char *value;		/* the default as text; NULL is none */
	const char *words;		/* of a limit the strictest first */
	bool limit;			/* a template may not loosen it: only lower a limit that is set */
	bool asks;			/* it is executed or loosens a check: needs trust when a repository's file sets it */
	const char *help;		/* one line */
};

extern const struct wisp_key wisp_keys[];	/* ends with a NULL name */
/* The section of keys that have none (`ship`) in files, where git demands one. */
#define WISP_CONFIG_BARE "wisp"
extern const char *const wisp_config_layers[];	/* "default", "template", "user", "project", "own", "command", "option"; NULL */

/* The key for a name of any case, or NULL; *canonical (caller frees, may be NULL) gets its full canonical name. */
const struct wisp_key *wisp_config_key(const char *name, char **canonical);
/* The known name nearest to an unknown one, or NULL if none is near. */
const char *wisp_config_nearest(const char *name);
/*
 * Checks `value` for `key` and returns it in canonical form as JSON: a number
 * for counts and numbers, milliseconds for durations, a boolean, or a string.
 * NULL with `err` ("limits.maxIterations: expected a whole number from 1, not 'x'"). "none" gives JSON null where
 * the default is none or the key is a limit.
 */
struct cJSON *wisp_config_value(const struct wisp_key *key, const char *value, struct wisp_err *err);
/* The same without a message (NULL where it does not hold), and what the message says is expected. */
struct cJSON *wisp_config_parse(const struct wisp_key *key, const char *value);
const char *wisp_config_expected(const struct wisp_key *key);
/* The way back: one value (not a list) as text that parses to the same, `none` for null and NULL. */
void wisp_config_print(struct wisp_buf *out, const struct wisp_key *key, const struct cJSON *value);

/*
 * Thresholds in force: an object {"limits.maxIterations": 50, ...} of canonical
 * names and values, with every key of the table that has no wildcard present. The
 * caller frees it, as what the functions above return.
 */
struct cJSON *wisp_config_defaults(void);
/*
 * Lays one layer over `config`. `data` is what `git config -z --list` prints:
 * NAME LF VALUE NUL, again and again (a name without LF is a boolean true).
 * -1 with `err` (file from `path`) at an unknown key (with the nearest known
 * one) or a bad value. `origin` (an object, may be NULL) notes canonical name ->
 * layer name. Sections that are not wisp's do not exist in these files: all
 * unknown keys are refused.
 */
int wisp_config_apply(struct cJSON *config, struct cJSON *origin, const char *layer,
		      const char *data, size_t len, const char *path, struct wisp_err *err) WISP_CHECK;
/* The same from a template's loop.json "config" object; never loosens a key whose table entry is a limit and that a person set. */
int wisp_config_apply_json(struct cJSON *config, struct cJSON *origin, const struct cJSON *object,
			   const char *path, struct wisp_err *err) WISP_CHECK;

/* Is the value `new` of that key a looser limit than `old`? Without an `old` limit nothing is. */
bool wisp_config_looser(const struct wisp_key *key, const struct cJSON *old, const struct cJSON *new);

/* Shorthands on thresholds in force; the default of the table where the object lacks the key. */
long long wisp_config_count(const struct cJSON *config, const char *name);	/* -1 for none */
double wisp_config_number(const struct cJSON *config, const char *name);	/* -1 for none */
wisp_ms wisp_config_ms(const struct cJSON *config, const char *name);		/* -1 for none */
bool wisp_config_bool(const struct cJSON *config, const char *name);
const char *wisp_config_text(const struct cJSON *config, const char *name);	/* NULL for none; of a list the first */

#endif
