/*
 * import: the verbs of wisp-tasks that need libjq, for formats whose files are JSON.
 */
#ifndef WISP_JUDGE_IMPORT_H
#define WISP_JUDGE_IMPORT_H

#include "tasks/format.h"

int wisp_judge_import(struct wisp_cli *cli);
int wisp_judge_export(struct wisp_cli *cli);
int wisp_judge_sync(struct wisp_cli *cli);

#endif
