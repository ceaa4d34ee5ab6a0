/*
 * The plan of a sandbox: a table of cases on a world that is a list of paths and the
 * tables of agents.
 */
#include "unit.h"

#include "core/config.h"
#include "core/file.h"
#include "sandbox/agent.h"
#include "sandbox/plan.h"

/* The world of a case: paths, one a line; `A -> B` is a link; what ends with / is a folder. */
static const char *
line_of(const char *world, const char *path, size_t *len)
{
	size_t n;

	for (; *world != '\0'; world += n + (world[n] == '\n')) {
		n = strcspn(world, "\n");
		*len = n > 1 && world[n - 1] == '/' ? n - 1 : n;
		if (strncmp(world, path, strlen(path)) == 0 &&
		    (*len == strlen(path) || strncmp(world + strlen(path), " -> ", 4) == 0))
			return world;
	}
	return NULL;
}

static char *
fake_real(const void *arg, const char *path)
{
	const char *line, *target;
	size_t len;

	if (strcmp(path, "/") == 0)
		return wisp_strdup(path);
	line = line_of(arg, path, &len);
	if (line == NULL)
		return NULL;
	target = strstr(line, " -> ");
	if (target == NULL || target > line + len)
		return wisp_strdup(path);
	target += 4;
	return target < line + len ? wisp_str("%.*s", (int)(line + len - target), target) : wisp_strdup("/");
}

static bool
fake_folder(const void *arg, const char *path)
{
	size_t len;
	const char *line = line_of(arg, path, &len);

	return strcmp(path, "/") == 0 || (line != NULL && line[len] == '/');
}

static int
fake_list(const void *arg, const char *path, char ***names, size_t *count)
{
	const char *world = arg;
	size_t n, len = strlen(path);

	*names = NULL;
	*count = 0;
	for (; *world != '\0'; world += n + (world[n] == '\n')) {
		n = strcspn(world, "\n");
		if (n < len + 2 || strncmp(world, path, len) != 0 || world[len] != '/' ||
		    memchr(world + len + 1, '/', n - len - 2) != NULL)
			continue;
		*names = wisp_realloc(*names, *count + 1, sizeof **names);
		(*names)[(*count)++] = wisp_str("%.*s", (int)(n - len - 1 - (world[n - 1] == '/')), world + len + 1);
	}
	return 0;
}

#define BASE "/tmp/\n/t/\n/c/\n/run/\n/h/\n/r/\n/r/.git/\n/r/.git/worktrees/w/\n/r/.wisp/\n/r/.wisp/w/\n/r/.wisp/w/.git\n/s/\n"

struct plan_case {
	const char *label, *world, *config;	/* config: KEY=VALUE, one a line */
	enum wisp_sandbox_driver driver;
	bool root, in_place, copies, agent_config;
	const char *agent, *home, *records, *wants;	/* wants: lines of the plan's text, or `error: TEXT` */
	const char *lacks;			/* text that it has not */
};

static const char tables[][160] = {
	"write ~/.one\nwrite ~/.one.json\nconfig ONE_DIR ~/.one\nfixed ~/.one/settings\nfixed ~/.one/hooks\nlogin ~/.one/login\n"
	"host one.example\nset ONE_SANDBOX=off\n",
	"write ~/.two\nlogin ~/.two/login\nread ~/.tools\nhost two.example\n",
};

static const struct plan_case cases[] = {
	{.label = "a linked work tree: nothing else is written, git and wisp's records neither", .world = BASE,
	 .wants = "driver   bwrap\n"
		  "read     /  (the system)\n"
		  "write    /c  (caches of the session)\n"
		  "write    /r/.wisp/w  (the work tree)\n"
		  "read     /r/.wisp/w/.git  (the repository)\n"
		  "empty    /run  (sockets of services)\n"
		  "hide     /s  (the records of wisp)\n"
		  "write    /tmp from /t  (temporary files)\n"
		  "network  open\n"},
	{.label = "in place: git and wisp's folder are taken out of what is written", .world = BASE, .in_place = true,
	 .wants = "write    /r  (the work tree)\n"
		  "read     /r/.git  (the repository)\n"
		  "read     /r/.wisp  (the project's configuration of wisp)\n"
		  "empty    /run  (sockets of services)\n"},
	{.label = "what is hidden, links followed, and only what exists", .root = true,
	 .world = BASE "/h/.ssh -> /keys\n/keys/\n/h/.netrc\n/h/.cargo/credentials\n/h/.cargo/credentials.toml\n/h/.config/gh/\n"
		       "/etc/shadow\n/etc/shadow-\n",
	 .wants = "hide     /etc/shadow  (the system's keys)\n"
		  "hide     /etc/shadow-  (the system's keys)\n"
		  "hide     /h/.cargo/credentials  (keys and passwords)\n"
		  "hide     /h/.cargo/credentials.toml  (keys and passwords)\n"
		  "hide     /h/.config/gh  (keys and passwords)\n"
		  "hide     /h/.netrc  (keys and passwords)\n"
		  "hide     /keys  (keys and passwords)\n", .lacks = "/h/.ssh"},
	{.label = "the system's own keys cannot be read by others anyway", .world = BASE "/etc/shadow\n",
	 .wants = "driver   bwrap\n", .lacks = "/etc/shadow"},
	{.label = "a person's word reads what is hidden, and hides what is read", .world = BASE "/h/.npmrc\n/h/.ssh/\n/h/.ssh/config\n/h/x\n",
	 .config = "sandbox.read=~/.npmrc\nsandbox.read=/h/.ssh/config\nsandbox.hide=~/x\nsandbox.hide=/gone",
	 .wants = "hide     /h/.ssh  (keys and passwords)\nread     /h/.ssh/config  (sandbox.read)\nhide     /h/x  (sandbox.hide)\n",
	 .lacks = "/h/.npmrc"},
	{.label = "a path that does not exist is named, and nothing is made", .world = BASE, .config = "sandbox.write=/gone",
	 .wants = "note     sandbox.write: '/gone' does not exist\n", .lacks = "write    /gone"},
	{.label = "sandbox.write", .world = BASE "/data/\n", .config = "sandbox.write=/data",
	 .wants = "write    /data  (sandbox.write)\n"},
	{.label = "everything cannot be written", .world = BASE, .config = "sandbox.write=/",
	 .wants = "error: sandbox.write: '/' is everything; sandbox = off confines nothing"},
	{.label = "  nor by a link to it", .world = BASE "/all -> /\n", .config = "sandbox.write=/all",
	 .wants = "error: sandbox.write: '/all' is everything; sandbox = off confines nothing"},
	{.label = "  nor what holds the records", .world = BASE "/h/state/\n/h/state/wisp/\n", .records = "/h/state/wisp",
	 .config = "sandbox.write=~/state", .wants = "error: sandbox.write: '/h/state' holds the records of wisp, or lies in them ('/h/state/wisp')"},
	{.label = "  nor what lies in them", .world = BASE "/s/x/\n",
	 .config = "sandbox.write=/s/x", .wants = "error: sandbox.write: '/s/x' holds the records of wisp, or lies in them ('/s')"},
	{.label = "  nor a work tree that holds them", .world = BASE "/r/s/\n", .records = "/r/s", .in_place = true,
	 .wants = "error: the work tree: '/r' holds the records of wisp, or lies in them ('/r/s')"},
	{.label = "a relative path means nothing", .world = BASE, .config = "sandbox.read=x",
	 .wants = "error: sandbox.read: expected an absolute path, or one that begins with ~/, not 'x'"},
	{.label = "a private home: what an agent needs in it is there", .world = BASE "/h/.tools/\n/h/.two/\n/h/x\n",
	 .config = "sandbox.home=private", .agent = "two",
	 .wants = "hide     /h  (sandbox.home is private)\n"
		  "read     /h/.tools  (needed by the agent)\n"
		  "write    /h/.two  (the agent's state)\n"},
	{.label = "a work tree in a hidden folder is there", .world = BASE, .config = "sandbox.hide=/r/.wisp",
	 .wants = "hide     /r/.wisp  (sandbox.hide)\nwrite    /r/.wisp/w  (the work tree)\n"},
	{.label = "copies take the place of the session's folder and of the git folder", .copies = true,
	 .world = BASE "/r/.wisp/s/\n/sc/\n/gc/\n/gc/config\n/gc/worktrees/w/commondir\n/r/.git/config\n/r/.git/worktrees/w/commondir\n",
	 .wants = "write    /r/.git from /gc  (a copy of the git folder)\n"
		  "read     /r/.git/config from /gc/config  (a copy of the git folder)\n"
		  "read     /r/.git/worktrees/w/commondir from /gc/worktrees/w/commondir  (a copy of the git folder)\n"
		  "write    /r/.wisp/s from /sc  (a copy of the session's folder)\n"},
	{.label = "  and its objects are read elsewhere", .copies = true, .world = BASE "/gc/\n/r/.git/objects/\n",
	 .wants = "read     /run/wisp/git/objects from /r/.git/objects  (the repository's objects)\n"},
	{.label = "an agent's state is written but for what runs later; others' logins are hidden", .agent = "one",
	 .world = BASE "/h/.one/\n/h/.one/settings\n/h/.one/login\n/h/.two/\n/h/.two/login\n",
	 .wants = "write    /h/.one  (the agent's state)\n"
		  "read     /h/.one/settings  (what the agent's program runs later)\n"
		  "hide     /h/.two/login  (another agent's login)\n"},
	{.label = "  what runs later and does not exist is watched", .agent = "one", .world = BASE "/h/.one/\n/h/.one/settings\n",
	 .wants = "watched  /h/.one/hooks\n", .lacks = "watched  /h/.one/settings"},
	{.label = "  its own sandbox is off", .agent = "one", .world = BASE, .wants = "set      ONE_SANDBOX=off\n"},
	{.label = "  in a session it has a folder of its own", .agent = "one", .agent_config = true, .world = BASE "/h/.one/\n/a/\n",
	 .wants = "write    /a  (the agent's state in this session)\n", .lacks = "/h/.one"},
	{.label = "an unknown agent has none", .agent = "three", .world = BASE "/h/.one/login\n",
	 .wants = "hide     /h/.one/login  (another agent's login)\n"},
	{.label = "services are let in by name", .world = BASE "/run/docker.sock\n/tmp/agent.1\n",
	 .config = "sandbox.sockets=docker\nsandbox.sockets=ssh-agent",
	 .wants = "write    /run/docker.sock  (sandbox.sockets)\n", .lacks = "unset    DOCKER_HOST"},
	{.label = "  by that of a variable", .world = BASE "/tmp/agent.1\n", .config = "sandbox.sockets=ssh-agent",
	 .wants = "write    /tmp/agent.1  (sandbox.sockets)\n", .lacks = "unset    SSH_AUTH_SOCK"},
	{.label = "  or by path", .world = BASE "/run/x.sock\n", .config = "sandbox.sockets=/run/x.sock",
	 .wants = "write    /run/x.sock  (sandbox.sockets)\n"},
	{.label = "  else none", .world = BASE, .wants = "unset    SSH_AUTH_SOCK\nunset    SSH_AGENT_PID\nunset    DOCKER_HOST\n"},
	{.label = "  not by other words", .world = BASE, .config = "sandbox.sockets=dockr",
	 .wants = "error: sandbox.sockets: expected ssh-agent, docker, dbus, x11, wayland, gpg-agent, tmux or an absolute path, not 'dockr'"},
	{.label = "no network", .world = BASE, .config = "sandbox.network=off", .wants = "network  off\n", .lacks = "sent away"},
	{.label = "the agent's hosts and others", .world = BASE, .agent = "one",
	 .config = "sandbox.network=agent\nsandbox.network=*.example.org\nsandbox.network=db:5432\nsandbox.network=[::1]:80",
	 .wants = "network  hosts\nhost     one.example\nhost     *.example.org\nhost     db:5432\nhost     [::1]:80\n"},
	{.label = "  of an agent that is not known: none", .world = BASE, .agent = "three", .config = "sandbox.network=agent",
	 .wants = "network  off\n"},
	{.label = "  by a proxy alone", .world = BASE "/p\n", .config = "sandbox.network=a.b",
	 .wants = "read     /run/wisp/proxy from /p  (the way to the hosts of sandbox.network)\n", .lacks = "weak     what is read can be sent"},
	{.label = "  which programs are told", .world = BASE "/p\n", .config = "sandbox.network=a.b",
	 .wants = "set      https_proxy=http://127.0.0.1:3128\n"},
	{.label = "  and landlock cannot", .world = BASE, .driver = WISP_SANDBOX_LANDLOCK, .config = "sandbox.network=a.b",
	 .wants = "error: landlock cannot hold a step to the hosts of sandbox.network: sandbox = bwrap can"},
	{.label = "off stands alone", .world = BASE, .config = "sandbox.network=off\nsandbox.network=a.b",
	 .wants = "error: sandbox.network: 'off' stands alone, without hosts beside it"},
	{.label = "caches of the person", .world = BASE "/h/.npm/\n", .config = "sandbox.caches=shared",
	 .wants = "write    /h/.npm  (sandbox.caches is shared)\n", .lacks = "set      npm_config_cache"},
	{.label = "caches of the session", .world = BASE "/h/.npm/\n", .wants = "set      npm_config_cache=/c/npm\n", .lacks = "/h/.npm"},
	{.label = "commits are not signed, the key is hidden", .world = BASE, .wants = "set      GIT_CONFIG_KEY_1=commit.gpgSign\n"},
	{.label = "but with an agent that has it", .world = BASE, .config = "sandbox.sockets=ssh-agent",
	 .wants = "set      GIT_CONFIG_KEY_0=safe.directory\n", .lacks = "commit.gpgSign"},
	{.label = "a folder of PATH in /run or /tmp is found where it is", .world = BASE "/run/tools -> /nix/bin\n/tmp/bin/\n",
	 .wants = "set      PATH=/usr/bin:/nix/bin:/tmp/bin:/run/none:\n"},
	{.label = "and read there, too", .world = BASE "/tmp/bin/\n",
	 .wants = "read     /tmp/bin  (PATH)\n", .lacks = "set      PATH"},
	{.label = "a repository in /tmp is seen there", .world = "/tmp/\n/t/\n/tmp/w/\n", .in_place = true, .home = "/tmp/w",
	 .wants = "write    /tmp from /t  (temporary files)\n"},
	{.label = "a home in /tmp is read there", .world = BASE "/tmp/h/\n", .home = "/tmp/h",
	 .wants = "write    /tmp from /t  (temporary files)\nread     /tmp/h  (the home folder)\n"},
	{.label = "nothing is hidden twice", .world = BASE "/h/.ssh/\n", .home = "/h", .config = "sandbox.home=private",
	 .wants = "hide     /h  (sandbox.home is private)\n", .lacks = "/h/.ssh"},
	{.label = "landlock: temporary files lie elsewhere", .world = BASE, .driver = WISP_SANDBOX_LANDLOCK, .wants = "set      TMPDIR=/t\n"},
	{.label = "landlock: what it cannot hold is said", .world = BASE, .driver = WISP_SANDBOX_LANDLOCK, .in_place = true,
	 .wants = "weak     '/r/.git' can be changed: landlock takes nothing out of a folder\n"},
	{.label = "landlock: what lies in the /tmp that it refuses is held", .world = BASE "/tmp/bin/\n",
	 .driver = WISP_SANDBOX_LANDLOCK, .wants = "read     /tmp/bin  (PATH)\n", .lacks = "'/tmp/bin' can be changed"},
	{.label = "landlock: a copy of the git folder is written where it lies", .world = BASE "/gc/\n/r/.git/objects/\n", .copies = true,
	 .driver = WISP_SANDBOX_LANDLOCK, .wants = "write    /gc  (a copy of the git folder)\n", .lacks = " from /gc"},
	{.label = "landlock: what a person hides is held, or there is no step", .world = BASE "/r/.wisp/w/x\n",
	 .driver = WISP_SANDBOX_LANDLOCK, .config = "sandbox.hide=/r/.wisp/w/x",
	 .wants = "error: landlock cannot hide '/r/.wisp/w/x' in '/r/.wisp/w', which may be written: sandbox = bwrap can"},
	{.label = "user namespaces are said to be weaker", .world = BASE, .config = "sandbox.userns=true",
	 .wants = "weak     user namespaces can be made (sandbox.userns is true)\n"},
	{.label = "names with blanks and line feeds", .world = BASE "/a b/\n", .config = "sandbox.write=/a b",
	 .wants = "write    /a b  (sandbox.write)\n"},
};

static struct cJSON *
config_of(const char *lines)
{
	struct cJSON *config = wisp_config_defaults();
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_buf list = WISP_BUF_INIT;
	char *equals;
	size_t n, at;

	for (; lines != NULL && *lines != '\0'; lines += n + (lines[n] == '\n')) {
		n = strcspn(lines, "\n");
		at = list.len;
		wisp_buf_add(&list, lines, n);
		wisp_buf_putc(&list, '\0');
		equals = strchr(list.data + at, '=');
		*equals = '\n';
	}
	if (list.len > 0 && wisp_config_apply(config, NULL, "command", list.data, list.len, "test", &err) < 0)
		unit_string(err.text, NULL, __FILE__, __LINE__, "the configuration of a case");
	wisp_buf_release(&list);
	return config;
}

static struct wisp_sandbox_agent *
make_agents(void)
{
	struct wisp_sandbox_agent *agents = wisp_alloc(3, sizeof *agents);
	struct wisp_err err = WISP_ERR_INIT;
	size_t i;

	for (i = 0; i < 2; i++) {
		agents[i].name = wisp_strdup(i == 0 ? "one" : "two");
		CHECK_INT(wisp_sandbox_agent_parse(&agents[i], tables[i], "table", &err), 0, "a table of an agent");
	}
	return agents;
}

static void
run_case(const struct plan_case *c, const struct wisp_sandbox_agent *agents)
{
	static char ssh[] = "SSH_AUTH_SOCK=/tmp/agent.1", docker[] = "DOCKER_HOST=x";
	static char path[] = "PATH=/usr/bin:/run/tools:/tmp/bin:/run/none:";
	static char *env[] = {ssh, docker, path, NULL};
	const struct wisp_sandbox_world world = {fake_real, fake_folder, fake_list, c->world};
	struct cJSON *config = config_of(c->config);
	const struct wisp_sandbox_facts f = {
		.driver = c->driver, .abi = 7, .root = c->root, .worktree = c->in_place ? "/r" : "/r/.wisp/w", .project = "/r",
		.common = "/r/.git", .gitdir = c->in_place ? "/r/.git" : "/r/.git/worktrees/w", .session = "/r/.wisp/s",
		.records = c->records != NULL ? c->records : "/s", .home = c->home != NULL ? c->home : "/h",
		.config_home = "/h/.config", .data_home = "/h/.local/share", .tmp = "/t", .caches = "/c",
		.session_copy = c->copies ? "/sc" : NULL, .git_copy = c->copies ? "/gc" : NULL, .proxy = "/p",
		.agent_config = c->agent_config ? "/a" : NULL, .agent = c->agent, .agents = agents, .env = env,
		.config = config, .world = &world,
	};
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_sandbox_plan plan;
	struct wisp_buf text = WISP_BUF_INIT;

	if (wisp_sandbox_plan(&plan, &f, &err) < 0)
		wisp_buf_printf(&text, "error: %s", err.text);
	else
		wisp_sandbox_print(&text, &plan);
	if (strstr(text.data, c->wants) == NULL)
		unit_string(text.data, c->wants, __FILE__, __LINE__, c->label);
	else
		CHECK(c->lacks == NULL || strstr(text.data, c->lacks) == NULL, c->label);
	wisp_sandbox_plan_release(&plan);
	wisp_err_release(&err);
	wisp_buf_release(&text);
	wisp_json_free(config);
}

/* More paths than there may be. */
static void
too_many(const struct wisp_sandbox_agent *agents)
{
	struct wisp_buf world = WISP_BUF_INIT, config = WISP_BUF_INIT;
	struct plan_case c = {.label = "201 paths are too many",
			      .wants = "error: the sandbox has 207 paths, and 200 are possible: name folders, not files"};
	int i;

	wisp_buf_puts(&world, BASE);
	for (i = 0; i < 200; i++) {
		wisp_buf_printf(&world, "/x%d\n", i);
		wisp_buf_printf(&config, "%ssandbox.write=/x%d", i > 0 ? "\n" : "", i);
	}
	c.world = world.data;
	c.config = config.data;
	run_case(&c, agents);
	wisp_buf_release(&world);
	wisp_buf_release(&config);
}

static void
tables_of_agents(void)
{
	struct wisp_sandbox_agent a = {0};
	struct wisp_err err = WISP_ERR_INIT;

	CHECK_INT(wisp_sandbox_agent_parse(&a, "# x\n\nhost a b\nwrit ~/x\n", "T", &err), -1, "a table with an unknown word");
	CHECK_STR(err.text, "unknown word 'writ'", "  is named");
	CHECK_INT(err.line, 4, "  with its line");
	CHECK_STR(a.count == 1 ? a.lines[0].value : NULL, "a b", "  comments and empty lines are none, a value has blanks");
	wisp_err_release(&err);
	CHECK_INT(wisp_sandbox_agent_parse(&a, "host \n", "T", &err), -1, "a word without a value");
	wisp_err_release(&err);
	free(a.lines[0].word);
	free(a.lines[0].value);
	free(a.lines);
}

int
main(void)
{
	struct wisp_sandbox_agent *agents = make_agents();
	size_t i;

	CHECK(wisp_sandbox_below("/a/b", "/a") && wisp_sandbox_below("/a", "/a") && wisp_sandbox_below("/a", "/"), "below a folder");
	CHECK(!wisp_sandbox_below("/ab", "/a") && !wisp_sandbox_below("/", "/a"), "  and beside it");
	for (i = 0; i < sizeof cases / sizeof *cases; i++)
		run_case(&cases[i], agents);
	too_many(agents);
	tables_of_agents();
	wisp_sandbox_agents_free(agents);
	return unit_done();
}
