#include "again.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "verb.h"

/* With phases a new session takes the place, where the user says so or, without a terminal, if it is over. */
static enum wisp_again
other_spec(const struct wisp_again_facts *f)
{
	if (f->phases && f->terminal)
		return WISP_AGAIN_ASK;
	return f->phases && f->completed ? WISP_AGAIN_SPEC : WISP_AGAIN_OTHER_SPEC;
}

enum wisp_again
wisp_again(const struct wisp_again_facts *f)
{
	if (f->template)
		return WISP_AGAIN_OTHER_TEMPLATE;
	if (f->spec)
		return other_spec(f);
	if (f->tasks && !f->completed)
		return WISP_AGAIN_OTHER_TASKS;
	/* Completed is final for a session: open tasks begin another one. */
	if (f->completed && (f->given || f->change || (!f->resume && !f->phases && f->open)))
		return WISP_AGAIN_ANEW;
	return f->planned || f->phases ? WISP_AGAIN_CONTINUE : WISP_AGAIN_PLAN;
}

const char *
wisp_again_name(enum wisp_again a)
{
	static const char *const names[] = {"continue", "plan", "anew", "anew-spec", "ask-spec", "other-template", "other-spec",
					    "other-tasks"};

	return names[a];
}

/* Does the list `given` make other tasks of those of the session, as it does where that has none? */
static bool
are_other(const char *given, const struct wisp_tasks *own, bool known)
{
	struct wisp_tasks t = {0};
	struct wisp_tasks_diff d;
	bool other = true;

	if (known && wisp_tasks_load(&t, given, NULL) == WISP_VALID) {
		wisp_tasks_compare(&d, &t, own);
		other = !d.lawful;
		wisp_tasks_diff_release(&d);
	}
	wisp_tasks_release(&t);
	return other;
}

static bool
is_other(const struct cJSON *session, const char *key, const char *given)
{
	return given != NULL && strcmp(given, wisp_json_str(session, key, "")) != 0;
}

/* due= a word of wisp_again, and what bash must know of the session for it. */
int
wisp_verb_again(struct wisp_cli *cli)
{
	const char *template = NULL, *spec = NULL, *tasks = NULL;
	struct wisp_again_facts f = {.terminal = isatty(STDIN_FILENO) && isatty(STDERR_FILENO)};
	const struct wisp_option options[] = {
		{"template", .text = &template}, {"spec", .text = &spec}, {"tasks", .text = &tasks},
		{"phases", .flag = &f.phases}, {"change", .flag = &f.change}, {"resume", .flag = &f.resume}, {0}
	};
	const struct cJSON *session;
	struct wisp_tasks own = {0};
	struct wisp_record r;
	char *path;
	bool known;

	wisp_cli_read_loop(cli, options, 0, 0);
	wisp_cli_need_record(cli, &r, WISP_READ);
	path = wisp_record_dir_path(&r, "tasks.json");
	known = wisp_tasks_load(&own, path, NULL) == WISP_VALID;
	session = wisp_json_get(r.doc, "session");
	f.completed = strcmp(wisp_json_str(session, "status", ""), "completed") == 0;
	f.planned = wisp_json_str(r.doc, "good", NULL) != NULL || wisp_file_exists(path);
	f.template = is_other(session, "template", template);
	f.spec = is_other(session, "spec", spec);
	f.given = tasks != NULL;
	f.tasks = f.given && are_other(tasks, &own, known);
	f.open = known && wisp_tasks_next(&own) != NULL;
	wisp_cli_pair("due", wisp_again_name(wisp_again(&f)));
	wisp_cli_pair("status", wisp_json_str(session, "status", NULL));
	wisp_cli_pair("spec", wisp_json_str(session, "spec", NULL));
	wisp_cli_pair("parent", wisp_json_str(r.doc, "parent", NULL));
	wisp_tasks_release(&own);
	free(path);
	wisp_record_release(&r);
	return 0;
}
