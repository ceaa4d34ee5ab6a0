/*
 * names: see names.h.
 */
#include "names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "tree.h"

#define LIST_MAX ((size_t)1 << 30)
#define SHOWN 3

void
wisp_names_add(struct wisp_buf *list, const char *name)
{
	wisp_buf_add(list, name, strlen(name) + 1);
}

void
wisp_names_read(struct wisp_buf *list, const char *path)
{
	if (wisp_file_read(path, LIST_MAX, list) < 0 && errno != ENOENT)
		die_sys("cannot read '%s'", path);
}

void
wisp_names_write(const char *path, const struct wisp_buf *list)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, WISP_FILE_MODE);

	if (fd < 0 || wisp_fd_write(fd, list->data, list->len) < 0)
		die_sys("cannot write '%s'", path);
	close(fd);
}

static int
by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void
wisp_names_join(struct wisp_buf *list, const struct wisp_buf *more)
{
	struct wisp_texts names = {0};
	struct wisp_buf all = *list;
	const char *name, *last = NULL;
	size_t at = 0;

	if (more != NULL)
		wisp_buf_add(&all, more->data, more->len);
	while ((name = wisp_git_next(&all, &at)) != NULL)
		wisp_texts_add(&names, name);
	if (names.count > 0)
		qsort(names.list, names.count, sizeof *names.list, by_bytes);
	*list = (struct wisp_buf)WISP_BUF_INIT;
	for (size_t i = 0; i < names.count; i++)
		if (last == NULL || strcmp(last, names.list[i]) != 0)
			wisp_names_add(list, last = names.list[i]);
	wisp_buf_release(&all);
	free(names.list);
}

void
wisp_names_minus(struct wisp_buf *list, const struct wisp_buf *without)
{
	struct wisp_buf left = WISP_BUF_INIT;
	struct wisp_texts gone = {0};
	const char *name;
	size_t at = 0;

	while ((name = wisp_git_next(without, &at)) != NULL)
		wisp_texts_add(&gone, name);
	for (at = 0; (name = wisp_git_next(list, &at)) != NULL;)
		if (gone.count == 0 || bsearch(&name, gone.list, gone.count, sizeof *gone.list, by_bytes) == NULL)
			wisp_names_add(&left, name);
	free(gone.list);
	wisp_buf_release(list);
	*list = left;
}

char *
wisp_names_shown(const struct wisp_buf *list, const char *quote)
{
	struct wisp_buf words = WISP_BUF_INIT;
	size_t at = 0, count = 0;
	const char *name;

	for (; (name = wisp_git_next(list, &at)) != NULL; count++) {
		if (count >= SHOWN)
			continue;
		wisp_buf_printf(&words, "%s%s", count > 0 ? ", " : "", quote);
		for (; *name != '\0'; name++)
			wisp_buf_putc(&words, (unsigned char)*name < ' ' || *name == '\177' ? '?' : *name);
		wisp_buf_puts(&words, quote);
	}
	if (count > SHOWN)
		wisp_buf_printf(&words, " and %zu more", count - SHOWN);
	return wisp_buf_detach(&words);
}
