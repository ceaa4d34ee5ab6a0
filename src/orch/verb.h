/*
 * verb: the verbs of wisp-orch. Each is run by wisp_cli_main and returns the exit
 * code; those that change something open the record of the orchestration's
 * session under its write lock.
 */
#ifndef WISP_ORCH_VERB_H
#define WISP_ORCH_VERB_H

#include "core/cli.h"

/* phase.c */
int wisp_orch_new(struct wisp_cli *cli);
int wisp_orch_facts(struct wisp_cli *cli);
int wisp_orch_move(struct wisp_cli *cli);
int wisp_orch_asked(struct wisp_cli *cli);
int wisp_orch_end(struct wisp_cli *cli);
int wisp_orch_again(struct wisp_cli *cli);

/* note.c, observe.c, calibrate.c */
int wisp_orch_note(struct wisp_cli *cli);
int wisp_orch_observe(struct wisp_cli *cli);
int wisp_orch_calibrate(struct wisp_cli *cli);

/* detect.c */
int wisp_orch_detect(struct wisp_cli *cli);
int wisp_orch_mode(struct wisp_cli *cli);

/* take.c */
int wisp_orch_take(struct wisp_cli *cli);

/* next.c */
int wisp_orch_next(struct wisp_cli *cli);
int wisp_orch_systems(struct wisp_cli *cli);
int wisp_orch_sessions(struct wisp_cli *cli);
int wisp_orch_alive(struct wisp_cli *cli);
int wisp_orch_reopen(struct wisp_cli *cli);

/* order.c */
int wisp_orch_order(struct wisp_cli *cli);

/* stage.c */
int wisp_orch_gate(struct wisp_cli *cli);

/* pool.c */
int wisp_orch_pool(struct wisp_cli *cli);

/* find.c */
int wisp_orch_find(struct wisp_cli *cli);

#endif
