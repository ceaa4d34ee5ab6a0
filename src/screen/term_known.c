/*
 * term_known: what the system knows of a kind of terminal. A file of its own,
 * since term.h names its macros as others do their variables.
 */
#include "term.h"

#include <curses.h>
#include <term.h>
#include <unistd.h>

char *
wisp_term_unknown(const char *name)
{
	const char *move;
	int found;

	if (setupterm(NULL, STDOUT_FILENO, &found) == ERR)
		return wisp_str("the terminal '%s' is not known here", name);
	move = tigetstr("cup");
	(void)del_curterm(cur_term);
	if (move == NULL || move == (char *)-1)
		return wisp_str("the terminal '%s' lacks cursor control", name);
	return NULL;
}
