/*
 * markdown: as much of it as lists of things to do need, line by line: headings,
 * list items with and without a box, code, comments, and all else.
 *
 * A box is one character (or none) between brackets, behind a list marker, with a
 * blank or the line's end after it: `- [link](to)` and `- [2024-05-01] text` have none. A
 * letter but x is a label: `- [P] text` has none, either. `- [ ]* text` is optional to Kiro.
 */
#ifndef WISP_TASKS_MARKDOWN_H
#define WISP_TASKS_MARKDOWN_H

#include "import.h"

enum wisp_md_kind { WISP_MD_BLANK, WISP_MD_HEADING, WISP_MD_ITEM, WISP_MD_TEXT, WISP_MD_CODE, WISP_MD_COMMENT };

/* `[ ]` and `[]` are open, `[x]` and a check mark done, `[-]` and `[~]` struck out; any other sign is open, too. */
enum wisp_md_box { WISP_MD_NO_BOX, WISP_MD_OPEN, WISP_MD_DONE, WISP_MD_STRUCK, WISP_MD_OTHER };

struct wisp_md {
	enum wisp_md_kind kind;
	size_t number;		/* of the line */
	size_t indent;		/* columns; a tab goes to the next multiple of 4 */
	int level;		/* of a heading */
	enum wisp_md_box box;
	bool optional;		/* a star behind the box */
	size_t mark;		/* offset of the byte in the box; 0 where there is none */
	char *text;		/* without markers, and blanks at its ends. Lives until the next line */
	/* private */
	struct wisp_text_line line;
	struct wisp_buf buffer;
	char fence;		/* of the code that is open, else 0 */
	size_t fence_len;
	bool comment;		/* one is open */
};

/* The next line, the first where `md` is zero; false after the last. */
bool wisp_md_next(struct wisp_md *md, const struct wisp_import *im);
void wisp_md_release(struct wisp_md *md);
/* `line` as one more line of the text. */
void wisp_md_add_line(struct wisp_buf *text, const char *line);

#endif
