/*
 * machine: the phases that the verbs of wisp-state go by.
 */
#ifndef WISP_STATE_MACHINE_H
#define WISP_STATE_MACHINE_H

#include "core/cli.h"
#include "core/kinds.h"

/* Those of the folder `template` (NULL: none), which must hold, else die; else the record's; else RED to QA. The caller frees it. */
struct cJSON *wisp_machine_find(const char *template, const struct cJSON *record);
/*
 * Are the phases that a loop state names those in force? The record is that of cli->place, where one was picked and it
 * can be read. True for all other kinds; else `err`.
 */
bool wisp_machine_holds(const struct wisp_cli *cli, const char *template, const struct wisp_kind *kind,
			const struct wisp_source *src, const struct cJSON *doc, struct wisp_err *err);

/* A loop state where it stands: in the record of a session, else alone in a folder. */
struct wisp_loop {
	bool session;		/* is there a record? */
	struct wisp_record r;	/* only then */
	struct cJSON *loop;	/* NULL: a session without phases */
};

/* Finds it from cli->place. Dies 102 where there is neither a session nor a loop-state.json, or it does not hold. */
void wisp_loop_open(struct wisp_loop *l, struct wisp_cli *cli, enum wisp_record_mode mode);
/* Commits what was changed, or dies. */
void wisp_loop_keep(struct wisp_loop *l, const struct wisp_cli *cli);
void wisp_loop_release(struct wisp_loop *l);

#endif
