/*
 * call: the options of a program that works on a work tree, and its answers: lines KEY=VALUE in which % and a line feed are
 * %25 and %0A.
 */
#include "tree.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wait/parent.h"

/* What belongs to the program is not freed (tree.h). */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#else
#define __lsan_disable() ((void)0)
#define __lsan_enable() ((void)0)
#endif

size_t
wisp_tree_options(struct wisp_tree *t, const char **parent, struct wisp_option *out)
{
	const struct wisp_option options[WISP_TREE_OPTIONS] = {
		{"top", .text = &t->top}, {"git", .text = &t->git}, {"common", .text = &t->common},
		{"known", .text = &t->known}, {"config", .list = &t->config}, {"persons", .flag = &t->persons},
		{"patience", .number = &t->patience}, {"parent", .text = parent}, {"was", .text = &t->was_index},
		{"nested", .list = &t->nested}, {"large", .flag = &t->has_large},
	};

	__lsan_disable();
	t->patience = 5;
	t->head = t->tree = "";
	memcpy(out, options, sizeof options);
	return WISP_TREE_OPTIONS;
}

void
wisp_tree_begin(struct wisp_tree *t, const char *parent)
{
	const char *blank = t->was_index != NULL ? strchr(t->was_index, ' ') : NULL;

	if (t->top == NULL || t->git == NULL || t->common == NULL)
		die_usage("--top, --git and --common are needed");
	if (blank != NULL) {
		t->was_tree = blank + 1;
		t->was_index = wisp_str("%.*s", (int)(blank - t->was_index), t->was_index);
	} else {
		t->was_index = NULL;
	}
	wisp_die_name("wisp");
	if (parent != NULL)
		t->parent = wisp_parent_follow(parent);
	wisp_git_init(t);
}

void
wisp_tree_end(const char *program)
{
	static const int signals[] = {SIGINT, SIGHUP, SIGTERM};

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		(void)signal(signals[i], SIG_IGN);
	wisp_die_name(program);
	__lsan_enable();
}

void
wisp_tree_answer(const char *key, const char *value)
{
	if (value != NULL)
		wisp_cli_pair_whole(key, value);
}

void
wisp_tree_answer_state(const struct wisp_tree *t)
{
	char *index = wisp_str("%s %s", t->index, t->tree);

	wisp_tree_answer("head", t->head);
	wisp_tree_answer("ref", t->ref);
	wisp_tree_answer("tree", t->tree);
	if (*t->index != '\0')
		wisp_tree_answer("index", index);
	wisp_tree_answer("note", t->note);
	for (size_t i = 0; i < t->nested.count; i++)
		wisp_tree_answer("nested", t->nested.list[i]);
	for (size_t i = 0; i < t->large.count; i++)
		wisp_tree_answer("large", t->large.list[i]);
	if (t->partial)
		wisp_tree_answer("partial", "1");
	free(index);
}

void
wisp_work_answer(const struct wisp_work_tree *w)
{
	wisp_tree_answer("credited", w->credited);
	wisp_tree_answer("again", w->again);
	wisp_tree_answer("wrote", w->wrote);
	wisp_tree_answer("diff", w->diff);
}
