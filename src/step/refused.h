/*
 * refused: what a sandbox kept from a program, by the errors of the system that it printed.
 */
#ifndef WISP_REFUSED_H
#define WISP_REFUSED_H

/*
 * The first path of `text` outside of the folder `tree` (NULL: of none) that could not be changed,
 * reached or seen, with the setting that allows it; NULL where there is none. To be called outside
 * of the sandbox: what is missing in it was hidden if it is there out here. The caller frees it.
 */
char *wisp_refused(const char *text, const char *tree);

#endif
