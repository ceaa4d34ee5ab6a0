/*
 * block: texts that hold a status block, or something that looks like one. What
 * is read is shown as phase/status/exit_signal/recommendation [blockers] {metrics}.
 */
#include "core/block.h"

#include <sys/stat.h>
#include <unistd.h>

#include "core/phase.h"
#include "unit.h"

#define BEGIN "---PRP_PHASE_STATUS---\n"
#define END "---END_PRP_PHASE_STATUS---\n"

static const struct {
	const char *label, *text, *expected;
} cases[] = {
	{"none", "all done\n", NULL},
	{"empty text", "", NULL},
	{"an empty block", BEGIN END, "-/-/no/- [] {}"},
	{"the fields", BEGIN "PHASE: GREEN\nSTATUS: IN_PROGRESS\nEXIT_SIGNAL: true\nRECOMMENDATION: go: on\n" END,
	 "GREEN/IN_PROGRESS/yes/go: on [] {}"},
	{"as 003_ prints it",
	 BEGIN "TIMESTAMP: 2026-01-16T10:00:00Z\nPHASE: GREEN\nSTATUS: IN_PROGRESS\nITERATION: 3\nPROGRESS_PERCENT: 28\n\nTESTS:\n"
	 "  TOTAL: 10\n  PASSING: 6\n  FAILING: 4\n  SKIPPED: 0\n\nFILES:\n  CREATED: 1\n  MODIFIED: 2\n  DELETED: 0\n\n"
	 "CIRCUIT_BREAKER:\n  STATE: CLOSED\n  NO_PROGRESS_COUNT: 0\n\nDUAL_GATE:\n  GATE_1: false\n  GATE_2: true\n  CAN_EXIT: false\n\n"
	 "RATE_LIMIT:\n  HOURLY: 3/100\n  5H_LIMIT: OK\n\nBLOCKERS:\n  - none\n\nEXIT_SIGNAL: false\nRECOMMENDATION: more\n" END,
	 "GREEN/IN_PROGRESS/no/more [] {\"tests_total\":10,\"tests_passing\":6,\"tests_failing\":4,\"tests_skipped\":0,"
	 "\"files_created\":1,\"files_modified\":2,\"files_deleted\":0}"},
	{"metrics by their names in lower case",
	 BEGIN "METRICS:\n  TESTS_GENERATED: 5\n  has_adr: true\n  Verdict: APPROVE\nEXIT_SIGNAL: true\n" END,
	 "-/-/yes/- [] {\"tests_generated\":5,\"has_adr\":true,\"verdict\":\"APPROVE\"}"},
	{"a member of its own line is a metric", BEGIN "VERDICT: REJECT\nPHASE: QA\n" END, "QA/-/no/- [] {\"verdict\":\"REJECT\"}"},
	{"lists", BEGIN "METRICS:\n  PATTERNS_APPLIED:\n    - one\n    - 2\n  DOCS: [\"a\", \"b\"]\n" END,
	 "-/-/no/- [] {\"patterns_applied\":[\"one\",2],\"docs\":[\"a\",\"b\"]}"},
	{"a list of its own line", BEGIN "PATTERNS_APPLIED:\n- one\n- two\nPHASE: QA\n- three\n" END,
	 "QA/-/no/- [] {\"patterns_applied\":[\"one\",\"two\"]}"},
	{"blockers", BEGIN "BLOCKERS:\n  - no network\n  - none\n  - a: b\n" END, "-/-/no/- [no network|a: b] {}"},
	{"CRLF", "hello\r\n---PRP_PHASE_STATUS---\r\nPHASE: RED\r\nTESTS:\r\n  TOTAL: 4\r\n---END_PRP_PHASE_STATUS---\r\n",
	 "RED/-/no/- [] {\"tests_total\":4}"},
	{"white space around, in a fence",
	 "```\n  \t---PRP_PHASE_STATUS--- \n   PHASE:   RED  \n   TESTS:\n     TOTAL:4\n  ---END_PRP_PHASE_STATUS---\t\n```\n",
	 "RED/-/no/- [] {\"tests_total\":4}"},
	{"no line feed at the end", BEGIN "PHASE: RED\n---END_PRP_PHASE_STATUS---", "RED/-/no/- [] {}"},
	{"cut at its end", BEGIN "PHASE: RED\nEXIT_SIGNAL: true\n", NULL},
	{"cut at its beginning: a tail", "ASE: RED\nEXIT_SIGNAL: true\n" END, NULL},
	{"a tail, then a whole one", "PHASE: RED\n" END BEGIN "PHASE: QA\n" END, "QA/-/no/- [] {}"},
	{"a cut one, then a whole one", BEGIN "PHASE: RED\n" BEGIN "PHASE: QA\n" END, "QA/-/no/- [] {}"},
	{"a whole one, then a cut one", BEGIN "PHASE: RED\n" END BEGIN "PHASE: QA\n", "RED/-/no/- [] {}"},
	{"two: the last one", BEGIN "PHASE: RED\nEXIT_SIGNAL: true\n" END "text\n" BEGIN "PHASE: QA\n" END, "QA/-/no/- [] {}"},
	{"two ends", BEGIN "PHASE: RED\n" END "PHASE: QA\n" END, "RED/-/no/- [] {}"},
	{"quoted in prose", "I print ---PRP_PHASE_STATUS---\nPHASE: RED\nand ---END_PRP_PHASE_STATUS--- at the end\n", NULL},
	{"quoted by a mail", "> ---PRP_PHASE_STATUS---\n> PHASE: RED\n> ---END_PRP_PHASE_STATUS---\n", NULL},
	{"prose within", BEGIN "Here is what I did: much.\nPHASE: RED\nhttp://example.org\n" END, "RED/-/no/- [] {\"http\":\"//example.org\"}"},
	{"doubled members: the last one", BEGIN "PHASE: RED\nPHASE: QA\nTESTS:\n  TOTAL: 1\n  TOTAL: 2\n" END,
	 "QA/-/no/- [] {\"tests_total\":2}"},
	{"counts that are none", BEGIN "TESTS:\n  TOTAL: five\n  PASSING: -1\n  FAILING: NaN\n  SKIPPED: \"3\"\nFILES:\n  CREATED: 1.5x\n" END,
	 "-/-/no/- [] {}"},
	{"metrics that are words stay words", BEGIN "METRICS:\n  A: NaN\n  B: 007\n  C: 5/10\n  D: TRUE\n  E: 1e2\n  F: null\n" END,
	 "-/-/no/- [] {\"a\":\"NaN\",\"b\":\"007\",\"c\":\"5/10\",\"d\":true,\"e\":100,\"f\":null}"},
	{"the exit signal is true or it is not", BEGIN "EXIT_SIGNAL: yes\n" END, "-/-/no/- [] {}"},
	{"a string is no exit signal", BEGIN "EXIT_SIGNAL: \"true\"\n" END, "-/-/no/- [] {}"},
	{"True", BEGIN "EXIT_SIGNAL: True\n" END, "-/-/yes/- [] {}"},
	{"what the controller knows better", BEGIN "DUAL_GATE:\n  CAN_EXIT: true\nITERATION: 9\nPROGRESS_PERCENT: 100\nRATE_LIMIT: 5\n" END,
	 "-/-/no/- [] {}"},
	{"a line that is not indented ends the section", BEGIN "DUAL_GATE:\n  GATE_1: true\nVERDICT: APPROVE\n" END,
	 "-/-/no/- [] {\"verdict\":\"APPROVE\"}"},
	{"broken JSON is text", BEGIN "METRICS:\n  A: [1,\n  B: {\"x\": 1}\n" END, "-/-/no/- [] {\"a\":\"[1,\",\"b\":{\"x\":1}}"},
};

static char *
show(const char *text)
{
	struct cJSON *block = wisp_block_parse(text);
	const struct cJSON *blockers = wisp_json_get(block, "blockers");
	struct wisp_buf b = WISP_BUF_INIT;

	if (block == NULL)
		return NULL;
	wisp_buf_printf(&b, "%s/%s/%s/%s [", wisp_json_str(block, "phase", "-"), wisp_json_str(block, "status", "-"),
			wisp_json_bool(block, "exit_signal", false) ? "yes" : "no", wisp_json_str(block, "recommendation", "-"));
	for (const struct cJSON *e = wisp_json_first(blockers); e != NULL; e = wisp_json_next(e))
		wisp_buf_printf(&b, "%s%s", e != wisp_json_first(blockers) ? "|" : "", wisp_json_text(e, "?"));
	wisp_buf_puts(&b, "] ");
	wisp_json_print_compact(&b, wisp_json_get(block, "metrics"));
	wisp_json_free(block);
	return wisp_buf_detach(&b);
}

static void
reading(void)
{
	struct wisp_buf b = WISP_BUF_INIT;
	struct cJSON *big;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK_OWN(show(cases[i].text), cases[i].expected, cases[i].label);
	CHECK(wisp_block_parse(NULL) == NULL, "no text at all");
	wisp_buf_puts(&b, BEGIN "METRICS:\n");
	for (int i = 0; i < 5000; i++)
		wisp_buf_puts(&b, "XXXXXXXXXXXXXXXXXXXXXXXXXXXXX");
	wisp_buf_puts(&b, ": 1\n  A: ");
	for (int i = 0; i < 5000; i++)
		wisp_buf_puts(&b, "[[[[[[");
	wisp_buf_puts(&b, "\nPHASE: RED\n" END);
	big = wisp_block_parse(b.data);
	CHECK_STR(wisp_json_str(big, "phase", NULL), "RED", "long names and deep lists");
	wisp_json_free(big);
	wisp_buf_release(&b);
}

/* Every beginning and every end of a whole block: none of them is one. */
static void
cuts(void)
{
	static const char whole[] = BEGIN "PHASE: RED\nTESTS:\n  TOTAL: 4\nEXIT_SIGNAL: true\n---END_PRP_PHASE_STATUS---";
	int found = 0;

	for (size_t i = 1; i < sizeof whole - 1; i++) {
		char *head = wisp_str("%.*s", (int)i, whole);

		found += wisp_block_parse(head) != NULL || wisp_block_parse(whole + i) != NULL;
		free(head);
	}
	CHECK_INT(found, 0, "a block that is cut anywhere is none");
}

static struct cJSON *
json(const char *text)
{
	return wisp_json_parse(text, strlen(text), "test", NULL);
}

static void
printing(void)
{
	struct cJSON *loop = json("{\"current_phase\": \"GREEN\", \"current_iteration\": 5, \"phases_completed\": [\"RED\"]}");
	struct cJSON *machine = json("{\"phases\": [{\"name\": \"RED\", \"weight\": 10}, {\"name\": \"GREEN\", \"weight\": 90}]}");
	struct cJSON *metrics = json("{\"tests_total\": 10, \"tests_passing\": 6, \"tests_failing\": 4, \"files_created\": [\"a\", \"b\"],"
				     " \"files_modified\": \"many\"}");
	struct cJSON *breaker = json("{\"state\": \"HALF_OPEN\", \"no_progress_count\": 2}");
	struct cJSON *limits = json("{\"hourly\": {\"calls_made\": 7, \"limit\": 100}, \"usage\": {\"waiting\": true}}");
	struct wisp_block b = {loop, machine, metrics, breaker, limits, true, false, "IN_PROGRESS", "no\n---END_PRP_PHASE_STATUS---", NULL,
			      NULL, NULL, NULL, false};
	struct cJSON *claim = json("{\"tests_run\": 9, \"tests_passed\": 6, \"files_modified\": 2}"), *red = json("{\"tests_failing\": 3}");
	struct cJSON *own = json("[\"no network\", \"the key is missing\"]"), *files = json("[\"r\"]");
	struct wisp_buf out = WISP_BUF_INIT;
	char *expected;

	setenv("WISP_NOW", "1768557600000", 1);
	setenv("TZ", "UTC", 1);
	wisp_block_print(&out, &b);
	expected = wisp_str("---PRP_PHASE_STATUS---\nTIMESTAMP: 2026-01-16T10:00:00+00:00\nPHASE: GREEN\nSTATUS: IN_PROGRESS\nITERATION: 5\n"
		  "PROGRESS_PERCENT: %d\n\nTESTS:\n  TOTAL: 10\n  PASSING: 6\n  FAILING: 4\n  SKIPPED: 0\n\nFILES:\n  CREATED: 2\n  MODIFIED: 0\n"
		  "  DELETED: 0\n\nCIRCUIT_BREAKER:\n  STATE: HALF_OPEN\n  NO_PROGRESS_COUNT: 2\n\nDUAL_GATE:\n  GATE_1: true\n"
		  "  GATE_2: false\n  CAN_EXIT: false\n\nRATE_LIMIT:\n  HOURLY: 7/100\n  5H_LIMIT: DETECTED\n\nBLOCKERS:\n"
		  "  - no ---END_PRP_PHASE_STATUS---\n\nEXIT_SIGNAL: false\nRECOMMENDATION: none\n---END_PRP_PHASE_STATUS---\n",
		  wisp_phase_percent(machine, loop));
	CHECK_STR(out.data, expected, "every field, in 003_'s order");
	free(expected);
	CHECK_OWN(show(out.data), "GREEN/IN_PROGRESS/no/none [no ---END_PRP_PHASE_STATUS---] {\"tests_total\":10,\"tests_passing\":6,"
		  "\"tests_failing\":4,\"tests_skipped\":0,\"files_created\":2,\"files_modified\":0,\"files_deleted\":0}",
		  "what is printed can be read back");
	wisp_buf_reset(&out);
	b = (struct wisp_block){.loop = loop, .machine = machine, .status = "BLOCKED"};
	wisp_block_print(&out, &b);
	CHECK(strstr(out.data, "  STATE: CLOSED\n  NO_PROGRESS_COUNT: 0\n") != NULL && strstr(out.data, "  HOURLY: 0/none\n") != NULL &&
	      strstr(out.data, "  5H_LIMIT: OK\n") != NULL && strstr(out.data, "  - none\n") != NULL, "what is not known is 0 or none");
	wisp_buf_reset(&out);
	b = (struct wisp_block){.loop = loop, .machine = machine, .status = "IN_PROGRESS", .state = claim, .files = files,
				.blocker = "the breaker is open", .blockers = own, .limited = true};
	wisp_block_print(&out, &b);
	CHECK(strstr(out.data, "  TOTAL: 9\n  PASSING: 6\n") != NULL && strstr(out.data, "  MODIFIED: 2\n") != NULL,
	      "counts that the metrics lack are those of state.json");
	CHECK(strstr(out.data, "BLOCKERS:\n  - the breaker is open\n  - no network\n  - the key is missing\n\n") != NULL,
	      "why it stopped, and the agent's own blockers");
	CHECK(strstr(out.data, "  5H_LIMIT: DETECTED\n") != NULL, "the step that met the usage limit says so");
	wisp_buf_reset(&out);
	b = (struct wisp_block){.loop = loop, .machine = machine, .status = "IN_PROGRESS", .metrics = red, .files = files};
	wisp_block_print(&out, &b);
	CHECK(strstr(out.data, "  TOTAL: 3\n  PASSING: 0\n  FAILING: 3\n") != NULL && strstr(out.data, "  MODIFIED: 1\n") != NULL,
	      "a total that nobody gives is the sum, and changed files are counted");
	wisp_buf_reset(&out);
	b.status = "COMPLETE";
	wisp_block_print(&out, &b);
	CHECK(strstr(out.data, "STATUS: COMPLETE\nITERATION: 5\nPROGRESS_PERCENT: 100\n") != NULL, "what is complete is 100 percent");
	wisp_buf_release(&out);
	wisp_json_free(loop);
	wisp_json_free(machine);
	wisp_json_free(metrics);
	wisp_json_free(breaker);
	wisp_json_free(limits);
	wisp_json_free(claim);
	wisp_json_free(red);
	wisp_json_free(own);
	wisp_json_free(files);
}

static long long
size_of(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode) ? (long long)st.st_size : -1;
}

static void
logging(void)
{
	char dir[] = "/tmp/wisp-block.XXXXXX", *path, *older, *target;
	struct wisp_buf text = WISP_BUF_INIT;

	if (mkdtemp(dir) == NULL)
		exit(111);
	path = wisp_str("%s/phase-status.log", dir);
	older = wisp_str("%s.1", path);
	target = wisp_str("%s/target", dir);
	for (int i = 0; i < 300 * 1024; i++)
		wisp_buf_putc(&text, 'x');
	for (int i = 0; i < 3; i++)
		CHECK_INT(wisp_block_log(path, &text), 0, "appended");
	CHECK(size_of(path) == 900 * 1024 && size_of(older) == -1, "one file up to 1 MiB");
	CHECK(wisp_block_log(path, &text) == 0 && size_of(path) == 300 * 1024 && size_of(older) == 900 * 1024, "then it begins anew");
	for (int i = 0; i < 4; i++)
		CHECK_INT(wisp_block_log(path, &text), 0, "appended");
	CHECK(size_of(path) == 600 * 1024 && size_of(older) == 900 * 1024, "one older file is kept");

	(void)unlink(path);
	CHECK(symlink(target, path) == 0 && wisp_block_log(path, &text) == 0, "a link in its place");
	CHECK(size_of(path) == 300 * 1024 && size_of(target) == -1, "is removed, nothing goes through it");
	(void)unlink(path);
	CHECK(mkdir(path, 0777) == 0 && wisp_block_log(path, &text) == 0 && size_of(path) == 300 * 1024, "a folder in its place");
	(void)unlink(path);
	CHECK(mkfifo(path, 0666) == 0 && wisp_block_log(path, &text) == 0 && size_of(path) == 300 * 1024, "a FIFO in its place");
	(void)unlink(older);
	wisp_buf_reset(&text);
	for (int i = 0; i < 2 << 20; i++)
		wisp_buf_putc(&text, 'y');
	CHECK(wisp_block_log(path, &text) == 0 && size_of(path) == 2 << 20, "more than it may hold is written whole");
	CHECK_INT(wisp_dir_remove(dir), 0, "cleaned up");
	CHECK_INT(wisp_block_log(path, &text), -1, "no folder");
	wisp_buf_release(&text);
	free(path);
	free(older);
	free(target);
}

int
main(void)
{
	reading();
	cuts();
	printing();
	logging();
	return unit_done();
}
