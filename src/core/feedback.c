/*
 * feedback: see feedback.h.
 */
#include "feedback.h"

#include <stdint.h>
#include <string.h>

#include "json.h"
#include "quote.h"

#define OUTPUT_MAX ((size_t)4 << 10)	/* of what a command printed */
#define TEXT_MAX WISP_FEEDBACK_TEXT
#define SPEC_MAX ((size_t)256 << 10)
#define ITEMS_MAX 50

struct kind {
	const char *name, *heading;
	const char *lead;	/* what it means for the agent */
	size_t max;
	bool end;		/* of a long text the end is shown */
};

static const struct kind kinds[] = {
	{"answer", "The answer to your question", "Go on with it; do not ask again.", TEXT_MAX, false},
	{"guidance", "Guidance from a person", "Follow it from now on.", TEXT_MAX, false},
	{"done", "Your DONE was refused", "Resolve this before you report DONE again.", TEXT_MAX, false},
	{"phase", "The phase is not over yet",
	 "Your exit signal counts once the filter of the phase holds, too; it does not hold for the metrics of that step.", TEXT_MAX, false},
	{"verify", "The project's check failed",
	 "The tasks claimed in that step are open again; the work itself is still there. The check printed, at its end:",
	 OUTPUT_MAX, true},
	{"lost_refused", "The project's check passed, but tests that passed before are gone",
	 "The tasks claimed in that step are open again; the work itself is still there. Bring these tests back, or give a reason for "
	 "each in state.json: \"tests_removed\": [{\"test\": \"its name as it stands here\", \"reason\": \"why it had to go\"}].", TEXT_MAX, false},
	{"lost", "Tests that passed before are gone or skipped",
	 "Bring them back, or give a reason for each in state.json: "
	 "\"tests_removed\": [{\"test\": \"its name as it stands here\", \"reason\": \"why it had to go\"}].", TEXT_MAX, false},
	{"flaky", "Tests that pass only sometimes",
	 "In three iterations or more they failed, and passed when they ran again on the same files. That is a fault: mend it.", TEXT_MAX, false},
	{"check", "The project's check failed",
	 "An observation: nothing was undone by it. The check printed, at its end:", OUTPUT_MAX, true},
	{"rejected", "The work was rejected", "Fix what the report names, then go on as usual.", TEXT_MAX, false},
	{"claim", "What you claimed is not what was observed", "Claim what the tests print, and nothing else.", TEXT_MAX, false},
	{"commit", "What you left could not be committed",
	 "Put this right and commit it yourself; until then the session is not done. What was in the way:", TEXT_MAX, false},
	{"deletes", "The step's work was put away: it deletes most of the project",
	 "No commit is made of that. Delete only what a task asks for, and commit it yourself. The first of the files:", TEXT_MAX, false},
	{"wrote", "Files that the project's check wrote",
	 "They are left out of the commits that are made for you. Add them to .gitignore, or commit them if they belong to the project.", TEXT_MAX, false},
	{"refused", "The sandbox refused what was asked of the network",
	 "Do not try it again: go on without it, or ask. The people here can allow a host.", TEXT_MAX, false},
	{"protected", "Files that the project's check runs from were changed",
	 "The people here are told. Change them only where a task asks for it, and never to make the check pass.", TEXT_MAX, false},
	{"metrics", "Nothing was observed of some metrics", "", TEXT_MAX, false},
	{"state", "The state file was not accepted", "Without a valid one a step counts as failed.", TEXT_MAX, false},
	{"tasks", "The task list was put back",
	 "A step may set `passes`, edit `notes` and add tasks at the end, and nothing else.", TEXT_MAX, false},
	{"list", "The task list was not accepted", "It is as it was before. Write it again, with this put right.", TEXT_MAX, false},
	{"artefact", "What the last step was to leave was not accepted", "Write it again, with this put right.", TEXT_MAX, false},
	{"tampered", "Files of the controller were put back", "They are not yours to change or to delete.", TEXT_MAX, false},
	{"adopted", "A person worked here in the meantime", "These changes stay. Read them before you go on.", TEXT_MAX, false},
	{"put_away", "The work of a failed step was put away",
	 "It is no longer in the work tree. Take back of it what is good, or start again.", TEXT_MAX, false},
	{"commits", "Commits of a failed step were kept",
	 "See what they hold, and mark the tasks that they finish instead of doing them again.", TEXT_MAX, false},
	{"left", "Uncommitted work of a step that was cut off lies in the work tree",
	 "Finish it or undo it; its tasks are open.", TEXT_MAX, false},
	{"stuck", "The loop looks stuck", "Do not try the same again: change the approach, or ask.", TEXT_MAX, false},
	{"outcome", "How the last step ended", "", TEXT_MAX, true},
	{"interrupted", "A step was lost together with its controller", "", TEXT_MAX, false},
	{"spec", "How the spec has changed", "", SPEC_MAX, false},
	{"review", "What the review says", "", SPEC_MAX, false},
};

static const struct kind *
find_kind(const char *name)
{
	static const struct kind other = {"", "A note", "", TEXT_MAX, false};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	}
	return &other;
}

static void
add_text(struct wisp_buf *out, const char *heading, const char *text, const struct kind *kind)
{
	if (text == NULL || *text == '\0')
		return;
	wisp_buf_printf(out, "\n%s", heading);
	wisp_quote(out, text, kind->max, kind->end);
}

static void
add_ref(struct wisp_buf *out, const char *ref)
{
	wisp_buf_puts(out, "\nTo see it, and to take a file of it back:\n\n    git show --stat ");
	wisp_buf_line(out, ref, SIZE_MAX);
	wisp_buf_puts(out, "\n    git restore --source=");
	wisp_buf_line(out, ref, SIZE_MAX);
	wisp_buf_puts(out, " -- FILE\n");
}

void
wisp_feedback_add(struct wisp_buf *out, const struct cJSON *entry)
{
	const struct kind *kind = find_kind(wisp_json_str(entry, "kind", ""));
	const char *question = wisp_json_str(entry, "question", NULL), *ref = wisp_json_str(entry, "ref", NULL);
	long long iteration = wisp_json_int(entry, "iteration", 0);

	wisp_buf_printf(out, "\n## %s", kind->heading);
	if (iteration > 0)
		wisp_buf_printf(out, " (iteration %lld)", iteration);
	wisp_buf_putc(out, '\n');
	if (*kind->lead != '\0')
		wisp_buf_printf(out, "\n%s\n", kind->lead);
	add_text(out, "The question was:\n\n", question, kind);
	add_text(out, question != NULL ? "The answer is:\n\n" : "", wisp_json_str(entry, "text", NULL), kind);
	wisp_quote_list(out, "\n", wisp_json_get(entry, "items"), "-", ITEMS_MAX);
	add_text(out, "All of it is in:\n\n", wisp_json_str(entry, "file", NULL), kind);
	if (ref != NULL)
		add_ref(out, ref);
}
