/*
 * message: see message.h.
 */
#include "message.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/time.h"

#define CHUNK 65536
#define INPUT_MAX ((size_t)8 << 20)
#define INPUT_MS 5000			/* for all of it to arrive: Claude Code writes it at once */
#define TAIL ((off_t)2 << 20)		/* of a transcript: a last message is shorter */
#define LOOK_MS 300
#define LOOK_AGAIN_MS 20

/* Is there something to be read, or the end, within `wait` milliseconds? */
static bool
readable(wisp_ms wait)
{
	struct pollfd in = {STDIN_FILENO, POLLIN, 0};
	int n;

	do
		n = poll(&in, 1, wait > 0 ? (int)wait : 0);
	while (n < 0 && errno == EINTR);
	return n != 0;
}

/* Once more from standard input: false at its end. What is beyond the limit is read, or its writer would fail. */
static bool
read_some(struct wisp_buf *b)
{
	size_t kept = b->len;
	ssize_t n;

	wisp_buf_grow(b, CHUNK);
	n = read(STDIN_FILENO, b->data + b->len, CHUNK);
	if (n > 0 && kept < INPUT_MAX)
		b->len += (size_t)n;
	b->data[b->len] = '\0';
	return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

static bool
ends_object(const struct wisp_buf *b)
{
	size_t n = b->len;

	while (n > 0 && strchr(" \t\r\n", b->data[n - 1]) != NULL)
		n--;
	return n > 0 && b->data[n - 1] == '}';
}

struct cJSON *
wisp_hook_input(void)
{
	wisp_ms end = wisp_time_monotonic() + INPUT_MS;
	struct wisp_buf b = WISP_BUF_INIT;
	struct cJSON *v = NULL;
	bool whole = false;

	/* Who does not close its end is not waited for once it has said everything. */
	wisp_buf_grow(&b, CHUNK);
	while (!whole && readable(end - wisp_time_monotonic()) && read_some(&b))
		if (ends_object(&b) && !readable(0)) {
			wisp_json_free(v);
			v = wisp_json_salvage(b.data, b.len, &whole);
		}
	if (!whole) {
		wisp_json_free(v);
		v = wisp_json_salvage(b.data, b.len, &whole);
	}
	wisp_buf_release(&b);
	if (v != NULL && wisp_json_type(v) != WISP_T_OBJECT) {
		wisp_json_free(v);
		v = NULL;
	}
	return v;
}

char *
wisp_hook_from(const struct cJSON *input)
{
	const char *project = getenv("CLAUDE_PROJECT_DIR"), *cwd = wisp_json_str(input, "cwd", "");
	char *here;

	if (project != NULL && *project == '/' && access(project, F_OK) == 0)
		return wisp_strdup(project);
	if (*cwd == '/')
		return wisp_strdup(cwd);
	here = getcwd(NULL, 0);
	return here != NULL ? here : wisp_strdup("/");
}

const char *
wisp_hook_session(const struct cJSON *input)
{
	const char *id = wisp_json_str(input, "session_id", "");

	return *id != '\0' ? id : NULL;
}

bool
wisp_hook_marked(const char *text)
{
	const size_t len = strlen(WISP_HOOK_MARKER);

	for (const char *p = text; (p = strstr(p, WISP_HOOK_MARKER)) != NULL; p += len) {
		const char *a = p, *b = p + len;

		while (a > text && strchr(" \t\r", a[-1]) != NULL)
			a--;
		b += strspn(b, " \t\r");
		if ((a == text || a[-1] == '\n') && (*b == '\0' || *b == '\n'))
			return true;
	}
	return false;
}

/* The text parts of a message, joined. The caller frees it. */
static char *
text_of(const struct cJSON *message)
{
	const struct cJSON *content = wisp_json_get(message, "content");
	struct wisp_buf b = WISP_BUF_INIT;

	if (wisp_json_type(content) == WISP_T_STRING)
		return wisp_strdup(wisp_json_text(content, ""));
	for (const struct cJSON *c = wisp_json_first(content); c != NULL; c = wisp_json_next(c)) {
		if (strcmp(wisp_json_str(c, "type", ""), "text") != 0)
			continue;
		wisp_buf_puts(&b, b.len > 0 ? "\n" : "");
		wisp_buf_puts(&b, wisp_json_str(c, "text", ""));
	}
	return wisp_buf_detach(&b);
}

/* The last bytes of a file, from the beginning of a line where that can be. */
static void
read_end(struct wisp_buf *b, const char *path)
{
	int fd = wisp_file_open(path);
	off_t size = fd < 0 ? 0 : lseek(fd, 0, SEEK_END), from = size > TAIL ? size - TAIL : 0;
	ssize_t n;

	wisp_buf_grow(b, (size_t)TAIL + 1);
	n = fd < 0 ? 0 : pread(fd, b->data, (size_t)TAIL, from);
	b->len = n > 0 ? (size_t)n : 0;
	b->data[b->len] = '\0';
	if (fd >= 0)
		(void)close(fd);
}

enum said { NOTHING, MARKED, UNMARKED, STALE };

/*
 * What a line of a transcript says of the last message. One of a subagent says nothing, and neither does a message
 * of tool calls alone. Somebody else's turn is STALE: the message that comes after it is not there yet.
 */
static enum said
said_by(const char *line, size_t len)
{
	bool whole = false;
	struct cJSON *v = wisp_json_salvage(line, len, &whole);
	const char *type = wisp_json_str(v, "type", "");
	enum said said = NOTHING;
	char *text;

	if (whole && !wisp_json_bool(v, "isSidechain", false) && !wisp_json_bool(v, "isMeta", false)) {
		if (strcmp(type, "user") == 0)
			said = STALE;
		if (strcmp(type, "assistant") == 0) {
			text = text_of(wisp_json_get(v, "message"));
			if (*text != '\0')
				said = wisp_hook_marked(text) ? MARKED : UNMARKED;
			free(text);
		}
	}
	wisp_json_free(v);
	return said;
}

/* Is the marker in the last assistant message of the transcript as it is now? */
static bool
in_transcript(const char *path)
{
	struct wisp_buf b = WISP_BUF_INIT;
	enum said said = NOTHING;

	read_end(&b, path);
	while (b.len > 0 && said == NOTHING) {
		char *line = b.data + b.len;

		while (line > b.data && line[-1] != '\n')
			line--;
		said = said_by(line, b.len - (size_t)(line - b.data));
		b.len = line > b.data ? (size_t)(line - b.data) - 1 : 0;
	}
	wisp_buf_release(&b);
	return said == MARKED;
}

bool
wisp_hook_marker(const struct cJSON *input)
{
	const char *said = wisp_json_str(input, "last_assistant_message", NULL), *home = getenv("HOME");
	const char *transcript = wisp_json_str(input, "transcript_path", NULL);
	wisp_ms end = wisp_time_monotonic() + LOOK_MS;
	char *path;
	bool found;

	if (said != NULL || transcript == NULL)
		return said != NULL && wisp_hook_marked(said);
	path = strncmp(transcript, "~/", 2) == 0 && home != NULL ? wisp_str("%s%s", home, transcript + 1) : wisp_strdup(transcript);
	while (!(found = in_transcript(path)) && wisp_time_monotonic() < end)
		(void)poll(NULL, 0, LOOK_AGAIN_MS);
	free(path);
	return found;
}
