/*
 * proxy: the one way out of a step that may reach a list of hosts.
 *
 *	program -> loopback of the step's own: socat -> FOLDER/socket: socat -> squid on loopback
 *
 * The step has no other route. What does not ask the proxy reaches nothing, and nothing does any more once a part of it is
 * gone. squid decides by the name first, so that DNS is asked for no host that is not listed, then by the address that it
 * has: this machine, private and link-local addresses are refused, but for an address that is listed itself.
 *
 * FOLDER holds `socket`, `lock` (which the proxy has as long as it is there), `pid`, `hosts`, and squid/ with its
 * configuration, squid.log, and refused.log: a line for each refusal, `SECONDS RULE HOST PORT`.
 */
#ifndef WISP_SANDBOX_PROXY_H
#define WISP_SANDBOX_PROXY_H

#include <sys/types.h>
#include "core/buf.h"

/* squid's configuration for hosts, a line each. */
void wisp_proxy_config(struct wisp_buf *out, const char *hosts, unsigned port);
/*
 * There is a proxy for these hosts from now on, until `owner` ends; one for others in that folder is ended. Without hosts
 * there is none. NULL, or why not, for the caller to free.
 */
char *wisp_proxy_start(const char *folder, const char *hosts, pid_t owner);
/* What was refused since this was last asked, `HOST:PORT: WHY` once each, a line each. -1 with errno. */
int wisp_proxy_refused(const char *folder, struct wisp_buf *out) WISP_CHECK;
/* In the step: `socat` listens from now on. -1 with errno. */
int wisp_proxy_behind(const char *socat) WISP_CHECK;

#endif
