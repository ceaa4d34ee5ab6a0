/*
 * import: the verbs of wisp-tasks that need libjq, for formats whose files are JSON.
 */
#ifndef WISP_FILTER_IMPORT_H
#define WISP_FILTER_IMPORT_H

#include "tasks/format.h"

int wisp_filter_import(struct wisp_cli *cli);
int wisp_filter_export(struct wisp_cli *cli);
int wisp_filter_sync(struct wisp_cli *cli);

#endif
