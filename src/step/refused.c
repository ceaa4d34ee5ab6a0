/* refused: see refused.h. */
#include "refused.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/buf.h"

/* What ends the path at `p`, where a quotation mark of a tool or a locale stands before it; or NULL. */
static const char *
closing_mark(const char *text, const char *p)
{
	static const char *const marks[][2] = {
		{"'", "'"}, {"\"", "\""}, {"`", "`"}, {"\u2018", "\u2019"}, {"\u201c", "\u201d"},
	};
	size_t n;

	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		n = strlen(marks[i][0]);
		if ((size_t)(p - text) >= n && memcmp(p - n, marks[i][0], n) == 0)
			return marks[i][1];
	}
	return NULL;
}

/* The length of the absolute path that begins at `p` of `text`, 0 where none does. */
static size_t
path_at(const char *text, const char *p)
{
	const char *mark = closing_mark(text, p), *end = mark != NULL ? strstr(p, mark) : NULL;

	if (*p != '/' || (mark == NULL && p > text && strchr(" \t\n(=:", p[-1]) == NULL))
		return 0;
	return end != NULL ? (size_t)(end - p) : strcspn(p, mark != NULL ? "\n" : " \t\n):,");
}

/*
 * The path that the error at `error` is about: the last one before it in its line, since a shell
 * names its script first; else the first one after it, where Python and Node.js have it.
 */
static const char *
path_about(const char *text, const char *error, size_t *len)
{
	const char *p = error;

	for (*len = 0; *len == 0 && p > text && p[-1] != '\n'; *len = path_at(text, p))
		p--;
	if (*len == 0)
		for (p = error; *p != '\n' && *p != '\0' && (*len = path_at(text, p)) == 0; p++)
			;
	return p;
}

/* What allows it; NULL where no sandbox refused it: what is hidden is there out here. */
static const char *
setting_for(const char *path, bool hidden, const char *setting)
{
	struct stat st;

	if (!hidden)
		return setting;
	/* A program whose interpreter is missing is said to be missing, too. */
	if (stat(path, &st) < 0 || (S_ISREG(st.st_mode) && (st.st_mode & 0111) != 0))
		return NULL;
	return S_ISSOCK(st.st_mode) ? "sandbox.sockets PATH" : setting;
}

static bool
is_below(const char *path, const char *folder)
{
	size_t n = folder != NULL ? strlen(folder) : 0;

	return n > 0 && strncmp(path, folder, n) == 0 && path[n] == '/';
}

char *
wisp_refused(const char *text, const char *tree)
{
	static const struct { const char *error, *verb, *setting; bool hidden; } refusals[] = {
		{"Read-only file system", "change", "sandbox.write PATH", false},
		{"Permission denied", "reach", "sandbox.read PATH, or sandbox.write", false},
		{"No such file or directory", "see", "sandbox.read PATH", true},
	};
	const char *at, *from, *setting;
	char *path, *said = NULL;
	size_t len;

	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
		for (at = text; said == NULL && (at = strcasestr(at, refusals[i].error)) != NULL; at++) {
			from = path_about(text, at, &len);
			path = wisp_str("%.*s", (int)len, from);
			setting = setting_for(path, refusals[i].hidden, refusals[i].setting);
			if (len > 0 && setting != NULL && !is_below(path, tree))
				said = wisp_str("the sandbox does not let it %s '%s': wisp config --add %s",
						refusals[i].verb, path, setting);
			free(path);
		}
	return said;
}
