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

#define INPUT_MAX ((size_t)8 << 20)
#define TAIL ((off_t)512 << 10)		/* of a transcript: a last message is shorter */
#define LOOK_MS 300
#define LOOK_AGAIN_MS 20

struct cJSON *
wisp_hook_input(void)
{
	struct wisp_buf b = WISP_BUF_INIT;
	struct cJSON *v = NULL;
	ssize_t n;

	do {
		wisp_buf_grow(&b, 65536);
		n = read(STDIN_FILENO, b.data + b.len, 65536);
		if (n > 0)
			b.len += (size_t)n;
	} while (b.len < INPUT_MAX && (n > 0 || (n < 0 && errno == EINTR)));
	b.data[b.len] = '\0';
	v = wisp_json_parse(b.data, b.len, NULL, NULL);
	if (v != NULL && wisp_json_type(v) != WISP_T_OBJECT) {
		wisp_json_free(v);
		v = NULL;
	}
	wisp_buf_release(&b);
	return v;
}

char *
wisp_hook_from(const struct cJSON *input)
{
	const char *dir = getenv("CLAUDE_PROJECT_DIR");
	char *here;

	if (dir == NULL || access(dir, F_OK) != 0)
		dir = wisp_json_str(input, "cwd", "");
	if (*dir == '/' && access(dir, F_OK) == 0)
		return wisp_strdup(dir);
	here = getcwd(NULL, 0);
	return here != NULL ? here : wisp_strdup("/");
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

/* Is the marker in the last assistant message of the transcript as it is now? */
static bool
in_transcript(const char *path)
{
	struct wisp_buf b = WISP_BUF_INIT;
	bool found = false, is_last = false;

	read_end(&b, path);
	while (b.len > 0 && !is_last) {
		char *line = b.data + b.len, *text;
		struct cJSON *v;

		while (line > b.data && line[-1] != '\n')
			line--;
		v = wisp_json_parse(line, b.len - (size_t)(line - b.data), NULL, NULL);
		if (strcmp(wisp_json_str(v, "type", ""), "assistant") == 0) {
			text = text_of(wisp_json_get(v, "message"));
			/* A message of tool calls alone says nothing. */
			is_last = *text != '\0';
			found = wisp_hook_marked(text);
			free(text);
		}
		wisp_json_free(v);
		b.len = line > b.data ? (size_t)(line - b.data) - 1 : 0;
	}
	wisp_buf_release(&b);
	return found;
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
