/*
 * wisp-filter: what an iteration needs a large library for, which the other
 * programs therefore need not load: libjq for the filters of a template, expat
 * for the tests that were counted. And what wisp-tasks needs libjq for: import, export
 * and sync of formats whose files are JSON, which it hands over.
 *
 * Private: a start asks it for its loop.json, the loop where there is something to ask, wisp-state and wisp-gate where
 * a filter is to be run.
 *
 * Exit: 0; 100, 101, 102, 111 as everywhere.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "core/cli.h"
#include "core/filter.h"
#include "core/filter_child.h"
#include "core/template.h"
#include "core/turn.h"
#include "filter/import.h"

#define CHUNK 65536

/* phases=yes|no, then agent= for each agent that a phase names. */
static int
template(struct wisp_cli *cli)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *doc = NULL, *machine;

	wisp_cli_read(cli, NULL, 1, 1);
	if (wisp_template_load(cli->argv[0], wisp_filter_compile, &doc, &err) != 0)
		die_err(&err);
	machine = wisp_template_machine(doc);
	wisp_cli_pair("phases", machine != NULL ? "yes" : "no");
	for (const struct cJSON *p = wisp_json_first(wisp_json_get(machine, "phases")); p != NULL; p = wisp_json_next(p))
		if (wisp_json_str(p, "agent", NULL) != NULL)
			wisp_cli_pair("agent", wisp_json_str(p, "agent", NULL));
	wisp_json_free(machine);
	wisp_json_free(doc);
	return 0;
}

static int
observed(struct wisp_cli *cli)
{
	const char *metrics = NULL, *seal = NULL;
	const struct wisp_option options[] = {{"metrics", .text = &metrics}, {"seal", .text = &seal}, {0}};
	struct cJSON *answer = wisp_json_object();
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_record r;

	wisp_cli_read_loop(cli, options, 0, 0);
	wisp_cli_need_loop(cli, &r, seal);
	wisp_cli_must(wisp_turn_observed(&r, metrics, answer, &err), &err, &r);
	wisp_cli_answer(cli, answer);
	wisp_record_release(&r);
	return 0;
}

static void
read_task(struct wisp_buf *b)
{
	ssize_t n;

	do {
		wisp_buf_grow(b, CHUNK);
		n = read(STDIN_FILENO, b->data + b->len, CHUNK);
		if (n > 0)
			b->len += (size_t)n;
	} while (n > 0 || (n < 0 && errno == EINTR));
	if (n < 0)
		die_sys("cannot read the filter");
	b->data[b->len] = '\0';
}

/* filter_exec.c: the filters, a NUL after each, and the document that the one is run over, or none. */
static int
child(struct wisp_cli *cli)
{
	long long seconds = WISP_FILTER_SECONDS, count = 1;
	const struct wisp_option options[] = {{"seconds", .number = &seconds}, {"filters", .number = &count}, {0}};
	struct wisp_buf task = WISP_BUF_INIT;
	struct wisp_err err = WISP_ERR_INIT;
	const char **filters;
	struct cJSON *input;
	size_t at = 0, n = 0;

	wisp_cli_read(cli, options, 0, 0);
	read_task(&task);
	filters = wisp_realloc(NULL, (size_t)count, sizeof *filters);
	for (; n < (size_t)count && at < task.len; at += strlen(task.data + at) + 1)
		filters[n++] = task.data + at;
	if (n < (size_t)count || n == 0 || at > task.len)
		die_usage("fewer filters than said");
	if (at == task.len)
		wisp_filter_child_compile(STDOUT_FILENO, filters, n);
	input = wisp_json_parse(task.data + at, task.len - at, NULL, &err);
	if (input == NULL)
		die_err(&err);
	wisp_filter_child_run(STDOUT_FILENO, filters[0], input, (int)seconds);
}

int
main(int argc, char **argv)
{
	static const struct wisp_verb verbs[] = {
		{"template", template, "DIR", "does its loop.json hold? phases=, and agent= for each that a phase names"},
		{"observed", observed, "[--seal S] [--metrics FILE]", "the tests that verify printed, and what verify.metrics did, are counted"},
		{"child", child, "[--seconds N] [--filters N]", "what the others ask of libjq: from standard input, filters and a document"},
		{"import", wisp_filter_import, "prd|criteria|beads|issues FILE [--category C]", "wisp-tasks, for formats that are JSON"},
		{"export", wisp_filter_export, "prd|criteria|beads", ""},
		{"sync", wisp_filter_sync, "prd|criteria|beads FILE [--dry-run]", ""},
		{0}
	};

	wisp_cli_main(argc, argv, "what an iteration needs a large library for", verbs);
}
