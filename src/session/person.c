/*
 * person: what a person asks of a loop. core/turn_person.h says what each word does.
 */
#include "verb.h"

#include <string.h>

#include "core/request.h"
#include "core/turn_person.h"

/* Does what a person chose: skip-phase, abort, new-hour. */
int
wisp_verb_person(struct wisp_cli *cli)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *answer = wisp_json_object();
	struct wisp_record r;
	const char *word;
	int rc;

	wisp_cli_read_loop(cli, NULL, 1, 1);
	word = cli->argv[0];
	(void)wisp_cli_need_loop(cli, &r, NULL);
	if (strcmp(word, "skip-phase") == 0)
		rc = wisp_turn_skip_phase(&r, answer, &err);
	else if (strcmp(word, "abort") == 0)
		rc = wisp_turn_abort(&r, &err);
	else if (strcmp(word, "new-hour") == 0)
		rc = wisp_turn_new_hour(&r, &err);
	else
		die_usage("expected skip-phase, abort or new-hour, not '%s'", word);
	if (rc > 0)
		die_usage("%s", err.text);
	wisp_cli_must(rc, &err, &r);
	wisp_cli_answer(cli, answer);
	wisp_record_release(&r);
	return 0;
}

/* Is it halted for want of progress, and what would a person be asked? */
int
wisp_verb_stuck(struct wisp_cli *cli)
{
	struct cJSON *answer = wisp_json_object();
	struct wisp_record r;

	wisp_cli_read_loop(cli, NULL, 0, 0);
	wisp_cli_need_record(cli, &r, WISP_READ);
	wisp_turn_tell_stuck(&r, answer);
	wisp_cli_answer(cli, answer);
	wisp_record_release(&r);
	return 0;
}

int
wisp_verb_guide(struct wisp_cli *cli)
{
	struct cJSON *request = wisp_json_object();

	wisp_cli_read_loop(cli, NULL, 1, 1);
	if (cli->argv[0][strspn(cli->argv[0], " \t\r\n")] == '\0')
		die_usage("the guidance is empty");
	wisp_cli_place(cli);
	wisp_cli_refuse_step(&cli->place, "guiding");
	wisp_json_set_str(request, "verb", "guide");
	wisp_json_set_str(request, "text", cli->argv[0]);
	if (wisp_request_add(cli->place.home != NULL ? cli->place.home : cli->place.dir, request) != 0)
		die_sys("cannot leave a request for '%s'", cli->place.dir);
	return 0;
}
