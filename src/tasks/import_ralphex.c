/*
 * import_ralphex: a plan of ralphex. `### Task 1: title` begins a task (`Iteration` is
 * the same), its boxes are the steps, all else in it the notes; it passes when
 * it has boxes and all are ticked. What the section `Validation Commands` lists
 * verifies each task.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "markdown.h"

enum section { BESIDE, TASK, VALIDATION };

struct plan {
	struct wisp_import *im;
	struct wisp_md md;
	enum section section;
	int level;			/* of its heading */
	struct cJSON *task;
	size_t number;			/* of its line */
	struct wisp_buf title, step, notes, verify;
	struct cJSON *steps;
	size_t boxes, done;
	bool adjoining;			/* the last line was a step */
};

static void
end_step(struct plan *p)
{
	if (p->step.len > 0)
		wisp_json_push(p->steps, wisp_json_string(p->step.data));
	wisp_buf_reset(&p->step);
}

static void
end_task(struct plan *p)
{
	if (p->section != TASK)
		return;
	end_step(p);
	/* A lone box that says the title again is the task's own. */
	if (p->boxes == 1 && strcmp(wisp_json_text(wisp_json_first(p->steps), ""), p->title.data) == 0)
		wisp_json_shift(p->steps);
	wisp_json_set_bool(p->task, "passes", p->boxes > 0 && p->done == p->boxes);
	if (p->done > 0 && p->done < p->boxes)
		wisp_import_lose(p->im, "ticks of single steps", p->number, p->title.data);
	if (p->notes.len > 0)
		wisp_json_set_str(p->task, "notes", p->notes.data);
	wisp_buf_reset(&p->notes);
	p->section = BESIDE;
}

const char *
wisp_import_task_title(const char *text)
{
	static const char *const words[] = {"task", "iteration"};
	size_t n, i;

	for (i = 0; i < 2; i++) {
		n = strlen(words[i]);
		if (strncasecmp(text, words[i], n) == 0 && (text[n] == ' ' || text[n] == '\t'))
			break;
	}
	if (i == 2)
		return NULL;
	text += n + strspn(text + n, " \t");
	n = strcspn(text, ": \t");
	if (n == 0)
		return NULL;
	text += n + strspn(text + n, " \t");
	if (*text == ':' || *text == '-')
		text++;
	return text + strspn(text, " \t");
}

static void
begin_task(struct plan *p, const char *title)
{
	p->section = TASK;
	p->level = p->md.level;
	p->number = p->md.number;
	p->boxes = p->done = 0;
	p->adjoining = false;
	wisp_buf_reset(&p->title);
	wisp_buf_puts(&p->title, title);
	p->task = wisp_import_task(p->im, p->number, title);
	p->steps = wisp_json_array_at(p->task, "steps");
}

static void
heading(struct plan *p)
{
	const char *title = wisp_import_task_title(p->md.text);
	bool validation = strncasecmp(p->md.text, "validation", strlen("validation")) == 0;

	/* As ralphex has it: another heading of the third level ends no task. */
	if (p->section == TASK && title == NULL &&
	    (p->md.level > p->level || (p->md.level == p->level && p->level > 2 && !validation))) {
		end_step(p);
		wisp_md_add_line(&p->notes, p->md.text);
		return;
	}
	end_task(p);
	if (title != NULL) {
		begin_task(p, title);
		return;
	}
	p->section = BESIDE;
	if (validation)
		p->section = VALIDATION;
	else
		wisp_import_lose(p->im, "headings", p->md.number, p->md.text);
}

static void
add_command(struct plan *p)
{
	const char *text = p->md.text;
	size_t n = strlen(text);

	if (n > 1 && *text == '`' && text[n - 1] == '`') {
		text++;
		n -= 2;
	}
	if (n == 0)
		return;
	if (p->verify.len > 0)
		wisp_buf_puts(&p->verify, " && ");
	wisp_buf_add(&p->verify, text, n);
}

static void
box(struct plan *p)
{
	end_step(p);
	if (p->md.box == WISP_MD_STRUCK || *p->md.text == '\0') {
		wisp_import_lose(p->im, "items that are struck out or empty", p->md.number, p->md.text);
		return;
	}
	if (p->md.box == WISP_MD_OTHER)
		wisp_import_lose(p->im, "marks that say neither open nor done (taken as open)", p->md.number, p->md.text);
	p->boxes++;
	p->done += p->md.box == WISP_MD_DONE;
	if (p->md.box != WISP_MD_DONE && p->md.mark > 0)
		wisp_import_box(p->im, p->md.mark);
	wisp_buf_puts(&p->step, p->md.text);
}

/* A line in a task that is no heading. */
static void
in_task(struct plan *p)
{
	bool adjoins = p->adjoining;

	p->adjoining = false;
	if (p->md.kind == WISP_MD_ITEM && p->md.box != WISP_MD_NO_BOX) {
		box(p);
		p->adjoining = true;
	} else if (p->md.kind == WISP_MD_TEXT && adjoins && p->step.len > 0 && p->md.indent > 0) {
		wisp_buf_putc(&p->step, ' ');
		wisp_buf_puts(&p->step, p->md.text);
		p->adjoining = true;
	} else if (p->md.kind == WISP_MD_ITEM) {
		char *line = wisp_str("- %s", p->md.text);

		wisp_md_add_line(&p->notes, line);
		free(line);
	} else {
		wisp_md_add_line(&p->notes, p->md.text);
	}
}

static void
outside(struct plan *p)
{
	wisp_import_lose(p->im, "boxes outside of a task", p->md.number, p->md.text);
	p->im->hint = "the format fixplan takes items with a box as tasks";
}

static void
line(struct plan *p)
{
	enum wisp_md_kind kind = p->md.kind;

	if (kind == WISP_MD_HEADING)
		heading(p);
	else if (kind == WISP_MD_BLANK)
		p->adjoining = false;
	else if (kind == WISP_MD_COMMENT)
		wisp_import_lose(p->im, "comments", p->md.number, p->md.text);
	else if (p->section == TASK)
		in_task(p);
	else if (p->section == VALIDATION && (kind == WISP_MD_ITEM || kind == WISP_MD_CODE))
		add_command(p);
	else if (kind == WISP_MD_ITEM && p->md.box != WISP_MD_NO_BOX)
		outside(p);
	else
		wisp_import_lose(p->im, "text outside of a task", p->md.number, p->md.text);
}

int
wisp_import_ralphex(struct wisp_import *im, struct wisp_err *err)
{
	struct plan p = {.im = im};
	struct cJSON *task;

	(void)err;
	while (wisp_md_next(&p.md, im))
		line(&p);
	end_task(&p);
	for (task = wisp_json_first(im->rough); task != NULL && p.verify.len > 0; task = wisp_json_next(task))
		wisp_json_set_str(task, "verify", p.verify.data);
	wisp_md_release(&p.md);
	wisp_buf_release(&p.title);
	wisp_buf_release(&p.step);
	wisp_buf_release(&p.notes);
	wisp_buf_release(&p.verify);
	return 0;
}
