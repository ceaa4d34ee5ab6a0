/*
 * read: a checkpoint as it is stored.
 */
#include "tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NESTED "Wisp-Nested: "
#define LINK "Wisp-Submodule: "

/*
 * The text of the next object that `cat-file --batch` has printed, from *at on, and its id; NULL where that is no commit,
 * or is missing.
 */
static char *
next_commit(struct wisp_buf *b, size_t *at, const char **id)
{
	char *line = b->data + *at, *end = memchr(line, '\n', b->len - *at), kind[16];
	size_t size, left;

	if (end == NULL)
		return NULL;
	*end = '\0';
	*at += (size_t)(end - line) + 1;
	left = b->len - *at;
	if (sscanf(line, "%*s %15s %zu", kind, &size) != 2 || size >= left)
		return NULL;
	*at += size + 1;
	end[1 + size] = '\0';
	if (strcmp(kind, "commit") != 0)
		return NULL;
	*id = wisp_str("%.*s", (int)strcspn(line, " "), line);
	return end + 1;
}

/* The name in a trailer, in which % and a line feed are %25 and %0A. */
static char *
unescape(const char *s)
{
	struct wisp_buf b = WISP_BUF_INIT;

	while (*s != '\0')
		if (strncmp(s, "%25", 3) == 0 || strncmp(s, "%0A", 3) == 0) {
			wisp_buf_putc(&b, s[1] == '2' ? '%' : '\n');
			s += 3;
		} else {
			wisp_buf_putc(&b, *s++);
		}
	return wisp_buf_detach(&b);
}

/* The tree that a commit's text begins with. */
static const char *
tree_in(const char *text)
{
	return strncmp(text, "tree ", 5) == 0 ? wisp_str("%.*s", (int)strcspn(text + 5, "\n"), text + 5) : "";
}

/* How many parents it has. */
static int
take(struct wisp_checkpoint *c, char *text)
{
	char *line, *next = text;
	bool message = false;
	int parents = 0;

	c->tree = tree_in(text);
	while ((line = next) != NULL) {
		next = strchr(line, '\n');
		if (next != NULL)
			*next++ = '\0';
		if (*line == '\0')
			message = true;
		else if (!message && strncmp(line, "parent ", 7) == 0 && parents++ == 0)
			c->head = wisp_strdup(line + 7);
		else if (message && strncmp(line, NESTED, strlen(NESTED)) == 0)
			wisp_texts_add(&c->nested, unescape(line + strlen(NESTED)));
		else if (message && strncmp(line, LINK, strlen(LINK)) == 0)
			wisp_texts_add(&c->links, wisp_strdup(line + strlen(LINK)));
	}
	return parents;
}

bool
wisp_tree_read(struct wisp_tree *t, const char *branch, const char *checkpoint, struct wisp_checkpoint *c)
{
	char *name = wisp_tree_is_id(checkpoint)
			     ? wisp_strdup(checkpoint)
			     : wisp_str("refs/wisp/checkpoints/%s/%04lld", branch, strtoll(checkpoint, NULL, 10));
	struct wisp_buf names = WISP_BUF_INIT;
	const char *id;
	char *text;
	size_t at = 0;
	int parents;

	*c = (struct wisp_checkpoint){.commit = "", .tree = "", .head = "", .index = ""};
	wisp_buf_printf(&names, "%s\n%s^2\n%s^1\n", name, name, name);
	wisp_git_must(t, WISP_GIT_WARM, &names, wisp_git_args("cat-file", "--batch"));
	wisp_buf_release(&names);
	free(name);
	text = next_commit(&t->out, &at, &c->commit);
	if (text == NULL)
		return false;
	parents = take(c, text);
	c->index = c->tree;
	c->staged = parents > 1;
	if (parents == 0)
		return true;
	text = next_commit(&t->out, &at, &id);
	if (!c->staged)
		text = next_commit(&t->out, &at, &id);
	if (text == NULL) {
		warn("the checkpoint %s has lost a commit that it was made of", c->commit);
		wisp_exit(WISP_EXIT_SYS);
	}
	c->index = tree_in(text);
	return true;
}
