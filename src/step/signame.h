/*
 * signame: signals by name, as step.json and `wisp-agent parse` spell them.
 */
#ifndef WISP_SIGNAME_H
#define WISP_SIGNAME_H

#define WISP_SIGNAME_SIZE 16

/* `TERM`, `SIGTERM` or a number; 0 for what is none. */
int wisp_signal_number(const char *name);
/* `TERM`, or the number where a signal has no name; returns `out`. */
const char *wisp_signal_name(int number, char out[WISP_SIGNAME_SIZE]);

#endif
