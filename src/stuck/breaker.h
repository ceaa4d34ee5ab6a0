/*
 * breaker: the verb of wisp-stuck that shows and changes the circuit breaker.
 * core/breaker.h says what it is.
 */
#ifndef WISP_STUCK_BREAKER_H
#define WISP_STUCK_BREAKER_H

#include "core/cli.h"

int wisp_verb_breaker(struct wisp_cli *cli);

#endif
