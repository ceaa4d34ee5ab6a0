/*
 * wisp-limit: may a step start now? (core/limits.h)
 *
 *	check     0 yes, 1 no, with the reason and, where it ends by itself, until when
 *	charge    counts an agent start in this hour
 *	wait      until a step may start: 0; 1 at once where that takes a person
 *	reset     forgets the hour and the usage limit: a person says so
 */
#include <stdlib.h>
#include <time.h>

#include "core/cli.h"
#include "core/limits.h"
#include "core/time.h"

static struct cJSON *
limits_of(struct wisp_record *r)
{
	return wisp_json_object_at(r->doc, "limits");
}

static void
print(struct wisp_cli *cli, const struct wisp_limit_answer *a)
{
	static const char *const words[] = {"none", "wait", "iterations", "hours", "cost", "calls", "usage"};
	struct cJSON *answer = wisp_json_object();
	char *until = a->until < 0 ? NULL : wisp_time_iso(a->until);

	wisp_json_set_str(answer, "limit", words[a->what]);
	wisp_json_set_str(answer, "until", until);
	wisp_json_set_str(answer, "reason", a->text);
	wisp_cli_answer(cli, answer);
	free(until);
}

/* The record is read for each look and no lock is held between two. */
static void
look(struct wisp_limit_answer *a, struct wisp_cli *cli, bool wait)
{
	struct wisp_record r;

	wisp_cli_need_record(cli, &r, WISP_READ);
	wisp_limits_check(a, limits_of(&r), wisp_record_session(&r), wisp_record_config(&r),
			  wisp_json_bool(wisp_json_get(r.doc, "step"), "again", false), wait, wisp_time_now());
	wisp_record_release(&r);
}

static int
check(struct wisp_cli *cli)
{
	struct wisp_limit_answer a;
	int rc;

	wisp_cli_read(cli, NULL, 0, 0);
	look(&a, cli, false);
	print(cli, &a);
	rc = a.what == WISP_GO ? 0 : 1;
	wisp_limit_answer_release(&a);
	return rc;
}

/* The record, to be changed by a verb without arguments; `what` as for wisp_cli_refuse_step. */
static void
open_to_change(struct wisp_cli *cli, struct wisp_record *r, const char *what)
{
	wisp_cli_read(cli, NULL, 0, 0);
	wisp_cli_place(cli);
	wisp_cli_refuse_step(&cli->place, what);
	wisp_cli_need_record(cli, r, WISP_WRITE);
}

static int
charge(struct wisp_cli *cli)
{
	struct wisp_record r;

	open_to_change(cli, &r, "charging a call");
	wisp_limits_charge(limits_of(&r), wisp_record_config(&r), wisp_time_now());
	wisp_cli_commit(&r);
	wisp_record_release(&r);
	return 0;
}

/* In short sleeps: a clock that is set, or a person's reset, is seen within one of them. */
static int
wait_until(struct wisp_cli *cli)
{
	const struct timespec nap = {.tv_nsec = 250 * 1000 * 1000};
	struct wisp_limit_answer a;
	bool told = false;
	int rc;

	wisp_cli_read(cli, NULL, 0, 0);
	for (look(&a, cli, true); a.what == WISP_LIMIT_WAIT; look(&a, cli, true)) {
		if (!told)
			warn("waiting: %s", a.text);
		told = true;
		wisp_limit_answer_release(&a);
		(void)nanosleep(&nap, NULL);
	}
	print(cli, &a);
	rc = a.what == WISP_GO ? 0 : 1;
	wisp_limit_answer_release(&a);
	return rc;
}

static int
reset(struct wisp_cli *cli)
{
	struct wisp_record r;

	open_to_change(cli, &r, "resetting limits");
	wisp_json_set(r.doc, "limits", wisp_limits_new());
	wisp_cli_commit(&r);
	wisp_record_release(&r);
	return 0;
}

int
main(int argc, char **argv)
{
	static const struct wisp_verb verbs[] = {
		{"check", check, "", "may a step start now? 1: no"},
		{"charge", charge, "", "count an agent start in this hour"},
		{"wait", wait_until, "", "until a step may start; 1: that takes a person"},
		{"reset", reset, "", "forget the hour and the usage limit"},
		{0}
	};

	wisp_cli_main(argc, argv, "what a session may still spend", verbs);
}
