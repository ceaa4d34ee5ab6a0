/*
 * layers: see layers.h.
 */
#include "layers.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/config.h"
#include "core/given.h"

#define READ_SIZE 65536
#define GIT_LIMIT 300	/* seconds: the file may have become a pipe */

static _Noreturn void
exec_git(const char *path, int out)
{
	/* From /, so that no repository around us matters. */
	(void)signal(SIGALRM, SIG_DFL);
	(void)alarm(GIT_LIMIT);
	if (chdir("/") == 0 && dup2(out, STDOUT_FILENO) >= 0)
		execlp("git", "git", "config", "--file", path, "-z", "--no-includes", "--list", (char *)NULL);
	_exit(127);
}

static void
run_git(const char *path, struct wisp_buf *list)
{
	int fd[2], status = 0;
	ssize_t n;
	pid_t pid;

	if (pipe(fd) < 0 || (pid = fork()) < 0)
		die_sys("cannot start git");
	if (pid == 0) {
		close(fd[0]);
		exec_git(path, fd[1]);
	}
	close(fd[1]);
	do {
		wisp_buf_grow(list, READ_SIZE);
		n = read(fd[0], list->data + list->len, READ_SIZE);
		list->len += n > 0 ? (size_t)n : 0;
	} while ((n > 0 && list->len < WISP_FILE_MAX) || (n < 0 && errno == EINTR));
	close(fd[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		die_sys("cannot start git");
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		die_data("cannot read the configuration '%s'", path);	/* git has said why */
}

/* NAME=PATH */
static void
apply_file(struct wisp_layers *l, const char *arg)
{
	const char *path = strchr(arg, '=');
	struct wisp_buf list = WISP_BUF_INIT;
	struct wisp_err err = WISP_ERR_INIT;
	char *name, *full, *cwd = NULL;
	struct stat st;

	if (path == NULL || path == arg || path[1] == '\0')
		die_usage("--layer needs NAME=PATH, not '%s'", arg);
	name = wisp_str("%.*s", (int)(path - arg), arg);
	path++;
	if (*path != '/' && (cwd = getcwd(NULL, 0)) == NULL)
		die_sys("cannot tell the current folder");
	full = *path == '/' ? wisp_strdup(path) : wisp_str("%s/%s", cwd, path);
	if (stat(full, &st) == 0) {
		/* git would wait for ever at a pipe. */
		if (!S_ISREG(st.st_mode))
			die_data("'%s' is not a regular file", path);
		run_git(full, &list);
		if (wisp_config_apply(l->config, l->origin, name, list.data, list.len, path, &err) < 0 ||
		    ((strcmp(name, "user") == 0 || strcmp(name, "own") == 0) &&
		     wisp_config_apply(l->person, NULL, name, list.data, list.len, path, &err) < 0))
			die_err(&err);
	}
	wisp_buf_release(&list);
	free(full);
	free(cwd);
	free(name);
}

/* KEY=VALUE, in the form in which git lists it; KEY alone is a boolean. */
static void
apply_texts(struct wisp_layers *l, const char *name, const struct wisp_texts *texts)
{
	struct wisp_buf list = WISP_BUF_INIT;
	struct wisp_err err = WISP_ERR_INIT;
	char *equals;
	size_t i, at;

	for (i = 0; i < texts->count; i++) {
		at = list.len;
		wisp_buf_add(&list, texts->list[i], strlen(texts->list[i]) + 1);
		equals = strchr(list.data + at, '=');
		if (equals != NULL)
			*equals = '\n';
	}
	if (wisp_config_apply(l->config, l->origin, name, list.data, list.len, NULL, &err) < 0)
		die_usage("%s", err.text);
	wisp_buf_release(&list);
}

static void
apply_template(struct wisp_layers *l)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *loop = NULL;
	enum wisp_verdict verdict = wisp_json_load(l->template, &loop, &err);

	if (verdict != WISP_VALID && verdict != WISP_MISSING)
		die_err(&err);
	wisp_err_release(&err);
	if (wisp_config_apply_json(l->config, l->origin, wisp_json_get(loop, "config"), l->template, &err) < 0)
		die_err(&err);
	wisp_json_free(loop);
}

void
wisp_layers_read(struct wisp_layers *l, struct wisp_cli *cli, int operands)
{
	bool command = false;
	const struct wisp_option options[] = {
		{"template", .text = &l->template},
		{"layer", .list = &l->files},
		{"set", .list = &l->sets},
		{"command", .flag = &command},
		{"option", .list = &l->options},
		{"origin", .flag = &l->with_origin},
		{"as", .text = &l->as},
		{"to", .text = &l->to},
		{"said", .text = &l->said},
		{"project", .text = &l->project},
		{"template-dir", .text = &l->template_dir},
		{0}
	};
	size_t i;

	*l = (struct wisp_layers){0};
	wisp_cli_read(cli, options, operands, operands);
	l->config = wisp_config_defaults();
	l->origin = wisp_json_object();
	l->person = wisp_json_object();
	if (l->template != NULL)
		apply_template(l);
	for (i = 0; i < l->files.count; i++)
		apply_file(l, l->files.list[i]);
	if (command)
		wisp_given(WISP_GIVEN_CONFIG, &l->sets, &l->sets);
	apply_texts(l, "command", &l->sets);
	if (l->said != NULL) {
		l->unlimited = wisp_json_copy(l->config);
		l->unlimited_origin = wisp_json_copy(l->origin);
	}
	apply_texts(l, "option", &l->options);
}

void
wisp_layers_release(struct wisp_layers *l)
{
	free(l->files.list);
	free(l->sets.list);
	free(l->options.list);
	wisp_json_free(l->config);
	wisp_json_free(l->origin);
	wisp_json_free(l->person);
	wisp_json_free(l->unlimited);
	wisp_json_free(l->unlimited_origin);
}
