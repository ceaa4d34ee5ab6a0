/*
 * wisp-limit: may a step start now? (core/limits.h)
 *
 *	check     0 yes, 1 no, with the reason and, where it ends by itself, until when
 *	charge    counts an agent start in this hour
 *	wait      until a step may start: 0; 1 at once where that takes a person
 *	reset     forgets the hour and the usage limit: a person says so
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/cli.h"
#include "core/config.h"
#include "core/limits.h"
#include "core/pool.h"
#include "core/shared.h"
#include "core/time.h"

/* What is asked and changed: a session's record, else the limits.json of a folder that has none. */
struct work {
	bool session;
	struct wisp_record r;		/* with a session */
	struct cJSON *limits, *config, *spent;
	bool again;			/* the step is repeated */
};

/*
 * A folder with a loop state has limits, too; one with neither is no folder to
 * work on. The number of calls that limits.json allows holds, since nothing else says one.
 */
static void
open_files(struct work *w, const struct wisp_place *place)
{
	struct cJSON *loop;
	double calls;

	w->limits = wisp_cli_file(place, "limits");
	if (w->limits == NULL) {
		loop = wisp_cli_file(place, "loop");
		if (loop == NULL)
			wisp_cli_no_session(place);
		wisp_json_free(loop);
		w->limits = wisp_limits_new();
	}
	w->config = wisp_config_defaults();
	w->spent = wisp_json_object();
	calls = wisp_json_num(wisp_json_get(w->limits, "hourly"), "limit", -1);
	if (calls >= 0)
		wisp_json_set_num(w->config, "limits.callsPerHour", calls);
}

static void
close_work(struct work *w)
{
	if (w->session) {
		wisp_record_release(&w->r);
		return;
	}
	wisp_json_free(w->limits);
	wisp_json_free(w->config);
	wisp_json_free(w->spent);
}

static void
open_work(struct work *w, struct wisp_cli *cli, enum wisp_record_mode mode)
{
	memset(w, 0, sizeof *w);
	w->session = wisp_cli_record(cli, &w->r, mode);
	if (w->session) {
		w->limits = wisp_json_object_at(w->r.doc, "limits");
		w->config = wisp_record_config(&w->r);
		w->spent = wisp_record_session(&w->r);
		w->again = wisp_json_bool(wisp_json_get(w->r.doc, "step"), "again", false);
		return;
	}
	open_files(w, &cli->place);
	/* A lock file is for a folder that has what is to be locked. */
	if (mode == WISP_WRITE) {
		close_work(w);
		wisp_cli_lock(&cli->place);
		open_files(w, &cli->place);
	}
}

static void
keep(struct work *w, const struct wisp_cli *cli)
{
	if (w->session)
		wisp_cli_commit(&w->r);
	else
		wisp_cli_keep_file(&cli->place, "limits", w->limits);
}

static void
print(struct wisp_cli *cli, const struct wisp_limit_answer *a)
{
	static const char *const words[] = {"none", "wait", "iterations", "hours", "cost", "calls", "usage", "reserved",
					   "overage"};
	struct cJSON *answer = wisp_json_object();
	char *until = a->until < 0 ? NULL : wisp_time_iso(a->until);

	wisp_json_set_str(answer, "limit", words[a->what]);
	wisp_json_set_str(answer, "until", until);
	wisp_json_set_str(answer, "reason", a->text);
	wisp_cli_answer(cli, answer);
	free(until);
}

/* What the session shares with others cannot be told. */
static _Noreturn void
die_pool(const struct work *w, const struct wisp_err *err)
{
	if (err->text != NULL)
		die_err(err);
	die_sys("cannot ask what '%s' shares with other sessions", w->r.place->dir);
}

/* The record is read for each look and no lock is held between two. */
static void
look(struct wisp_limit_answer *a, struct wisp_cli *cli, bool wait)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct work w;

	open_work(&w, cli, WISP_READ);
	wisp_limits_check(a, w.limits, w.spent, w.config, w.again, wait, wisp_time_now());
	if (a->what == WISP_GO && w.session && wisp_pool_look(&w.r, wait, wisp_time_now(), a, &err) != 0)
		die_pool(&w, &err);
	if (a->what == WISP_GO && w.session && wisp_shared_look(&w.r, wait, wisp_time_now(), a, &err) != 0)
		die_pool(&w, &err);
	close_work(&w);
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

/* To be changed by a verb without arguments; `what` as for wisp_cli_refuse_step. */
static void
open_to_change(struct work *w, struct wisp_cli *cli, const char *what)
{
	wisp_cli_read(cli, NULL, 0, 0);
	wisp_cli_place(cli);
	wisp_cli_refuse_step(&cli->place, what);
	open_work(w, cli, WISP_WRITE);
}

static int
charge(struct wisp_cli *cli)
{
	struct work w;

	open_to_change(&w, cli, "charging a call");
	wisp_limits_charge(w.limits, w.config, wisp_time_now());
	keep(&w, cli);
	close_work(&w);
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
	struct wisp_err err = WISP_ERR_INIT;
	struct work w;

	open_to_change(&w, cli, "resetting limits");
	if (w.session) {
		wisp_json_set(w.r.doc, "limits", wisp_limits_new());
		if (wisp_pool_forget(&w.r, true, &err) != 0 || wisp_shared_forget(&w.r, &err) != 0)
			die_pool(&w, &err);
	} else {
		wisp_json_free(w.limits);
		w.limits = wisp_limits_new();
	}
	keep(&w, cli);
	close_work(&w);
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
