/*
 * verb: what the verbs of wisp-session have in common, and those that are not
 * in wisp-session.c itself.
 */
#ifndef WISP_VERB_H
#define WISP_VERB_H

#include "core/cli.h"
#include "core/record.h"

/* Opens the record of cli->place to read. Dies where there is none. */
void wisp_verb_open(struct wisp_record *r, const struct wisp_cli *cli);
/* Reads the command line and opens the session that the operand names, else the one wisp would pick. */
void wisp_verb_begin(struct wisp_record *r, struct wisp_cli *cli, const struct wisp_option *options);
/* Prints the text and releases it. */
void wisp_verb_print(struct wisp_buf *text);

/* ask.c */
int wisp_verb_owner(struct wisp_cli *cli);
int wisp_verb_request(struct wisp_cli *cli);
int wisp_verb_question(struct wisp_cli *cli);
int wisp_verb_answer(struct wisp_cli *cli);

/* probe.c */
int wisp_verb_kernel(struct wisp_cli *cli);
int wisp_verb_agent(struct wisp_cli *cli);

#endif
