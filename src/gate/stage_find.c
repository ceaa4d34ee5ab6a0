/*
 * stage_find: see stage.h.
 */
#include "stage.h"

#include <stdlib.h>
#include <string.h>

#include "core/orchestra.h"

/* The state of an open record, or of the folder's loop-state.json; NULL where it is no orchestration's. */
static void
look(struct wisp_stage *s)
{
	s->state = s->recorded ? wisp_orchestra_of(&s->r) : s->file;
	if (s->state != NULL && !wisp_orchestra_is(s->state))
		s->state = NULL;
}

/* At s->place. */
static void
open_here(struct wisp_stage *s, enum wisp_record_mode mode)
{
	struct wisp_cli at = {.place = s->place};

	s->recorded = wisp_cli_record(&at, &s->r, mode);
	s->r.place = &s->place;
	if (!s->recorded && s->place.home == NULL) {
		s->file = wisp_cli_file(&s->place, "loop");
		if (s->file != NULL && mode == WISP_WRITE) {
			wisp_json_free(s->file);
			wisp_cli_lock(&s->place);
			s->file = wisp_cli_file(&s->place, "loop");
		}
	}
	look(s);
}

static void
close_here(struct wisp_stage *s)
{
	if (s->recorded)
		wisp_record_release(&s->r);
	wisp_json_free(s->file);
	s->file = s->state = NULL;
	s->recorded = false;
}

/* From a sub-agent's session to its orchestration's; false where it is no sub-agent's. */
static bool
to_parent(struct wisp_stage *s)
{
	const char *parent = s->recorded && s->place.project != NULL ? wisp_json_str(s->r.doc, "parent", NULL) : NULL;
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_place up;

	if (parent == NULL)
		return false;
	if (wisp_place_session(&up, s->place.project, parent, &err) != 0)
		die_err(&err);
	close_here(s);
	wisp_place_release(&s->place);
	s->place = up;
	return true;
}

/* What is at s->place, or above it; false: nothing of an orchestration. Then nothing is open. */
static bool
open_family(struct wisp_stage *s, enum wisp_record_mode mode)
{
	open_here(s, mode);
	if (s->state == NULL && to_parent(s))
		open_here(s, mode);
	if (s->state == NULL)
		close_here(s);
	return s->state != NULL;
}

/* The session of the work tree or branch at hand, if that is one, or belongs to one. */
static bool
open_at_hand(struct wisp_stage *s, enum wisp_record_mode mode)
{
	struct wisp_err err = WISP_ERR_INIT;
	bool found;

	found = wisp_place_pick(&s->place, ".", NULL, &err) == 0 && open_family(s, mode);
	if (!found)
		wisp_place_release(&s->place);
	wisp_err_release(&err);
	return found;
}

void
wisp_stage_each(struct wisp_cli *cli, wisp_stage_fn *each, void *arg)
{
	const char *env = getenv("WISP_SESSION_DIR");
	bool named = cli->dir != NULL || (env != NULL && *env != '\0');
	char *project, **branches = NULL;
	struct wisp_stage s = {0};
	size_t count = 0;

	if (named) {
		wisp_cli_place(cli);
		s.place = cli->place;
		cli->place = (struct wisp_place){0};
		if (!open_family(&s, WISP_READ))
			die_usage("'%s' is no orchestration", cli->dir != NULL ? cli->dir : env);
	}
	if (named || open_at_hand(&s, WISP_READ)) {
		each(&s, arg);
		wisp_stage_close(&s);
		return;
	}
	project = wisp_place_project(".", NULL, NULL);
	if (project == NULL || wisp_place_sessions(project, &branches, &count) != 0)
		count = 0;
	for (size_t i = 0; i < count; i++) {
		struct wisp_err err = WISP_ERR_INIT;

		s = (struct wisp_stage){0};
		if (wisp_place_session(&s.place, project, branches[i], &err) == 0 &&
		    wisp_record_open(&s.r, &s.place, WISP_READ, &err) == 0) {
			/* What cannot be read is none here: `wisp list` names it. */
			s.recorded = true;
			look(&s);
			if (s.state != NULL)
				each(&s, arg);
		}
		wisp_stage_close(&s);
		wisp_err_release(&err);
	}
	wisp_dir_list_free(branches, count);
	free(project);
}

/* --- the one that has a gate --------------------------------------------------- */

struct search {
	const char *id;
	struct wisp_buf names;	/* of those that have it, pending before decided */
	char *dir;		/* of the first of them */
	size_t count, orchestrations;
	bool pending;
};

static void
consider(const struct wisp_stage *s, void *arg)
{
	struct search *found = arg;
	const char *list = NULL;
	bool pending;

	found->orchestrations++;
	if (wisp_orchestra_gate(s->state, found->id, &list) == NULL)
		return;
	pending = strcmp(list, "pending") == 0;
	if (found->pending && !pending)
		return;
	if (pending && !found->pending) {
		wisp_buf_release(&found->names);
		found->count = 0;
	}
	if (found->count++ == 0) {
		free(found->dir);
		found->dir = wisp_strdup(s->place.dir);
	}
	found->pending = pending;
	wisp_buf_printf(&found->names, "%s%s", found->count > 1 ? ", " : "", s->place.branch != NULL ? s->place.branch : s->place.dir);
}

void
wisp_stage_open(struct wisp_stage *s, struct wisp_cli *cli, const char *id)
{
	struct search found = {.id = id};
	struct wisp_err err = WISP_ERR_INIT;

	wisp_stage_each(cli, consider, &found);
	if (found.orchestrations == 0)
		die_usage("there is no orchestration here");
	if (found.count == 0)
		die_usage("there is no gate '%s' (wisp gate list)", id);
	if (found.count > 1)
		die_usage("there is a gate '%s' in %s: name one (-C its folder, or --branch)", id, found.names.data);
	*s = (struct wisp_stage){0};
	if (wisp_place_dir(&s->place, found.dir, &err) != 0)
		die_err(&err);
	if (!open_family(s, WISP_WRITE))
		die_data("'%s' is no orchestration any more", found.dir);
	wisp_buf_release(&found.names);
	free(found.dir);
}

void
wisp_stage_keep(struct wisp_stage *s)
{
	if (s->recorded)
		wisp_cli_commit(&s->r);
	else
		wisp_cli_keep_file(&s->place, "loop", s->state);
}

void
wisp_stage_close(struct wisp_stage *s)
{
	close_here(s);
	wisp_place_release(&s->place);
}
