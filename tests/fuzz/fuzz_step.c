/*
 * fuzz_step: any bytes as the output of an agent.
 *
 * The first byte picks the format, the second the exit status and the size of
 * the pieces. What must hold: the pieces do not matter; the document is JSON;
 * only `ok` is without a reason; nothing grows beyond its bound.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "step/format.h"

static void
must(bool ok, const char *what)
{
	if (ok)
		return;
	warn("%s", what);
	abort();
}

static struct cJSON *
read_stream(const struct wisp_format *format, int exit_code, const char *data, size_t len, size_t piece)
{
	const struct wisp_ending end = {.exit_code = exit_code, .limit = -1};
	static struct wisp_parse parse;
	struct wisp_step step;
	struct cJSON *json;
	size_t n;

	wisp_step_init(&step);
	wisp_parse_init(&parse, format, &step);
	for (; len > 0; data += n, len -= n) {
		/* A copy of its own size, so that reading on is seen. */
		char *copy;

		n = piece < len ? piece : len;
		copy = wisp_alloc(n, 1);
		memcpy(copy, data, n);
		wisp_parse_feed(&parse, copy, n);
		free(copy);
	}
	wisp_parse_finish(&parse, &end);
	json = wisp_step_json(&step);
	must((step.outcome == WISP_OK) == (step.reason.len == 0), "a failure has its reason, a success none");
	must(strlen(step.final_text) <= WISP_TEXT_KEEP, "the final text has its bound");
	wisp_parse_release(&parse);
	wisp_step_release(&step);
	return json;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static const char *const formats[] = {
		"auto", "text", "claude", "codex", "gemini", "qwen", "opencode", "copilot", "amp"
	};
	static const int exits[] = {0, 1, 53, 127, 145, 173};
	const struct wisp_format *format;
	struct wisp_buf out = WISP_BUF_INIT;
	struct cJSON *whole, *pieces, *again;
	const char *data = (const char *)bytes + 2;
	int exit_code;

	if (len < 2)
		return 0;
	format = wisp_format_find(formats[bytes[0] % (sizeof formats / sizeof *formats)]);
	exit_code = exits[bytes[1] % (sizeof exits / sizeof *exits)];
	whole = read_stream(format, exit_code, data, len - 2, len);
	pieces = read_stream(format, exit_code, data, len - 2, bytes[1] / 16 + 1);
	must(wisp_json_equal(whole, pieces), "the pieces do not matter");
	wisp_json_print(&out, whole);
	again = wisp_json_parse(out.data, out.len, NULL, NULL);
	must(wisp_json_equal(whole, again), "the document reads back");
	wisp_buf_release(&out);
	wisp_json_free(whole);
	wisp_json_free(pieces);
	wisp_json_free(again);
	return 0;
}
