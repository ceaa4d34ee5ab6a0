/*
 * stamp: see stamp.h.
 */
#include "stamp.h"

#include <errno.h>
#include <sys/stat.h>

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

char *
wisp_stamp(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0) {
		if (errno != ENOENT && errno != ENOTDIR && errno != ELOOP)
			die_sys("cannot look at '%s'", path);
		return wisp_strdup("-");
	}
	return wisp_str("%llx.%llx.%llx.%llx.%lx", (unsigned long long)st.st_dev, (unsigned long long)st.st_ino,
			(unsigned long long)st.st_size, (unsigned long long)st.st_mtim.tv_sec, (long)st.st_mtim.tv_nsec);
}
