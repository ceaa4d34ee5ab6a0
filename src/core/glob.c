/*
 * glob: see glob.h.
 */
#include "glob.h"

#include <string.h>

/* The end of a set that begins at `p` (behind its bracket), behind its last bracket; NULL where it has none. */
static const char *
set_end(const char *p)
{
	p += *p == '!' || *p == '^';
	p += *p == ']';
	for (; *p != ']'; p++) {
		if (*p == '\\' && p[1] != '\0')
			p++;
		if (*p == '\0')
			return NULL;
	}
	return p + 1;
}

static bool
in_set(const char *p, const char *end, unsigned char c)
{
	bool not = *p == '!' || *p == '^', in = false;
	unsigned char low, high;

	for (p += not; p < end - 1; p++) {
		if (*p == '\\')
			p++;
		low = high = (unsigned char)*p;
		if (p[1] == '-' && p + 2 < end - 1) {
			p += p[2] == '\\' ? 3 : 2;
			high = (unsigned char)*p;
		}
		in |= c >= low && c <= high;
	}
	return in != not;
}

/* Does one character of the pattern, of its own length, match `c`? Sets *next behind it. */
static bool
matches_one(const char *p, char c, const char **next)
{
	const char *end;

	*next = p + 1;
	if (*p == '?')
		return c != '/';
	if (*p == '[' && (end = set_end(p + 1)) != NULL) {
		*next = end;
		return c != '/' && in_set(p + 1, end, (unsigned char)c);
	}
	if (*p == '\\' && p[1] != '\0') {
		*next = p + 2;
		return p[1] == c;
	}
	return *p == c;
}

/* Is this `**` between slashes, or the pattern's ends? */
static bool
is_folders(const char *pattern, const char *p)
{
	return p[0] == '*' && p[1] == '*' && (p == pattern || p[-1] == '/') && (p[2] == '/' || p[2] == '\0');
}

/* Is there no more in the pattern? A slash at its end says nothing. */
static bool
is_over(const char *p)
{
	return p[strspn(p, "/")] == '\0';
}

/*
 * The name up to `end` as a whole. A mismatch goes back to the last `*`, or where
 * that may not take a slash to the last `**`: those before it need no second look,
 * so that no pattern takes longer than its length times the square of the name's.
 */
static bool
matches(const char *pattern, const char *name, const char *end)
{
	const char *p = pattern, *n = name, *next;
	const char *star = NULL, *star_name = NULL;		/* behind the last `*`, and what it took up to */
	const char *folders = NULL, *folders_name = NULL;	/* the same of the last `**` */

	while (n < end || !is_over(p)) {
		if (is_folders(pattern, p)) {
			if (is_over(p + 2))
				return n < end;
			folders = p = p + 3;
			folders_name = n;
			star = NULL;
		} else if (*p == '*') {
			p += strspn(p, "*");
			star = p;
			star_name = n;
		} else if (n < end && *p != '\0' && matches_one(p, *n, &next)) {
			p = next;
			n++;
		} else if (star != NULL && star_name < end && *star_name != '/') {
			n = ++star_name;
			p = star;
		} else if (folders != NULL && (next = memchr(folders_name, '/', (size_t)(end - folders_name))) != NULL) {
			n = folders_name = next + 1;
			p = folders;
			star = NULL;
		} else {
			return false;
		}
	}
	return true;
}

bool
wisp_glob(const char *pattern, const char *name)
{
	pattern += strspn(pattern, "/");
	if (*pattern == '\0')
		return false;
	for (const char *end = name + strcspn(name, "/");; end += 1 + strcspn(end + 1, "/")) {
		if (matches(pattern, name, end))
			return true;
		if (*end == '\0')
			return false;
	}
}
