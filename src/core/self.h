/*
 * self: where this program lies, and the others beside it.
 */
#ifndef WISP_SELF_H
#define WISP_SELF_H

#include "buf.h"

/* The folder of this program, links resolved; NULL where that cannot be told. The caller frees it. */
char *wisp_self_folder(void);
/*
 * Another program of wisp, by its name, as it is built or installed beside this one,
 * else on PATH; NULL: nowhere. The caller frees it.
 */
char *wisp_self_find(const char *name);

#endif
