/*
 * import_todos: the list `todos:` in the front matter of a plan of Cursor.
 *
 * Of YAML as much as Cursor writes: a list of objects, whose values are plain, quoted or
 * folded text, or a list. `content` is the description.
 */
#include <stdlib.h>
#include <string.h>

#include "markdown.h"

#define NOWHERE ((size_t)-1)
#define BLANKS " \t"

struct todos {
	struct wisp_import *im;
	struct cJSON *todo;		/* NULL: none is open */
	size_t number;			/* of its line */
	size_t indent, keys;		/* of the items' dashes, of the members of this one */
	size_t status;			/* the line that is its status and no more; 0: there is none */
	bool dropped;
	char *key;			/* of the member that is open */
	struct wisp_buf value;
};

/* Between double quotes there are escapes, between single ones a doubled quote. */
static char *
unquoted(const char *v)
{
	struct wisp_buf out = WISP_BUF_INIT;
	char quote = *v;

	for (v++; *v != '\0' && (*v != quote || (quote == '\'' && v[1] == quote)); v++) {
		bool escape = v[1] != '\0' && *v == (quote == '"' ? '\\' : quote);

		v += escape;
		wisp_buf_putc(&out, escape && (*v == 'n' || *v == 't') ? ' ' : *v);
	}
	wisp_buf_puts(&out, "");
	return wisp_buf_detach(&out);
}

static char *
scalar(const char *v)
{
	if (*v == '"' || *v == '\'')
		return unquoted(v);
	if (*v == '>' || *v == '|')	/* the text is on the lines that follow */
		v += strcspn(v, BLANKS);
	return wisp_strdup(v + strspn(v, BLANKS));
}

/* `[a, b]`, or `- a - b` of the lines that followed. */
static void
add_ids(struct cJSON *ids, const char *v)
{
	size_t n;

	for (; *v != '\0'; v += n) {
		v += strspn(v, " \t,[]\"'");
		if (*v == '-' && v[1] == ' ')
			v++;
		else if ((n = strcspn(v, " \t,]\"'")) > 0) {
			char *id = wisp_str("%.*s", (int)n, v);

			wisp_json_push(ids, wisp_json_string(id));
			free(id);
			continue;
		}
		n = 0;
	}
}

static void
set_status(struct todos *t, const char *status)
{
	bool done = strcmp(status, "completed") == 0 || strcmp(status, "done") == 0;

	t->dropped = wisp_import_dropped(status);
	wisp_json_set_bool(t->todo, "passes", done);
	if (!done && !t->dropped && *status != '\0' && strcmp(status, "pending") != 0)
		wisp_import_lose(t->im, "a status that says neither open nor done (taken as open)", t->number, status);
}

static void
end_member(struct todos *t)
{
	char *text;

	if (t->key == NULL)
		return;
	text = scalar(t->value.len > 0 ? t->value.data : "");
	if (strcmp(t->key, "content") == 0) {
		wisp_json_set_str(t->todo, "description", text);
	} else if (strcmp(t->key, "id") == 0) {
		wisp_json_set_str(t->todo, "id", text);
	} else if (strcmp(t->key, "status") == 0) {
		set_status(t, text);
	} else if (strcmp(t->key, "dependencies") == 0) {
		add_ids(wisp_json_array_at(t->todo, "depends_on"), t->value.len > 0 ? t->value.data : "");
	} else if (*text != '\0') {
		char *what = wisp_str("of todos '%s'", t->key);

		wisp_import_lose(t->im, what, t->number, text);
		free(what);
	}
	free(text);
	free(t->key);
	t->key = NULL;
	wisp_buf_reset(&t->value);
}

static void
end_todo(struct todos *t)
{
	end_member(t);
	if (t->todo == NULL)
		return;
	if (t->dropped) {
		wisp_import_lose(t->im, "todos that were canceled", t->number, wisp_json_str(t->todo, "description", ""));
		wisp_json_free(t->todo);
	} else {
		wisp_import_take(t->im, t->todo, t->number);
		t->im->origins[t->im->count - 1].status = t->status;
	}
	t->todo = NULL;
	t->status = 0;
	t->dropped = false;
}

static void
member(struct todos *t, size_t number, const char *text)
{
	size_t n = strcspn(text, ":");

	end_member(t);
	if (text[n] == '\0') {
		wisp_import_lose(t->im, "text beside the members of todos", t->number, text);
		return;
	}
	t->key = wisp_str("%.*s", (int)n, text);
	wisp_buf_puts(&t->value, text + n + 1 + strspn(text + n + 1, BLANKS));
	if (strcmp(t->key, "status") == 0)
		t->status = number;
}

static void
line(struct todos *t, size_t number, const char *text)
{
	size_t indent = strspn(text, BLANKS);
	const char *p = text + indent;

	if (*p == '\0')
		return;
	if (strncmp(p, "- ", 2) == 0 && (t->todo == NULL || indent == t->indent)) {
		end_todo(t);
		t->todo = wisp_json_object();
		t->number = number;
		t->indent = indent;
		p += 2 + strspn(p + 2, BLANKS);
		t->keys = (size_t)(p - text);
		member(t, number, p);
	} else if (t->todo != NULL && indent == t->keys && *p != '-') {
		member(t, number, p);
	} else if (t->key != NULL) {
		t->status = strcmp(t->key, "status") == 0 ? 0 : t->status;
		if (t->value.len > 0)
			wisp_buf_putc(&t->value, ' ');
		wisp_buf_puts(&t->value, p);
	}
}

/* Is that the whole text of the line? */
static bool
is(const struct wisp_text_line *l, const char *text)
{
	size_t n = l->len;

	while (n > 0 && strchr(BLANKS, l->text[n - 1]) != NULL)
		n--;
	return n == strlen(text) && memcmp(l->text, text, n) == 0;
}

/* The list in the front matter: *first is the line `todos:`, and `end` the one that closes all. */
static bool
find(const struct wisp_import *im, struct wisp_text_line *first)
{
	struct wisp_text_line l = {0};
	bool found = false;

	if (!wisp_import_next(im, &l) || !is(&l, "---"))
		return false;
	while (wisp_import_next(im, &l) && !is(&l, "---"))
		if (!found && is(&l, "todos:")) {
			*first = l;
			found = true;
		}
	return found && is(&l, "---");
}

/* What stands beside the list, in the front matter and below it. */
static void
lose_others(struct wisp_import *im, size_t from, size_t to)
{
	struct wisp_md md = {0};

	while (wisp_md_next(&md, im))
		if ((md.number < from || md.number >= to) && *md.text != '\0' && md.kind != WISP_MD_BLANK)
			wisp_import_lose(im, md.box != WISP_MD_NO_BOX ? "boxes beside the todos" : "text beside the todos",
					 md.number, md.text);
	wisp_md_release(&md);
}

bool
wisp_import_todos(struct wisp_import *im)
{
	struct todos t = {.im = im, .indent = NOWHERE};
	struct wisp_text_line l;
	size_t from;

	if (!find(im, &l))
		return false;
	from = l.number;
	while (wisp_import_next(im, &l)) {
		char *text = wisp_str("%.*s", (int)l.len, l.text);
		bool over = *text != '\0' && strchr(" \t-", *text) == NULL;

		over = over || is(&l, "---");
		if (!over)
			line(&t, l.number, text);
		free(text);
		if (over)
			break;
	}
	end_todo(&t);
	lose_others(im, from, l.number);
	wisp_buf_release(&t.value);
	return true;
}
