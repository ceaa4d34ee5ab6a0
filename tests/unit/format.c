/*
 * format: what streams mean, by the files of tests/cases/agent.
 *
 * NAME.stream is what an agent printed. NAME.expect holds blocks with an empty
 * line between them; each reads the stream once under the circumstances that
 * its bare words give (`format`, `exit`, `signal`, `sent`, `timed-out`, as
 * wisp-agent parse has them, and `given-up`) and names members of step.json, as JSON. Each is
 * read as a whole and byte by byte, which must make no difference.
 */
#include "core/file.h"
#include "core/json.h"
#include "step/format.h"
#include "step/signame.h"
#include "unit.h"

#define CASES "tests/cases/agent"

struct circumstances {
	const struct wisp_format *format;
	struct wisp_ending end;
};

/* One line of the circumstances; false if it is an expectation. */
static bool
circumstance(struct circumstances *c, const char *key, const char *value)
{
	if (strcmp(key, "format") == 0 && *value != '"')
		c->format = wisp_format_find(value);
	else if (strcmp(key, "exit") == 0)
		c->end.exit_code = atoi(value);
	else if (strcmp(key, "signal") == 0 && *value != '"')
		c->end.signal = wisp_signal_number(value);
	else if (strcmp(key, "sent") == 0)
		c->end.sent_signal = wisp_signal_number(value);
	else if (strcmp(key, "timed-out") == 0)
		c->end.timed_out = strcmp(value, "wall") == 0 ? WISP_WALL_TIME : strcmp(value, "idle") == 0 ? WISP_IDLE_TIME : WISP_LINGERED;
	else if (strcmp(key, "given-up") == 0)
		c->end.given_up = true;
	else
		return false;
	return true;
}

static struct cJSON *
read_stream(const struct circumstances *c, const struct wisp_buf *stream, size_t piece)
{
	static struct wisp_parse parse;
	struct wisp_step step;
	struct cJSON *json;
	size_t at, n;

	wisp_step_init(&step);
	wisp_parse_init(&parse, c->format, &step);
	for (at = 0; at < stream->len; at += n) {
		n = stream->len - at < piece ? stream->len - at : piece;
		wisp_parse_feed(&parse, stream->data + at, n);
	}
	wisp_parse_finish(&parse, &c->end);
	json = wisp_step_json(&step);
	wisp_parse_release(&parse);
	wisp_step_release(&step);
	return json;
}

static char *
print(const struct cJSON *v)
{
	struct wisp_buf out = WISP_BUF_INIT;

	wisp_json_print_compact(&out, v);
	if (out.len > 0 && out.data[out.len - 1] == '\n')
		out.data[--out.len] = '\0';
	return wisp_buf_detach(&out);
}

/* A failure has a reason. */
static void
check_reason(const struct cJSON *step, const char *label)
{
	if (strcmp(wisp_json_str(step, "outcome", ""), "ok") != 0 && wisp_json_str(step, "reason", NULL) == NULL)
		CHECK(false, label);
}

/* One block, up to an empty line; where the next begins. */
static char *
check_block(const char *name, int block, char *line, const struct wisp_buf *stream)
{
	struct circumstances c = {.end = {.exit_code = -1, .limit = -1}};
	struct cJSON *step = NULL;
	char *next, *value, *label, *whole, *bytes;

	for (; *line != '\0' && *line != '\n'; line = next) {
		next = line + strcspn(line, "\n");
		if (*next == '\n')
			*next++ = '\0';
		value = line + strcspn(line, " ");
		if (*value != '\0')
			*value++ = '\0';
		if (step == NULL && circumstance(&c, line, value))
			continue;
		if (step == NULL) {
			struct cJSON *slow = read_stream(&c, stream, 1);

			step = read_stream(&c, stream, stream->len + 1);
			whole = print(step);
			bytes = print(slow);
			label = wisp_str("%s %d: the pieces make no difference", name, block);
			CHECK_STR(bytes, whole, label);
			check_reason(step, label);
			free(label);
			free(whole);
			free(bytes);
			wisp_json_free(slow);
		}
		label = wisp_str("%s %d: %s", name, block, line);
		CHECK_OWN(print(wisp_json_get(step, line)), value, label);
		free(label);
	}
	wisp_json_free(step);
	return *line == '\n' ? line + 1 : line;
}

static void
read_case(struct wisp_buf *out, const char *name, const char *suffix)
{
	char *path = wisp_str(CASES "/%s%s", name, suffix);

	if (wisp_file_read(path, WISP_FILE_MAX, out) < 0)
		die_sys("cannot read '%s'", path);
	free(path);
}

static void
check_case(const char *name)
{
	struct wisp_buf stream = WISP_BUF_INIT, expect = WISP_BUF_INIT;
	int block = 0;
	char *at;

	read_case(&stream, name, ".stream");
	read_case(&expect, name, ".expect");
	for (at = expect.data; at != NULL && *at != '\0';)
		at = check_block(name, ++block, at, &stream);
	CHECK(block > 0, name);
	wisp_buf_release(&stream);
	wisp_buf_release(&expect);
}

/* Codex names no day where the limit ends within it; then the beginning of the step tells. */
static void
test_time_of_day(void)
{
	static const struct {
		const char *began, *words;
		wisp_ms after;
	} cases[] = {
		{"2026-11-28T03:21:40Z", "5:21 AM", 7160}, {"2026-11-28T03:21:40Z", "12:05 PM", 31400},
		{"2026-11-28T23:59:00Z", "12:30 AM", 1860}, {"2026-11-28T03:21:00Z", "3:21 AM", 86400},
		{"2026-12-31T23:00:00Z", "1:00 AM", 7200}, {"2026-11-28T03:21:40Z", "noon", -1}, {NULL, "5:21 AM", -1},
	};
	struct wisp_ending end = {.exit_code = 1, .limit = -1};
	static struct wisp_parse parse;
	struct wisp_step step;
	char *line;
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		wisp_step_init(&step);
		if (cases[i].began != NULL)
			step.started_at = wisp_time_parse(cases[i].began);
		wisp_parse_init(&parse, &wisp_format_codex, &step);
		line = wisp_str("{\"type\":\"turn.failed\",\"error\":{\"message\":"
				"\"You\xe2\x80\x99ve hit your usage limit. You may try again at %s.\"}}\n", cases[i].words);
		wisp_parse_feed(&parse, line, strlen(line));
		wisp_parse_finish(&parse, &end);
		CHECK_INT(step.resets_at, cases[i].after < 0 ? -1 : step.started_at + cases[i].after * 1000, cases[i].words);
		free(line);
		wisp_parse_release(&parse);
		wisp_step_release(&step);
	}
}

int
main(void)
{
	static const char suffix[] = ".expect";
	char **names, *at;
	size_t count, i;

	/* Some agents say in local time when a limit ends. */
	setenv("TZ", "UTC", 1);
	if (wisp_dir_list(CASES, &names, &count) < 0)
		die_sys("cannot list '%s'", CASES);
	for (i = 0; i < count; i++) {
		at = strstr(names[i], suffix);
		if (at == NULL || at[sizeof suffix - 1] != '\0')
			continue;
		*at = '\0';
		check_case(names[i]);
	}
	wisp_dir_list_free(names, count);
	test_time_of_day();
	return unit_done();
}
