/*
 * stage: the orchestrations whose stage gates wisp-gate lists and decides (001_, SPEC 11).
 *
 * That of -C or WISP_SESSION_DIR, of a sub-agent's session its orchestration's, of a folder of no session its
 * loop-state.json; else that of the work tree or branch at hand; else all of the project.
 */
#ifndef WISP_GATE_STAGE_H
#define WISP_GATE_STAGE_H

#include "core/cli.h"

struct wisp_stage {
	struct wisp_place place;
	struct wisp_record r;	/* if `recorded` */
	bool recorded;
	struct cJSON *file;	/* else: the loop-state.json of a folder */
	struct cJSON *state;	/* of either, borrowed */
};

typedef void wisp_stage_fn(const struct wisp_stage *s, void *arg);

/* Each of them, to read. Dies 100 where -C names none, 102 where it cannot be read. */
void wisp_stage_each(struct wisp_cli *cli, wisp_stage_fn *each, void *arg);
/* The one that has the gate `id`, pending before decided, to be changed under its lock. Dies 100 where there is none, or more than one. */
void wisp_stage_open(struct wisp_stage *s, struct wisp_cli *cli, const char *id);
/* Commits what was changed, synced, or dies. */
void wisp_stage_keep(struct wisp_stage *s);
void wisp_stage_close(struct wisp_stage *s);

/* stage.c: the verbs. */
int wisp_gate_list(struct wisp_cli *cli);
int wisp_gate_approve(struct wisp_cli *cli);
int wisp_gate_reject(struct wisp_cli *cli);

#endif
