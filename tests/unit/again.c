/*
 * again: what becomes of a session that is there when it is started, as a table.
 */
#include "session/again.h"
#include "unit.h"

int
main(void)
{
	static const struct {
		const char *what;
		struct wisp_again_facts facts;
		const char *due;
	} cases[] = {
		{"a list is there", {.planned = true}, "continue"},
		{"none is", {0}, "plan"},
		{"none is, with phases", {.phases = true}, "continue"},
		{"another template", {.planned = true, .template = true, .spec = true, .given = true, .tasks = true},
		 "other-template"},
		{"another spec", {.planned = true, .spec = true}, "other-spec"},
		{"another spec, on a terminal", {.planned = true, .spec = true, .terminal = true}, "other-spec"},
		{"another spec, and it is over", {.planned = true, .spec = true, .completed = true}, "other-spec"},
		{"another spec, with phases", {.phases = true, .spec = true}, "other-spec"},
		{"another spec, with phases, on a terminal", {.phases = true, .spec = true, .terminal = true}, "ask-spec"},
		{"the same, and it is over", {.phases = true, .spec = true, .terminal = true, .completed = true}, "ask-spec"},
		{"the same, without a terminal", {.phases = true, .spec = true, .completed = true}, "anew-spec"},
		{"its own tasks", {.planned = true, .given = true}, "continue"},
		{"other tasks", {.planned = true, .given = true, .tasks = true}, "other-tasks"},
		{"tasks, and it is over", {.planned = true, .given = true, .completed = true}, "anew"},
		{"other tasks, and it is over", {.planned = true, .given = true, .tasks = true, .completed = true}, "anew"},
		{"a change", {.planned = true, .change = true, .resume = true}, "continue"},
		{"a change, and it is over", {.planned = true, .change = true, .resume = true, .completed = true}, "anew"},
		{"it is over", {.planned = true, .completed = true}, "continue"},
		{"a task is open by now", {.planned = true, .completed = true, .open = true}, "anew"},
		{"a task is open by now, but it is resumed", {.planned = true, .completed = true, .open = true, .resume = true},
		 "continue"},
		{"a task is open by now, with phases", {.planned = true, .phases = true, .completed = true, .open = true},
		 "continue"},
		{"a task is open", {.planned = true, .open = true}, "continue"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK_STR(wisp_again_name(wisp_again(&cases[i].facts)), cases[i].due, cases[i].what);
	return unit_done();
}
