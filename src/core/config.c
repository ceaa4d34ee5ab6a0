/*
 * config: see config.h. The table is in keys.c, the checks are in value.c.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

/* One layer while it is laid. */
struct layer {
	struct cJSON *config, *origin;
	struct cJSON *seen;	/* canonical names this layer has set */
	const char *name, *path;
	struct wisp_err *err;
};

/* `name` is the key's full name for the message. */
static struct cJSON *
value_of(const struct wisp_key *key, const char *name, const char *value, const char *path, struct wisp_err *err)
{
	struct cJSON *v = wisp_config_parse(key, value);

	if (v == NULL)
		wisp_err_set(err, path, 0, 0, "%s: expected %s%s, not '%s'", name,
			     key->type == WISP_KEY_WORD ? "one of " : "", wisp_config_expected(key), value);
	return v;
}

struct cJSON *
wisp_config_value(const struct wisp_key *key, const char *value, struct wisp_err *err)
{
	return value_of(key, key->name, value, NULL, err);
}

struct cJSON *
wisp_config_defaults(void)
{
	struct cJSON *config = wisp_json_object();
	const struct wisp_key *k;

	for (k = wisp_keys; k->name != NULL; k++) {
		if (strchr(k->name, '*') != NULL)
			continue;
		wisp_json_set(config, k->name, k->type == WISP_KEY_LIST ? wisp_json_array()
					       : k->value == NULL ? wisp_json_null() : wisp_config_parse(k, k->value));
	}
	return config;
}

static const struct wisp_key *
known_key(const struct layer *l, const char *name, char **canonical)
{
	const struct wisp_key *key = wisp_config_key(name, canonical);
	const char *nearest;

	if (key != NULL)
		return key;
	nearest = wisp_config_nearest(name);
	if (nearest != NULL)
		wisp_err_set(l->err, l->path, 0, 0, "unknown key '%s'; did you mean '%s'?", name, nearest);
	else
		wisp_err_set(l->err, l->path, 0, 0, "unknown key '%s'", name);
	return NULL;
}

/* The first value of a layer replaces the list, the others follow; an empty one empties it, as with git. */
static void
set_list(struct layer *l, const char *name, struct cJSON *v)
{
	const char *text = wisp_json_text(v, "");

	if (wisp_json_get(l->seen, name) == NULL || *text == '\0')
		wisp_json_set(l->config, name, wisp_json_array());
	if (*text != '\0')
		wisp_json_push(wisp_json_array_at(l->config, name), v);
	else
		wisp_json_free(v);
}

/* `value` NULL: the name stood alone. */
static int
set(struct layer *l, const char *name, const char *value)
{
	struct cJSON *v = NULL;
	char *canonical = NULL;
	const struct wisp_key *key = known_key(l, name, &canonical);

	if (key == NULL)
		return -1;
	if (value == NULL && key->type != WISP_KEY_BOOL)
		wisp_err_set(l->err, l->path, 0, 0, "%s: has no value", canonical);
	else
		v = value_of(key, canonical, value != NULL ? value : "true", l->path, l->err);
	if (v != NULL) {
		if (key->type == WISP_KEY_LIST)
			set_list(l, canonical, v);
		else
			wisp_json_set(l->config, canonical, v);
		wisp_json_set_bool(l->seen, canonical, true);
		if (l->origin != NULL)
			wisp_json_set_str(l->origin, canonical, l->name);
	}
	free(canonical);
	return v != NULL ? 0 : -1;
}

int
wisp_config_apply(struct cJSON *config, struct cJSON *origin, const char *layer,
		  const char *data, size_t len, const char *path, struct wisp_err *err)
{
	struct layer l = {config, origin, wisp_json_object(), layer, path, err};
	struct wisp_buf entry = WISP_BUF_INIT;
	const char *end;
	char *value;
	size_t n;
	int rc = 0;

	for (; len > 0 && rc == 0; data += n, len -= n) {
		end = memchr(data, '\0', len);
		n = end != NULL ? (size_t)(end - data) : len;
		wisp_buf_reset(&entry);
		wisp_buf_add(&entry, data, n);
		n += end != NULL;
		value = strchr(entry.data, '\n');
		if (value != NULL)
			*value++ = '\0';
		rc = set(&l, entry.data, value);
	}
	wisp_buf_release(&entry);
	wisp_json_free(l.seen);
	return rc;
}

bool
wisp_config_looser(const struct wisp_key *key, const struct cJSON *old, const struct cJSON *new)
{
	double most = wisp_json_number(old, -1);

	if (!key->limit)
		return false;
	/* No word of a limit lies within another. */
	if (key->type == WISP_KEY_WORD && old != NULL && new != NULL)
		return strstr(key->words, wisp_json_text(new, "")) > strstr(key->words, wisp_json_text(old, ""));
	return most >= 0 && (wisp_json_type(new) == WISP_T_NULL || wisp_json_number(new, 0) > most);
}

/* Would `v`, a member of a template's config, raise or drop a limit that a person set? */
static bool
loosens(const struct layer *l, const char *name, const struct cJSON *v)
{
	char *canonical = NULL;
	const struct wisp_key *key = wisp_config_key(name, &canonical);
	const char *by = wisp_json_str(l->origin, canonical != NULL ? canonical : "", "default");
	bool person = strcmp(by, "default") != 0 && strcmp(by, "template") != 0, looser = false;
	struct wisp_buf text = WISP_BUF_INIT;
	struct cJSON *new = NULL;

	if (key != NULL && key->limit && person) {
		wisp_json_print_compact(&text, v);
		new = wisp_config_parse(key, wisp_json_type(v) == WISP_T_NULL ? "none" : wisp_json_text(v, text.data));
		looser = new != NULL && wisp_config_looser(key, wisp_json_get(l->config, canonical), new);
	}
	wisp_json_free(new);
	wisp_buf_release(&text);
	free(canonical);
	return looser;
}

static int
set_json(struct layer *l, const char *name, const struct cJSON *v)
{
	struct wisp_buf text = WISP_BUF_INIT;
	const struct cJSON *e;
	int rc;

	switch (wisp_json_type(v)) {
	case WISP_T_STRING:
		return set(l, name, wisp_json_text(v, ""));
	case WISP_T_NULL:
		return set(l, name, "none");
	case WISP_T_NUMBER:
	case WISP_T_BOOL:
		wisp_json_print_compact(&text, v);
		rc = set(l, name, text.data);
		wisp_buf_release(&text);
		return rc;
	case WISP_T_ARRAY:
		rc = set(l, name, "");
		for (e = wisp_json_first(v); e != NULL && rc == 0; e = wisp_json_next(e))
			rc = wisp_json_type(e) == WISP_T_STRING ? set(l, name, wisp_json_text(e, ""))
				: wisp_err_set(l->err, l->path, 0, 0, "%s: expected strings in the array", name);
		return rc;
	default:
		return wisp_err_set(l->err, l->path, 0, 0, "%s: expected a text, a number or an array of texts", name);
	}
}

int
wisp_config_apply_json(struct cJSON *config, struct cJSON *origin, const struct cJSON *object,
		       const char *path, struct wisp_err *err)
{
	struct layer l = {config, origin, wisp_json_object(), "template", path, err};
	const struct cJSON *m;
	int rc = 0;

	if (object != NULL && wisp_json_type(object) != WISP_T_OBJECT)
		rc = wisp_err_set(err, path, 0, 0, "config: expected an object");
	for (m = wisp_json_first(object); m != NULL && rc == 0; m = wisp_json_next(m))
		if (!loosens(&l, wisp_json_key(m), m))
			rc = set_json(&l, wisp_json_key(m), m);
	wisp_json_free(l.seen);
	return rc;
}

/* The value in force as a document of its own; the caller frees it. NULL for an unknown name. */
static struct cJSON *
in_force(const struct cJSON *config, const char *name, enum wisp_type type)
{
	const struct cJSON *v = wisp_json_get(config, name);
	const struct wisp_key *key;

	if (wisp_json_type(v) == type || wisp_json_type(v) == WISP_T_NULL)
		return wisp_json_copy(v);
	key = wisp_config_key(name, NULL);
	return key != NULL && key->value != NULL ? wisp_config_parse(key, key->value) : NULL;
}

double
wisp_config_number(const struct cJSON *config, const char *name)
{
	struct cJSON *v = in_force(config, name, WISP_T_NUMBER);
	double d = wisp_json_number(v, -1);

	wisp_json_free(v);
	return d;
}

long long
wisp_config_count(const struct cJSON *config, const char *name)
{
	return (long long)wisp_config_number(config, name);
}

wisp_ms
wisp_config_ms(const struct cJSON *config, const char *name)
{
	return (wisp_ms)wisp_config_number(config, name);
}

bool
wisp_config_bool(const struct cJSON *config, const char *name)
{
	struct cJSON *v = in_force(config, name, WISP_T_BOOL);
	bool b = wisp_json_true(v);

	wisp_json_free(v);
	return b;
}

const char *
wisp_config_text(const struct cJSON *config, const char *name)
{
	const struct cJSON *v = wisp_json_get(config, name);
	const struct wisp_key *key = wisp_config_key(name, NULL);

	if (v == NULL)
		return key != NULL ? key->value : NULL;
	return wisp_json_text(wisp_json_type(v) == WISP_T_ARRAY ? wisp_json_first(v) : v, NULL);
}
