/*
 * self: see self.h.
 */
#include "self.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The program NAME of the first folder of PATH that has it, as it was found by the shell; NULL if none has. */
static char *
on_path(const char *name)
{
	const char *p = getenv("PATH");
	size_t n;

	for (; p != NULL && *p != '\0'; p += n + (p[n] == ':')) {
		char *file;

		n = strcspn(p, ":");
		file = wisp_str("%.*s/%s", (int)n, p, name);
		if (n > 0 && access(file, X_OK) == 0)
			return file;
		free(file);
	}
	return NULL;
}

char *
wisp_self_folder(void)
{
	char *file = NULL, *found, *name, *slash;

#if defined(__linux__) && !defined(WISP_PORTABLE)
	file = realpath("/proc/self/exe", NULL);
#endif
	if (file == NULL) {
		/* It may have been started under the name that people know: `wisp hook`. */
		name = wisp_strdup(wisp_die_program());
		for (char *p = name; (p = strchr(p, ' ')) != NULL; p++)
			*p = '-';
		found = on_path(name);
		free(name);
		file = found == NULL ? NULL : realpath(found, NULL);
		free(found);
	}
	slash = file == NULL ? NULL : strrchr(file, '/');
	if (slash != NULL)
		*slash = '\0';
	return file;
}

char *
wisp_self_find(const char *name)
{
	/* Built in one folder; installed in PREFIX/libexec/wisp/bin and PREFIX/bin. */
	static const char *const parts[] = {"", "/../../../bin", "/../libexec/wisp/bin"};
	char *own = wisp_self_folder(), *file = NULL;

	for (size_t i = 0; own != NULL && file == NULL && i < sizeof parts / sizeof *parts; i++) {
		file = wisp_str("%s%s/%s", own, parts[i], name);
		if (access(file, X_OK) != 0) {
			free(file);
			file = NULL;
		}
	}
	free(own);
	return file != NULL ? file : on_path(name);
}
