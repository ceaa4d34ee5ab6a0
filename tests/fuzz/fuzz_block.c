/*
 * fuzz_block: any text as the final message of an agent.
 *
 * What must hold: there is a block only where both markers are; its members
 * have their types, and its counts are counts; it can be kept as JSON, where the
 * message could; neither line ends nor what stands around it make a difference.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/block.h"

#define BEGIN "---PRP_PHASE_STATUS---"
#define END "---END_PRP_PHASE_STATUS---"

static void
must(bool ok, const char *what)
{
	if (ok)
		return;
	warn("%s", what);
	abort();
}

static bool
is_utf8(const char *text)
{
	size_t len = strlen(text);

	for (int n; len > 0; text += n, len -= (size_t)n)
		if ((n = wisp_utf8_char(text, len)) <= 0)
			return false;
	return true;
}

/* Text or null. */
static void
must_be_text(const struct cJSON *block, const char *key)
{
	enum wisp_type type = wisp_json_type(wisp_json_get(block, key));

	must(type == WISP_T_STRING || type == WISP_T_NULL, "phase, status and recommendation are text or null");
}

static void
check_members(const struct cJSON *block)
{
	const struct cJSON *blockers = wisp_json_get(block, "blockers"), *b;

	must(wisp_json_len(block) == 6, "a block has six members");
	must_be_text(block, "phase");
	must_be_text(block, "status");
	must_be_text(block, "recommendation");
	must(wisp_json_type(wisp_json_get(block, "exit_signal")) == WISP_T_BOOL, "the exit signal is a boolean");
	must(wisp_json_type(wisp_json_get(block, "metrics")) == WISP_T_OBJECT, "the metrics are an object");
	must(wisp_json_type(blockers) == WISP_T_ARRAY, "the blockers are an array");
	for (b = wisp_json_first(blockers); b != NULL; b = wisp_json_next(b))
		must(wisp_json_type(b) == WISP_T_STRING, "a blocker is text");
}

/* It goes into the record, and must come out of it. */
static void
check_kept(const struct cJSON *block)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_buf text = WISP_BUF_INIT;
	struct cJSON *again;

	wisp_json_print_compact(&text, block);
	again = wisp_json_parse(text.data, text.len, NULL, &err);
	must(again != NULL, "what is printed can be read");
	must(wisp_json_equal(again, block), "what is read is what was printed");
	wisp_json_free(again);
	wisp_buf_release(&text);
	wisp_err_release(&err);
}

/* The same block comes of a text that says the same. */
static void
check_same(const struct cJSON *block, struct wisp_buf *text, const char *what)
{
	struct cJSON *other = wisp_block_parse(text->data);

	must((other == NULL) == (block == NULL), what);
	must(block == NULL || wisp_json_equal(other, block), what);
	wisp_json_free(other);
	wisp_buf_reset(text);
}

static void
check_around(const struct cJSON *block, const char *text)
{
	struct wisp_buf b = WISP_BUF_INIT;

	for (const char *p = text; *p != '\0'; p++) {
		if (*p == '\n')
			wisp_buf_putc(&b, '\r');
		wisp_buf_putc(&b, *p);
	}
	check_same(block, &b, "CR LF is a line end");
	wisp_buf_printf(&b, "PHASE: before\n%s\nafter " BEGIN " and " END "\n", text);
	check_same(block, &b, "prose around it does not count");
	wisp_buf_printf(&b, "%s\n" BEGIN "\nPHASE: cut\n", text);
	check_same(block, &b, "one that is cut does not count");
	if (block != NULL) {
		wisp_buf_printf(&b, "%s\n%s", text, text);
		check_same(block, &b, "of two the last one counts");
	}
	wisp_buf_release(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	/* A copy of its own size, so that reading on is seen; it ends where a NUL is. */
	char *text = wisp_alloc(len + 1, 1);
	struct cJSON *block;

	if (len > 0)
		memcpy(text, bytes, len);
	text[len] = '\0';
	block = wisp_block_parse(text);
	if (block != NULL) {
		must(strstr(text, BEGIN) != NULL && strstr(text, END) != NULL, "a block has both markers");
		check_members(block);
		if (is_utf8(text))
			check_kept(block);
	}
	check_around(block, text);
	wisp_json_free(block);
	free(text);
	return 0;
}
