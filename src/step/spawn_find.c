/*
 * spawn: which file is the program, and what is wrong with it. See spawn.h.
 */
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCRIPT_MAX 256	/* bytes of the first line that the kernel looks at */

const char *
wisp_spawn_fault(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		return "is not found";
	case EACCES:
	case EPERM:
		return "is not executable";
	case EISDIR:
		return "is a directory";
	case ENOEXEC:
		return "has the wrong format: it is neither a program nor a script with a #! line";
	case E2BIG:
		return "gets more arguments or environment than the system allows";
	default:
		return strerror(error);
	}
}

/* 0 if `path` may be a program, else the errno that says why not. */
static int
check(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	if (access(path, X_OK) < 0)
		return errno;
	return 0;
}

char *
wisp_spawn_find(const char *name, const char *path, int *error)
{
	char *file;
	size_t n;
	int why;

	if (strchr(name, '/') != NULL) {
		*error = check(name);
		return *error == 0 ? wisp_strdup(name) : NULL;
	}
	*error = ENOENT;
	while (*name != '\0' && path != NULL) {
		n = strcspn(path, ":");
		file = n == 0 ? wisp_str("./%s", name) : wisp_str("%.*s/%s", (int)n, path, name);
		why = check(file);
		if (why == 0)
			return file;
		if (why == EACCES)
			*error = why;
		free(file);
		path = path[n] == ':' ? path + n + 1 : NULL;
	}
	return NULL;
}

int
wisp_spawn_check(const char *name, const char *path)
{
	char head[SCRIPT_MAX] = "", *file, *interpreter;
	int error = 0, fd;

	file = wisp_spawn_find(name, path, &error);
	if (file == NULL)
		return error;
	error = 0;
	fd = open(file, O_RDONLY | O_CLOEXEC);
	/* One that can be executed, and not read, is a program. */
	if (fd >= 0 && read(fd, head, sizeof head - 1) == 0)
		error = ENOEXEC;
	if (fd >= 0)
		(void)close(fd);
	free(file);
	if (strncmp(head, "#!", 2) != 0)
		return error;
	interpreter = head + 2 + strspn(head + 2, " \t");
	interpreter[strcspn(interpreter, " \t\r\n")] = '\0';
	return check(interpreter);
}
