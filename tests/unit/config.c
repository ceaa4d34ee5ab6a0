/*
 * config: keys, values and layers.
 */
#include "core/config.h"
#include "unit.h"

static const struct {
	const char *name, *canonical;	/* NULL: unknown */
} names[] = {
	{"limits.maxIterations", "limits.maxIterations"},
	{"LIMITS.MAXITERATIONS", "limits.maxIterations"},
	{"limits.maxiteration", NULL},
	{"limits", NULL},
	{"maxIterations", NULL},
	{"", NULL},
	{".", NULL},
	{"agent.Claude.command", "agent.Claude.command"},
	{"AGENT.Claude.COMMAND", "agent.Claude.command"},
	{"agent.my.own.command", "agent.my.own.command"},
	{"agent..command", NULL},
	{"agent.command", NULL},
	{"agent.*.command", "agent.*.command"},
	{"limits.x.maxIterations", NULL},
	{"ship", "ship"},
	{"wisp.ship", "ship"},
	{"Wisp.Ship", "ship"},
	{"wisp.limits.maxIterations", NULL},
};

static const struct {
	const char *name, *near;
} nears[] = {
	{"limits.maxIteration", "limits.maxIterations"},
	{"limit.maxiterations", "limits.maxIterations"},
	{"maxIterations", "limits.maxIterations"},
	{"step.tiemout", "step.timeout"},
	{"verify.comand", "verify.command"},
	{"agent.claude.comand", "agent.*.command"},
	{"shpi", "ship"},
	{"core.editor", NULL},
	{"user.name", NULL},
	{"x", NULL},
	{"a.name.that.is.far.longer.than.any.key.of.ours.and.therefore.near.to.none", NULL},
};

static const struct {
	const char *name, *value, *json;	/* json NULL: refused */
} values[] = {
	{"limits.maxIterations", "1", "1"},
	{"limits.maxIterations", "1000000000", "1000000000"},
	{"limits.maxIterations", "1000000001", NULL},
	{"limits.maxIterations", "99999999999999999999", NULL},
	{"limits.maxIterations", "0", NULL},
	{"limits.maxIterations", "-1", NULL},
	{"limits.maxIterations", "1.5", NULL},
	{"limits.maxIterations", " 1", NULL},
	{"limits.maxIterations", "0x10", NULL},
	{"limits.maxIterations", "", NULL},
	{"limits.maxIterations", "none", "null"},
	{"steps.keep", "none", NULL},
	{"limits.maxHours", "0.5", "0.5"},
	{"limits.maxHours", "4", "4"},
	{"limits.maxHours", "0", NULL},
	{"limits.maxHours", ".5", NULL},
	{"limits.maxHours", "5.", NULL},
	{"limits.maxHours", "inf", NULL},
	{"limits.maxHours", "nan", NULL},
	{"limits.maxHours", "1e3", NULL},
	{"limits.maxHours", "-4", NULL},
	{"step.timeout", "60m", "3600000"},
	{"step.timeout", "1h30m", "5400000"},
	{"step.timeout", "90", "90000"},
	{"step.timeout", "0", NULL},
	{"step.timeout", "none", "null"},
	{"step.timeout", "soon", NULL},
	{"loop.delay", "0", "0"},
	{"loop.delay", "none", NULL},
	{"input.timeout", "none", "null"},
	{"checkpoint.save", "true", "true"},
	{"checkpoint.save", "yes", "true"},
	{"checkpoint.save", "on", "true"},
	{"checkpoint.save", "1", "true"},
	{"checkpoint.save", "false", "false"},
	{"checkpoint.save", "no", "false"},
	{"checkpoint.save", "off", "false"},
	{"checkpoint.save", "0", "false"},
	{"checkpoint.save", "maybe", NULL},
	{"checkpoint.restore", "always", "\"always\""},
	{"checkpoint.restore", "alway", NULL},
	{"checkpoint.restore", "failed|always", NULL},
	{"checkpoint.restore", "", NULL},
	{"ship", "none", "\"none\""},
	{"agent.default", "codex", "\"codex\""},
	{"agent.default", "", NULL},
	{"agent.default", "none", "\"none\""},
	{"agent.x.model", "", "null"},
	{"agent.x.model", "none", "null"},
	{"notify.command", "say \"hi\"", "\"say \\\"hi\\\"\""},
	{"notify.command", "caf\xc3\xa9", "\"caf\xc3\xa9\""},
	{"notify.command", "caf\xe9", NULL},
	{"verify.command", "make test", "\"make test\""},
};

static void
lookups(void)
{
	char *canonical;
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++) {
		canonical = NULL;
		CHECK((wisp_config_key(names[i].name, &canonical) != NULL) == (names[i].canonical != NULL), names[i].name);
		CHECK_OWN(canonical, names[i].canonical, names[i].name);
	}
	for (i = 0; i < sizeof nears / sizeof *nears; i++)
		CHECK_STR(wisp_config_nearest(nears[i].name), nears[i].near, nears[i].name);
}

static void
texts(void)
{
	struct wisp_buf text = WISP_BUF_INIT;
	const struct wisp_key *key;
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *v;
	char *label;
	size_t i;

	for (i = 0; i < sizeof values / sizeof *values; i++) {
		label = wisp_str("%s = %s", values[i].name, values[i].value);
		v = wisp_config_value(wisp_config_key(values[i].name, NULL), values[i].value, &err);
		wisp_buf_reset(&text);
		if (v != NULL)
			wisp_json_print_compact(&text, v);
		CHECK_STR(v != NULL ? text.data : NULL, values[i].json, label);
		CHECK((err.text != NULL) == (v == NULL), "a message exactly where it is refused");
		wisp_json_free(v);
		wisp_err_release(&err);
		free(label);
	}
	CHECK(wisp_config_value(wisp_config_key("limits.maxIterations", NULL), "x", &err) == NULL, "a bad value");
	CHECK_STR(err.text, "limits.maxIterations: expected a whole number from 1, not 'x'", "its message");
	wisp_err_release(&err);
	CHECK(wisp_config_value(wisp_config_key("ship", NULL), "x", &err) == NULL, "a bad word");
	CHECK_STR(err.text, "ship: expected one of none|push|pr, not 'x'", "its message");
	wisp_err_release(&err);
	for (key = wisp_keys; key->name != NULL; key++) {
		v = key->value != NULL ? wisp_config_parse(key, key->value) : wisp_json_null();
		wisp_buf_reset(&text);
		if (v != NULL)
			wisp_config_print(&text, key, v);
		CHECK_STR(text.data, key->value != NULL ? key->value : "none", key->name);
		wisp_json_free(v);
	}
	wisp_buf_release(&text);
}

static void
durations(void)
{
	static const char *const forms[] = {"500ms", "1500ms", "5s", "90s", "60m", "90m", "2h", "36h", "2d", "0"};
	const struct wisp_key *key = wisp_config_key("loop.delay", NULL);
	struct wisp_buf text = WISP_BUF_INIT;
	struct cJSON *v;
	size_t i;

	for (i = 0; i < sizeof forms / sizeof *forms; i++) {
		wisp_buf_reset(&text);
		v = wisp_config_parse(key, forms[i]);
		wisp_config_print(&text, key, v);
		CHECK_STR(text.data, forms[i], "a duration, there and back");
		wisp_json_free(v);
	}
	wisp_buf_release(&text);
}

/* The value of a key as JSON; static, for one check. */
static const char *
shown(const struct cJSON *config, const char *name)
{
	static struct wisp_buf text;

	wisp_buf_reset(&text);
	wisp_json_print_compact(&text, wisp_json_get(config, name));
	return wisp_json_get(config, name) != NULL ? text.data : NULL;
}

#define APPLY(layer, data) wisp_config_apply(config, origin, layer, data, sizeof data - 1, "F", &err)

static void
layers(void)
{
	struct cJSON *config = wisp_config_defaults(), *origin = wisp_json_object();
	struct wisp_err err = WISP_ERR_INIT;

	CHECK_INT(APPLY("user", "limits.maxiterations\n7\0verify.command\na\0verify.command\nb\0checkpoint.save\0"), 0, "a layer");
	CHECK_STR(shown(config, "limits.maxIterations"), "7", "a value");
	CHECK_STR(shown(config, "verify.command"), "[\"a\",\"b\"]", "a list");
	CHECK_STR(shown(config, "checkpoint.save"), "true", "a name alone is true");
	CHECK_STR(shown(config, "limits.maxHours"), "4", "what it does not name stays");
	CHECK_STR(wisp_json_str(origin, "limits.maxIterations", "-"), "user", "where it comes from");
	CHECK_STR(wisp_json_str(origin, "limits.maxHours", "-"), "-", "a default comes from nowhere");

	CHECK_INT(APPLY("project", "verify.command\nc\0agent.Mine.args\n-x\0limits.maxiterations\n8\0limits.maxiterations\n9"), 0,
		  "a layer over it, its last NUL missing");
	CHECK_STR(shown(config, "verify.command"), "[\"c\"]", "a later layer's list replaces the list");
	CHECK_STR(shown(config, "limits.maxIterations"), "9", "the last value of a layer wins");
	CHECK_STR(shown(config, "agent.Mine.args"), "[\"-x\"]", "a name with a middle");
	CHECK_STR(wisp_json_str(origin, "verify.command", "-"), "project", "where it comes from now");

	CHECK_INT(APPLY("command", "verify.command\nd\0verify.command\n\0verify.command\ne\0"), 0, "an empty value");
	CHECK_STR(shown(config, "verify.command"), "[\"e\"]", "empties the list");
	CHECK_INT(APPLY("option", "verify.command\nnone\0"), 0, "none");
	CHECK_STR(shown(config, "verify.command"), "[]", "empties it too");
	CHECK_INT(APPLY("option", "notify.command\na\nb\0"), 0, "a value of two lines");
	CHECK_STR(shown(config, "notify.command"), "\"a\\nb\"", "is kept");
	CHECK_INT(APPLY("option", ""), 0, "an empty layer");

	CHECK_INT(APPLY("project", "limits.maxhour\n3\0"), -1, "an unknown key");
	CHECK_OWN(wisp_err_string(&err), "F: unknown key 'limits.maxhour'; did you mean 'limits.maxHours'?", "its message");
	wisp_err_release(&err);
	CHECK_INT(APPLY("project", "core.editor\nvi\0"), -1, "a key that is near to none");
	CHECK_OWN(wisp_err_string(&err), "F: unknown key 'core.editor'", "its message");
	wisp_err_release(&err);
	CHECK_INT(APPLY("project", "agent.Mine.args\n\xff\0"), -1, "a bad value");
	CHECK_OWN(wisp_err_string(&err), "F: agent.Mine.args: expected a text in UTF-8, not '\xff'", "its message has the whole name");
	wisp_err_release(&err);
	CHECK_INT(APPLY("project", "limits.maxhours\0"), -1, "a name alone that is no boolean");
	CHECK_OWN(wisp_err_string(&err), "F: limits.maxHours: has no value", "its message");
	wisp_err_release(&err);
	wisp_json_free(config);
	wisp_json_free(origin);
}

/* A template over what a person set. `expected` is KEY's value, or the message. */
static const struct {
	const char *label, *person, *object, *key, *expected;
} templates[] = {
	{"a number", "", "{'stuck.noProgress': 6}", "stuck.noProgress", "6"},
	{"a default may be raised", "", "{'limits.maxIterations': 500}", "limits.maxIterations", "500"},
	{"a duration as text", "", "{'step.timeout': '2h'}", "step.timeout", "7200000"},
	{"a duration as seconds", "", "{'step.timeout': 90}", "step.timeout", "90000"},
	{"a boolean", "", "{'commit.fallback': false}", "commit.fallback", "false"},
	{"a list", "", "{'verify.command': ['a', 'b']}", "verify.command", "['a','b']"},
	{"an empty list", "verify.command\nx", "{'verify.command': []}", "verify.command", "[]"},
	{"one of a list", "", "{'verify.command': 'a'}", "verify.command", "['a']"},
	{"null is none", "", "{'limits.maxCostUsd': null}", "limits.maxCostUsd", "null"},
	{"a person's limit is not raised", "limits.maxIterations\n10", "{'limits.maxIterations': 20}", "limits.maxIterations", "10"},
	{"but lowered", "limits.maxIterations\n10", "{'limits.maxIterations': 5}", "limits.maxIterations", "5"},
	{"nor taken away", "limits.maxCostUsd\n10", "{'limits.maxCostUsd': null}", "limits.maxCostUsd", "10"},
	{"nor as text", "step.timeout\n1m", "{'step.timeout': '2m'}", "step.timeout", "60000"},
	{"none is set where a person has none", "limits.maxHours\nnone", "{'limits.maxHours': 3}", "limits.maxHours", "3"},
	{"what is no limit is set", "step.grace\n1s", "{'step.grace': '9s'}", "step.grace", "9000"},
	{"an unknown key", "", "{'stuck.noprogres': 3}", NULL, "T: unknown key 'stuck.noprogres'; did you mean 'stuck.noProgress'?"},
	{"a bad value", "", "{'stuck.noProgress': 0}", NULL, "T: stuck.noProgress: expected a whole number from 1, not '0'"},
	{"a bad value against a limit", "stuck.noProgress\n3", "{'stuck.noProgress': 'x'}", NULL,
	 "T: stuck.noProgress: expected a whole number from 1, not 'x'"},
	{"an object", "", "{'stuck.noProgress': {}}", NULL, "T: stuck.noProgress: expected a text, a number or an array of texts"},
	{"numbers in a list", "", "{'verify.command': [1]}", NULL, "T: verify.command: expected strings in the array"},
	{"no object at all", "", "[]", NULL, "T: config: expected an object"},
};

static void
one_template(size_t i)
{
	struct cJSON *config = wisp_config_defaults(), *origin = wisp_json_object(), *object;
	struct wisp_err err = WISP_ERR_INIT;
	char *json = wisp_strdup(templates[i].object), *expected = wisp_strdup(templates[i].expected), *p, *got;
	int rc;

	for (p = json; *p != '\0'; p++)
		*p = *p == '\'' ? '"' : *p;
	for (p = expected; templates[i].key != NULL && *p != '\0'; p++)
		*p = *p == '\'' ? '"' : *p;
	object = wisp_json_parse(json, strlen(json), NULL, NULL);
	CHECK_INT(wisp_config_apply(config, origin, "user", templates[i].person, strlen(templates[i].person), NULL, NULL), 0, "a person");
	rc = wisp_config_apply_json(config, origin, object, "T", &err);
	CHECK_INT(rc, templates[i].key != NULL ? 0 : -1, templates[i].label);
	got = rc == 0 ? wisp_strdup(shown(config, templates[i].key)) : wisp_err_string(&err);
	CHECK_OWN(got, expected, templates[i].label);
	wisp_err_release(&err);
	wisp_json_free(object);
	wisp_json_free(config);
	wisp_json_free(origin);
	free(json);
	free(expected);
}

static void
shorthands(void)
{
	static const char json[] = "{\"limits.maxIterations\": 3, \"limits.maxHours\": null, \"verify.command\": [\"a\", \"b\"],"
				   "\"worktree.copy\": [], \"commit.fallback\": false, \"steps.keep\": \"x\"}";
	struct cJSON *config = wisp_json_parse(json, strlen(json), NULL, NULL);

	CHECK_INT(wisp_config_count(config, "limits.maxIterations"), 3, "a count");
	CHECK(wisp_config_number(config, "limits.maxHours") == -1, "none");
	CHECK(wisp_config_number(config, "limits.maxCostUsd") == 20, "a default");
	CHECK_INT(wisp_config_count(config, "steps.keep"), 20, "a default in place of what has the wrong type");
	CHECK_INT(wisp_config_ms(config, "step.grace"), 5000, "a duration");
	CHECK_INT(wisp_config_ms(config, "input.timeout"), -1, "a default that is none");
	CHECK(!wisp_config_bool(config, "commit.fallback"), "a boolean");
	CHECK(wisp_config_bool(NULL, "checkpoint.save"), "a default without a configuration");
	CHECK_STR(wisp_config_text(config, "verify.command"), "a", "the first of a list");
	CHECK_STR(wisp_config_text(config, "worktree.copy"), NULL, "an empty list");
	CHECK_STR(wisp_config_text(config, "agent.default"), "claude", "a text's default");
	CHECK_STR(wisp_config_text(config, "agent.x.model"), NULL, "a text without default");
	CHECK_INT(wisp_config_count(config, "no.such"), -1, "no such key");
	wisp_json_free(config);
}

int
main(void)
{
	size_t i;

	lookups();
	texts();
	durations();
	layers();
	for (i = 0; i < sizeof templates / sizeof *templates; i++)
		one_template(i);
	shorthands();
	return unit_done();
}
