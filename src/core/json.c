/*
 * json: see json.h. What needs no more than that header is in json_load.c,
 * json_equal.c and json_print.c.
 *
 * Of cJSON only the tree is used, not its parser: that one takes text after
 * the value, cuts strings at \u0000 and refuses numbers of more than 63
 * characters. json_load.c builds the tree from the tokens of scan instead.
 */
#include "json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <cJSON.h>

static struct cJSON *
must(struct cJSON *v)
{
	if (v == NULL) {
		errno = ENOMEM;
		die_sys("cannot go on");
	}
	return v;
}

static void
need(const struct cJSON *v, enum wisp_type type)
{
	if (wisp_json_type(v) != type)
		die_bug("%s where %s belongs", wisp_type_name(wisp_json_type(v)), wisp_type_name(type));
}

void
wisp_json_free(struct cJSON *v)
{
	cJSON_Delete(v);
}

struct cJSON *
wisp_json_copy(const struct cJSON *v)
{
	return v != NULL ? must(cJSON_Duplicate(v, true)) : NULL;
}

enum wisp_type
wisp_json_type(const struct cJSON *v)
{
	switch (v != NULL ? v->type & 0xff : cJSON_Invalid) {
	case cJSON_NULL:
		return WISP_T_NULL;
	case cJSON_False:
	case cJSON_True:
		return WISP_T_BOOL;
	case cJSON_Number:
		return WISP_T_NUMBER;
	case cJSON_String:
		return WISP_T_STRING;
	case cJSON_Array:
		return WISP_T_ARRAY;
	case cJSON_Object:
		return WISP_T_OBJECT;
	default:
		return WISP_T_NONE;
	}
}

const char *
wisp_type_name(enum wisp_type t)
{
	static const char *const names[] = {
		[WISP_T_NONE] = "nothing", [WISP_T_NULL] = "null", [WISP_T_BOOL] = "a boolean",
		[WISP_T_NUMBER] = "a number", [WISP_T_STRING] = "a string",
		[WISP_T_ARRAY] = "an array", [WISP_T_OBJECT] = "an object",
	};

	return names[t];
}

struct cJSON *
wisp_json_get(const struct cJSON *object, const char *key)
{
	if (wisp_json_type(object) != WISP_T_OBJECT)
		return NULL;
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

struct cJSON *
wisp_json_first(const struct cJSON *container)
{
	enum wisp_type t = wisp_json_type(container);

	return t == WISP_T_ARRAY || t == WISP_T_OBJECT ? container->child : NULL;
}

struct cJSON *
wisp_json_next(const struct cJSON *element)
{
	return element != NULL ? element->next : NULL;
}

const char *
wisp_json_key(const struct cJSON *member)
{
	return member != NULL ? member->string : NULL;
}

size_t
wisp_json_len(const struct cJSON *container)
{
	const struct cJSON *v;
	size_t n = 0;

	for (v = wisp_json_first(container); v != NULL; v = v->next)
		n++;
	return n;
}

const char *
wisp_json_text(const struct cJSON *v, const char *otherwise)
{
	return wisp_json_type(v) == WISP_T_STRING ? v->valuestring : otherwise;
}

double
wisp_json_number(const struct cJSON *v, double otherwise)
{
	return wisp_json_type(v) == WISP_T_NUMBER ? v->valuedouble : otherwise;
}

bool
wisp_json_true(const struct cJSON *v)
{
	return v != NULL && (v->type & 0xff) == cJSON_True;
}

const char *
wisp_json_str(const struct cJSON *object, const char *key, const char *otherwise)
{
	return wisp_json_text(wisp_json_get(object, key), otherwise);
}

double
wisp_json_num(const struct cJSON *object, const char *key, double otherwise)
{
	return wisp_json_number(wisp_json_get(object, key), otherwise);
}

long long
wisp_json_int(const struct cJSON *object, const char *key, long long otherwise)
{
	double d = wisp_json_num(object, key, NAN);

	return fabs(d) <= WISP_JSON_EXACT && d == (double)(long long)d ? (long long)d : otherwise;
}

bool
wisp_json_bool(const struct cJSON *object, const char *key, bool otherwise)
{
	const struct cJSON *v = wisp_json_get(object, key);

	return wisp_json_type(v) == WISP_T_BOOL ? wisp_json_true(v) : otherwise;
}

struct cJSON *
wisp_json_object(void)
{
	return must(cJSON_CreateObject());
}

struct cJSON *
wisp_json_array(void)
{
	return must(cJSON_CreateArray());
}

struct cJSON *
wisp_json_string(const char *s)
{
	return s != NULL ? must(cJSON_CreateString(s)) : wisp_json_null();
}

struct cJSON *
wisp_json_double(double d)
{
	return isfinite(d) ? must(cJSON_CreateNumber(d)) : wisp_json_null();
}

struct cJSON *
wisp_json_boolean(bool b)
{
	return must(cJSON_CreateBool(b));
}

struct cJSON *
wisp_json_null(void)
{
	return must(cJSON_CreateNull());
}

void
wisp_json_add(struct cJSON *object, const char *key, struct cJSON *item)
{
	need(object, WISP_T_OBJECT);
	if (!cJSON_AddItemToObject(object, key, item != NULL ? item : wisp_json_null()))
		must(NULL);
}

void
wisp_json_set(struct cJSON *object, const char *key, struct cJSON *item)
{
	struct cJSON *old = wisp_json_get(object, key);

	if (old == NULL) {
		wisp_json_add(object, key, item);
		return;
	}
	if (item == NULL)
		item = wisp_json_null();
	if (item != old && !cJSON_ReplaceItemInObjectCaseSensitive(object, key, item))
		must(NULL);
}

void
wisp_json_set_str(struct cJSON *object, const char *key, const char *s)
{
	wisp_json_set(object, key, wisp_json_string(s));
}

void
wisp_json_set_num(struct cJSON *object, const char *key, double d)
{
	wisp_json_set(object, key, wisp_json_double(d));
}

void
wisp_json_set_bool(struct cJSON *object, const char *key, bool b)
{
	wisp_json_set(object, key, wisp_json_boolean(b));
}

void
wisp_json_set_null(struct cJSON *object, const char *key)
{
	wisp_json_set(object, key, NULL);
}

struct cJSON *
wisp_json_take(struct cJSON *object, const char *key)
{
	struct cJSON *v = wisp_json_get(object, key);

	return v != NULL ? cJSON_DetachItemViaPointer(object, v) : NULL;
}

void
wisp_json_drop(struct cJSON *object, const char *key)
{
	wisp_json_free(wisp_json_take(object, key));
}

void
wisp_json_push(struct cJSON *array, struct cJSON *item)
{
	need(array, WISP_T_ARRAY);
	cJSON_AddItemToArray(array, item != NULL ? item : wisp_json_null());
}

void
wisp_json_shift(struct cJSON *array)
{
	struct cJSON *first = wisp_json_first(array);

	if (first != NULL)
		wisp_json_remove(array, first);
}

void
wisp_json_remove(struct cJSON *array, struct cJSON *item)
{
	wisp_json_free(cJSON_DetachItemViaPointer(array, item));
}

void
wisp_json_replace(struct cJSON *v, char *make(const char *text))
{
	struct cJSON *child;
	char *text;

	if (wisp_json_type(v) == WISP_T_STRING) {
		text = make(v->valuestring);
		must(cJSON_SetValuestring(v, text) != NULL ? v : NULL);
		free(text);
	}
	for (child = wisp_json_first(v); child != NULL; child = wisp_json_next(child))
		wisp_json_replace(child, make);
}

static struct cJSON *
container_at(struct cJSON *object, const char *key, enum wisp_type type)
{
	struct cJSON *v = wisp_json_get(object, key);

	if (wisp_json_type(v) != type) {
		v = type == WISP_T_OBJECT ? wisp_json_object() : wisp_json_array();
		wisp_json_set(object, key, v);
	}
	return v;
}

struct cJSON *
wisp_json_object_at(struct cJSON *object, const char *key)
{
	return container_at(object, key, WISP_T_OBJECT);
}

struct cJSON *
wisp_json_array_at(struct cJSON *object, const char *key)
{
	return container_at(object, key, WISP_T_ARRAY);
}
