/*
 * wisp-sandbox: what confines a step, and a program run in that. Private to the
 * commands in libexec.
 *
 *	wisp-sandbox show [OPTION]...			the plan
 *	wisp-sandbox run [OPTION]... -- PROGRAM [ARG]...	becomes the program, confined
 *	wisp-sandbox driver [OPTION]...			which one it would be
 *	wisp-sandbox proxy [OPTION]... FOLDER		the way to a list of hosts (sandbox/proxy.h), until --for ends
 *	wisp-sandbox refused FOLDER			what it refused since it was last asked: refused=HOST:PORT: WHY
 *	wisp-sandbox take --worktree W --branch B [--session S] [--agent-state A] TO	what the step made of what `run --lend TO` lent: 1 where its
 *							git folder was not taken over
 *	wisp-sandbox try ATTEMPT [OPERAND]...		`allowed`, or `refused` and why: 0, 1
 *
 * Exit: 16 where nothing can confine it, 100 where the configuration or the call
 * asks for what cannot be, 102, 111; `run` also as a shell does, 126 and 127.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/cli.h"
#include "core/config.h"
#include "core/file.h"
#include "sandbox/attempt.h"
#include "sandbox/driver.h"
#include "sandbox/lend.h"
#include "sandbox/proxy.h"
#include "sandbox/state.h"
#include "step/env.h"
#include "step/spawn.h"

#define EXIT_NONE 16

extern char **environ;

struct sandbox_options {
	const char *config, *worktree, *session, *session_copy, *git_copy, *tmp, *caches, *agent, *agent_config, *driver, *lend;
	const char *proxy, *agent_state;
	long long owner;
	bool setup, terminal, keep_env, known;	/* known: that the driver works */
	struct wisp_texts pass, set;
};

/* What the facts point to. */
struct sandbox {
	struct wisp_sandbox_facts facts;
	struct cJSON *config;
	char *worktree, *project, *gitdir, *common, *records, *config_home, *data_home, *session, *tmp, *caches, *program, *file, *proxy;
	const char *programs[5];
	enum wisp_sandbox_driver driver;
	struct wisp_sandbox_agent *agents;
};

static void
read_options(struct wisp_cli *cli, struct sandbox_options *o, int min, int max)
{
	const struct wisp_option options[] = {
		{"config", .text = &o->config}, {"worktree", .text = &o->worktree}, {"session", .text = &o->session},
		{"tmp", .text = &o->tmp}, {"caches", .text = &o->caches}, {"agent", .text = &o->agent},
		{"driver", .text = &o->driver}, {"lend", .text = &o->lend}, {"proxy", .text = &o->proxy}, {"agent-state", .text = &o->agent_state},
		 {"for", .number = &o->owner},
		 {"setup", .flag = &o->setup}, {"terminal", .flag = &o->terminal},
		{"keep-env", .flag = &o->keep_env}, {"known", .flag = &o->known}, {"env-pass", .list = &o->pass}, {"env", .list = &o->set}, {0}
	};

	wisp_cli_read(cli, options, min, max);
}

static void
release_options(struct sandbox_options *o)
{
	free(o->pass.list);
	free(o->set.list);
}

static const char *
variable(const char *name)
{
	const char *value = getenv(name);

	return value != NULL && *value == '/' ? value : NULL;
}

/* A folder of XDG: what the variable says, else below HOME. */
static char *
xdg_folder(const char *name, const char *below)
{
	const char *value = variable(name), *home = variable("HOME");

	return value != NULL ? wisp_strdup(value) : home != NULL ? wisp_str("%s/%s", home, below) : NULL;
}

/* The git folder that a work tree's own belongs to. */
static char *
common_of(const char *gitdir)
{
	char *file = wisp_str("%s/commondir", gitdir), *line = wisp_file_line(file, "");
	char *common = line == NULL ? wisp_strdup(gitdir) : *line == '/' ? wisp_strdup(line) : wisp_str("%s/%s", gitdir, line);
	char *real = realpath(common, NULL);

	free(file);
	free(line);
	free(common);
	return real;
}

/* An option's folder, links resolved; dies where there is none. */
static char *
folder(const char *option, const char *path)
{
	char *real = path != NULL ? realpath(path, NULL) : NULL;

	if (path != NULL && real == NULL)
		die_usage("--%s: '%s' cannot be found: %s", option, path, strerror(errno));
	return real;
}

static void
find_places(struct sandbox *s, const struct sandbox_options *o)
{
	char *top = NULL, *here = getcwd(NULL, 0);

	if (here == NULL && o->worktree == NULL)
		die_sys("cannot tell the current folder");
	s->project = wisp_place_project(o->worktree != NULL ? o->worktree : here, &top, &s->gitdir);
	s->worktree = folder("worktree", o->worktree != NULL ? o->worktree : top != NULL ? top : here);
	s->common = s->gitdir != NULL ? common_of(s->gitdir) : NULL;
	free(top);
	free(here);
}

static void
read_config(struct sandbox *s, const char *path)
{
	struct wisp_err err = WISP_ERR_INIT;

	if (path == NULL)
		s->config = wisp_config_defaults();
	else if (wisp_json_load(path, &s->config, &err) != WISP_VALID)
		die_err(&err);
}

static void
read_agents(struct sandbox *s)
{
	const char *libexec = variable("WISP_LIBEXEC");
	struct wisp_err err = WISP_ERR_INIT;
	char *folder;

	if (libexec == NULL)
		return;
	folder = wisp_str("%s/agents", libexec);
	s->agents = wisp_sandbox_agents(folder, &err);
	if (s->agents == NULL && err.text != NULL)
		die_err(&err);
	if (s->agents == NULL)
		die_sys("cannot read the tables of agents in '%s'", folder);
	free(folder);
}

static void
find_programs(struct sandbox *s)
{
	size_t n = 0;

	s->program = realpath("/proc/self/exe", NULL);
	if (s->program != NULL && wisp_dir_up(s->program))
		s->programs[n++] = s->program;
	if ((s->programs[n] = variable("WISP_LIBEXEC")) != NULL)
		n++;
	if ((s->programs[n] = variable("WISP_SHARE")) != NULL)
		n++;
	s->programs[n] = s->file;
}

/* The driver by its name, or -1. */
static int
by_name(const char *name)
{
	int i;

	for (i = 0; wisp_sandbox_drivers[i] != NULL; i++)
		if (strcmp(wisp_sandbox_drivers[i], name) == 0)
			return i;
	return -1;
}

static _Noreturn void
die_none(const char *why)
{
	warn("nothing can confine a step here (%s); `wisp config sandbox off` has steps run unconfined", why);
	exit(EXIT_NONE);
}

/* What is asked for, or the first that works; ends with 16 where there is none. Nothing takes the place of what is named. */
static enum wisp_sandbox_driver
choose_driver(const struct sandbox_options *o, const struct cJSON *config)
{
	const char *name = o->driver != NULL ? o->driver : o->config != NULL ? wisp_config_text(config, "sandbox") : "auto";
	struct wisp_buf why = WISP_BUF_INIT;
	bool any = strcmp(name, "auto") == 0;
	int first = any ? WISP_SANDBOX_BWRAP : by_name(name), i;
	int last = any ? WISP_SANDBOX_LANDLOCK : first;
	char *fault;

	if (first < 0)
		die_usage("unknown sandbox '%s': auto, bwrap, landlock or off", name);
	for (i = first; i <= last; i++) {
		fault = o->known ? NULL : wisp_sandbox_probe((enum wisp_sandbox_driver)i);
		if (fault == NULL) {
			wisp_buf_release(&why);
			return (enum wisp_sandbox_driver)i;
		}
		wisp_buf_printf(&why, "%s%s: %s", why.len > 0 ? "; " : "", wisp_sandbox_drivers[i], fault);
		free(fault);
	}
	die_none(why.data);
}

/* The table of an agent; NULL: it has none. */
static const struct wisp_sandbox_agent *
agent_of(const struct sandbox *s, const char *name)
{
	const struct wisp_sandbox_agent *a = s->agents;

	while (a != NULL && a->name != NULL && (name == NULL || strcmp(a->name, name) != 0))
		a++;
	return a != NULL && a->name != NULL ? a : NULL;
}

/* Folders of the session that the agent's table has it write. */
static void
make_written(const struct sandbox *s, const char *agent)
{
	static const char place[] = "@session/";
	const struct wisp_sandbox_agent *a = agent_of(s, agent);
	size_t i;

	for (i = 0; a != NULL && i < a->count; i++) {
		char *path = wisp_str("%s/%s", s->session, a->lines[i].value + strcspn(a->lines[i].value, "/") + 1);

		if (strncmp(a->lines[i].value, place, sizeof place - 1) == 0 && wisp_dir_make(path) < 0)
			die_sys("cannot make '%s'", path);
		free(path);
	}
}

static bool
there(const char *folder, const char *name)
{
	char *path = wisp_str("%s/%s", folder, name);
	bool yes = wisp_file_exists(path);

	free(path);
	return yes;
}

/* The copy of the git folder, if there is to be one. References in a reftable cannot be taken over as data. */
static char *
lend_git(const struct sandbox *s, const char *to)
{
	struct wisp_tree t = {.top = s->worktree, .git = realpath(s->gitdir, NULL), .common = s->common};
	char *copy = wisp_str("%s/git", to);

	if (t.git == NULL)
		die_sys("cannot find '%s'", s->gitdir);
	if (!there(s->common, "reftable"))
		wisp_lend(&t, to, s->driver == WISP_SANDBOX_BWRAP);
	return wisp_file_exists(copy) ? copy : NULL;
}

/* By halves it is not taken: what says that it is whole goes first. */
static void
remove_lent(const char *to)
{
	char *done = wisp_str("%s/lent", to);

	if ((unlink(done) < 0 && errno != ENOENT) || wisp_dir_remove(to) < 0)
		die_sys("cannot remove '%s'", to);
	free(done);
}

/* What the step has in the place of what is the loop's, in TO; `lent` there says that it is whole. */
static void
lend_all(struct sandbox *s, struct sandbox_options *o)
{
	char *done = wisp_str("%s/lent", o->lend);

	wisp_lend_lead(o->lend, false);
	remove_lent(o->lend);
	if (wisp_dir_make(o->lend) < 0)
		die_sys("cannot make '%s'", o->lend);
	if (s->driver != WISP_SANDBOX_OFF && s->common != NULL)
		o->git_copy = lend_git(s, o->lend);
	if (s->session != NULL) {
		make_written(s, o->agent);
		wisp_lend_session(s->session, o->lend, s->driver == WISP_SANDBOX_LANDLOCK);
		o->session_copy = wisp_str("%s/session", o->lend);
	}
	if (wisp_file_write(done, "", 0, WISP_NOSYNC) < 0)
		die_sys("cannot write '%s'", done);
	if (s->driver == WISP_SANDBOX_LANDLOCK)
		wisp_lend_lead(o->lend, true);
	free(done);
}

/* Paths that do not exist, and that the step may make though programs outside would run them: TO/watched, a NUL behind each. */
static void
lend_watched(const struct wisp_sandbox_plan *p, const char *to)
{
	char *file = wisp_str("%s/watched", to);

	if (wisp_file_write(file, p->watched.data != NULL ? p->watched.data : "", p->watched.len, WISP_NOSYNC) < 0)
		die_sys("cannot write '%s'", file);
	free(file);
}

/* What was made there is moved aside, unless the way to it has become a link, and named. */
static void
take_watched(const char *to)
{
	char *file = wisp_str("%s/watched", to), *aside, *folder, *real;
	struct wisp_buf paths = WISP_BUF_INIT;
	struct stat st;

	if (wisp_file_read(file, WISP_FILE_MAX, &paths) < 0 && errno != ENOENT)
		die_sys("cannot read '%s'", file);
	for (const char *at = paths.data; at != NULL && at < paths.data + paths.len; at += strlen(at) + 1) {
		folder = wisp_str("%.*s", (int)(strrchr(at, '/') - at), at);
		real = realpath(folder, NULL);
		aside = wisp_str("%s.made-in-a-step", at);
		if (real != NULL && strcmp(real, folder) == 0 && lstat(at, &st) == 0) {
			if (wisp_dir_remove(aside) < 0 || rename(at, aside) < 0)
				die_sys("cannot move '%s' to '%s'", at, aside);
			wisp_cli_pair("planted", at);
		}
		free(aside);
		free(real);
		free(folder);
	}
	wisp_buf_release(&paths);
	free(file);
}

/* Of an agent in FOLDER, where each has a folder of its own: a session may have had several. */
static struct wisp_agent_state
state_in(const char *folder, const struct wisp_sandbox_agent *agent)
{
	return (struct wisp_agent_state){
		.agent = agent, .home = variable("HOME"), .records = wisp_place_root(), .to = wisp_str("%s/%s", folder, agent->name)
	};
}

static void
lend_state(const struct sandbox *s, struct sandbox_options *o)
{
	const struct wisp_sandbox_agent *a = agent_of(s, o->agent);
	struct wisp_agent_state state;

	if (a == NULL || variable("HOME") == NULL)
		return;
	state = state_in(o->agent_state, a);
	o->agent_config = wisp_agent_state_lend(&state);
}

static void
gather(struct sandbox *s, struct sandbox_options *o)
{
	find_places(s, o);
	read_config(s, o->config);
	s->driver = choose_driver(o, s->config);
	read_agents(s);
	find_programs(s);
	s->records = wisp_place_root();
	s->config_home = xdg_folder("XDG_CONFIG_HOME", ".config");
	s->data_home = xdg_folder("XDG_DATA_HOME", ".local/share");
	s->session = folder("session", o->session);
	s->tmp = folder("tmp", o->tmp);
	s->caches = folder("caches", o->caches);
	s->proxy = o->proxy != NULL ? wisp_str("%s/socket", o->proxy) : NULL;
	if (o->lend != NULL)
		lend_all(s, o);
	if (o->agent_state != NULL)
		lend_state(s, o);
	s->facts = (struct wisp_sandbox_facts){
		.driver = s->driver, .abi = wisp_sandbox_abi(), .root = geteuid() == 0, .worktree = s->worktree, .project = s->project,
		.common = s->common, .gitdir = s->gitdir, .session = s->session, .records = s->records,
		.home = variable("HOME"), .config_home = s->config_home, .data_home = s->data_home,
		.runtime = variable("XDG_RUNTIME_DIR"), .tmp = s->tmp, .caches = s->caches,
		.session_copy = o->session_copy, .git_copy = o->git_copy, .proxy = s->proxy, .agent_config = o->agent_config,
		.programs = s->programs, .agent = o->agent, .agents = s->agents, .env = environ, .config = s->config,
		.network_key = o->setup ? "sandbox.setupNetwork" : NULL, .world = &wisp_sandbox_system,
	};
}

static void
release(struct sandbox *s)
{
	char *owned[] = {s->worktree, s->project, s->gitdir, s->common, s->records, s->config_home, s->data_home,
			 s->session, s->tmp, s->caches, s->program, s->file, s->proxy};
	size_t i;

	for (i = 0; i < sizeof owned / sizeof *owned; i++)
		free(owned[i]);
	wisp_sandbox_agents_free(s->agents);
	wisp_json_free(s->config);
}

static void
make_plan(struct sandbox *s, struct sandbox_options *o, struct wisp_sandbox_plan *p)
{
	struct wisp_err err = WISP_ERR_INIT;

	gather(s, o);
	if (wisp_sandbox_plan(p, &s->facts, &err) < 0)
		die_usage("%s", err.text);
}

static int
show(struct wisp_cli *cli)
{
	struct sandbox_options o = {0};
	struct wisp_sandbox_plan plan;
	struct wisp_buf text = WISP_BUF_INIT;
	struct sandbox s = {0};

	read_options(cli, &o, 0, 0);
	make_plan(&s, &o, &plan);
	if (cli->json) {
		wisp_cli_json(wisp_sandbox_json(&plan));
	} else {
		wisp_sandbox_print(&text, &plan);
		wisp_cli_print(&text);
	}
	wisp_sandbox_plan_release(&plan);
	release(&s);
	release_options(&o);
	return 0;
}

static int
driver(struct wisp_cli *cli)
{
	struct sandbox_options o = {0};
	struct sandbox s = {0};

	read_options(cli, &o, 0, 0);
	read_config(&s, o.config);
	wisp_cli_pair("driver", wisp_sandbox_drivers[choose_driver(&o, s.config)]);
	wisp_json_free(s.config);
	release_options(&o);
	return 0;
}

/* The environment that a step would have, and the terminal's kind. */
static char **
step_env(struct sandbox_options *o)
{
	static const char *const terminal[] = {"TERM", "COLORTERM"};
	struct wisp_env e = {.kind = WISP_ENV_AGENT, .mark = "sandbox"};
	size_t i;

	for (i = 0; i < 2; i++) {
		o->pass.list = wisp_realloc(o->pass.list, o->pass.count + 1, sizeof *o->pass.list);
		o->pass.list[o->pass.count++] = terminal[i];
	}
	e.pass = o->pass.list;
	e.pass_count = o->pass.count;
	e.set = o->set.list;
	e.set_count = o->set.count;
	return wisp_env_make(&e, environ);
}

/* bwrap's own answer would be 1. */
static char *
find_program(const char *name, char *const *env)
{
	int error;
	char *file = wisp_spawn_find(name, wisp_env_get(env, "PATH"), &error);

	if (file != NULL)
		return file;
	warn("'%s' %s", name, wisp_spawn_fault(error));
	exit(error == ENOENT ? 127 : 126);
}

/* Where hosts are listed the program is started by `behind`, which has the way to them. */
static char *const *
command_of(const struct sandbox_options *o, const struct wisp_sandbox_plan *p, int argc, char *const *argv)
{
	char **words;

	if (p->network != WISP_SANDBOX_HOSTS || p->driver != WISP_SANDBOX_BWRAP)
		return argv;
	if (o->proxy == NULL)
		die_usage("sandbox.network names hosts: --proxy is needed");
	words = wisp_alloc((size_t)argc + 5, sizeof *words);
	words[0] = realpath("/proc/self/exe", NULL);
	words[1] = wisp_strdup("behind");
	words[2] = wisp_strdup("--");
	words[3] = wisp_sandbox_tool("socat");
	if (words[0] == NULL || words[3] == NULL)
		die_none("socat is not found, and sandbox.network names hosts");
	memcpy(words + 4, argv, (size_t)argc * sizeof *words);
	return words;
}

static int
run(struct wisp_cli *cli)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct sandbox_options o = {0};
	struct wisp_sandbox_plan plan;
	struct wisp_sandbox_run r;
	struct sandbox s = {0};
	char **env, *file;

	read_options(cli, &o, 1, -1);
	env = o.keep_env ? environ : step_env(&o);
	file = find_program(cli->argv[0], env);
	s.file = realpath(file, NULL);
	make_plan(&s, &o, &plan);
	if (o.lend != NULL)
		lend_watched(&plan, o.lend);
	if (wisp_sandbox_ready(&r, &plan, command_of(&o, &plan, cli->argc, cli->argv), env, !o.terminal, &err) < 0) {
		if (err.text != NULL)
			die_none(err.text);
		die_sys("cannot confine '%s'", cli->argv[0]);
	}
	if (wisp_sandbox_enter(&r) < 0)
		die_sys("cannot confine '%s'", cli->argv[0]);
	execve(r.file != NULL ? r.file : file, r.argv, r.env);
	warn("cannot start '%s': %s", cli->argv[0], strerror(errno));
	return 126;
}

static int
behind(struct wisp_cli *cli)
{
	wisp_cli_read(cli, NULL, 2, -1);
	if (wisp_proxy_behind(cli->argv[0]) < 0)
		die_sys("cannot listen for '%s'", cli->argv[1]);
	execvp(cli->argv[1], cli->argv + 1);
	warn("cannot start '%s': %s", cli->argv[1], strerror(errno));
	return errno == ENOENT ? 127 : 126;
}

static int
proxy(struct wisp_cli *cli)
{
	struct sandbox_options o = {.owner = getppid(), .known = true, .driver = "bwrap"};
	struct wisp_sandbox_plan plan;
	struct sandbox s = {0};
	char *why;

	read_options(cli, &o, 1, 1);
	o.lend = o.agent_state = NULL;
	make_plan(&s, &o, &plan);
	why = wisp_proxy_start(cli->argv[0], plan.network == WISP_SANDBOX_HOSTS && plan.driver != WISP_SANDBOX_OFF ? plan.hosts.data : "",
			       (pid_t)o.owner);
	if (why != NULL) {
		warn("no way to the hosts of sandbox.network: %s", why);
		return EXIT_NONE;
	}
	wisp_sandbox_plan_release(&plan);
	release(&s);
	release_options(&o);
	return 0;
}

static void
say_refused(struct wisp_buf *lines)
{
	char *line, *end;

	for (line = lines->data; line != NULL && (end = strchr(line, '\n')) != NULL; line = end + 1) {
		*end = '\0';
		wisp_cli_pair("refused", line);
	}
}

static int
refused(struct wisp_cli *cli)
{
	struct wisp_buf lines = WISP_BUF_INIT;

	wisp_cli_read(cli, NULL, 1, 1);
	if (wisp_proxy_refused(cli->argv[0], &lines) < 0)
		die_sys("cannot tell what was refused in '%s'", cli->argv[0]);
	say_refused(&lines);
	wisp_buf_release(&lines);
	return 0;
}

static void
say_all(const char *key, const struct wisp_texts *list)
{
	for (size_t i = 0; i < list->count; i++)
		wisp_cli_pair(key, list->list[i]);
}

/* Where its git is the copy knows: what the work tree says now may be the step's word. */
static bool
take_git(struct wisp_tree *t, struct wisp_lent *l)
{
	if (l->branch == NULL || !wisp_branch_ok(l->branch))
		die_usage("--branch needs the name of a branch");
	if (wisp_file_exists(t->top)) {
		wisp_git_init(t);
		wisp_lend_take(t, l);
	} else {
		l->why = "the work tree is gone";
	}
	wisp_cli_pair("tampered", l->tampered);
	wisp_cli_pair("was", l->was);
	wisp_cli_pair("now", l->now);
	wisp_cli_pair("why", l->why);
	say_all("other", &l->others);
	say_all("module", &l->modules);
	return l->tampered == NULL && l->why == NULL && l->modules.count == 0;
}

static void
take_states(const char *folder)
{
	const struct wisp_sandbox_agent *a;
	struct wisp_agent_state state;
	struct sandbox s = {0};

	read_agents(&s);
	for (a = s.agents; a != NULL && a->name != NULL && variable("HOME") != NULL; a++) {
		if (!there(folder, a->name))
			continue;
		state = state_in(folder, a);
		wisp_agent_state_take(&state);
		say_refused(&state.said);
	}
	wisp_sandbox_agents_free(s.agents);
}

/* What was lent is gone then: a kill before that is one more take. */
static int
take(struct wisp_cli *cli)
{
	struct wisp_tree t = {.patience = 5};
	struct wisp_lent l = {0};
	struct wisp_texts dropped = {NULL, 0};
	const char *worktree = NULL, *session = NULL, *state = NULL;
	const struct wisp_option options[] = {
		{"worktree", .text = &worktree}, {"branch", .text = &l.branch}, {"known", .text = &t.known}, {"persons", .flag = &t.persons},
		{"session", .text = &session}, {"agent-state", .text = &state}, {0}
	};
	bool done = true;

	wisp_cli_read(cli, options, 1, 1);
	l.to = cli->argv[0];
	if (worktree == NULL)
		die_usage("--worktree is needed");
	t.top = wisp_strdup(worktree);
	if (there(l.to, "before") && there(l.to, "lent"))
		done = take_git(&t, &l);
	if (session != NULL && there(l.to, "lent"))
		wisp_lend_take_session(session, l.to, &dropped);
	say_all("dropped", &dropped);
	if (state != NULL)
		take_states(state);
	take_watched(l.to);
	if (session != NULL)
		remove_lent(l.to);
	return !done;
}

static int
try(struct wisp_cli *cli)
{
	const struct wisp_attempt *a = wisp_attempts;
	int rc;

	wisp_cli_read(cli, NULL, 1, 3);
	while (a->name != NULL && strcmp(a->name, cli->argv[0]) != 0)
		a++;
	if (a->name == NULL)
		die_usage("unknown attempt '%s'", cli->argv[0]);
	if (cli->argc - 1 != a->operands)
		die_usage("'%s' needs %s", a->name, a->operands > 0 ? a->args : "no operand");
	rc = a->run(cli->argv + 1);
	if (rc == 0)
		puts("allowed");
	else
		printf("refused: %s\n", strerror(errno));
	return rc == 0 ? 0 : 1;
}

/* What an attempt outside of it connects to, until standard input ends. */
static int
listen_at(struct wisp_cli *cli)
{
	char byte;

	wisp_cli_read(cli, NULL, 2, 2);
	if (wisp_attempt_listen(cli->argv[0], cli->argv[1]) < 0)
		die_sys("cannot listen at '%s': %s", cli->argv[0], strerror(errno));
	while (read(STDIN_FILENO, &byte, 1) > 0)
		continue;
	return 0;
}

int
main(int argc, char **argv)
{
	static const struct wisp_verb verbs[] = {
		{"show", show, "[OPTION]...", "the plan"},
		{"run", run, "[OPTION]... -- PROGRAM [ARG]...", "becomes the program, confined"},
		{"proxy", proxy, "[OPTION]... [--for PID] FOLDER", "the way to a list of hosts"},
		{"refused", refused, "FOLDER", "what that refused since it was last asked"},
		{"behind", behind, "-- SOCAT PROGRAM [ARG]...", "in a step, the program with that way"},
		{"take", take, "--worktree W --branch B [--session S] [--agent-state A] TO", "what the step made of that"},
		{"try", try, "ATTEMPT [OPERAND]...", "tries what may not be done"},
		{"listen", listen_at, "PATH NAME", "a socket for that, and an abstract one"},
		{"driver", driver, "[--config FILE] [--driver KIND]", "what confines it"},
		{0}
	};

	wisp_cli_main(argc, argv, "what confines a step", verbs);
}
