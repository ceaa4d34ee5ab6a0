/*
 * divergence: divergence.md, which an agent writes where its work departs from
 * the spec, as status and report show it.
 */
#include "status.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lines.h"

#define LOOKED_AT 4096	/* bytes in which the first line that says something is looked for */

/* The first line that says something, without the marks of a heading, into `line`. */
static void
first_line(struct wisp_buf *line, char *text)
{
	char *next;

	for (char *p = text; p != NULL && line->len == 0; p = next) {
		next = strchr(p, '\n');
		if (next != NULL)
			*next++ = '\0';
		wisp_buf_line(line, p + strspn(p, "# \t"), WISP_LINE_TEXT);
	}
}

struct cJSON *
wisp_status_divergence(const struct wisp_record *r)
{
	char *path = wisp_record_dir_path(r, "divergence.md"), text[LOOKED_AT + 1] = "";
	struct cJSON *divergence = wisp_json_object();
	struct wisp_buf line = WISP_BUF_INIT;
	struct stat st = {0};
	int fd = wisp_file_open(path);

	if (fd >= 0) {
		if (fstat(fd, &st) != 0 || pread(fd, text, LOOKED_AT, 0) < 0)
			st.st_size = 0;
		(void)close(fd);
	}
	for (size_t i = 0; i < LOOKED_AT && i < (size_t)st.st_size; i++)
		if (text[i] == '\0')
			text[i] = ' ';
	first_line(&line, text);
	wisp_json_set_str(divergence, "path", path);
	wisp_json_set_bool(divergence, "present", line.len > 0);
	wisp_json_set_num(divergence, "bytes", (double)st.st_size);
	wisp_json_set_str(divergence, "first", line.len > 0 ? line.data : NULL);
	wisp_buf_release(&line);
	free(path);
	return divergence;
}

void
wisp_report_divergence(struct wisp_buf *out, const struct cJSON *divergence)
{
	struct wisp_buf line = WISP_BUF_INIT;

	if (!wisp_json_bool(divergence, "present", false))
		return;
	wisp_line_label(&line, "diverges");
	wisp_line_cut(out, &line, wisp_json_str(divergence, "first", ""));
	wisp_line_label(out, "");
	wisp_buf_printf(out, "%.0f bytes: ", wisp_json_num(divergence, "bytes", 0));
	wisp_buf_line(out, wisp_json_str(divergence, "path", ""), SIZE_MAX);
	wisp_buf_putc(out, '\n');
}
