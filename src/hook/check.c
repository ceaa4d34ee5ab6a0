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

#include "core/place.h"
#include "core/self.h"
#include "core/trust.h"

wisp_ms
wisp_hook_check_time(wisp_ms spent)
{
	wisp_ms left = WISP_HOOK_CHECKS_MS - spent;

	return left <= 0 ? 0 : left < WISP_HOOK_CHECK_MS ? left : WISP_HOOK_CHECK_MS;
}

/* What is allowed, as trust.h has it: for this purpose, in this project, for this criterion. The caller frees it. */
static char *
permit(const struct wisp_hook_loop *h, const char *criterion, const char *command)
{
	char *real = realpath(h->root, NULL), *text;

	text = wisp_str("hook.verify\n%s\n%s\n%s", real != NULL ? real : h->root, criterion, command);
	free(real);
	return text;
}

bool
wisp_hook_allowed(const struct wisp_hook_loop *h, const char *criterion, const char *command)
{
	char *home = wisp_place_root(), *text = permit(h, criterion, command);
	struct wisp_buf unknown = WISP_BUF_INIT;
	bool ok = home != NULL && wisp_trust_check(home, text, strlen(text), &unknown) == 0 && unknown.len == 0;

	wisp_buf_release(&unknown);
	free(home);
	free(text);
	return ok;
}

void
wisp_hook_allow(const struct wisp_hook_loop *h, const struct cJSON *checks)
{
	char *home = wisp_place_root(), *text;

	if (home == NULL && wisp_json_len(checks) > 0)
		die_data("HOME is not set: that a check is allowed cannot be remembered");
	for (const struct cJSON *c = wisp_json_first(checks); c != NULL; c = wisp_json_next(c)) {
		text = permit(h, wisp_json_key(c), wisp_json_text(c, ""));
		if (wisp_trust_add(home, text, strlen(text)) != 0)
			die_sys("cannot write '%s/.trust'", home);
		free(text);
	}
	free(home);
}

/* Becomes wisp-agent on the command; what it says is in ROOT/.loop/check.log. */
static _Noreturn void
become(const char *agent, const char *root, const char *command, wisp_ms time, pid_t parent)
{
	char *limit = wisp_str("%lldms", (long long)time), *grace = wisp_str("%dms", WISP_HOOK_CHECK_GRACE_MS);
	char *owner = wisp_str("%ld", (long)parent);
	char *log = wisp_str("%s/.loop/check.log", root), *result = wisp_str("%s/.loop/check.json", root);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || chdir(root) != 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
		_exit(WISP_EXIT_SYS);
	execl(agent, "wisp-agent", "run", "--keep-env", "--format", "text", "--pid-namespace", "false",
	      "--parent", owner, "--timeout", limit, "--grace", grace, "--max-output", "65536", "--log", log,
	      "--result", result, "--", "sh", "-c", command, (char *)NULL);
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
holds(const char *agent, const char *root, const char *command, wisp_ms time)
{
	char *path = wisp_str("%s/.loop/check.json", root);
	pid_t pid, own = getpid();
	int status = 0;

	/* One that was killed has left its result. */
	(void)unlink(path);
	free(path);
	pid = fork();
	if (pid == 0)
		become(agent, root, command, time, own);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 && succeeded(root);
}

void
wisp_hook_checks(struct wisp_hook_loop *h)
{
	struct cJSON *checks = wisp_json_copy(wisp_json_get(h->doc, "verify"));
	size_t n = wisp_json_len(checks), i = 0;
	wisp_ms begin = wisp_time_monotonic(), time;
	char *agent, *log;
	bool *met;

	if (n == 0) {
		wisp_json_free(checks);
		return;
	}
	agent = wisp_self_find("wisp-agent");
	met = wisp_alloc(n, sizeof *met);
	log = wisp_str("%s/.loop/check.log", h->root);
	(void)unlink(log);
	wisp_hook_unlock(h);
	for (const struct cJSON *c = wisp_json_first(checks); c != NULL; c = wisp_json_next(c), i++) {
		time = wisp_hook_check_time(wisp_time_monotonic() - begin);
		met[i] = agent != NULL && time > 0 && wisp_hook_allowed(h, wisp_json_key(c), wisp_json_text(c, "")) &&
			 holds(agent, h->root, wisp_json_text(c, ""), time);
	}
	wisp_hook_reopen(h);
	i = 0;
	for (const struct cJSON *c = wisp_json_first(checks); h->doc != NULL && c != NULL; c = wisp_json_next(c), i++) {
		const char *const keys[] = {"criteriaStatus", wisp_json_key(c), NULL};

		if (wisp_hook_met(h, keys[1]) != met[i] && wisp_hook_set(h, keys, met[i] ? "true" : "false") != 0)
			warn("the status of '%s' cannot be set", keys[1]);
	}
	wisp_json_free(checks);
	free(agent);
	free(log);
	free(met);
}
