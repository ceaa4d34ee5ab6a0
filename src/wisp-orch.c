/*
 * wisp-orch: several agents side by side under stage gates (wisp-orchestrate(1)).
 *
 * Private: lib/orchestrate.bash calls it between what bash does. The session of an
 * orchestration keeps what it decides in its record, as `orchestration` (001_,
 * published as loop-state.json) and `orchestra` (docs/record.md). Each verb is one change of it
 * under its write lock, and may be repeated.
 *
 * Exit: 0, or 1 where the verb asks a question and the answer is no; 100, 101,
 * 102, 111 as everywhere.
 */
#include "orch/verb.h"

int
main(int argc, char **argv)
{
	static const struct wisp_verb verbs[] = {
		{"new", wisp_orch_new, "--parallel N [--yes]", "begin one, in the session that is there, or go on"},
		{"facts", wisp_orch_facts, "", "where it stands, for the loop"},
		{"find", wisp_orch_find, "--project DIR", "the orchestrations of a project"},
		{"pool", wisp_orch_pool, "[--parallel N]", "the limits that all of it shares are those in force now"},
		{"move", wisp_orch_move, "PHASE", "to the next phase"},
		{"asked", wisp_orch_asked, "", "what people asked for meanwhile"},
		{"gate", wisp_orch_gate, "--type T --agent A [--description D] [--artifact F]... [--by WHO] [--again [--guide]]",
		 "is it approved? Asked for where it was not yet"},
		{"again", wisp_orch_again, "[--resume]", "after a retrospect: another loop, or none"},
		{"detect", wisp_orch_detect, "--template DIR [--fact NAME=N]...", "the kind of project, by the names on standard input"},
		{"mode", wisp_orch_mode, "[--mode M]", "it is confirmed, or overridden"},
		{"take", wisp_orch_take, "[--left] discover|decompose|retrospect",
		 "what the agent's step was to leave; 1: it is refused, and told. --left: if it is there"},
		{"observe", wisp_orch_observe, "[--git SYSTEM=FILES,COMMITS]... [--beside SYSTEM]... [--yes]", "what has become of each agent"},
		{"next", wisp_orch_next, "", "what is to be done with the systems"},
		{"note", wisp_orch_note, "WORD SYSTEM [--reason T] [--commit C]", "what was done with one"},
		{"systems", wisp_orch_systems, "", "those that are not merged: NAME STATUS"},
		{"sessions", wisp_orch_sessions, "", "the branches of its agents' sessions"},
		{"alive", wisp_orch_alive, "", "those whose loops live; 1 if there is none"},
		{"reopen", wisp_orch_reopen, "[--failed]", "what was at work is to be gone on with"},
		{"order", wisp_orch_order, "[--parallel N]", "in which order they would run"},
		{"calibrate", wisp_orch_calibrate, "", "estimated and actual hours"},
		{"end", wisp_orch_end, "--exit N [--reason T]", "it ends: the handoff says how it goes on"},
		{0}
	};

	wisp_cli_main(argc, argv, "several agents side by side under stage gates", verbs);
}
