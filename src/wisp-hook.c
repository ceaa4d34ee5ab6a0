/*
 * wisp-hook: the loop inside one interactive session of Claude Code (wisp-hook(1)).
 *
 * Private, but named by its path in a settings file: Claude Code starts `stop` and
 * `session-start`, which answer within 10 ms where no check is to be run, and
 * always exit 0. Everything else is for people and for the agent.
 *
 * Exit: 0; 100 called wrongly, or not now; 102 no loop, or a file that does not
 * hold; 111 the system refused.
 */
#include <signal.h>
#include <string.h>

#include "core/inside.h"
#include "hook/verb.h"

/*
 * The settings of a person have the hooks called in steps, too. There is no loop for them there, and
 * that of the person is not counted, changed or waited for.
 */
static void
let_go(int argc, char **argv)
{
	const char *verb;
	int i = 1;

	while (i < argc && argv[i][0] == '-')
		i += strcmp(argv[i], "-C") == 0 ? 2 : 1;
	verb = i < argc ? argv[i] : "status";
	if (argc < 1 || strcmp(verb, "status") == 0 || !wisp_inside())
		return;
	wisp_die_name(argv[0]);
	if (strcmp(verb, "stop") == 0)
		wisp_hook_say(argc, argv, false, "no active loop");
	else if (strcmp(verb, "start") == 0)
		warn("no loop is begun: this is inside a step");
	else if (strcmp(verb, "session-start") != 0)
		die_usage("%s is not possible from inside a step", verb);
	wisp_exit(0);
}

int
main(int argc, char **argv)
{
	static const struct wisp_verb verbs[] = {
		{"start", wisp_hook_start, "SPEC --criterion C... [--step S]... [--verify CRITERION=COMMAND]... [--max-iterations N] "
		 "[--budget USD] [--shape tool|colleague]", "begin a loop"},
		{"met", wisp_hook_verb_met, "CRITERION", "it is met: its text, or its number"},
		{"unmet", wisp_hook_verb_unmet, "CRITERION", "it is not"},
		{"step-done", wisp_hook_step_done, "STEP", "a remaining step is completed"},
		{"cost", wisp_hook_cost, "USD", "so much was spent since"},
		{"error", wisp_hook_error, "[--type transient|logic|blocking|unknown] TEXT", "note an error; some kinds pause"},
		{"status", wisp_hook_status, "", "where the loop stands"},
		{"pause", wisp_hook_pause, "", "let the session end"},
		{"resume", wisp_hook_resume, "[--trust]", "go on; the next session takes it over"},
		{"cancel", wisp_hook_cancel, "", "end the loop"},
		{"tasks", wisp_hook_tasks, "", "the criteria as a task list"},
		{"spec", wisp_hook_spec, "", "write what was asked for into a file, and print its path"},
		{"graduated", wisp_hook_graduated, "BRANCH", "a session of wisp goes on with it"},
		{"install", wisp_hook_install, "[--local | --user] [--print | --path]", "put the hooks into a settings file"},
		{"uninstall", wisp_hook_uninstall, "[--local | --user] [--print | --path]", "take them out"},
		{"stop", wisp_hook_stop, "[--schema command|prompt]", "the Stop hook: JSON on standard input"},
		{"session-start", wisp_hook_session_start, "", "the SessionStart hook: JSON on standard input"},
		{0}
	};

	/* A limit, too, is for the call that meets it: a signal would let the session end. */
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN);
	let_go(argc, argv);
	wisp_cli_main(argc, argv, "the loop inside one interactive session", verbs);
}
