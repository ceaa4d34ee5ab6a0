/*
 * secrets: see secrets.h. Which values there are; secrets_hide.c takes them out.
 */
#include "secrets.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "file.h"
#include "given.h"
#include "json.h"

#define FILE_MAX ((size_t)1 << 20)
#define LINE_MIN 16		/* of a value with several */
#define WORD_MAX 16		/* bytes of a value that is a word alone */
#define NUMBER_MAX 12
#define PART_MAX 16		/* of an address */
#define KINDS_MIN 4		/* different bytes */

static size_t
different_bytes(const char *s)
{
	bool seen[256] = {false};
	size_t n = 0;

	for (; *s != '\0'; s++) {
		n += !seen[(unsigned char)*s];
		seen[(unsigned char)*s] = true;
	}
	return n;
}

/* Small letters, capital ones, or small ones after a capital. */
static bool
is_word(const char *s, size_t n)
{
	size_t upper = 0;

	for (size_t i = 0; i < n; i++) {
		if (!isalpha((unsigned char)s[i]))
			return false;
		upper += isupper((unsigned char)s[i]) != 0;
	}
	return upper == 0 || upper == n || (upper == 1 && isupper((unsigned char)*s));
}

/* The part of an address behind the scheme; NULL where it is none. */
static const char *
address(const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");

	return n > 0 && strncmp(s + n, "://", 3) == 0 ? s + n + 3 : NULL;
}

/* Neither a password nor a long part, which may be a key. */
static bool
is_plain_address(const char *s)
{
	s = address(s);
	if (s == NULL || strpbrk(s, "@?#") != NULL)
		return false;
	while (*s != '\0') {
		size_t n = strcspn(s, "/.:");

		if (n > PART_MAX)
			return false;
		s += n + (s[n] != '\0');
	}
	return true;
}

/* A path that is there, or a list that begins with one. */
static bool
is_path(const char *s)
{
	char *first;
	bool is;

	if (*s != '/')
		return false;
	first = wisp_str("%.*s", (int)strcspn(s, ":"), s);
	is = access(first, F_OK) == 0;
	free(first);
	return is;
}

const char *
wisp_secret_plain(const char *value)
{
	size_t len = strlen(value);

	if (len < WISP_SECRET_MIN)
		return "it is shorter than 8 bytes";
	if (len > WISP_SECRET_MAX)
		return "it is longer than 64 KiB";
	if (different_bytes(value) < KINDS_MIN)
		return "it repeats a few characters";
	if (len < NUMBER_MAX && strspn(value, "0123456789.,-") == len)
		return "it is a number";
	if (is_path(value))
		return "it is a path";
	if (is_plain_address(value))
		return "it is an address without a password";
	if (len < WORD_MAX && is_word(value, len))
		return "it is a word";
	return NULL;
}

static void
add(struct wisp_secrets *s, const char *name, const char *text, size_t len)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->list[i].len == len && memcmp(s->list[i].text, text, len) == 0)
			return;
	s->list = wisp_realloc(s->list, s->count + 1, sizeof *s->list);
	s->list[s->count++] = (struct wisp_secret){.name = wisp_strdup(name), .text = wisp_str("%.*s", (int)len, text), .len = len};
}

static void
add_if(struct wisp_secrets *s, const char *name, char *value)
{
	if (wisp_secret_plain(value) == NULL)
		add(s, name, value, strlen(value));
	free(value);
}

/* As it stands in a JSON string, which the streams of agents are made of. */
static void
add_quoted(struct wisp_secrets *s, const char *name, const char *value)
{
	struct cJSON *text = wisp_json_string(value);
	struct wisp_buf out = WISP_BUF_INIT;

	wisp_json_print_compact(&out, text);
	if (out.len > 2 && (out.len - 2 != strlen(value) || memcmp(out.data + 1, value, out.len - 2) != 0))
		add(s, name, out.data + 1, out.len - 2);
	wisp_buf_release(&out);
	wisp_json_free(text);
}

static void
add_password(struct wisp_secrets *s, const char *name, const char *value)
{
	const char *from = address(value), *colon, *at;

	if (from == NULL)
		return;
	colon = from + strcspn(from, ":/?#");
	at = *colon == ':' ? strrchr(colon, '@') : NULL;
	if (at != NULL)
		add_if(s, name, wisp_str("%.*s", (int)(at - colon - 1), colon + 1));
}

static void
add_lines(struct wisp_secrets *s, const char *name, const char *value)
{
	while (strchr(value, '\n') != NULL || *value != '\0') {
		size_t n = strcspn(value, "\r\n");

		if (n >= LINE_MIN && strncmp(value, "-----", 5) != 0)
			add_if(s, name, wisp_str("%.*s", (int)n, value));
		value += n + (value[n] != '\0');
	}
}

void
wisp_secrets_add(struct wisp_secrets *s, const char *name, const char *value)
{
	size_t len = strlen(value);
	char *text;

	while (len > 0 && isspace((unsigned char)value[len - 1]))
		len--;
	text = wisp_str("%.*s", (int)len, value);
	if (wisp_secret_plain(text) == NULL) {
		add(s, name, text, len);
		add_quoted(s, name, text);
		add_password(s, name, text);
		if (strchr(text, '\n') != NULL)
			add_lines(s, name, text);
	}
	free(text);
}

static int
longest_first(const void *a, const void *b)
{
	const struct wisp_secret *x = a, *y = b;

	return x->len != y->len ? (x->len < y->len) - (x->len > y->len) : strcmp(x->text, y->text);
}

void
wisp_secrets_ready(struct wisp_secrets *s)
{
	size_t window;

	if (s->count == 0)
		return;
	qsort(s->list, s->count, sizeof *s->list, longest_first);
	s->longest = s->list[0].len;
	s->shortest = s->list[s->count - 1].len;
	/* A longer window would not fit into a byte, and need not be. */
	if (s->shortest > 256)
		s->shortest = 256;
	window = s->shortest;
	s->shift = wisp_realloc(s->shift, 65536, 1);
	memset(s->shift, (int)(window - 1), 65536);
	for (size_t i = 0; i < s->count; i++)
		for (size_t at = 0; at + 2 <= window; at++) {
			const unsigned char *t = (const unsigned char *)s->list[i].text + at;
			unsigned char *shift = &s->shift[t[0] << 8 | t[1]];

			if (*shift > window - 2 - at)
				*shift = (unsigned char)(window - 2 - at);
		}
}

void
wisp_secrets_release(struct wisp_secrets *s)
{
	for (size_t i = 0; i < s->count; i++) {
		free(s->list[i].name);
		free(s->list[i].text);
	}
	free(s->list);
	free(s->shift);
	*s = (struct wisp_secrets){0};
}

/* --- where they are ------------------------------------------------------------ */

static bool
names_secret(const char *key)
{
	static const char *const words[] = {"token", "key", "secret", "password", "access", "refresh", "cookie"};

	for (; *key != '\0'; key++)
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			if (strncasecmp(key, words[i], strlen(words[i])) == 0)
				return true;
	return false;
}

static void
add_members(struct wisp_secrets *s, const char *name, const struct cJSON *v)
{
	for (const struct cJSON *m = wisp_json_first(v); m != NULL; m = wisp_json_next(m)) {
		if (wisp_json_type(m) == WISP_T_STRING && wisp_json_type(v) == WISP_T_OBJECT && names_secret(wisp_json_key(m)))
			wisp_secrets_add(s, name, wisp_json_text(m, ""));
		add_members(s, name, m);
	}
}

/* An agent writes it anew now and then: one that cannot be read, or is half a document, says nothing. */
static void
add_file(struct wisp_secrets *s, const char *name, const char *path)
{
	struct wisp_buf text = WISP_BUF_INIT;
	struct cJSON *doc;
	bool whole;

	if (wisp_file_read(path, FILE_MAX, &text) == 0 && text.len > 0) {
		doc = wisp_json_salvage(text.data, text.len, &whole);
		if (wisp_json_first(doc) != NULL)
			add_members(s, name, doc);
		else if (strcspn(text.data, "\r\n ") >= strlen(text.data) - 2)
			wisp_secrets_add(s, name, text.data);
		wisp_json_free(doc);
	}
	wisp_buf_release(&text);
}

const struct wisp_secrets *
wisp_secrets(void)
{
	static struct wisp_secrets known;
	static bool is_read;
	struct wisp_texts set = {0}, names = {0};

	if (is_read)
		return &known;
	is_read = true;
	wisp_given(WISP_GIVEN_SECRETS, &set, &names);
	for (size_t i = 0; i < set.count; i++) {
		const char *line = set.list[i], *equals = strchr(line, '=');
		char *name = wisp_str("%.*s", (int)(equals - line), line);

		if (*name == '@')
			add_file(&known, name + 1, equals + 1);
		else
			wisp_secrets_add(&known, name, equals + 1);
		free(name);
		free((char *)set.list[i]);
	}
	for (size_t i = 0; i < names.count; i++) {
		if (getenv(names.list[i]) != NULL)
			wisp_secrets_add(&known, names.list[i], getenv(names.list[i]));
		free((char *)names.list[i]);
	}
	free(set.list);
	free(names.list);
	wisp_secrets_ready(&known);
	return &known;
}

void
wisp_secrets_plain(void (*told)(void *arg, const char *name, const char *why), void *arg)
{
	struct wisp_texts lines = {0};

	wisp_given(WISP_GIVEN_SECRETS, &lines, &lines);
	for (size_t i = 0; i < lines.count; i++) {
		const char *line = lines.list[i], *equals = strchr(line, '=');
		char *name = wisp_str("%.*s", (int)(equals != NULL ? equals - line : (long)strlen(line)), line);
		const char *value = equals != NULL ? equals + 1 : getenv(name);

		if (*name != '@' && value != NULL && *value != '\0' && wisp_secret_plain(value) != NULL)
			told(arg, name, wisp_secret_plain(value));
		free(name);
		free((char *)line);
	}
	free(lines.list);
}
