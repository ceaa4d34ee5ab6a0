/*
 * plan: what one step may read, write and reach, as one function over tables.
 *
 * The plan is a list of paths with what is allowed there and below. The longest
 * path that lies above a file decides. It names paths that exist, links
 * resolved, in byte order, so that a folder comes before what lies in it, and
 * none that changes nothing. A driver (driver.h) carries it out.
 *
 * The function asks the system through `struct wisp_sandbox_world` alone, and
 * changes nothing.
 */
#ifndef WISP_SANDBOX_PLAN_H
#define WISP_SANDBOX_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include "agent.h"
#include "core/buf.h"

#define WISP_SANDBOX_PATHS_MAX 200
#define WISP_SANDBOX_PROXY "/run/wisp/proxy"	/* a socket: the way to the proxy, where hosts are listed */
#define WISP_SANDBOX_PROXY_PORT "3128"		/* and on the loopback of the step */
#define WISP_SANDBOX_GIT "/run/wisp/git"	/* where a copy of the git folder has its objects from */

struct cJSON;

enum wisp_sandbox_driver {
	WISP_SANDBOX_BWRAP,
	WISP_SANDBOX_LANDLOCK,
	WISP_SANDBOX_OFF
};
extern const char *const wisp_sandbox_drivers[];	/* "bwrap", "landlock", "off"; NULL */

enum wisp_sandbox_access {
	WISP_SANDBOX_READ,	/* read and execute */
	WISP_SANDBOX_WRITE,	/* and change */
	WISP_SANDBOX_HIDE,	/* nothing of it is seen */
	WISP_SANDBOX_EMPTY	/* an empty folder of the step's own lies there */
};
extern const char *const wisp_sandbox_accesses[];	/* "read", "write", "hide", "empty"; NULL */

enum wisp_sandbox_network {
	WISP_SANDBOX_OPEN,
	WISP_SANDBOX_CLOSED,
	WISP_SANDBOX_HOSTS	/* those of the plan's list alone */
};

struct wisp_sandbox_world {
	/* The path without links, NULL where there is none; the caller frees it. */
	char *(*real)(const void *arg, const char *path);
	bool (*is_folder)(const void *arg, const char *path);
	/* As wisp_dir_list. */
	int (*list)(const void *arg, const char *path, char ***names, size_t *count);
	const void *arg;
};
extern const struct wisp_sandbox_world wisp_sandbox_system;

/* All paths are absolute; NULL is none. */
struct wisp_sandbox_facts {
	enum wisp_sandbox_driver driver;
	int abi;			/* of landlock, 0 for none */
	bool root;
	const char *worktree;		/* what the step works on */
	const char *project, *common, *gitdir;	/* the repository's top, its git folder, that of the work tree */
	const char *session, *records;	/* the session's folder; WISP_HOME */
	const char *home, *config_home, *data_home, *runtime;	/* HOME and the XDG folders */
	const char *tmp, *caches;	/* folders outside for what is the step's own, and the session's */
	const char *session_copy, *git_copy;	/* what lies in the place of session and common; NULL: those, read-only */
	const char *proxy;	/* the socket of proxy.h; NULL: none */
	const char *agent_config;	/* in the place of the agent's configuration folder; NULL: that one, but for what runs later */
	const char *const *programs;	/* folders of wisp's own programs, and what is to be started; NULL at the end */
	const char *agent;		/* its name */
	const struct wisp_sandbox_agent *agents;	/* all tables, that one's among them; a NULL name at the end */
	char *const *env;
	const struct cJSON *config;	/* thresholds in force (config.h) */
	const char *network_key;	/* NULL: sandbox.network */
	const struct wisp_sandbox_world *world;
};

struct wisp_sandbox_path {
	char *path, *from;	/* from: what lies there inside, where that is another path outside; else NULL */
	enum wisp_sandbox_access access;
	bool folder;
	const char *why;	/* static text */
};

struct wisp_sandbox_variable {
	char *name, *value;	/* a NULL value takes it away */
};

struct wisp_sandbox_plan {
	enum wisp_sandbox_driver driver;
	struct wisp_sandbox_path *paths;
	size_t count;
	struct wisp_sandbox_variable *variables;
	size_t variable_count;
	enum wisp_sandbox_network network;
	bool user_namespaces;
	struct wisp_buf hosts;		/* names, a line each */
	struct wisp_buf watched;	/* paths that did not exist and may be made, though programs outside would run them; each ends with NUL */
	struct wisp_buf weak;		/* what is not held off, a line each */
	struct wisp_buf notes;		/* what the user named and is not there, a line each */
};

/* -1 with `err` where the configuration asks for what cannot be. wisp_sandbox_plan_release ends the plan in either case. */
int wisp_sandbox_plan(struct wisp_sandbox_plan *p, const struct wisp_sandbox_facts *f, struct wisp_err *err) WISP_CHECK;
void wisp_sandbox_plan_release(struct wisp_sandbox_plan *p);
/* Does `path` lie below `top`, or is it that? */
bool wisp_sandbox_below(const char *path, const char *top);
/* The plan as text for people, or as a document that the caller frees. */
void wisp_sandbox_print(struct wisp_buf *out, const struct wisp_sandbox_plan *p);
struct cJSON *wisp_sandbox_json(const struct wisp_sandbox_plan *p);

#endif
