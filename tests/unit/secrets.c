/*
 * secrets: which values are taken out of what is kept, and that no cut of a stream hides one.
 */
#include "core/json.h"
#include "core/secrets.h"
#include "unit.h"

static void
put(void *out, const char *p, size_t n)
{
	wisp_buf_add(out, p, n);
}

/* The text without them, read in pieces of `size` bytes after a first one of `first`. */
static char *
hidden(const struct wisp_secrets *s, const char *text, size_t len, size_t first, size_t size)
{
	struct wisp_buf out = WISP_BUF_INIT;
	struct wisp_hide h = {.secrets = s, .put = put, .arg = &out};
	size_t n = first;

	for (; len > 0; text += n, len -= n, n = size) {
		n = n < len ? n : len;
		wisp_hide_feed(&h, text, n);
		if (h.held.len >= s->longest && s->count > 0)
			CHECK(false, "no more is held back than may be one");
	}
	wisp_hide_end(&h);
	return wisp_buf_detach(&out);
}

static const struct {
	const char *label, *text, *want;
} texts[] = {
	{"none", "nothing of it is here, and nothing is changed", "nothing of it is here, and nothing is changed"},
	{"alone", "a1b2c3d4", "[secret SHORT]"},
	{"in a line", "key=a1b2c3d4;\n", "key=[secret SHORT];\n"},
	{"twice, side by side", "a1b2c3d4a1b2c3d4", "[secret SHORT][secret SHORT]"},
	{"its beginning alone, at the end", "so a1b2c3d", "so a1b2c3d"},
	{"its beginning, then another", "a1b2c3da1b2c3d4", "a1b2c3d[secret SHORT]"},
	{"of two the longer one", "x a1b2c3d4-and-more x", "x [secret LONG] x"},
	{"... whose beginning goes on otherwise", "x a1b2c3d4-and-else x", "x [secret SHORT]-and-else x"},
	{"... and ends there", "x a1b2c3d4-and-", "x [secret SHORT]-and-"},
	{"one with characters of patterns", "v=.*[a-z]+\\(x|y)$ !", "v=[secret PATTERN] !"},
	{"what such a pattern would match is none", "v=abc(x) !", "v=abc(x) !"},
	{"one as in a JSON string", "{\"v\": \"say \\\"a1\\\" \\\\ twice\"}", "{\"v\": \"[secret QUOTED]\"}"},
	{"... and as it is", "say \"a1\" \\ twice", "[secret QUOTED]"},
	{"of two names the first", "one-9-value-2-names", "[secret FIRST]"},
	{"a password in an address, and the address", "p4ssw0rd! postgres://me:p4ssw0rd!@db/x", "[secret URL] [secret URL]"},
	{"a line of several", "MIIEvQIBADANBgkqhkiG9w0BAQ\n", "[secret PEM]\n"},
};

static void
fill(struct wisp_secrets *s)
{
	wisp_secrets_add(s, "SHORT", "a1b2c3d4");
	wisp_secrets_add(s, "LONG", "a1b2c3d4-and-more");
	wisp_secrets_add(s, "PATTERN", ".*[a-z]+\\(x|y)$");
	wisp_secrets_add(s, "QUOTED", "say \"a1\" \\ twice\n");
	wisp_secrets_add(s, "FIRST", "one-9-value-2-names");
	wisp_secrets_add(s, "SECOND", "one-9-value-2-names");
	wisp_secrets_add(s, "URL", "postgres://me:p4ssw0rd!@db/x");
	wisp_secrets_add(s, "PEM", "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n-----END KEY-----\n");
	wisp_secrets_add(s, "TINY", "a1b2");
	wisp_secrets_ready(s);
}

static void
test_streams(void)
{
	struct wisp_secrets s = {0}, none = {0};
	char *got;
	size_t len, cut;

	fill(&s);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		len = strlen(texts[i].text);
		CHECK_OWN(hidden(&s, texts[i].text, len, len, len), texts[i].want, texts[i].label);
		for (cut = 1; cut < len; cut++) {
			got = hidden(&s, texts[i].text, len, cut, len);
			if (strcmp(got, texts[i].want) != 0)
				CHECK_STR(got, texts[i].want, texts[i].label);
			free(got);
		}
		CHECK_OWN(hidden(&s, texts[i].text, len, 1, 1), texts[i].want, "the same, byte for byte");
	}
	CHECK_OWN(hidden(&none, "a1b2c3d4", 8, 3, 3), "a1b2c3d4", "where none is known");
	got = hidden(&s, "\0a1b2c3d4\0", 10, 10, 1);
	CHECK(memcmp(got, "\0[secret SHORT]\0", 16) == 0, "between NULs");
	free(got);
	wisp_secrets_release(&s);
}

/* One that is in a long text at any place, also beside what looks like it. */
static void
test_places(void)
{
	struct wisp_secrets s = {0};
	char text[400], *got;
	bool good = true;

	fill(&s);
	for (size_t at = 0; at + 17 < sizeof text; at++) {
		memset(text, "a1-"[at % 3], sizeof text - 1);
		text[sizeof text - 1] = '\0';
		memcpy(text + at, "a1b2c3d4-and-more", 17);
		got = hidden(&s, text, strlen(text), at % 19 + 1, 7);
		good = good && strstr(got, "[secret LONG]") != NULL && strstr(got, "b2c3") == NULL &&
		       strlen(got) == sizeof text - 1 - 17 + 13;
		free(got);
	}
	CHECK(good, "at each place of a text");
	wisp_secrets_release(&s);
}

static void
test_plain(void)
{
	static const struct {
		const char *value;
		bool plain;
	} cases[] = {
		{"", true}, {"short", true}, {"1234567", true}, {"production", true}, {"PRODUCTION", true}, {"Localhost", true},
		{"20261129", true}, {"10.168.1.12", true}, {"xxxxxxxxxxxx", true},
		{"/usr/bin", true}, {"/usr/bin:/bin", true}, {"https://example.org/a", true}, {"http://localhost:8080", true},
		{"/no/such/place/1a", false}, {"https://me:secret99@example.org", false}, {"https://example.org/?token=1", false},
		{"https://hooks.example.org/T0123456789abcdefXYZ", false}, {"hunter2hunter2", false}, {"mixedCaseWord", false},
		{"correct horse battery staple", false}, {"sk-ant-0123", false}, {"123456789012", false}, {"hello you", false}, {"deadbeef01", false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK_INT(wisp_secret_plain(cases[i].value) != NULL, cases[i].plain, cases[i].value);
}

/* As the commands tell of them. */
static void
test_known(void)
{
	struct wisp_buf text = WISP_BUF_INIT;
	struct cJSON *doc;
	static const char mixed[] = "[\"a tok-0123456789\", {\"k\": \"set-0123\"}, \"23456789 and mine-012345678\", 1]";
	FILE *f = fopen("login.json", "w");

	fputs("{\"o\": {\"accessToken\": \"tok-0123456789\", \"plan\": \"plan-0123456789\", \"list\": [{\"apiKey\": \"key-0123456789\"}]}}", f);
	fclose(f);
	setenv("OF_MINE", "mine-0123456789", 1);
	setenv("WISP_SECRETS", "SET=set-0123456789\n@login=login.json\n@gone=none.json\nOF_MINE\nUNSET\n", 1);
	wisp_buf_puts(&text, "set-0123456789 tok-0123456789 plan-0123456789 key-0123456789 mine-0123456789");
	wisp_secrets_hide(&text);
	CHECK_STR(text.data, "[secret SET] [secret login] plan-0123456789 [secret login] [secret OF_MINE]", "values, files, variables");
	wisp_buf_release(&text);
	doc = wisp_json_parse(mixed, strlen(mixed), "-", NULL);
	wisp_secrets_hide_json(doc);
	wisp_json_print_compact(&text, doc);
	CHECK_STR(text.data, "[\"a [secret login]\",{\"k\":\"set-0123\"},\"23456789 and mine-012345678\",1]", "in a document");
	wisp_buf_reset(&text);
	wisp_secrets_hide_cut(doc);
	wisp_json_print_compact(&text, doc);
	CHECK_STR(text.data, "[\"a [secret login]\",{\"k\":\"[secret SET]\"},\"[secret OF_MINE] and [secret OF_MINE]\",1]", "in one that was cut");
	wisp_buf_release(&text);
	wisp_json_free(doc);
	remove("login.json");
}

int
main(void)
{
	test_streams();
	test_places();
	test_plain();
	test_known();
	return unit_done();
}
