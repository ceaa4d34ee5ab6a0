/*
 * import_fixplan: fix_plan.md of ralph-claude-code, and checkbox markdown in general.
 *
 * An item with a box is a task, items below it are its steps, indented text its
 * notes. A heading can say the priority ("High Priority") or the category ("Bug
 * Fixes") of what follows, up to the next heading of its level.
 */
#include <stdlib.h>
#include <string.h>

#include "markdown.h"

#define NOWHERE ((size_t)-1)

struct plan {
	struct wisp_import *im;
	struct wisp_md md;
	/* what the headings say; level 0: nothing */
	int priority_level, category_level;
	long priority;
	const char *category;
	/* the task that is open */
	struct cJSON *task;		/* NULL: none */
	size_t indent;			/* of its marker */
	size_t step_indent;		/* of its first step's */
	bool done;
	struct cJSON *steps;
	struct wisp_buf text, notes;
	bool is_step;			/* `text` is a step, not the description */
	bool adjoining;			/* no blank line since `text` */
	long named;			/* the number of the last id */
	size_t struck;			/* indent of an item that was struck out: what is below it goes, too; else NOWHERE */
};

/* What was read of the description or of a step is whole. */
static void
end_text(struct plan *p)
{
	if (p->text.len > 0 && p->is_step)
		wisp_json_push(p->steps, wisp_json_string(p->text.data));
	else if (p->text.len > 0)
		wisp_json_set_str(p->task, "description", p->text.data);
	wisp_buf_reset(&p->text);
}

static void
end_task(struct plan *p)
{
	if (p->task == NULL)
		return;
	end_text(p);
	if (p->notes.len > 0)
		wisp_json_set_str(p->task, "notes", p->notes.data);
	wisp_buf_reset(&p->notes);
	p->task = NULL;
}

/* `T012 [P] a text` (spec-kit): the numbers go up, so that one that does not is no id, but a task added by hand, or a copy. */
static void
name_task(struct plan *p)
{
	const char *text = p->md.text;
	size_t n = *text == 'T' ? strspn(text + 1, "0123456789") : 0;
	long number = n >= 3 && n <= 9 && text[n + 1] == ' ' ? strtol(text + 1, NULL, 10) : 0;
	char *id;

	if (number <= p->named)
		return;
	p->named = number;
	id = wisp_str("%.*s", (int)n + 1, text);
	wisp_json_set_str(p->task, "id", id);
	free(id);
}

static void
begin_task(struct plan *p)
{
	struct wisp_md *md = &p->md;

	p->task = wisp_import_task(p->im, md->number, md->text);
	name_task(p);
	p->indent = md->indent;
	p->done = md->box == WISP_MD_DONE;
	p->steps = wisp_json_array_at(p->task, "steps");
	p->step_indent = NOWHERE;
	p->is_step = false;
	wisp_buf_puts(&p->text, md->text);
	wisp_json_set_bool(p->task, "passes", p->done);
	if (p->priority_level > 0)
		wisp_json_set_num(p->task, "priority", (double)p->priority);
	if (p->category_level > 0)
		wisp_json_set_str(p->task, "category", p->category);
	if (!p->done && md->mark > 0)
		wisp_import_box(p->im, md->mark);
	if (md->box == WISP_MD_OTHER)
		wisp_import_lose(p->im, "marks that say neither open nor done (taken as open)", md->number, md->text);
}

static void
add_step(struct plan *p)
{
	struct wisp_md *md = &p->md;

	end_text(p);
	p->is_step = true;
	wisp_buf_puts(&p->text, md->text);
	if (p->step_indent == NOWHERE)
		p->step_indent = md->indent;
	else if (md->indent > p->step_indent)
		wisp_import_lose(p->im, "levels below the second (taken as steps)", md->number, md->text);
	if (md->box == WISP_MD_NO_BOX)
		return;
	if ((md->box == WISP_MD_DONE) != p->done)
		wisp_import_lose(p->im, "marks of steps that differ from their task's", md->number, md->text);
	if (md->box != WISP_MD_DONE && md->mark > 0)
		wisp_import_box(p->im, md->mark);
}

static void
item(struct plan *p)
{
	struct wisp_md *md = &p->md;
	bool below = p->task != NULL && md->indent > p->indent;

	p->adjoining = true;
	if (p->struck != NOWHERE && md->indent > p->struck) {
		wisp_import_lose(p->im, "items that are struck out", md->number, md->text);
		return;
	}
	p->struck = NOWHERE;
	if (!below)
		end_task(p);
	if (md->optional)
		wisp_import_lose(p->im, "marks that say that an item is optional (taken as any other)", md->number, md->text);
	if (md->box == WISP_MD_STRUCK) {
		wisp_import_lose(p->im, "items that are struck out", md->number, md->text);
		p->struck = md->indent;
	} else if (*md->text == '\0') {
		wisp_import_lose(p->im, "items without a text", md->number, "");
	} else if (below) {
		add_step(p);
	} else if (md->box != WISP_MD_NO_BOX) {
		begin_task(p);
	} else {
		wisp_import_lose(p->im, "items without a box", md->number, md->text);
	}
}

/* `-[ ] a` is no item to markdown, but was meant as one. */
static bool
is_nearly_box(const char *text)
{
	return *text != '\0' && strchr("-*+", *text) != NULL && text[1] == '[' && text[2] != '\0' && text[3] == ']';
}

/* A line of a paragraph, or of code. */
static void
text(struct plan *p, bool code)
{
	struct wisp_md *md = &p->md;

	if (!code && is_nearly_box(md->text)) {
		wisp_import_lose(p->im, "boxes with no blank before them", md->number, md->text);
		return;
	}
	/* A quote is no more of the line before it. */
	if (p->task != NULL && p->struck == NOWHERE && p->adjoining && !code && *md->text != '>') {
		wisp_buf_putc(&p->text, ' ');
		wisp_buf_puts(&p->text, md->text);
	} else if (p->task != NULL && p->struck == NOWHERE && md->indent > p->indent) {
		wisp_md_add_line(&p->notes, md->text);
	} else {
		end_task(p);
		wisp_import_lose(p->im, "text beside the items", md->number, md->text);
	}
}

/* The words of a heading that may say something: "🔴 High Priority (now)" is "High Priority". NULL: none left. */
static char *
heading_words(const char *text, char end)
{
	const char *stop;

	while (*text != '\0' && ((unsigned char)*text >= 0x80 || strchr(" \t*_[(`", *text) != NULL))
		text++;
	stop = strchr(text, end);
	if (stop == NULL)
		stop = text + strlen(text);
	while (stop > text && (strchr(" \t*_])`", stop[-1]) != NULL || (unsigned char)stop[-1] >= 0x80))
		stop--;
	return stop > text ? wisp_str("%.*s", (int)(stop - text), text) : NULL;
}

static void
heading(struct plan *p)
{
	static const char ends[] = {'\0', '(', ':'};
	struct wisp_md *md = &p->md;
	bool said = false;

	end_task(p);
	p->struck = NOWHERE;
	if (md->level <= p->priority_level)
		p->priority_level = 0;
	if (md->level <= p->category_level)
		p->category_level = 0;
	for (size_t i = 0; i < sizeof ends && !said; i++) {
		char *words = heading_words(md->text, ends[i]);
		const char *category = words == NULL ? NULL : wisp_import_category(words);

		if (words != NULL && wisp_import_priority(words, &p->priority)) {
			p->priority_level = md->level;
			said = true;
		} else if (category != NULL) {
			p->category = category;
			p->category_level = md->level;
			said = true;
		}
		free(words);
	}
	if (wisp_import_task_title(md->text) != NULL)
		p->im->hint = "the format ralphex takes headings like 'Task 1: title' as tasks";
	if (!said)
		wisp_import_lose(p->im, "headings", md->number, md->text);
}

int
wisp_import_fixplan(struct wisp_import *im, struct wisp_err *err)
{
	struct plan p = {.im = im, .struck = NOWHERE};

	(void)err;
	if (wisp_import_todos(im))
		return 0;
	while (wisp_md_next(&p.md, im)) {
		switch (p.md.kind) {
		case WISP_MD_BLANK:
			p.adjoining = false;
			break;
		case WISP_MD_HEADING:
			heading(&p);
			break;
		case WISP_MD_ITEM:
			item(&p);
			break;
		case WISP_MD_TEXT:
			text(&p, false);
			break;
		case WISP_MD_CODE:
			text(&p, true);
			break;
		case WISP_MD_COMMENT:
			wisp_import_lose(im, "comments", p.md.number, p.md.text);
			break;
		}
	}
	end_task(&p);
	wisp_md_release(&p.md);
	wisp_buf_release(&p.text);
	wisp_buf_release(&p.notes);
	return 0;
}
