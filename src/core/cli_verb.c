/*
 * cli_verb: what the verbs of all programs do alike: find their folder, lock
 * it, refuse inside a step, print an answer. See cli.h.
 */
#include "cli.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inside.h"

void
wisp_cli_read_loop(struct wisp_cli *cli, const struct wisp_option *options, int min, int max)
{
	if (wisp_inside())
		die_usage("running a loop is not possible from inside a step");
	wisp_cli_read(cli, options, min, max);
}

enum wisp_verify
wisp_cli_verify(const char *word)
{
	int verify = wisp_verify_parse(word);

	if (verify < 0)
		die_usage("expected none, skipped, passed or failed, not '%s'", word);
	return (enum wisp_verify)verify;
}

void
wisp_cli_place(struct wisp_cli *cli)
{
	struct wisp_err err = WISP_ERR_INIT;
	int rc;

	if (cli->dir != NULL)
		rc = wisp_place_dir(&cli->place, cli->dir, &err);
	else
		rc = wisp_place_pick(&cli->place, ".", NULL, &err);
	if (rc < 0)
		die_err(&err);
	if (rc > 0)
		die_usage("%s (-C DIR names a session's folder)", wisp_err_string(&err));
}

/* Do the variables say that it is a step of that very folder? It need be no session's. */
static bool
inside_step(const struct wisp_place *place)
{
	const char *step = getenv("WISP_ITERATION"), *dir = getenv("WISP_SESSION_DIR");
	char *theirs, *ours;
	bool same;

	if (step == NULL || *step == '\0' || dir == NULL || *dir == '\0')
		return false;
	theirs = realpath(dir, NULL);
	ours = realpath(place->dir, NULL);
	same = theirs != NULL && ours != NULL ? strcmp(theirs, ours) == 0 : strcmp(dir, place->dir) == 0;
	free(theirs);
	free(ours);
	return same;
}

void
wisp_cli_refuse_step(const struct wisp_place *place, const char *what)
{
	char *branch;

	if (inside_step(place) || (place->home != NULL && wisp_inside()))
		die_usage("%s is not possible from inside a step", what);
	branch = place->home != NULL ? wisp_inside_other(place, place->project) : NULL;
	if (branch != NULL)
		die_usage("%s is not possible from another pid namespace than that of the loop of %s", what, branch);
}

void
wisp_cli_lock(const struct wisp_place *place)
{
	char *path = place->home != NULL ? wisp_str("%s/.write", place->home) : wisp_str("%s/.lock", place->dir);

	if (place->home != NULL && wisp_dir_make(place->home) < 0)
		die_sys("cannot make '%s'", place->home);
	if (wisp_lock(path) < 0)
		die_sys("cannot lock '%s'", path);
	free(path);
}

void
wisp_cli_pair(const char *key, const char *text)
{
	struct wisp_buf line = WISP_BUF_INIT;

	if (text == NULL)
		return;
	wisp_buf_line(&line, text, SIZE_MAX);
	printf("%s=%s\n", key, line.data);
	wisp_buf_release(&line);
}

void
wisp_cli_pair_whole(const char *key, const char *text)
{
	printf("%s=", key);
	for (; *text != '\0'; text++)
		if (*text == '%' || *text == '\n')
			printf("%%%02X", *text);
		else
			putchar(*text);
	putchar('\n');
}

void
wisp_cli_print(struct wisp_buf *text)
{
	if (text->len > 0)
		fwrite(text->data, 1, text->len, stdout);
	wisp_buf_release(text);
}

void
wisp_cli_json(struct cJSON *v)
{
	struct wisp_buf out = WISP_BUF_INIT;

	wisp_json_print(&out, v);
	wisp_cli_print(&out);
	wisp_json_free(v);
}

void
wisp_cli_answer(struct wisp_cli *cli, struct cJSON *answer)
{
	struct wisp_buf number = WISP_BUF_INIT;

	if (cli->json) {
		wisp_cli_json(answer);
		return;
	}
	for (const struct cJSON *m = wisp_json_first(answer); m != NULL; m = wisp_json_next(m)) {
		const char *key = wisp_json_key(m);

		wisp_buf_reset(&number);
		switch (wisp_json_type(m)) {
		case WISP_T_STRING:
			wisp_cli_pair(key, wisp_json_text(m, ""));
			break;
		case WISP_T_NUMBER:
			wisp_json_print_compact(&number, m);
			wisp_cli_pair(key, number.data);
			break;
		case WISP_T_BOOL:
			wisp_cli_pair(key, wisp_json_true(m) ? "yes" : "no");
			break;
		default:
			break;
		}
	}
	wisp_buf_release(&number);
	wisp_json_free(answer);
}
