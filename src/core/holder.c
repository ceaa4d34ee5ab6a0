/*
 * holder: see holder.h. The file holds one line: PID HOST ID SPACE HOME.
 */
#include "holder.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "inside.h"
#include "place.h"

#define LINE_MAX_KEPT 8192

void
wisp_holder_fill(struct wisp_holder *h, long pid, int fd)
{
	struct stat st;
	char *space;

	memset(h, 0, sizeof *h);
	h->pid = pid;
	if (gethostname(h->host, sizeof h->host - 1) != 0 || *h->host == '\0')
		strcpy(h->host, "-");
	if (fstat(fd, &st) == 0)
		snprintf(h->id, sizeof h->id, "%llx:%llx", (unsigned long long)st.st_dev, (unsigned long long)st.st_ino);
	space = wisp_inside_name();
	snprintf(h->space, sizeof h->space, "%s", space);
	free(space);
	h->home = wisp_place_root();
}

void
wisp_holder_write(const struct wisp_holder *h, int fd)
{
	char *line = wisp_str("%ld %s %s %s %s\n", h->pid, h->host, h->id, h->space, h->home != NULL ? h->home : "");

	if (ftruncate(fd, 0) == 0)
		(void)!wisp_fd_write(fd, line, strlen(line));
	free(line);
}

bool
wisp_holder_read(struct wisp_holder *h, const char *path)
{
	struct wisp_buf text = WISP_BUF_INIT;
	int at = 0;
	bool ok;

	memset(h, 0, sizeof *h);
	ok = wisp_file_read(path, LINE_MAX_KEPT, &text) == 0 && text.len > 0 && text.data[text.len - 1] == '\n' &&
	     sscanf(text.data, "%ld %255s %63s %63s %n", &h->pid, h->host, h->id, h->space, &at) == 4 && h->pid > 1;
	if (ok) {
		text.data[text.len - 1] = '\0';
		h->home = wisp_strdup(text.data + at);
	}
	wisp_buf_release(&text);
	return ok;
}

/* Where there is a /proc: a zombie has let go of its locks, but its number is still taken. */
static bool
is_zombie(long pid)
{
	struct wisp_buf text = WISP_BUF_INIT;
	char *path = wisp_str("/proc/%ld/stat", pid), *name;
	bool yes = false;

	if (wisp_file_read(path, LINE_MAX_KEPT, &text) == 0 && (name = strrchr(text.data, ')')) != NULL)
		yes = strncmp(name, ") Z", 3) == 0 || strncmp(name, ") X", 3) == 0;
	wisp_buf_release(&text);
	free(path);
	return yes;
}

bool
wisp_process_ended(long pid)
{
	return (kill((pid_t)pid, 0) < 0 && errno == ESRCH) || is_zombie(pid);
}

bool
wisp_holder_ended(const struct wisp_holder *h)
{
	char host[sizeof h->host] = "";

	return gethostname(host, sizeof host - 1) == 0 && strcmp(host, h->host) == 0 && wisp_process_ended(h->pid);
}

void
wisp_holder_release(struct wisp_holder *h)
{
	free(h->home);
	memset(h, 0, sizeof *h);
}
