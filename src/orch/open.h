/*
 * open: the record of an orchestration's session, for the verbs.
 */
#ifndef WISP_ORCH_OPEN_H
#define WISP_ORCH_OPEN_H

#include "core/cli.h"

/* Its state (core/orchestra.h), borrowed; dies 102 where the session is no orchestration. */
struct cJSON *wisp_orch_open(struct wisp_cli *cli, struct wisp_record *r, enum wisp_record_mode mode);
/* The commit, synced, of an orchestration that runs: without a handoff (core/handoff.h). Dies where it fails. */
void wisp_orch_commit(struct wisp_record *r);

#endif
