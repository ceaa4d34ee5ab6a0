/*
 * verb: the verbs of wisp-state. Each is run by wisp_cli_main and returns the exit
 * code.
 */
#ifndef WISP_STATE_VERB_H
#define WISP_STATE_VERB_H

#include "core/cli.h"
#include "core/kinds.h"

/* verb.c */
int wisp_verb_begin(struct wisp_cli *cli);
int wisp_verb_record(struct wisp_cli *cli);
int wisp_verb_move(struct wisp_cli *cli);

/* file.c: what FILE names, a word a file of the session's folder, all else a path; free `path`. */
struct wisp_target {
	const struct wisp_kind *kind;	/* NULL: none of a session's files */
	char *path;
	bool word;
};
void wisp_target_find(struct wisp_target *t, struct wisp_cli *cli, const char *file);
int wisp_verb_get(struct wisp_cli *cli);
int wisp_verb_set(struct wisp_cli *cli);
int wisp_verb_query(struct wisp_cli *cli);

/* check.c */
int wisp_verb_check(struct wisp_cli *cli);

/* error.c */
int wisp_verb_error(struct wisp_cli *cli);

/* show.c */
int wisp_verb_progress(struct wisp_cli *cli);
int wisp_verb_show(struct wisp_cli *cli);

#endif
