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

#endif
