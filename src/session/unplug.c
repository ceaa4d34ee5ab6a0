/*
 * unplug: removes the named pipes that git would wait at for ever, and lets go
 * a git that waits at one already.
 *
 * git opens the rules that it finds in each folder of a work tree, and some
 * files of its own, whatever they are. Nobody writes into these pipes: a writer
 * that comes and goes is an end of file to whoever has opened one.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "verb.h"

static const char *const rules[] = {".gitignore", ".gitattributes", ".gitmodules"};

static bool
is_rule(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof rules / sizeof *rules; i++)
		if (strcmp(name, rules[i]) == 0)
			return true;
	return false;
}

/* A link to a pipe counts too. */
static void
unplug(int folder, const char *path, const char *name)
{
	struct stat st;
	int fd;

	if (fstatat(folder, name, &st, 0) < 0 || !S_ISFIFO(st.st_mode))
		return;
	/*
	 * Open until it is gone: who opens it meanwhile is let go, and must not come back to it. As reader and writer
	 * at once, since a writer alone is refused where nobody waits yet.
	 */
	fd = openat(folder, name, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 && errno == EACCES && fchmodat(folder, name, S_IRUSR | S_IWUSR, 0) == 0)
		fd = openat(folder, name, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (unlinkat(folder, name, 0) < 0)
		warn("cannot remove the pipe '%s/%s': %s", path, name, strerror(errno));
	else
		printf("%s/%s\n", path, name);
	if (fd >= 0)
		close(fd);
}

static void
walk(int parent, const char *name, const char *path, bool tree)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;
	char *below;

	if (dir == NULL) {	/* what cannot be read git cannot read either */
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((e = readdir(dir)) != NULL) {
		if (!tree || is_rule(e->d_name)) {
			unplug(fd, path, e->d_name);
		} else if ((e->d_type == DT_DIR || e->d_type == DT_UNKNOWN) && strcmp(e->d_name, ".") != 0 &&
			   strcmp(e->d_name, "..") != 0 && strcmp(e->d_name, ".git") != 0) {
			below = wisp_str("%s/%s", path, e->d_name);
			walk(fd, e->d_name, below, true);
			free(below);
		}
	}
	closedir(dir);
}

int
wisp_verb_unplug(struct wisp_cli *cli)
{
	char *info;
	int i;

	wisp_cli_read(cli, NULL, 1, 3);
	walk(AT_FDCWD, cli->argv[0], cli->argv[0], true);
	for (i = 1; i < cli->argc; i++) {
		info = wisp_str("%s/info", cli->argv[i]);
		walk(AT_FDCWD, cli->argv[i], cli->argv[i], false);
		walk(AT_FDCWD, info, info, false);
		free(info);
	}
	return 0;
}
