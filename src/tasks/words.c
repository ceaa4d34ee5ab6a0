/*
 * words: what the labels, types and headings of other tools mean here.
 */
#include "import.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX 40	/* no word below is as long */

struct meaning {
	const char *word, *is;
};

static const struct meaning categories[] = {
	{"setup", "setup"}, {"infrastructure", "setup"}, {"infra", "setup"}, {"chore", "setup"}, {"build", "setup"},
	{"ci", "setup"}, {"scaffolding", "setup"}, {"configuration", "setup"}, {"dependencies", "setup"},
	{"feature", "feature"}, {"features", "feature"}, {"feat", "feature"}, {"enhancement", "feature"},
	{"enhancements", "feature"}, {"story", "feature"}, {"functional", "feature"}, {"new features", "feature"},
	{"bugfix", "bugfix"}, {"bugfixes", "bugfix"}, {"bug", "bugfix"}, {"bugs", "bugfix"}, {"fix", "bugfix"},
	{"fixes", "bugfix"}, {"bug fix", "bugfix"}, {"bug fixes", "bugfix"}, {"defect", "bugfix"}, {"regression", "bugfix"},
	{"refactor", "refactor"}, {"refactoring", "refactor"}, {"cleanup", "refactor"}, {"tech debt", "refactor"},
	{"technical debt", "refactor"}, {"performance", "refactor"},
	{"test", "test"}, {"tests", "test"}, {"testing", "test"}, {"qa", "test"},
	{"docs", "docs"}, {"doc", "docs"}, {"documentation", "docs"},
	{0}
};

static const struct meaning states[] = {
	{"canceled", "dropped"}, {"cancelled", "dropped"}, {"duplicate", "dropped"}, {"duplicated", "dropped"},
	{"won't do", "dropped"}, {"won\xe2\x80\x99t do", "dropped"}, {"wont do", "dropped"}, {"won't fix", "dropped"},
	{"won\xe2\x80\x99t fix", "dropped"}, {"wont fix", "dropped"}, {"wontfix", "dropped"}, {"not planned", "dropped"},
	{"rejected", "dropped"}, {"declined", "dropped"}, {"abandoned", "dropped"}, {"obsolete", "dropped"},
	{"cannot reproduce", "dropped"}, {"invalid", "dropped"},
	{0}
};

static const struct meaning priorities[] = {
	{"critical", "1"}, {"urgent", "1"}, {"highest", "1"}, {"high", "1"}, {"must have", "1"},
	{"medium", "2"}, {"normal", "2"}, {"moderate", "2"}, {"should have", "2"},
	{"low", "3"}, {"lowest", "3"}, {"nice to have", "3"}, {"could have", "3"},
	{"p0", "0"}, {"p1", "1"}, {"p2", "2"}, {"p3", "3"}, {"p4", "4"},
	{0}
};

/* Small letters, one blank for blanks and `-_:/`, none at the ends: "type: Bug" is `type bug`. False where it is too long. */
static bool
plain(char *out, const char *word)
{
	size_t n = 0;

	for (; *word != '\0'; word++) {
		char c = strchr(" \t-_:/", *word) != NULL ? ' ' : (char)tolower((unsigned char)*word);

		if (c == ' ' && (n == 0 || out[n - 1] == ' '))
			continue;
		if (n + 1 >= WORD_MAX)
			return false;
		out[n++] = c;
	}
	while (n > 0 && out[n - 1] == ' ')
		n--;
	out[n] = '\0';
	return true;
}

/* Without one of the words that only say what kind of word follows, or came before. */
static char *
core(char *word)
{
	static const char *const before[] = {"type ", "kind ", "category ", "area ", "priority ", NULL};
	static const char after[] = " priority";
	size_t n = strlen(word);

	for (size_t i = 0; before[i] != NULL; i++)
		if (strncmp(word, before[i], strlen(before[i])) == 0)
			return word + strlen(before[i]);
	if (n > strlen(after) && strcmp(word + n - strlen(after), after) == 0)
		word[n - strlen(after)] = '\0';
	return word;
}

static const char *
find(const struct meaning *m, const char *word)
{
	char buffer[WORD_MAX], *p;

	if (!plain(buffer, word))
		return NULL;
	for (p = core(buffer); m->word != NULL; m++)
		if (strcmp(m->word, p) == 0)
			return m->is;
	return NULL;
}

const char *
wisp_import_category(const char *word)
{
	return find(categories, word);
}

bool
wisp_import_dropped(const char *word)
{
	return find(states, word) != NULL;
}

bool
wisp_import_priority(const char *word, long *priority)
{
	char buffer[WORD_MAX], *p, *end;
	const char *is = find(priorities, word);
	bool minus;

	if (is != NULL) {
		*priority = strtol(is, NULL, 10);
		return true;
	}
	if (!plain(buffer, word))
		return false;
	/* plain() takes a minus for a blank. */
	minus = word[strspn(word, " \t")] == '-';
	p = core(buffer);
	if (*p < '0' || *p > '9')
		return false;
	errno = 0;
	*priority = strtol(p, &end, 10) * (minus ? -1 : 1);
	return *end == '\0' && errno == 0 && *priority < INT_MAX && *priority > INT_MIN;
}
