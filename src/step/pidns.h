/*
 * pidns: a pid namespace around the agent of a step (Linux).
 *
 * Nothing that a step starts can leave its namespace, by no fork, session or
 * environment, and when the namespace's first process ends the kernel kills
 * all others. That process is `init`, a fork of the supervisor that runs no
 * program: it dies with the supervisor, so that KILL of the supervisor ends
 * everything, the watchdog or not. It takes the dead away, and ends by itself
 * when the agent has ended and nothing else is left.
 *
 * The agent is a child of the supervisor, like init, and so is waited for as
 * ever; to itself it has no parent (getppid gives 0). The namespace has a
 * /proc of its own, and for that a mount namespace, in which all other mounts
 * are those of outside, and shared with them where they were shared. Its
 * numbers go on from the supervisor's, where the kernel lets them.
 */
#ifndef WISP_PIDNS_H
#define WISP_PIDNS_H

#include <stdbool.h>
#include <sys/types.h>
#include "core/buf.h"

enum wisp_pidns {
	WISP_PIDNS_AUTO,	/* where that needs no user namespace, and works */
	WISP_PIDNS_TRUE,	/* through a user namespace, too, and not without */
	WISP_PIDNS_FALSE
};

/* Is one to be made? */
bool wisp_pidns_wanted(enum wisp_pidns how);
/*
 * Like fork, but makes the namespace, its init and the new process, both of
 * them children of the caller's parent, the supervisor; the caller is a child
 * that only does this. 0 in the new process, which dies with the supervisor.
 * -1 with errno if it cannot be done; the caller's parent then kills *init, if
 * that is not 0.
 *
 * `room` is a pair of sockets, the supervisor's end and that of init; `report`
 * is the write end of a pipe that only the supervisor reads.
 */
pid_t wisp_pidns_fork(const int room[2], int report, pid_t *init) WISP_CHECK;
/*
 * In the supervisor, on its end of the socket, which this closes: the agent
 * has ended and was waited for. If nothing is left in the namespace *init is
 * waited for too and becomes 0, else it stays until the rest is gone. Nothing
 * happens where there is no init.
 */
void wisp_pidns_leave(int room, pid_t *init);

#endif
