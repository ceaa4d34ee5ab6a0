/*
 * cli_record: the record of the session that a command line names, or the files
 * of a folder that has none. See cli.h.
 */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "holder.h"
#include "kinds.h"

static int
open_record(struct wisp_cli *cli, struct wisp_record *r, enum wisp_record_mode mode, const char *seal, struct wisp_buf *names)
{
	struct wisp_err err = WISP_ERR_INIT;
	int rc;

	if (cli->place.dir == NULL)
		wisp_cli_place(cli);
	if (mode == WISP_WRITE)
		wisp_cli_refuse_step(&cli->place, "changing the record of a session");
	errno = 0;
	rc = wisp_record_open_sealed(r, &cli->place, mode, seal, names, &err);
	if (rc < 0 && err.text != NULL)
		die_err(&err);
	if (rc < 0)
		die_sys("cannot open the record of '%s'", cli->place.dir);
	return rc;
}

bool
wisp_cli_record(struct wisp_cli *cli, struct wisp_record *r, enum wisp_record_mode mode)
{
	return open_record(cli, r, mode, NULL, NULL) == 0;
}

void
wisp_cli_no_session(const struct wisp_place *place)
{
	die_data("no session in '%s' (wisp-state init makes one there)", place->dir);
}

void
wisp_cli_must(int rc, const struct wisp_err *err, const struct wisp_record *r)
{
	if (rc != 0 && err->text != NULL)
		die_err(err);
	if (rc != 0)
		die_sys("cannot change the record of '%s'", r->place->dir);
}

void
wisp_cli_need_record(struct wisp_cli *cli, struct wisp_record *r, enum wisp_record_mode mode)
{
	if (!wisp_cli_record(cli, r, mode))
		wisp_cli_no_session(&cli->place);
}

void
wisp_cli_need_sealed(struct wisp_cli *cli, struct wisp_record *r, const char *seal)
{
	struct wisp_buf names = WISP_BUF_INIT;
	int rc = open_record(cli, r, WISP_WRITE, seal, &names);

	if (rc == 2)
		die_data(
			"changed in a step, and not by wisp: %s; kept as .changed, and wisp resume goes on from the record before it",
			names.data);
	if (rc != 0)
		wisp_cli_no_session(&cli->place);
}

void
wisp_cli_seal(struct wisp_record *r, struct cJSON *answer)
{
	struct wisp_buf seal = WISP_BUF_INIT;

	wisp_record_seal(r, &seal);
	wisp_json_set_str(answer, "seal", seal.data);
	wisp_buf_release(&seal);
}

/* The owner as the record has it: for a lock that does not say who holds it. */
static long
recorded_owner(const struct wisp_place *place)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_record r = {0};
	long pid = 0;

	if (wisp_record_open(&r, place, WISP_READ, &err) == 0)
		pid = (long)wisp_json_int(wisp_json_get(wisp_json_get(r.doc, "session"), "owner"), "pid", 0);
	wisp_record_release(&r);
	wisp_err_release(&err);
	return pid;
}

/* Is the caller the loop that has the session? false where none has it; ends the program where it is another one's. */
static bool
called_by_loop(const struct wisp_place *place)
{
	char *path = wisp_str("%s/lock", place->home != NULL ? place->home : place->dir);
	struct wisp_holder h;
	int held = wisp_lock_held(path);
	bool ours = false;

	if (held < 0)
		die_sys("cannot look at the lock '%s'", path);
	if (held > 0) {
		if (wisp_holder_read(&h, path)) {
			ours = h.pid == getppid();
			wisp_holder_release(&h);
		}
		if (!ours && recorded_owner(place) != getppid()) {
			warn("a loop is at work on '%s'", place->dir);
			wisp_exit(1);
		}
	}
	free(path);
	return held > 0;
}

bool
wisp_cli_need_loop(struct wisp_cli *cli, struct wisp_record *r, const char *seal)
{
	if (cli->place.dir == NULL)
		wisp_cli_place(cli);
	/* Before the seal, too: what does not have it is moved aside. */
	if (seal != NULL)
		called_by_loop(&cli->place);
	wisp_cli_need_sealed(cli, r, seal);
	return called_by_loop(&cli->place);
}

struct cJSON *
wisp_cli_file(const struct wisp_place *place, const char *kind)
{
	const struct wisp_kind *k = wisp_kind_find(kind);
	char *path = wisp_str("%s/%s", place->dir, k->file);
	struct wisp_buf bytes = WISP_BUF_INIT;
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *doc = NULL;
	enum wisp_verdict verdict = wisp_kind_read(k, path, &bytes, &doc, &err);

	if (verdict != WISP_VALID && verdict != WISP_MISSING)
		die_err(&err);
	wisp_err_release(&err);
	wisp_buf_release(&bytes);
	free(path);
	return doc;
}

void
wisp_cli_keep_file(const struct wisp_place *place, const char *kind, const struct cJSON *doc)
{
	char *path = wisp_str("%s/%s", place->dir, wisp_kind_find(kind)->file);

	if (wisp_json_write(path, doc, WISP_SYNC) != 0)
		die_sys("cannot write '%s'", path);
	free(path);
}

bool
wisp_cli_owned(const struct wisp_record *r)
{
	int owned = wisp_record_owned(r);

	if (owned < 0)
		die_sys("cannot look at the lock in '%s'", r->home);
	return owned == 1;
}

void
wisp_cli_commit(struct wisp_record *r)
{
	const char *stage = wisp_json_str(wisp_json_get(r->doc, "step"), "stage", "recorded");
	bool runs = strcmp(stage, "recorded") != 0 || wisp_json_bool(r->doc, "checking", false);

	/* The loop knows the record that it has begun the step with, or verifies it with, and takes another one for the agent's. */
	if (r->place->home != NULL && runs && wisp_cli_owned(r))
		die_usage("a step of %s is running: once more after it, or after wisp pause", r->place->branch);
	if (wisp_record_commit(r) != 0)
		die_sys("cannot write the record in '%s'", r->home);
}
