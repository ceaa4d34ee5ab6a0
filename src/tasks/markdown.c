/*
 * markdown: see markdown.h.
 */
#include "markdown.h"

#include <ctype.h>
#include <string.h>

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The rest of the line from p on, without blanks at its ends. */
static void
set_text(struct wisp_md *md, const char *p)
{
	const char *end = md->line.text + md->line.len;

	while (p < end && is_blank(*p))
		p++;
	while (end > p && is_blank(end[-1]))
		end--;
	wisp_buf_reset(&md->buffer);
	wisp_buf_add(&md->buffer, p, (size_t)(end - p));
	wisp_buf_puts(&md->buffer, "");
	md->text = md->buffer.data;
}

/* Opens or closes code: three or more of ` or ~; true if the line does that. */
static bool
fence(struct wisp_md *md, const char *p, const char *end)
{
	size_t n = 0;

	while (p + n < end && (p[n] == '`' || p[n] == '~') && p[n] == *p)
		n++;
	if (md->fence != 0) {
		if (n < md->fence_len || *p != md->fence)
			return false;
		for (; p + n < end; n++)
			if (!is_blank(p[n]))
				return false;
		md->fence = 0;
		return true;
	}
	/* ```x``` is code within a line. */
	if (n < 3 || (*p == '`' && memchr(p + n, '`', (size_t)(end - p) - n) != NULL))
		return false;
	md->fence = *p;
	md->fence_len = n;
	return true;
}

/* A comment that takes whole lines. */
static bool
comment(struct wisp_md *md, const char *p, const char *end)
{
	const char *close;

	if (!md->comment && (end - p < 4 || memcmp(p, "<!--", 4) != 0))
		return false;
	close = memmem(p, (size_t)(end - p), "-->", 3);
	md->comment = close == NULL;
	return true;
}

static bool
heading(struct wisp_md *md, const char *p, const char *end)
{
	int level = 0;
	char *tail;

	while (p < end && *p == '#')
		p++, level++;
	if (level < 1 || level > 6 || (p < end && !is_blank(*p)))
		return false;
	md->level = level;
	set_text(md, p);
	/* `## Title ##` */
	tail = md->text + strlen(md->text);
	while (tail > md->text && tail[-1] == '#')
		tail--;
	if (tail > md->text && is_blank(tail[-1])) {
		while (tail > md->text && is_blank(tail[-1]))
			tail--;
		*tail = '\0';
	}
	return true;
}

static enum wisp_md_box
meaning(const char *sign, size_t len)
{
	static const char *const done[] = {"x", "X", "\xe2\x9c\x93", "\xe2\x9c\x94", "\xe2\x9c\x85"};

	for (size_t i = 0; i < sizeof done / sizeof *done; i++)
		if (len == strlen(done[i]) && memcmp(sign, done[i], len) == 0)
			return WISP_MD_DONE;
	if (len == 0 || (len == 1 && *sign == ' '))
		return WISP_MD_OPEN;
	if (len == 1 && (*sign == '-' || *sign == '~'))
		return WISP_MD_STRUCK;
	return len == 1 && isalnum((unsigned char)*sign) ? WISP_MD_NO_BOX : WISP_MD_OTHER;
}

/* The box at p; where the text goes on. */
static const char *
box(struct wisp_md *md, const char *p, const char *end)
{
	const char *sign = p + 1, *rest;
	size_t len = 0;

	if (p == end || *p != '[')
		return p;
	if (sign < end && *sign != ']') {
		int n = wisp_utf8_char(sign, (size_t)(end - sign));

		len = n > 0 ? (size_t)n : 1;
	}
	if (sign + len >= end || sign[len] != ']')
		return p;
	rest = sign + len + 1;
	md->optional = rest < end && *rest == '*';
	rest += md->optional;
	md->box = rest == end || is_blank(*rest) ? meaning(sign, len) : WISP_MD_NO_BOX;
	if (md->box == WISP_MD_NO_BOX)
		return p;
	md->mark = len == 1 ? md->line.offset + (size_t)(sign - md->line.text) : 0;
	return rest;
}

/* `- `, `* `, `+ `, `1. `, `1) `: what comes after it, or NULL. */
static const char *
marker(const char *p, const char *end)
{
	const char *start = p;

	if (p < end && strchr("-*+", *p) != NULL) {
		p++;
	} else {
		while (p < end && *p >= '0' && *p <= '9' && p - start < 9)
			p++;
		if (p == start || p == end || (*p != '.' && *p != ')'))
			return NULL;
		p++;
	}
	if (p < end && !is_blank(*p))
		return NULL;
	while (p < end && is_blank(*p))
		p++;
	return p;
}

/* `---`, `* * *`: a line across. */
static bool
rule(const char *p, const char *end)
{
	size_t n = 0;
	char c = *p;

	if (strchr("-*_", c) == NULL)
		return false;
	for (; p < end; p++)
		if (*p == c)
			n++;
		else if (!is_blank(*p))
			return false;
	return n >= 3;
}

static void
classify(struct wisp_md *md, const char *p, const char *end)
{
	bool code = md->fence != 0;
	const char *rest;

	if (p == end && !code && !md->comment) {
		md->kind = WISP_MD_BLANK;
	} else if (!md->comment && fence(md, p, end)) {
		md->kind = WISP_MD_BLANK;	/* the fence itself is no text */
	} else if (code) {
		md->kind = WISP_MD_CODE;
	} else if (comment(md, p, end)) {
		md->kind = WISP_MD_COMMENT;
		set_text(md, p);
	} else if (rule(p, end)) {
		md->kind = WISP_MD_BLANK;
	} else if (md->indent < 4 && heading(md, p, end)) {
		md->kind = WISP_MD_HEADING;
	} else if ((rest = marker(p, end)) != NULL) {
		md->kind = WISP_MD_ITEM;
		set_text(md, box(md, rest, end));
	} else {
		md->kind = WISP_MD_TEXT;
		set_text(md, p);
	}
}

bool
wisp_md_next(struct wisp_md *md, const struct wisp_import *im)
{
	const char *p, *end;

	if (!wisp_import_next(im, &md->line))
		return false;
	md->number = md->line.number;
	md->indent = 0;
	md->level = 0;
	md->mark = 0;
	md->box = WISP_MD_NO_BOX;
	md->optional = false;
	p = md->line.text;
	end = p + md->line.len;
	set_text(md, p);
	for (; p < end && is_blank(*p); p++)
		md->indent += *p == '\t' ? 4 - md->indent % 4 : 1;
	classify(md, p, end);
	return true;
}

void
wisp_md_release(struct wisp_md *md)
{
	wisp_buf_release(&md->buffer);
}

void
wisp_md_add_line(struct wisp_buf *text, const char *line)
{
	if (text->len > 0)
		wisp_buf_putc(text, '\n');
	wisp_buf_puts(text, line);
}
