/*
 * inherit: what a program has from whoever started it, and must not depend on.
 */
#ifndef WISP_INHERIT_H
#define WISP_INHERIT_H

/*
 * Every program of wisp begins with this. A standard stream that is closed would become the
 * next file that is opened, and be written to as such: it is taken by something that fails as
 * a closed one does. No signal is blocked, and children can be waited for (SIGCHLD).
 */
void wisp_inherit_reset(void);
/*
 * No signal is ignored any more, but for HUP, which nohup ignores for a person, and XFSZ,
 * which wisp itself ignores. A shell cannot undo that for itself.
 */
void wisp_inherit_signals(void);

#endif
