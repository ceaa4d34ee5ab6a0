/*
 * import: a task list made of another tool's file.
 *
 * A parser reads the bytes and adds tasks as it finds them, rough: only what the
 * source says. wisp_import_finish makes tasks of the schema of them (core/tasks.h).
 * Whatever the source holds and a task list does not is a loss, which is named by
 * its kind, with the first place and how many there are: nothing goes silently.
 *
 * Parsers take any bytes: wisp_import_open has refused NUL and what is no UTF-8,
 * and all else is at worst a fault with its line. Lines count from 1.
 */
#ifndef WISP_TASKS_IMPORT_H
#define WISP_TASKS_IMPORT_H

#include "core/json.h"

/* Where a task came from: a line, or in JSON a path (core/scan.h). */
struct wisp_origin {
	size_t line;
	char *at;		/* NULL: `line` */
	struct cJSON *set;	/* objects of a path `at` and the `value` there that says that it is done; NULL where there is none */
	size_t status;		/* the line `status: WORD` of a todo; 0: there is none */
};

/* An open box of a task, in the source: the byte between its brackets. */
struct wisp_box {
	size_t task;		/* index */
	size_t offset;
};

/* What was not taken over, of one kind. */
struct wisp_loss {
	char *what, *example;
	size_t line, count;
	char *at;		/* in JSON, until wisp_import_finish has made a line of it */
};

struct wisp_import {
	const char *path;		/* the source as messages name it; borrowed */
	const char *hint;		/* what to try where there is no task in it; NULL: nothing */
	struct wisp_buf bytes;		/* as they are */
	size_t start;			/* of the text: behind a byte-order mark */
	struct wisp_buf json;		/* the document that paths lead through, where it is not `bytes` */
	struct cJSON *rough;		/* tasks as the parser left them, until finish */
	struct cJSON *tasks;		/* after finish */
	struct wisp_origin *origins;	/* of each task */
	size_t count, cap;
	struct wisp_box *boxes;
	size_t n_boxes;
	struct wisp_loss *losses;
	size_t n_losses;
};

/* Takes the bytes over (`bytes` is empty then) and looks at them. -1 with `err`: empty, NUL, no UTF-8. */
int wisp_import_open(struct wisp_import *im, const char *path, struct wisp_buf *bytes, struct wisp_err *err) WISP_CHECK;
void wisp_import_release(struct wisp_import *im);	/* twice is fine */

/*
 * Adds a rough task, borrowed from `im`, and returns it. Its members are those of a
 * task, all but the description optional; beside them `words` (strings of which
 * one may say the category or the priority). `priority` may be text; `steps`, `acceptance`,
 * `depends_on` may be text of several lines.
 */
struct cJSON *wisp_import_task(struct wisp_import *im, size_t line, const char *description);
/* The same for one made elsewhere (consumed). */
void wisp_import_take(struct wisp_import *im, struct cJSON *rough, size_t line);
/* The task that was added last has an open box there. */
void wisp_import_box(struct wisp_import *im, size_t offset);
/* Something is not taken over. `what` is its kind, in the plural. */
void wisp_import_lose(struct wisp_import *im, const char *what, size_t line, const char *example);

/*
 * Makes im->tasks, of `category` where nothing else is said. -1 with `err`, which
 * names the source and the line: no task at all, one without description, an id
 * twice, dependencies in a circle.
 */
int wisp_import_finish(struct wisp_import *im, const char *category, struct wisp_err *err) WISP_CHECK;
/*
 * Says in `bytes`, a copy of im->bytes in which nothing but this has changed, that the task (an index)
 * is done: its open boxes, or its values. False where there is nothing to tick.
 */
bool wisp_import_tick(const struct wisp_import *im, size_t task, struct wisp_buf *bytes);
/* The line of a path in the source; 0 where it leads nowhere. */
size_t wisp_import_line_at(const struct wisp_import *im, const char *at);

/* The category that a word stands for ("bug", "documentation"), or NULL. */
const char *wisp_import_category(const char *word);
/* Is it the state of a task that was dropped ("Canceled", "won't do")? */
bool wisp_import_dropped(const char *word);
/* The priority that it stands for ("high", "P1", "priority: low", "3"); false if it is no such word. */
bool wisp_import_priority(const char *word, long *priority);

/* A line of the source, without its end. */
struct wisp_text_line {
	const char *text;
	size_t len, number, offset;
	size_t next;		/* private */
};
/* The next line, the first where `line` is zero; false after the last. */
bool wisp_import_next(const struct wisp_import *im, struct wisp_text_line *line);

/* What stands behind `Task N:` in a heading (ralphex); NULL where it is another heading. */
const char *wisp_import_task_title(const char *heading);
/* The todos in the front matter of a plan of Cursor; false, and nothing has changed, where there are none. */
bool wisp_import_todos(struct wisp_import *im);

/* The parsers: fill `im`, and return 0, or -1 with `err`. */
typedef int wisp_import_parse(struct wisp_import *im, struct wisp_err *err);
wisp_import_parse wisp_import_fixplan, wisp_import_ralphex, wisp_import_csv, wisp_import_lines;

#endif
