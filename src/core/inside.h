/*
 * inside: is this program run by a step, or by another program of the project that
 * wisp supervises (verify, metrics, setup)? Such a one may not do what is a person's.
 *
 * It is told by its ancestors, one of which is then wisp-agent, or the first process
 * of the pid namespace that wisp-agent, or the sandbox, made; and by the pid namespace, which is not
 * the loop's. Variables can be cleared: they count where they are there. Without
 * /proc (macOS) ps(1) names the ancestors, and nothing is known of namespaces.
 */
#ifndef WISP_INSIDE_H
#define WISP_INSIDE_H

#include "place.h"

/* What it runs is a person's own, such as notify.command: the option right after `wisp-agent run`. */
#define WISP_OUTSIDE "--outside"

/* What bwrap is called in a sandbox of wisp, whose first process it is. */
#define WISP_INSIDE_BWRAP "wisp-bwrap"

bool wisp_inside(void);
/* The branch of that session, or of another one of the project, which has a live loop in another pid namespace; NULL
 * where there is none. Both may be NULL. The caller frees it. */
char *wisp_inside_other(const struct wisp_place *place, const char *project);
/* This process' pid namespace, as `pid:[NUMBER]`, or `-` where there is none to be told; the caller frees it. */
char *wisp_inside_name(void);

#endif
