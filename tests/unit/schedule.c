/*
 * schedule: what is to be done next, as a table. Systems are written short, separated
 * by blanks: a letter as name, then
 *
 *	c h m l  priority (m without)     s  not parallelizable
 *	A W F G M X  active, waiting, finished, merging, merged, failed (open without)
 *	1-9  when it was finished         <ab  depends on a and b
 *
 * What is expected: `+a` start, `>a` merge, `-a` fail, then `wait`, `person` or `done`.
 */
#include <stdlib.h>
#include <string.h>

#include "orch/schedule.h"
#include "unit.h"

enum { MOST = 12 };

struct read {
	struct wisp_system systems[MOST];
	size_t needs[MOST][MOST], count;
	char names[MOST][2];
};

static size_t
index_of(const struct read *r, char name)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->names[i][0] == name)
			return i;
	abort();
}

static void
read_word(struct read *r, size_t i, const char *word)
{
	static const char priorities[] = "chml", statuses[] = "AWFGMX";
	struct wisp_system *s = &r->systems[i];

	s->name = r->names[i];
	s->priority = WISP_MEDIUM;
	s->parallelizable = true;
	s->needs = r->needs[i];
	for (word++; *word != '\0' && *word != ' ' && *word != '<'; word++) {
		if (strchr(priorities, *word) != NULL)
			s->priority = (enum wisp_priority)(strchr(priorities, *word) - priorities);
		else if (strchr(statuses, *word) != NULL)
			s->status = (enum wisp_system_status)(strchr(statuses, *word) - statuses + 1);
		else if (*word == 's')
			s->parallelizable = false;
		else
			s->finished = *word - '0';
	}
	if (*word == '<')
		for (word++; *word != '\0' && *word != ' '; word++)
			r->needs[i][s->n_needs++] = index_of(r, *word);
}

static void
read_all(struct read *r, const char *text)
{
	memset(r, 0, sizeof *r);
	for (const char *p = text; *p != '\0'; p += strcspn(p, " "), p += *p == ' ')
		r->names[r->count++][0] = *p;
	for (size_t i = 0; i < r->count; i++) {
		read_word(r, i, text);
		text += strcspn(text, " ");
		text += *text == ' ';
	}
}

static void
print(char *out, const struct read *r, const struct wisp_deeds *d)
{
	static const char *const ends[] = {"wait", "person", "done"};

	*out = '\0';
	for (size_t i = 0; i < d->count; i++) {
		char word[16];

		if (d->list[i].what <= WISP_DEED_FAIL)
			snprintf(word, sizeof word, "%c%s ", "+>-"[d->list[i].what], r->names[d->list[i].system]);
		else
			snprintf(word, sizeof word, "%s", ends[d->list[i].what - WISP_DEED_WAIT]);
		strcat(out, word);
	}
}

static const struct { size_t n; const char *systems, *expect; } cases[] = {
	{1, "", "done"},
	{1, "a", "+a wait"},
	{2, "a b", "+a +b wait"},
	{1, "a b", "+a wait"},
	{2, "a b c", "+a +b wait"},
	{3, "al bc cm dh", "+b +d +c wait"},
	{3, "ah bh ch", "+a +b +c wait"},
	{2, "aA b c", "+b wait"},
	{2, "aA bA c", "wait"},
	{0, "a b", "+a wait"},
	/* Those that are not parallelizable: first, alone, by priority. */
	{3, "a bs c", "+b wait"},
	{3, "as bsc", "+b wait"},
	{3, "asA b c", "wait"},
	{3, "asF b", ">a wait"},
	{3, "asG b", "wait"},
	{3, "asM b c", "+b +c wait"},
	{3, "asM bs c", "+b wait"},
	{3, "asX b", "+b wait"},
	{3, "asW b", "person"},
	/* One that becomes ready later lets the others end. */
	{3, "aM bs<a cA d", "wait"},
	{3, "aM bs<a cF d", ">c wait"},
	{3, "aM bs<a cG d", "wait"},
	{3, "aM bs<a cM d", "+b wait"},
	{3, "aM bs<a cX d", "+b wait"},
	{3, "aA bs<a c", "+c wait"},
	{3, "aM bs<a cW", "+b wait"},
	/* Dependencies: merged, no less. */
	{3, "a b<a", "+a wait"},
	{3, "aA b<a", "wait"},
	{3, "aF b<a", ">a wait"},
	{3, "aG b<a", "wait"},
	{3, "aM b<a", "+b wait"},
	{3, "aM bA c<ab", "wait"},
	{3, "aM bM c<ab", "+c wait"},
	{3, "b<a aM", "+b wait"},
	{3, "a bc<a", "+a wait"},
	/* One that failed takes with it what depends on it, in a chain too. */
	{3, "aX b<a", "-b done"},
	{3, "aX b<a c<b d", "-b -c +d wait"},
	{3, "c<b b<a aX", "-b -c done"},
	{3, "aX bM", "done"},
	{3, "aX bM<a", "done"},
	{3, "aX bA<a", "wait"},
	/* Who waits for a person takes no place. */
	{1, "aW b", "+b wait"},
	{1, "aW bA c", "wait"},
	{2, "aW bW", "person"},
	{2, "aW bM", "person"},
	{2, "aW b<a", "person"},
	/* Merges: one at a time, the oldest first. */
	{3, "aF2 bF1", ">b wait"},
	{3, "aF1 bF1", ">a wait"},
	{3, "aF1 bF", ">b wait"},
	{3, "aF bF1", ">a wait"},
	{3, "aG bF1", "wait"},
	{3, "aF1 bA c", ">a +c wait"},
	{3, "aF1 b c d", ">a +b +c +d wait"},
	{3, "aF1 bW", ">a wait"},
	{3, "aM bM cX", "done"},
	{3, "aM bM", "done"}
};

static void
test_table(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wisp_deeds d;
		struct read r;
		char got[256], label[128];

		read_all(&r, cases[i].systems);
		wisp_schedule(&d, r.systems, r.count, cases[i].n);
		print(got, &r, &d);
		snprintf(label, sizeof label, "%zu at once: %s", cases[i].n, cases[i].systems);
		CHECK_STR(got, cases[i].expect, label);
		free(d.list);
	}
}

static void
test_waves(void)
{
	static const struct { size_t n; const char *systems; size_t waves[MOST]; } rows[] = {
		{2, "a b c", {0, 0, 1}},
		{4, "as b c", {0, 1, 1}},
		{4, "a b<a c<b d", {0, 1, 2, 0}},
		{4, "a bs<a c", {0, 1, 0}},
		{1, "al bh", {1, 0}},
		{4, "aM b<a", {0, 0}},
		{4, "aF b<a", {0, 1}}
	};
	size_t waves[MOST];
	struct read r;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		read_all(&r, rows[i].systems);
		wisp_schedule_waves(waves, r.systems, r.count, rows[i].n);
		for (size_t k = 0; k < r.count; k++)
			CHECK_INT(waves[k], rows[i].waves[k], rows[i].systems);
	}
}

int
main(void)
{
	test_table();
	test_waves();
	return unit_done();
}
