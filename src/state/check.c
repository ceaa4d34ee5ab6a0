/*
 * check: the files of a session against their schema (core/kinds.h).
 */
#include "machine.h"
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>

/* What is wrong with one file goes into `faults`; a missing one is a fault if it was asked for. True if it is there. */
static bool
check_file(const struct wisp_cli *cli, const char *template, const struct wisp_kind *k, const char *path, bool needed,
	   struct cJSON *faults)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_buf b = WISP_BUF_INIT;
	struct cJSON *doc = NULL, *fault;
	enum wisp_verdict v = wisp_kind_read(k, path, &b, &doc, &err);
	const struct wisp_source src = {b.data, b.len, path, k != NULL ? k->name : ""};

	if (v == WISP_VALID && !wisp_machine_holds(cli, template, k, &src, doc, &err))
		v = WISP_INVALID;
	if (v != WISP_VALID && (v != WISP_MISSING || needed)) {
		fault = wisp_json_object();
		wisp_json_set_str(fault, "file", path);
		wisp_json_set_num(fault, "line", v == WISP_EMPTY ? 1 : (double)err.line);
		wisp_json_set_num(fault, "column", v == WISP_EMPTY ? 1 : (double)err.col);
		wisp_json_set_str(fault, "text", err.text);
		wisp_json_push(faults, fault);
	}
	wisp_err_release(&err);
	wisp_buf_release(&b);
	wisp_json_free(doc);
	return v != WISP_MISSING;
}

/* A line each, FILE:LINE:COL: PATH: what is wrong; or all in one document. */
static int
print_faults(const struct wisp_cli *cli, struct cJSON *faults)
{
	bool good = wisp_json_len(faults) == 0;
	struct cJSON *answer;

	if (cli->json) {
		answer = wisp_json_object();
		wisp_json_set_bool(answer, "good", good);
		wisp_json_set(answer, "faults", faults);
		wisp_cli_json(answer);
		return good ? 0 : WISP_EXIT_DATA;
	}
	for (const struct cJSON *f = wisp_json_first(faults); f != NULL; f = wisp_json_next(f)) {
		const char *file = wisp_json_str(f, "file", ""), *text = wisp_json_str(f, "text", "");
		long long line = wisp_json_int(f, "line", 0);

		if (line > 0)
			printf("%s:%lld:%lld: %s\n", file, line, wisp_json_int(f, "column", 0), text);
		else
			printf("%s: %s\n", file, text);
	}
	wisp_json_free(faults);
	return good ? 0 : WISP_EXIT_DATA;
}

int
wisp_verb_check(struct wisp_cli *cli)
{
	const char *template = NULL;
	const struct wisp_option options[] = {{"template", .text = &template}, {0}};
	struct cJSON *faults = wisp_json_array();
	size_t there = 0;

	wisp_cli_read(cli, options, 0, -1);
	for (int i = 0; i < cli->argc; i++) {
		struct wisp_target t;

		wisp_target_find(&t, cli, cli->argv[i]);
		(void)check_file(cli, template, t.kind, t.path, true, faults);
		free(t.path);
	}
	if (cli->argc > 0)
		return print_faults(cli, faults);
	wisp_cli_place(cli);
	for (const struct wisp_kind *k = wisp_kinds; k->name != NULL; k++) {
		char *path = wisp_str("%s/%s", cli->place.dir, k->file);

		there += check_file(cli, template, k, path, false, faults);
		free(path);
	}
	if (there == 0)
		die_data("no file of a session in '%s'", cli->place.dir);
	return print_faults(cli, faults);
}
