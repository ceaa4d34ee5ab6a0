/*
 * parent: nobody reads the answer of a wait whose caller was killed.
 */
#ifndef WISP_WAIT_PARENT_H
#define WISP_WAIT_PARENT_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * The process of --parent, by its number; dies for what is none. From here on its end is this process's:
 * by SIGTERM where the kernel tells of it, else whoever waits has to ask wisp_parent_gone now and then.
 */
pid_t wisp_parent_follow(const char *text);
/* 0 is nobody, who is never gone. */
bool wisp_parent_gone(pid_t parent);

#endif
