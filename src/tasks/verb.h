/*
 * verb: what the verbs of wisp-tasks have in common, and those that change the
 * list. Each verb is run by wisp_cli_main and returns the exit code.
 */
#ifndef WISP_TASKS_VERB_H
#define WISP_TASKS_VERB_H

#include "core/cli.h"
#include "core/tasks.h"

/* The task list of the session that the command line names; the caller frees it. */
char *wisp_verb_path(struct wisp_cli *cli);
/* Reads a list that must hold, or dies 102. */
void wisp_verb_load(struct wisp_tasks *t, const char *path);
/* Says that there is no such task; returns 1. */
int wisp_verb_no_task(const char *name);

/* change.c: pass and open, by the name of the verb; add */
int wisp_verb_mark(struct wisp_cli *cli);
int wisp_verb_add(struct wisp_cli *cli);

#endif
