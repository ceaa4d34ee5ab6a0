/*
 * scope: what agents leave, and what is wrong with it, as tables; and SCOPE-DISCOVERY.md.
 */
#include "core/orchestra.h"
#include "orch/scope.h"
#include "unit.h"

#define SYSTEM(name, more) "{\"name\": \"" name "\", \"type\": \"gap-fill\", \"priority\": \"high\", \"parallelizable\": true, \"estimatedHours\": 1" more "}"
#define TASKS ", \"tasks\": [{\"category\": \"docs\", \"description\": \"d\", \"steps\": [], \"passes\": false}]"
#define GAP "{\"category\": \"ui\", \"severity\": \"low\", \"description\": \"d\"}"
#define DOC(gaps, systems) "{\"gaps\": [" gaps "], \"systems\": [" systems "]}"
#define PLAN(systems) "{\"systems\": [" systems "]}"
#define TEN(x) x x x x x x x x x x
#define LONG TEN(TEN("123456789012345678901"))
#define PLANNED(name) "{\"name\": \"" name "\"" TASKS "}"

static struct cJSON *state;

/* What is wrong, "" for nothing; the caller frees it. */
static char *
fault(enum wisp_scope scope, const char *text)
{
	const struct wisp_scope_facts facts = {state, "wisp/shop", 3};
	const struct wisp_source src = {text, strlen(text), "f", "document"};
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *doc = wisp_json_parse(text, strlen(text), "f", &err);
	char *said = NULL;

	if (doc != NULL && wisp_scope_check(&src, scope, doc, &facts, &err) == 0)
		said = wisp_strdup("");
	else
		said = wisp_strdup(err.text);
	wisp_json_free(doc);
	wisp_err_release(&err);
	return said;
}

static const struct { enum wisp_scope scope; const char *text, *fault; } rows[] = {
	{WISP_DISCOVER, DOC("", ""), ""},
	{WISP_DISCOVER, DOC(GAP, SYSTEM("a", "") ", " SYSTEM("b-2", ", \"depends_on\": [\"a\"]")), ""},
	{WISP_DISCOVER, DOC("", SYSTEM("a", ", \"unknown\": {}, \"description\": \"x\"")), ""},
	{WISP_DISCOVER, "[]", "document: expected an object, not an array"},
	{WISP_DISCOVER, "{\"systems\": []}", "document.gaps: is missing"},
	{WISP_DISCOVER, "{\"gaps\": {}, \"systems\": []}", "document.gaps: expected an array, not an object"},
	{WISP_DISCOVER, DOC("1", ""), "document.gaps[0]: expected an object, not a number"},
	{WISP_DISCOVER, DOC("{\"category\": \"\", \"severity\": \"low\", \"description\": \"d\"}", ""), "document.gaps[0].category: must not be empty"},
	{WISP_DISCOVER, DOC("{\"category\": \"a\", \"severity\": \"bad\", \"description\": \"d\"}", ""),
	 "document.gaps[0].severity: expected one of critical|high|medium|low, not 'bad'"},
	{WISP_DISCOVER, DOC(GAP ", " GAP, ""), "document.systems: there are 2 gaps, and no system to close them in"},
	{WISP_DISCOVER, DOC("", "{}"), "document.systems[0].name: is missing"},
	{WISP_DISCOVER, DOC("", SYSTEM("a", "") ", " SYSTEM("b", "") ", " SYSTEM("c", "") ", " SYSTEM("d", "")),
	 "document.systems: expected at most 3 systems, not 4"},
	{WISP_DISCOVER, DOC("", SYSTEM("a", "") ", " SYSTEM("a", "")), "document.systems[1].name: 'a' is there twice"},
	{WISP_DISCOVER, DOC("", SYSTEM("Big", "")), "document.systems[0].name: expected lower case letters, digits and single dashes between them, at most 40, not 'Big'"},
	{WISP_DISCOVER, DOC("", SYSTEM("-a", "")), "document.systems[0].name: expected lower case letters, digits and single dashes between them, at most 40, not '-a'"},
	{WISP_DISCOVER, DOC("", SYSTEM("a--b", "")), "document.systems[0].name: expected lower case letters, digits and single dashes between them, at most 40, not 'a--b'"},
	{WISP_DISCOVER, DOC("", SYSTEM("a", "") ", " SYSTEM("b", ", \"depends_on\": [\"a\", \"a\"]")), "document.systems[1].depends_on[1]: 'a' is there twice"},
	{WISP_DISCOVER, DOC("", SYSTEM("a", ", \"description\": \"" LONG "\"")), "document.systems[0].description: expected at most 2000 bytes, not 2100"},
	{WISP_DISCOVER, DOC("{\"category\": \"a\", \"severity\": \"low\", \"description\": \"" LONG "\"}", ""),
	 "document.gaps[0].description: expected at most 2000 bytes, not 2100"},
	{WISP_DISCOVER, DOC("", SYSTEM("a-", "")), "document.systems[0].name: expected lower case letters, digits and single dashes between them, at most 40, not 'a-'"},
	{WISP_DISCOVER, DOC("", SYSTEM("../x", "")), "document.systems[0].name: expected lower case letters, digits and single dashes between them, at most 40, not '../x'"},
	{WISP_DISCOVER, DOC("", SYSTEM("a b", "")), "document.systems[0].name: expected lower case letters, digits and single dashes between them, at most 40, not 'a b'"},
	{WISP_DISCOVER, DOC("", SYSTEM("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "")),
	 "document.systems[0].name: expected lower case letters, digits and single dashes between them, at most 40, not 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'"},
	{WISP_DISCOVER, DOC("", SYSTEM("a", ", \"depends_on\": [\"a\"]")), "document.systems[0].depends_on[0]: 'a' cannot depend on itself"},
	{WISP_DISCOVER, DOC("", SYSTEM("a", ", \"depends_on\": [\"z\"]")), "document.systems[0].depends_on[0]: there is no system 'z'"},
	{WISP_DISCOVER, DOC("", SYSTEM("a", ", \"depends_on\": \"z\"")), "document.systems[0].depends_on: expected an array, not a string"},
	{WISP_DISCOVER, DOC("", SYSTEM("a", ", \"depends_on\": [\"b\"]") ", " SYSTEM("b", ", \"depends_on\": [\"a\"]")),
	 "document.systems[0].depends_on: they depend on each other in a ring: a -> b -> a"},
	{WISP_DISCOVER, DOC("", SYSTEM("x", ", \"depends_on\": [\"b\"]") ", " SYSTEM("b", ", \"depends_on\": [\"c\"]") ", " SYSTEM("c", ", \"depends_on\": [\"b\"]")),
	 "document.systems[1].depends_on: they depend on each other in a ring: b -> c -> b"},
	{WISP_DISCOVER, DOC("", "{\"name\": \"a\", \"type\": \"t\", \"priority\": \"low\", \"parallelizable\": \"no\", \"estimatedHours\": 1}"),
	 "document.systems[0].parallelizable: expected a boolean, not a string"},
	{WISP_DISCOVER, DOC("", "{\"name\": \"a\", \"type\": \"t\", \"priority\": \"low\", \"parallelizable\": true}"), ""},
	{WISP_DISCOVER, DOC("", "{\"name\": \"a\", \"type\": \"t\", \"priority\": \"low\", \"parallelizable\": true, \"estimatedHours\": 0}"),
	 "document.systems[0].estimatedHours: expected hours above 0, at most 10000"},
	{WISP_DISCOVER, DOC("", "{\"name\": \"a\", \"type\": \"t\", \"priority\": \"low\", \"parallelizable\": true, \"estimatedHours\": -1}"),
	 "document.systems[0].estimatedHours: expected hours above 0, at most 10000"},
	{WISP_DISCOVER, DOC("", "{\"name\": \"a\", \"type\": \"t\", \"priority\": \"low\", \"parallelizable\": true, \"estimatedHours\": 1e300}"),
	 "document.systems[0].estimatedHours: expected hours above 0, at most 10000"},
	{WISP_DECOMPOSE, PLAN(PLANNED("one") ", " PLANNED("two") ", " PLANNED("four") ", " PLANNED("three")), ""},
	{WISP_DECOMPOSE, PLAN(PLANNED("one")), "document.systems: the system 'two' is missing"},
	{WISP_DECOMPOSE, PLAN(PLANNED("one") ", " PLANNED("one")), "document.systems[1].name: 'one' is there twice"},
	{WISP_DECOMPOSE, PLAN(PLANNED("one") ", " PLANNED("six")), "document.systems[1].name: there is no system 'six'"},
	{WISP_DECOMPOSE, PLAN("{\"name\": \"one\", \"tasks\": []}"), "document.systems[0].tasks: expected at least one task"},
	{WISP_DECOMPOSE, PLAN("{\"name\": \"one\"}"), "document.systems[0].tasks: is missing"},
	{WISP_DECOMPOSE, PLAN("{\"name\": \"one\", \"tasks\": [{}]}"), "document.systems[0].tasks: tasks[0].category: is missing"},
	{WISP_DECOMPOSE, PLAN("{\"name\": \"one\", \"tasks\": [{\"category\": \"docs\", \"description\": \"d\", \"steps\": [], \"passes\": true}]}"),
	 "document.systems[0].tasks: a task passes already: what is there needs none"},
	{WISP_RETROSPECT, DOC("", ""), ""},
	{WISP_RETROSPECT, DOC(GAP, ""), ""},
	{WISP_RETROSPECT, DOC(GAP, SYSTEM("new", TASKS)), ""},
	{WISP_RETROSPECT, DOC(GAP, SYSTEM("new", TASKS ", \"depends_on\": [\"new2\"]")), "document.systems[0].depends_on[0]: there is no system 'new2'"},
	{WISP_RETROSPECT, DOC(GAP, SYSTEM("new", TASKS ", \"depends_on\": [\"one\"]")), ""},
	{WISP_RETROSPECT, DOC(GAP, SYSTEM("new", "")), "document.systems[0].tasks: expected at least one task"},
	{WISP_RETROSPECT, DOC(GAP, SYSTEM("one", TASKS)),
	 "document.systems[0].name: 'one' was there in this orchestration: what is new needs a name of its own, and what failed is tried again by itself"}
};

static const char rendered[] =
	"# Scope discovery\n\nMode brownfield-polish, loop 1; 2 loops are estimated, with up to 3 agents at once.\n"
	"\n## Gaps\n\n### Critical\n\n- ci: No CI\n\n### Low\n\n- \\# ui: a \\\\\\| b c\n"
	"\n### Closed\n\n- ux: No help\n"
	"\n## Systems\n\n| system | type | priority | runs | depends on | hours | what |\n|---|---|---|---|---|---|---|\n"
	"| one | gap-fill | high | alone |  | 1.5 |  |\n| two | gap-fill | low | beside others | one | 2 | \\<b\\>x |\n"
	"| three | gap-fill | high | beside others | one | 0.5 |  |\n| four | gap-fill | critical | alone |  | 1 |  |\n"
	"\n## Order\n\n1. four, alone\n2. one, alone\n3. two, three\n";

static const char scope_text[] =
	"{\"completedAt\": null, \"gaps\": ["
	"{\"category\": \"# ui\", \"severity\": \"low\", \"description\": \"a \\\\| b\\n\\u001bc\"},"
	"{\"category\": \"ci\", \"severity\": \"critical\", \"description\": \"No CI\"},"
	"{\"category\": \"ux\", \"severity\": \"critical\", \"description\": \"No help\", \"closed\": true}], \"systems\": ["
	"{\"name\": \"one\", \"type\": \"gap-fill\", \"priority\": \"high\", \"parallelizable\": false, \"estimatedHours\": 1.5},"
	"{\"name\": \"two\", \"type\": \"gap-fill\", \"priority\": \"low\", \"parallelizable\": true, \"depends_on\": [\"one\"], \"estimatedHours\": 2,"
	" \"description\": \"<b>x\"},"
	"{\"name\": \"three\", \"type\": \"gap-fill\", \"priority\": \"high\", \"parallelizable\": true, \"depends_on\": [\"one\"], \"estimatedHours\": 0.5},"
	"{\"name\": \"four\", \"type\": \"gap-fill\", \"priority\": \"critical\", \"parallelizable\": false, \"estimatedHours\": 1}], \"estimatedLoops\": 2, \"parallelizationFactor\": 3}";

/* More gaps than a record is to hold. */
static void
check_many(void)
{
	struct wisp_buf text = WISP_BUF_INIT;

	wisp_buf_puts(&text, "{\"systems\": [], \"gaps\": [" GAP);
	for (int i = 0; i < 1000; i++)
		wisp_buf_puts(&text, "," GAP);
	wisp_buf_puts(&text, "]}");
	CHECK_OWN(fault(WISP_DISCOVER, text.data), "document.gaps: expected at most 1000 gaps, not 1001: join them", "gaps");
	wisp_buf_release(&text);
}

/* Where every system is merged, a gap needs a new one; before, that which failed is tried again. */
static void
check_merged(void)
{
	struct cJSON *completed = wisp_json_array_at(state, "completedSystems");

	for (const struct cJSON *s = wisp_json_first(wisp_json_get(wisp_json_get(state, "scopeDiscovery"), "systems")); s != NULL;
	     s = wisp_json_next(s)) {
		CHECK_OWN(fault(WISP_RETROSPECT, DOC(GAP, "")), "", "some are left");
		wisp_json_push(completed, wisp_json_copy(wisp_json_get(s, "name")));
	}
	CHECK_OWN(fault(WISP_RETROSPECT, DOC(GAP, "")), "document.systems: there are 1 gaps, and no system to close them in", "all are merged");
	CHECK_OWN(fault(WISP_RETROSPECT, DOC("", "")), "", "nothing is left");
}

static void
check_render(const char *want, const char *name)
{
	struct cJSON *doc = wisp_json_object();
	struct wisp_record r = {.doc = doc};
	struct wisp_buf out = WISP_BUF_INIT;
	const char *order;

	wisp_json_set_num(wisp_json_object_at(doc, "orchestra"), "parallel", 3);
	wisp_json_set(doc, "orchestration", wisp_json_copy(state));
	wisp_scope_render(&out, &r);
	order = strstr(out.data, "\n## Order");
	CHECK_STR(*want == '#' ? out.data : order, want, name);
	wisp_buf_release(&out);
	wisp_json_free(doc);
}

int
main(void)
{
	state = wisp_orchestra_new(0);
	wisp_json_set_str(state, "mode", "brownfield-polish");
	wisp_json_set(state, "scopeDiscovery", wisp_json_parse(scope_text, strlen(scope_text), "scope", NULL));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		CHECK_OWN(fault(rows[i].scope, rows[i].text), rows[i].fault, rows[i].text);
	check_many();
	check_render(rendered, "SCOPE-DISCOVERY.md");
	check_merged();
	check_render("\n## Order\n\nNothing is left.\n", "all are merged");
	wisp_json_free(state);
	return unit_done();
}
