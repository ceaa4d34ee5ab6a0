/*
 * wisp-prompt: what the agent is told for one step (prompt/prompt.h).
 *
 *	wisp-prompt [-C DIR] [--template DIR] [--name FILE] [--system-out FILE] [-o FILE]
 *
 * Reads and writes nothing else. Exit: 0; 100 called wrongly; 102 bad data, or
 * no such prompt file; 111 system.
 */
#include "core/cli.h"
#include "prompt/prompt.h"

static int
run(struct wisp_cli *cli)
{
	struct wisp_prompt o = {.name = "iterate.md"};
	const struct wisp_option options[] = {
		{"template", .text = &o.template}, {"name", .text = &o.name},
		{"system-out", .text = &o.system_out}, {"out", 'o', .text = &o.out}, {0}
	};
	struct wisp_record r = {.lock = -1};

	wisp_cli_read(cli, options, 0, 0);
	if (cli->json)
		die_usage("a prompt is text, there is no --json");
	/* Without a record by the published files, and without those by the task list alone. */
	if (!wisp_cli_record(cli, &r, WISP_READ))
		r.place = &cli->place;
	wisp_prompt_write(&r, &o);
	wisp_record_release(&r);
	return 0;
}

int
main(int argc, char **argv)
{
	static const struct wisp_verb verbs[] = {
		{"", run, "[--template DIR] [--name FILE] [--system-out FILE] [-o FILE]", ""}, {0}
	};
	wisp_cli_main(argc, argv, "what the agent is told for one step", verbs);
}
