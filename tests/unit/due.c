/*
 * due: what is due of a step, as a table: the facts that hold, and the words in the order in which the loop gets them.
 */
#include "core/due.h"
#include "unit.h"

static bool
take_fact(struct wisp_due_facts *f, const char *word)
{
	const struct {
		const char *word;
		bool *flag;
	} flags[] = {
		{"valid", &f->valid}, {"plan", &f->plan}, {"phases", &f->phases}, {"claims", &f->claims}, {"left", &f->left},
		{"done", &f->done}, {"ends", &f->ends}, {"refused", &f->refused}, {"commands", &f->commands},
		{"metrics", &f->metrics}, {"fallback", &f->fallback}
	};

	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
		if (strcmp(flags[i].word, word) == 0)
			return *flags[i].flag = true;
	return false;
}

static struct wisp_due_facts
facts(const char *words)
{
	struct wisp_due_facts f = {0};
	char copy[128];

	snprintf(copy, sizeof copy, "%s", words);
	for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
		CHECK(take_fact(&f, word), word);
	return f;
}

int
main(void)
{
	static const struct {
		const char *facts, *due;
	} cases[] = {
		{"", "observe"},
		{"commands metrics fallback", "observe"},
		{"claims left done ends commands metrics fallback", "observe"},
		{"valid commands metrics fallback", "observe"},
		{"valid claims commands fallback", "verify commit observe"},
		{"valid claims commands metrics fallback", "verify metrics commit observe"},
		{"valid claims commands metrics", "verify metrics observe"},
		{"valid claims commands refused fallback", "verify observe"},
		{"valid claims metrics fallback", "metrics commit observe"},
		{"valid claims fallback", "commit observe"},
		{"valid left commands fallback", "verify commit observe"},
		{"valid left fallback", "commit observe"},
		{"valid done commands metrics fallback", "verify metrics observe"},
		{"valid done ends commands fallback", "verify commit observe"},
		{"valid done ends fallback", "commit observe"},
		{"valid plan done ends claims left commands metrics fallback", "observe"},
		{"valid phases commands metrics fallback", "verify metrics gates observe"},
		{"valid phases commands refused", "verify gates observe"},
		{"valid phases metrics", "metrics gates observe"},
		{"valid phases", "gates observe"},
		{"valid phases plan commands", "observe"},
		{"phases commands metrics", "observe"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wisp_due_facts f = facts(cases[i].facts);
		enum wisp_due due = WISP_DUE_RAN;
		char words[64] = "";

		while (due != WISP_DUE_OBSERVE) {
			due = wisp_due_next(due, &f);
			snprintf(words + strlen(words), sizeof words - strlen(words), "%s%s", *words != '\0' ? " " : "",
				 wisp_due_name(due));
		}
		CHECK_STR(words, cases[i].due, cases[i].facts);
	}
	return unit_done();
}
