/*
 * glob: patterns of file names, as a pathspec of git with the magic word `glob`
 * has them.
 *
 *	*  ?  [a-z]  [!a-z]	never match a slash
 *	** between slashes	any number of folders, none included
 *	dir			the file, or all that lies in a folder of that name
 *
 * A pattern begins at the top of the work tree; a slash at either end of it says
 * nothing. A backslash takes the next character as it is.
 */
#ifndef WISP_GLOB_H
#define WISP_GLOB_H

#include <stdbool.h>

bool wisp_glob(const char *pattern, const char *name);

#endif
