/*
 * decide: the tables of cases in docs/decisions.md, each line of them. What
 * people read there is what is tested here.
 */
#include "core/decide.h"
#include "unit.h"

#define DOC "docs/decisions.md"
#define CELLS 7		/* case, facts, decision, exit, row, tree, lacks */
#define CASES_MIN 150	/* so that a table which is no longer found is noticed */

/* One word of the facts: `stuck`, `tasks=1/2`; false for one that is none. */
static bool
take_fact(struct wisp_facts *f, char *word)
{
	const struct {
		const char *word;
		bool *flag;
	} flags[] = {
		{"phases", &f->phases}, {"gate1", &f->gate_1}, {"gate2", &f->gate_2}, {"last", &f->last_phase},
		{"uncommitted", &f->uncommitted}, {"stuck", &f->stuck}, {"breaker", &f->open}, {"pause", &f->pause},
		{"once", &f->once}, {"token", &f->token}
	};
	char *value = strchr(word, '=');
	int n = 0;

	for (size_t i = 0; value == NULL && i < sizeof flags / sizeof *flags; i++)
		if (strcmp(flags[i].word, word) == 0)
			return *flags[i].flag = true;
	if (value == NULL)
		return false;
	*value++ = '\0';
	if (strcmp(word, "cut") == 0) {
		f->cut = strcmp(value, "stop") == 0 ? WISP_CUT_STOP : atoi(value);
	} else if (strcmp(word, "outcome") == 0) {
		n = wisp_outcome_parse(value);
		f->outcome = (enum wisp_outcome)n;
	} else if (strcmp(word, "state") == 0) {
		n = wisp_verdict_parse(value);
		f->state = (enum wisp_verdict)n;
	} else if (strcmp(word, "status") == 0) {
		n = wisp_status_parse(value);
		f->state = WISP_VALID;
		f->status = (enum wisp_status)n;
	} else if (strcmp(word, "verify") == 0) {
		n = wisp_verify_parse(value);
		f->verify = (enum wisp_verify)n;
	} else if (strcmp(word, "promise") == 0) {
		f->promise = strcmp(value, "seen") == 0;
		f->promise_required = strcmp(value, "optional") != 0;
	} else if (strcmp(word, "failures") == 0) {
		f->failed_before = atoi(value);
	} else if (strcmp(word, "tasks") == 0) {
		return sscanf(value, "%zu/%zu", &f->tasks_claimed, &f->tasks_total) == 2;
	} else if (strcmp(word, "reject") == 0) {
		f->reject = true;
		return sscanf(value, "%d/%d", &f->rejects, &f->rejects_max) == 2;
	} else {
		return false;
	}
	return n >= 0;
}

/* The cells of a line of a table, without the blanks and backquotes around them; how many. */
static int
split(char *line, char *cell[CELLS])
{
	int n = 0;

	for (char *p = strchr(line, '|'); p != NULL && n < CELLS; n++) {
		char *end = strchr(++p, '|');

		if (end == NULL)
			break;
		*end = '\0';
		p += strspn(p, " `");
		for (char *last = p + strlen(p); last > p && strchr(" `", last[-1]) != NULL;)
			*--last = '\0';
		cell[n] = p;
		p = end;
	}
	return n;
}

static void
check_case(char *cell[CELLS])
{
	struct wisp_facts f = {.state = WISP_MISSING};
	struct wisp_decision d;
	bool known = true;
	char *label = cell[0];

	for (char *word = strtok(cell[1], " "); word != NULL; word = strtok(NULL, " "))
		known &= take_fact(&f, word);
	CHECK(known, label);
	wisp_decide(&d, &f);
	CHECK_STR(wisp_action_name(d.action), cell[2], label);
	CHECK_INT(d.exit, atoi(cell[3]), label);
	CHECK_STR(d.row, cell[4], label);
	CHECK_STR(wisp_tree_name(d.tree), cell[5], label);
	CHECK_STR(d.refused != NULL ? d.refused : "", cell[6], label);
}

static int
check_document(void)
{
	FILE *f = fopen(DOC, "r");
	char line[1024], *cell[CELLS];
	int cases = 0;

	while (f != NULL && fgets(line, sizeof line, f) != NULL)
		if (line[0] == '|' && split(line, cell) == CELLS && strcmp(cell[0], "case") != 0 && cell[0][0] != '-') {
			check_case(cell);
			cases++;
		}
	if (f != NULL)
		fclose(f);
	return cases;
}

int
main(void)
{
	CHECK(check_document() >= CASES_MIN, "the cases of " DOC);
	for (int o = WISP_OK; o <= WISP_UNSTARTABLE; o++)
		CHECK_INT(wisp_outcome_parse(wisp_outcome_name((enum wisp_outcome)o)), o, "an outcome's word is read back");
	for (int v = WISP_VALID; v <= WISP_UNREADABLE; v++)
		CHECK_INT(wisp_verdict_parse(wisp_verdict_name((enum wisp_verdict)v)), v, "a verdict's word is read back");
	for (int s = WISP_CONTINUE; s <= WISP_BLOCKED; s++)
		CHECK_INT(wisp_status_parse(wisp_status_name((enum wisp_status)s)), s, "a status's word is read back");
	CHECK_INT(wisp_verdict_parse("VALID"), -1, "an unknown verdict");
	CHECK_INT(wisp_status_parse("done"), -1, "an unknown status");
	CHECK_INT(wisp_outcome_parse("fine"), -1, "an unknown outcome");
	CHECK_INT(wisp_outcome_parse(NULL), -1, "no outcome");
	CHECK_INT(wisp_verify_parse("passed"), WISP_VERIFY_PASSED, "passed");
	CHECK_INT(wisp_verify_parse("PASSED"), -1, "words have their case");
	return unit_done();
}
