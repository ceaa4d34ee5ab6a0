/*
 * check: see check.h.
 */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/self.h"

/* Becomes wisp-agent on the command; what it says is in ROOT/.loop/check.log. */
static _Noreturn void
become(const char *agent, const char *root, const char *command)
{
	char *log = wisp_str("%s/.loop/check.log", root), *result = wisp_str("%s/.loop/check.json", root);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || chdir(root) != 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
		_exit(WISP_EXIT_SYS);
	execl(agent, "wisp-agent", "run", "--keep-env", "--format", "text", "--pid-namespace", "false",
	      "--timeout", WISP_HOOK_CHECK_TIME, "--idle-timeout", WISP_HOOK_CHECK_TIME, "--max-output", "65536",
	      "--log", log, "--result", result, "--", "sh", "-c", command, (char *)NULL);
	_exit(WISP_EXIT_SYS);
}

/* Did the command succeed, as step.json of its run has it? */
static bool
succeeded(const char *root)
{
	char *path = wisp_str("%s/.loop/check.json", root);
	struct cJSON *step = NULL;
	bool ok = wisp_json_load(path, &step, NULL) == WISP_VALID && wisp_json_int(step, "exit_code", -1) == 0 &&
		  strcmp(wisp_json_str(step, "outcome", ""), "ok") == 0;

	wisp_json_free(step);
	(void)unlink(path);
	free(path);
	return ok;
}

static bool
holds(const char *agent, const char *root, const char *command)
{
	char *path = wisp_str("%s/.loop/check.json", root);
	int status = 0;
	pid_t pid;

	/* One that was killed has left its result. */
	(void)unlink(path);
	free(path);
	pid = fork();
	if (pid == 0)
		become(agent, root, command);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 && succeeded(root);
}

void
wisp_hook_checks(struct wisp_hook_loop *h)
{
	struct cJSON *checks = wisp_json_copy(wisp_json_get(h->doc, "verify"));
	size_t n = wisp_json_len(checks), i = 0;
	char *agent;
	bool *met;

	if (n == 0) {
		wisp_json_free(checks);
		return;
	}
	agent = wisp_self_find("wisp-agent");
	met = wisp_alloc(n, sizeof *met);
	wisp_hook_unlock(h);
	for (const struct cJSON *c = wisp_json_first(checks); c != NULL; c = wisp_json_next(c))
		met[i++] = agent != NULL && holds(agent, h->root, wisp_json_text(c, "false"));
	wisp_hook_reopen(h);
	i = 0;
	for (const struct cJSON *c = wisp_json_first(checks); h->doc != NULL && c != NULL; c = wisp_json_next(c), i++) {
		const char *const keys[] = {"criteriaStatus", wisp_json_key(c), NULL};

		if (wisp_hook_met(h, keys[1]) != met[i] && wisp_hook_set(h, keys, met[i] ? "true" : "false") != 0)
			warn("the status of '%s' cannot be set", keys[1]);
	}
	wisp_json_free(checks);
	free(agent);
	free(met);
}
