/*
 * lent: what lend*.c share; lend.h says what lending is.
 */
#ifndef WISP_SANDBOX_LENT_H
#define WISP_SANDBOX_LENT_H

#include <stdbool.h>

/* No link is followed. */
bool wisp_lent_is_folder(const char *path);
bool wisp_lent_is_file(const char *path);

#endif
