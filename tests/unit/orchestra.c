/*
 * orchestra: the loop state of an orchestration: what 001_ gives as examples holds, what
 * does not hold is named; its phases, and its gates, which are decided once.
 */
#include "core/kinds.h"
#include "core/orchestra.h"
#include "core/scan.h"
#include "parse.h"
#include "unit.h"

#define NOW 1768993500000	/* 2026-01-21T11:05:00Z */

/* The initial structure of 001_. */
static const char initial[] =
	"{\"orchestratorId\": \"orch-{timestamp}\", \"startedAt\": \"2026-01-21T10:00:00Z\", \"mode\": null,"
	" \"modeDetection\": {\"detected\": null, \"confidence\": 0, \"signals\": [], \"confirmedByUser\": false, \"overridden\": false},"
	" \"scopeDiscovery\": {\"completedAt\": null, \"gaps\": [], \"systems\": [], \"estimatedLoops\": 0, \"parallelizationFactor\": 1},"
	" \"currentLoop\": 1, \"currentPhase\": \"DETECT\", \"subAgents\": [], \"completedSystems\": [],"
	" \"gates\": {\"pending\": [], \"approved\": [], \"rejected\": []},"
	" \"metrics\": {\"loopsCompleted\": 0, \"estimatedHours\": 0, \"actualHours\": 0, \"calibrationFactor\": 1.0}}";

/* Its complete example. */
static const char complete[] =
	"{\"orchestratorId\": \"orch-1705834800000\", \"startedAt\": \"2026-01-21T10:00:00Z\", \"mode\": \"brownfield-polish\","
	" \"modeDetection\": {\"detected\": \"brownfield-polish\", \"confidence\": 0.87, \"signals\": ["
	"{ \"category\": \"codebase\", \"signal\": \"47 files\", \"weight\": 0.3, \"mode\": \"polish\" }],"
	" \"confirmedByUser\": true, \"overridden\": false},"
	" \"scopeDiscovery\": {\"completedAt\": \"2026-01-21T10:15:00Z\", \"gaps\": ["
	"{ \"category\": \"deployment\", \"severity\": \"critical\", \"description\": \"No CI/CD\" }], \"systems\": ["
	"{ \"name\": \"deployment\", \"type\": \"gap-fill\", \"priority\": \"critical\", \"parallelizable\": false }],"
	" \"estimatedLoops\": 2, \"parallelizationFactor\": 1},"
	" \"currentLoop\": 2, \"currentPhase\": \"EXECUTE\", \"subAgents\": [],"
	" \"completedSystems\": [\"deployment\", \"ui-polish\", \"data-validation\"],"
	" \"gates\": {\"pending\": [], \"approved\": [{ \"id\": \"gate-001\", \"agent\": \"agent-ui-polish\", \"type\": \"visual-review\","
	" \"approvedAt\": \"2026-01-21T11:05:00Z\" }], \"rejected\": []},"
	" \"metrics\": {\"loopsCompleted\": 1, \"estimatedHours\": 4, \"actualHours\": 3.5, \"calibrationFactor\": 0.875}}";

#define SIGNAL "{\"category\": \"git\", \"signal\": \"23 commits\", \"weight\": 0.4, \"mode\": \"polish\"}"
#define GAP "{\"category\": \"ui\", \"severity\": \"high\", \"description\": \"No dark mode\"}"
#define SYSTEM(name) "{\"name\": \"" name "\", \"type\": \"gap-fill\", \"priority\": \"high\", \"parallelizable\": true}"
#define AGENT(id, more) "{\"id\": \"" id "\", \"system\": \"ui-polish\", \"status\": \"running\"" more "}"
#define GATE(id, more) "{\"id\": \"" id "\", \"agent\": \"agent-ui-polish\", \"type\": \"visual-review\"" more "}"
#define REQUESTED ", \"requestedAt\": \"2026-01-21T11:00:00Z\""
#define APPROVED ", \"approvedAt\": \"2026-01-21T11:05:00Z\""
#define HANDOFF "{\"pausedAt\": \"2026-01-21T12:00:00Z\", \"reason\": \"session-end\", " \
	"\"resumeInstructions\": \"Continue\", \"pendingActions\": [\"Merge ui-polish branch\"]}"

/* The other examples of 001_, each put into the complete one, and what else may stand there. */
static const struct { const char *path, *value; } good[] = {
	{".version", "1"},
	{".mode", "\"greenfield\""},
	{".modeDetection.signals", "[" SIGNAL ", " SIGNAL "]"},
	{".modeDetection.confidence", "1"},
	{".scopeDiscovery.gaps", "[" GAP ", {\"category\": \"testing\", \"severity\": \"medium\", \"description\": \"x\"}]"},
	{".scopeDiscovery.systems", "[" SYSTEM("ui-polish") ", " SYSTEM("UI_2.0") "]"},
	{".subAgents", "[{\"id\": \"agent-ui-polish\", \"system\": \"ui-polish\", \"worktree\": \".worktrees/ui-polish\", "
	 "\"branch\": \"feature/ui-polish\", \"status\": \"running\", \"currentStage\": \"IMPLEMENT\", "
	 "\"progress\": \"Adding dark mode toggle component\", \"outputFile\": \"/tmp/agent-ui-polish-output.txt\", "
	 "\"spawnedAt\": \"2026-01-21T10:30:00Z\", \"lastHeartbeat\": \"2026-01-21T10:45:00Z\", \"completedAt\": null, "
	 "\"metrics\": {\"filesModified\": 8, \"testsAdded\": 3, \"commitsCreated\": 2}}]"},
	{".gates.pending", "[{\"id\": \"gate-002\", \"agent\": \"agent-ui-polish\", \"type\": \"visual-review\", "
	 "\"description\": \"UI dark mode styling complete\", "
	 "\"artifacts\": [\"screenshots/dark-home.png\", \"screenshots/dark-dashboard.png\"]" REQUESTED "}]"},
	{".gates.approved", "[" GATE("gate-001", APPROVED ", \"feedback\": null, \"approvedBy\": \"anna\"") "]"},
	{".sessionHandoff", HANDOFF},
	{".sessionHandoff", "null"},
	{".somethingElse", "{\"kept\": true}"}
};

static const struct { const char *path, *value, *why; } bad[] = {
	{"", "[]", "loop: expected an object, not an array"},
	{"", "{\"orchestratorId\": \"x\"}", "loop.startedAt: is missing"},
	{".version", "2", "loop.version: expected 1"},
	{".orchestratorId", "\"\"", "loop.orchestratorId: must not be empty"},
	{".orchestratorId", "7", "loop.orchestratorId: expected a string, not a number"},
	{".startedAt", "null", "loop.startedAt: expected a string, not null"},
	{".startedAt", "\"2026-01-21\"", "loop.startedAt: expected a time with a zone (ISO 8601), not '2026-01-21'"},
	{".mode", "\"polish\"", "loop.mode: expected one of greenfield|brownfield-feature|brownfield-polish, not 'polish'"},
	{".modeDetection", "null", "loop.modeDetection: expected an object, not null"},
	{".modeDetection", "[]", "loop.modeDetection: expected an object, not an array"},
	{".modeDetection.detected", "\"old\"",
	 "loop.modeDetection.detected: expected one of greenfield|brownfield-feature|brownfield-polish, not 'old'"},
	{".modeDetection.confidence", "1.01", "loop.modeDetection.confidence: must not be above 1"},
	{".modeDetection.confidence", "-0.1", "loop.modeDetection.confidence: must not be below 0"},
	{".modeDetection.signals", "null", "loop.modeDetection.signals: expected an array, not null"},
	{".modeDetection.signals[0]", "\"47 files\"", "loop.modeDetection.signals[0]: expected an object, not a string"},
	{".modeDetection.signals[0].weight", "\"0.3\"", "loop.modeDetection.signals[0].weight: expected a number, not a string"},
	{".modeDetection.signals[0].weight", "-1", "loop.modeDetection.signals[0].weight: must not be below 0"},
	{".modeDetection.signals[0].mode", "\"brownfield-polish\"",
	 "loop.modeDetection.signals[0].mode: expected one of greenfield|feature|polish, not 'brownfield-polish'"},
	{".modeDetection.confirmedByUser", "\"yes\"", "loop.modeDetection.confirmedByUser: expected a boolean, not a string"},
	{".modeDetection.overridden", "null", "loop.modeDetection.overridden: expected a boolean, not null"},
	{".scopeDiscovery.completedAt", "\"today\"",
	 "loop.scopeDiscovery.completedAt: expected a time with a zone (ISO 8601), not 'today'"},
	{".scopeDiscovery.gaps[0].severity", "\"severe\"",
	 "loop.scopeDiscovery.gaps[0].severity: expected one of critical|high|medium|low, not 'severe'"},
	{".scopeDiscovery.gaps[0].description", "null", "loop.scopeDiscovery.gaps[0].description: expected a string, not null"},
	{".scopeDiscovery.systems[0].priority", "1", "loop.scopeDiscovery.systems[0].priority: expected a string, not a number"},
	{".scopeDiscovery.systems[0].parallelizable", "null", "loop.scopeDiscovery.systems[0].parallelizable: expected a boolean, not null"},
	{".scopeDiscovery.systems", "[" SYSTEM("a") ", " SYSTEM("b") ", " SYSTEM("a") "]",
	 "loop.scopeDiscovery.systems[2].name: 'a' is there twice"},
	{".scopeDiscovery.systems[0].name", "\"../up\"",
	 "loop.scopeDiscovery.systems[0].name: '../up' cannot be a part of a branch's name"},
	{".scopeDiscovery.systems[0].name", "\"UI polish\"",
	 "loop.scopeDiscovery.systems[0].name: 'UI polish' cannot be a part of a branch's name"},
	{".scopeDiscovery.systems[0].depends_on", "[1]",
	 "loop.scopeDiscovery.systems[0].depends_on[0]: expected a string, not a number"},
	{".scopeDiscovery.systems[0].estimatedHours", "-3", "loop.scopeDiscovery.systems[0].estimatedHours: must not be below 0"},
	{".scopeDiscovery.estimatedLoops", "1.5", "loop.scopeDiscovery.estimatedLoops: expected a whole number"},
	{".currentLoop", "0", "loop.currentLoop: must not be below 1"},
	{".currentLoop", "\"2\"", "loop.currentLoop: expected a number, not a string"},
	{".currentPhase", "\"DONE\"",
	 "loop.currentPhase: expected one of DETECT|DISCOVER|PLAN|EXECUTE|RETROSPECT|COMPLETE, not 'DONE'"},
	{".subAgents", "{}", "loop.subAgents: expected an array, not an object"},
	{".subAgents", "[" AGENT("a", "") ", " AGENT("a", "") "]", "loop.subAgents[1].id: 'a' is there twice"},
	{".subAgents", "[{\"id\": \"a\", \"system\": \"s\", \"status\": \"done\"}]",
	 "loop.subAgents[0].status: expected one of spawning|running|waiting-gate|completed|failed, not 'done'"},
	{".subAgents", "[{\"id\": \"a\", \"system\": \"s/t\", \"status\": \"failed\"}]",
	 "loop.subAgents[0].system: 's/t' cannot be a part of a branch's name"},
	{".subAgents", "[" AGENT("a", ", \"lastHeartbeat\": \"10:45\"") "]",
	 "loop.subAgents[0].lastHeartbeat: expected a time with a zone (ISO 8601), not '10:45'"},
	{".subAgents", "[" AGENT("a", ", \"metrics\": {\"filesModified\": -1}") "]",
	 "loop.subAgents[0].metrics.filesModified: must not be below 0"},
	{".subAgents", "[" AGENT("a", ", \"metrics\": {\"testsAdded\": \"3\"}") "]",
	 "loop.subAgents[0].metrics.testsAdded: expected a number, not a string"},
	{".completedSystems[1]", "3", "loop.completedSystems[1]: expected a string, not a number"},
	{".completedSystems[2]", "\"\"", "loop.completedSystems[2]: '' cannot be a part of a branch's name"},
	{".gates.rejected", "null", "loop.gates.rejected: expected an array, not null"},
	{".gates.pending", "[" GATE("gate-002", "") "]", "loop.gates.pending[0].requestedAt: is missing"},
	{".gates.pending", "[" GATE("gate-002", REQUESTED) ", " GATE("gate-002", REQUESTED) "]",
	 "loop.gates.pending[1].id: 'gate-002' is there twice"},
	{".gates.pending", "[" GATE("gate-001", REQUESTED) "]", "loop.gates.approved[0].id: 'gate-001' is there twice"},
	{".gates.pending", "[" GATE("gate-002", REQUESTED ", \"artifacts\": \"a.png\"") "]",
	 "loop.gates.pending[0].artifacts: expected an array, not a string"},
	{".gates.approved[0].approvedAt", "null", "loop.gates.approved[0].approvedAt: is missing"},
	{".gates.rejected", "[" GATE("gate-002", APPROVED) "]", "loop.gates.rejected[0].rejectedAt: is missing"},
	{".gates.approved[0].agent", "\"\"", "loop.gates.approved[0].agent: must not be empty"},
	{".metrics.calibrationFactor", "null", "loop.metrics.calibrationFactor: expected a number, not null"},
	{".metrics.actualHours", "-1", "loop.metrics.actualHours: must not be below 0"},
	{".sessionHandoff", "{\"pausedAt\": \"2026-01-21T12:00:00Z\", \"reason\": \"x\", \"resumeInstructions\": \"y\"}",
	 "loop.sessionHandoff.pendingActions: is missing"}
};

/* "" where the complete example holds with the value set at the path, else what is wrong; the caller frees it. */
static char *
with(const char *path, const char *value)
{
	struct wisp_buf b = WISP_BUF_INIT;
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_path at;
	struct cJSON *doc;
	char *why;

	if (*path == '\0') {
		wisp_buf_puts(&b, value);
	} else {
		wisp_buf_puts(&b, complete);
		if (wisp_path_parse(&at, path, &err) != 0 || wisp_scan_set(&b, &at, value, &err) != 0)
			die_bug("no place for '%s'", path);
		wisp_path_release(&at);
	}
	doc = parse(b.data);
	why = wisp_orchestra_check(&(struct wisp_source){b.data, b.len, "x", "loop"}, doc, &err) == 0 ? wisp_strdup("")
		: wisp_strdup(err.text);
	wisp_err_release(&err);
	wisp_buf_release(&b);
	wisp_json_free(doc);
	return why;
}

static void
holds(void)
{
	const struct wisp_source src = {initial, strlen(initial), "x", "loop"};
	const struct wisp_kind *kind = wisp_kind_find("loop");
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *doc = parse(initial), *made = wisp_orchestra_new(NOW), *phases = parse("{\"session_id\": \"x\"}");

	CHECK(wisp_orchestra_is(doc), "it is an orchestration's");
	CHECK(!wisp_orchestra_is(phases) && !wisp_orchestra_is(NULL), "that of a template with phases is not");
	CHECK_INT(wisp_kind_hold(kind, &src, doc, &err), 0, "the initial structure of 001_ holds");
	CHECK_OWN(with(".completedSystems[0]", "\"deployment\""), "", "the complete example of 001_ holds");
	CHECK_INT(wisp_kind_hold(kind, &src, made, &err), 0, "a new one holds");
	CHECK_STR(wisp_json_str(made, "orchestratorId", ""), "orch-1768993500000", "a new one has its id from the time");
	/* Else it is the initial structure, and a version. */
	wisp_json_set_str(made, "orchestratorId", wisp_json_str(doc, "orchestratorId", ""));
	wisp_json_set_str(made, "startedAt", wisp_json_str(doc, "startedAt", ""));
	CHECK_INT(wisp_json_int(made, "version", 0), 1, "a new one has a version");
	wisp_json_drop(made, "version");
	CHECK(wisp_json_equal(made, doc), "a new one is the initial structure of 001_");
	wisp_json_free(doc);
	wisp_json_free(made);
	wisp_json_free(phases);
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		CHECK_OWN(with(good[i].path, good[i].value), "", good[i].path);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK_OWN(with(bad[i].path, bad[i].value), bad[i].why, bad[i].why);
}

/* --- phases --------------------------------------------------------------------- */

static void
moves(void)
{
	static const char *const phases[] = {"DETECT", "DISCOVER", "PLAN", "EXECUTE", "RETROSPECT", "COMPLETE", "DONE"};
	static const char legal[6][8] = {".1.....", "..1....", "...1...", "....1..", "...1.1.", "......."};

	for (size_t from = 0; from < 6; from++)
		for (size_t to = 0; to < 7; to++) {
			struct cJSON *state = parse(complete);
			bool ok = legal[from][to] == '1';
			char *label = wisp_str("%s to %s", phases[from], phases[to]);

			wisp_json_set_str(state, "currentPhase", phases[from]);
			CHECK_INT(wisp_orchestra_move(state, phases[to]), ok ? 0 : 1, label);
			CHECK_STR(wisp_json_str(state, "currentPhase", ""), phases[ok ? to : from], label);
			CHECK_INT(wisp_json_int(state, "currentLoop", 0), ok && from == 4 && to == 3 ? 3 : 2, label);
			CHECK_INT(wisp_json_int(wisp_json_get(state, "metrics"), "loopsCompleted", 0), ok && from == 4 ? 2 : 1, label);
			free(label);
			wisp_json_free(state);
		}
}

static void
progresses(void)
{
	static const struct { const char *phase, *completed; int percent; } cases[] = {
		{"DETECT", "[]", 0}, {"DISCOVER", "[]", 5}, {"PLAN", "[]", 10}, {"EXECUTE", "[]", 15},
		{"EXECUTE", "[\"b\"]", 41}, {"EXECUTE", "[\"b\", \"other\"]", 41}, {"EXECUTE", "[\"c\", \"a\", \"b\"]", 95},
		{"RETROSPECT", "[\"a\"]", 95}, {"COMPLETE", "[]", 100}
	};
	struct cJSON *state = parse(complete);
	size_t total;

	wisp_json_set(wisp_json_get(state, "scopeDiscovery"), "systems", parse("[" SYSTEM("a") ", " SYSTEM("b") ", " SYSTEM("c") "]"));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		wisp_json_set_str(state, "currentPhase", cases[i].phase);
		wisp_json_set(state, "completedSystems", parse(cases[i].completed));
		CHECK_INT(wisp_orchestra_percent(state), cases[i].percent, cases[i].phase);
	}
	wisp_json_set(state, "completedSystems", parse("[\"c\", \"other\"]"));
	CHECK_INT(wisp_orchestra_systems(state, &total), 1, "systems that are completed");
	CHECK_INT(total, 3, "systems in all");
	wisp_json_set(wisp_json_get(state, "scopeDiscovery"), "systems", wisp_json_array());
	wisp_json_set_str(state, "currentPhase", "EXECUTE");
	CHECK_INT(wisp_orchestra_percent(state), 15, "no system at all");
	wisp_json_free(state);
}

/* --- agents and gates ------------------------------------------------------------- */

static void
finds_agents(void)
{
	struct cJSON *state = parse(complete);

	wisp_json_set(state, "subAgents", parse("[" AGENT("agent-ui-polish", "") "]"));
	CHECK_STR(wisp_json_str(wisp_orchestra_agent(state, "ui-polish"), "id", ""), "agent-ui-polish", "by system");
	CHECK_STR(wisp_json_str(wisp_orchestra_agent(state, "agent-ui-polish"), "system", ""), "ui-polish", "by id");
	CHECK(wisp_orchestra_agent(state, "ui") == NULL, "none");
	wisp_json_free(state);
}

static char *
gates_of(const struct cJSON *state)
{
	struct wisp_buf b = WISP_BUF_INIT;

	wisp_json_print_compact(&b, wisp_json_get(state, "gates"));
	return wisp_buf_detach(&b);
}

static void
decides_gates(void)
{
	struct cJSON *state = wisp_orchestra_new(NOW), *artifacts = parse("[\"dark-home.png\"]");
	const struct wisp_source src = {.path = "x", .name = "loop"};
	struct wisp_err err = WISP_ERR_INIT;
	const char *list = NULL;

	CHECK_STR(wisp_orchestra_request(state, "agent-a", "merge", "one", artifacts, NOW), "gate-001", "the first gate");
	CHECK_STR(wisp_orchestra_request(state, "agent-a", "merge", "again", NULL, NOW), "gate-001", "pending already: the same");
	CHECK_STR(wisp_orchestra_request(state, "agent-a", "visual-review", "two", NULL, NOW), "gate-002", "another type");
	CHECK_STR(wisp_orchestra_request(state, "agent-b", "merge", "three", NULL, NOW), "gate-003", "another agent");
	CHECK_INT(wisp_orchestra_decide(state, "gate-002", true, "anna", NULL, NOW), 0, "approved");
	CHECK_INT(wisp_orchestra_decide(state, "gate-001", false, "ben", "darker", NOW), 0, "rejected");
	CHECK_INT(wisp_orchestra_decide(state, "gate-001", true, "anna", NULL, NOW), 1, "decided before");
	CHECK_INT(wisp_orchestra_decide(state, "gate-002", true, "ben", "x", NOW), 1, "decided before in the same way");
	CHECK_INT(wisp_orchestra_decide(state, "gate-009", true, "anna", NULL, NOW), -1, "no such gate");
	CHECK_STR(wisp_orchestra_request(state, "agent-a", "merge", "once more", NULL, NOW), "gate-004", "no number comes twice");
	CHECK_OWN(gates_of(state),
		  "{\"pending\":[{\"id\":\"gate-003\",\"agent\":\"agent-b\",\"type\":\"merge\",\"description\":\"three\",\"artifacts\":[],"
		  "\"requestedAt\":\"2026-01-21T11:05:00+00:00\"},{\"id\":\"gate-004\",\"agent\":\"agent-a\",\"type\":\"merge\","
		  "\"description\":\"once more\",\"artifacts\":[],\"requestedAt\":\"2026-01-21T11:05:00+00:00\"}],"
		  "\"approved\":[{\"id\":\"gate-002\",\"agent\":\"agent-a\",\"type\":\"visual-review\","
		  "\"approvedAt\":\"2026-01-21T11:05:00+00:00\",\"feedback\":null,\"approvedBy\":\"anna\"}],"
		  "\"rejected\":[{\"id\":\"gate-001\",\"agent\":\"agent-a\",\"type\":\"merge\","
		  "\"rejectedAt\":\"2026-01-21T11:05:00+00:00\",\"feedback\":\"darker\",\"rejectedBy\":\"ben\"}]}", "all of them");
	CHECK_STR(wisp_json_str(wisp_orchestra_gate(state, "gate-001", &list), "feedback", ""), "darker", "a gate by its id");
	CHECK_STR(list, "rejected", "where it stands");
	CHECK_INT(wisp_orchestra_check(&src, state, &err), 0, "it holds");
	wisp_json_free(artifacts);
	wisp_json_free(state);
}

int
main(void)
{
	holds();
	moves();
	progresses();
	finds_agents();
	decides_gates();
	return unit_done();
}
