/*
 * step: what a step is made of: environment, promise, ends of texts, events,
 * signals, time limits, step.json. Whole streams are in format.c, real
 * processes in wisp-agent.bats.
 */
#include <signal.h>

#include "core/json.h"
#include "step/clock.h"
#include "step/env.h"
#include "step/signame.h"
#include "step/step.h"
#include "unit.h"

static void
test_env(void)
{
	static const struct {
		const char *var;
		bool clean, keep, tool;	/* does it pass? */
	} cases[] = {
		{"HOME=/home/me", true, true, true}, {"LC_ALL=C", true, true, true}, {"XDG_CONFIG_HOME=/x", true, true, true},
		{"WISP_BRANCH=b", true, true, true}, {"HTTPS_PROXY=p", true, true, true}, {"no_proxy=p", true, true, true},
		{"SSL_CERT_FILE=f", true, true, true}, {"NODE_EXTRA_CA_CERTS=f", true, true, true}, {"SSH_AUTH_SOCK=s", true, true, true},
		{"ANTHROPIC_API_KEY=k", true, true, false}, {"CLAUDE_CODE_MAX_RETRIES=2", true, true, false},
		{"OPENAI_API_KEY=k", true, true, false}, {"CODEX_HOME=h", true, true, false}, {"GEMINI_API_KEY=k", true, true, false},
		{"GOOGLE_API_KEY=k", true, true, false}, {"QWEN_X=1", true, true, false}, {"OPENCODE_CONFIG=c", true, true, false},
		{"COPILOT_MODEL=m", true, true, false}, {"AMP_API_KEY=k", true, true, false}, {"AWS_REGION=r", true, true, false},
		{"AZURE_KEY=k", true, true, false}, {"IS_SANDBOX=1", true, true, false}, {"DISABLE_AUTOUPDATER=1", true, true, false},
		{"VIRTUAL_ENV=v", true, true, true},
		{"WISP_STEP_ENV=KEY=k", false, false, false}, {"WISP_CONFIG_SET=agent.a.env=KEY=k", false, false, false},
		{"WISP_SECRETS=KEY=k", false, false, false},
		{"CLAUDECODE=1", false, false, false}, {"CLAUDE_CODE_ENTRYPOINT=cli", false, false, false},
		{"CLAUDE_CODE_SSE_PORT=1", false, false, false},
		{"SECRET=1", false, true, false}, {"TERM=xterm", false, true, false}, {"TMUX=t", false, true, false}, {"HOMEX=1", false, true, false},
		{"LC=1", false, true, false}, {"GIT_DIR=d", false, true, false}, {"LD_PRELOAD=x", false, true, false}, {"DISPLAY=:0", false, true, false},
	};
	char *base[sizeof cases / sizeof *cases + 1] = {NULL};
	struct wisp_env clean = {.mark = "m"}, keep = {.mark = "m", .kind = WISP_ENV_ALL},
			tool = {.mark = "m", .kind = WISP_ENV_TOOLS};
	char **a, **b, **c, **d, *name;
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++)
		base[i] = wisp_strdup(cases[i].var);
	a = wisp_env_make(&clean, base);
	b = wisp_env_make(&keep, base);
	c = wisp_env_make(&tool, base);
	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		name = wisp_str("%.*s", (int)strcspn(cases[i].var, "="), cases[i].var);
		CHECK_INT(wisp_env_get(a, name) != NULL, cases[i].clean, cases[i].var);
		CHECK_INT(wisp_env_get(b, name) != NULL, cases[i].keep, cases[i].var);
		CHECK_INT(wisp_env_get(c, name) != NULL, cases[i].tool, cases[i].var);
		free(name);
		free(base[i]);
	}
	clean.confined = true;
	d = wisp_env_make(&clean, (char *[]){"SSH_AUTH_SOCK=s", "DOCKER_HOST=h", "LANG=C", NULL});
	CHECK(wisp_env_get(d, "SSH_AUTH_SOCK") == NULL && wisp_env_get(d, "DOCKER_HOST") == NULL && wisp_env_get(d, "LANG") != NULL,
	      "in a sandbox nothing leads to a service outside");
	wisp_env_free(d);
	CHECK_STR(wisp_env_get(a, "EDITOR"), "false", "an editor fails at once");
	CHECK_STR(wisp_env_get(b, "GIT_SEQUENCE_EDITOR"), "false", "in a verify command too");
	CHECK_STR(wisp_env_get(a, "PATH"), "/usr/local/bin:/usr/bin:/bin", "there is always a PATH");
	CHECK_STR(wisp_env_get(b, "WISP_STEP_MARK"), "m", "the mark");
	wisp_env_free(a);
	wisp_env_free(b);
	wisp_env_free(c);
}

static void
test_env_withheld(void)
{
	static char key[] = "API_KEY=1", home[] = "HOME=/h", term[] = "TERM=xterm", url[] = "DB_URL=", nest[] = "CLAUDECODE=1";
	char *const base[] = {key, home, term, url, nest, NULL}, *const env[] = {home, NULL};
	static const struct {
		const char *text, *names;
	} cases[] = {
		{"`API_KEY` is not set", "API_KEY"}, {"set $DB_URL, and API_KEY", "API_KEY, DB_URL"}, {"API_KEY", "API_KEY"},
		{"MY_API_KEY or API_KEYS", ""}, {"MY_API_KEY or API_KEY", "API_KEY"}, {"HOME TERM CLAUDECODE", ""}, {"", ""},
	};
	struct wisp_buf names = WISP_BUF_INIT;
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		wisp_buf_reset(&names);
		wisp_buf_grow(&names, 0);
		(void)wisp_env_withheld(base, env, cases[i].text, &names);
		CHECK_STR(names.data, cases[i].names, cases[i].text);
	}
	wisp_buf_release(&names);
}

static void
test_env_options(void)
{
	static char other[] = "OTHER=1", editor[] = "EDITOR=vi", broken[] = "no equals sign", twice[] = "HOME=/b",
		    home[] = "HOME=/a", mark[] = "WISP_STEP_MARK=old";
	char *const base[] = {other, editor, broken, home, twice, mark, NULL};
	const char *const pass[] = {"OTHER", "EDITOR"}, *const set[] = {"NEW=a=b", "HOME=/mine", "WISP_STEP_MARK=x"};
	struct wisp_env e = {.mark = "m", .pass = pass, .pass_count = 2, .set = set, .set_count = 3};
	char **env = wisp_env_make(&e, base);

	CHECK_STR(wisp_env_get(env, "OTHER"), "1", "a name let through");
	CHECK_STR(wisp_env_get(env, "EDITOR"), "false", "which does not bring an editor back");
	CHECK_STR(wisp_env_get(env, "NEW"), "a=b", "a variable set");
	CHECK_STR(wisp_env_get(env, "HOME"), "/mine", "instead of another");
	CHECK_STR(wisp_env_get(env, "WISP_STEP_MARK"), "m", "nothing replaces the mark");
	wisp_env_free(env);
}

#define P "<promise>COMPLETE</promise>"

static void
test_promise(void)
{
	static const struct {
		const char *text;
		bool promise;
	} cases[] = {
		{P, true}, {P "\n", true}, {"Done.\n" P, true}, {"Done.\r\n" P "\r\n", true}, {"  \t" P " \n", true},
		{P "\nand more", true}, {"a\n\n" P "\n\n\n", true}, {"\n" P "\v\f", true},
		{"", false}, {"\n", false}, {"not " P, false}, {P ".", false}, {"`" P "`", false}, {"> " P, false},
		{"- " P, false}, {"\"" P "\"", false}, {P P, false}, {"**" P "**", false},
		{"I will not print " P " yet", false}, {"<promise>COMPLETE</promise", false}, {"promise>COMPLETE</promise>", false},
		{"<promise> COMPLETE </promise>", false}, {"<promise>\nCOMPLETE\n</promise>", false},
		{"<promise>complete</promise>", false}, {"<PROMISE>COMPLETE</PROMISE>", false}, {"<promise></promise>", false},
		{"<promise>DONE</promise>", false}, {"COMPLETE", false}, {"<" P, false}, {"\xc2\xa0" P, false},
		{"<promise>COMPLETE</promise>\xe2\x80\xa8", false},
	};
	static struct wisp_text whole, bytes;
	size_t i, j;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		wisp_text_reset(&whole);
		wisp_text_reset(&bytes);
		wisp_text_add(&whole, cases[i].text, strlen(cases[i].text));
		for (j = 0; cases[i].text[j] != '\0'; j++)
			wisp_text_add(&bytes, cases[i].text + j, 1);
		CHECK_INT(wisp_text_promise(&whole), cases[i].promise, cases[i].text);
		CHECK_INT(wisp_text_promise(&bytes), cases[i].promise, "the same byte by byte");
	}
}

static void
test_text(void)
{
	static struct wisp_text t;
	struct wisp_buf b = WISP_BUF_INIT, line = WISP_BUF_INIT;
	char *end;
	int i;

	for (i = 0; i < 3000; i++)
		wisp_buf_printf(&b, "%d\xe2\x82\xac\n", i);
	wisp_text_add(&t, b.data, b.len);
	end = wisp_text_end(&t);
	CHECK_INT(strlen(end) <= WISP_TEXT_KEEP && strlen(end) > WISP_TEXT_KEEP - 5, true, "the last 8 KB of a long text");
	CHECK((end[0] & 0xc0) != (char)0x80, "and whole characters");
	CHECK_STR(end + strlen(end) - 7, "2999\xe2\x82\xac", "up to its end");
	free(end);
	wisp_text_add(&t, b.data, 9000);
	wisp_text_add(&t, "x\0y", 3);
	end = wisp_text_end(&t);
	CHECK_STR(end + strlen(end) - 2, "xy", "without NULs");
	free(end);
	wisp_text_reset(&t);
	wisp_text_add(&t, P "\n", sizeof P);
	wisp_text_add(&t, b.data, b.len);
	CHECK(wisp_text_promise(&t), "a promise before the last 8 KB counts");
	wisp_text_reset(&t);
	wisp_text_add(&t, "one\ntwo\n\nthree\x1b[0m\n\n", 20);
	wisp_text_excerpt(&t, &line, 300);
	CHECK_STR(line.data, "two three [0m", "the last lines as one");
	wisp_buf_release(&b);
	wisp_buf_release(&line);
}

static void
test_signals(void)
{
	char name[WISP_SIGNAME_SIZE];

	CHECK_INT(wisp_signal_number("TERM"), SIGTERM, "TERM");
	CHECK_INT(wisp_signal_number("SIGTERM"), SIGTERM, "SIGTERM");
	CHECK_INT(wisp_signal_number("sigterm"), SIGTERM, "sigterm");
	CHECK_INT(wisp_signal_number("9"), SIGKILL, "9");
	CHECK_INT(wisp_signal_number("0"), 0, "0");
	CHECK_INT(wisp_signal_number("9x"), 0, "9x");
	CHECK_INT(wisp_signal_number("SIG"), 0, "SIG");
	CHECK_INT(wisp_signal_number(""), 0, "nothing");
	CHECK_INT(wisp_signal_number("99999999999999999999"), 0, "a number beyond all");
	CHECK_STR(wisp_signal_name(SIGSEGV, name), "SEGV", "SEGV");
	CHECK_STR(wisp_signal_name(64, name), "64", "one without a name");
}

struct seen {
	const struct wisp_event *e;
	struct wisp_buf out;
};

static void
see_pieces(void *arg, int want, const char *p, size_t n)
{
	struct seen *s = arg;

	if (p == NULL)
		wisp_buf_printf(&s->out, "<%d>", want);
	else
		wisp_buf_add(&s->out, p, n);
}

enum { NAME, DEEP, LIST, LIST_ID, LIST_SUB, TEXT, LAST, FLAG, WANTS };

static void
see_item(void *arg, int want)
{
	struct seen *s = arg;

	(void)want;
	wisp_buf_printf(&s->out, "[%s/%s]", wisp_event_text(s->e, LIST_ID), wisp_event_text(s->e, LIST_SUB));
}

static void
see_line(void *arg)
{
	struct seen *s = arg;

	wisp_buf_printf(&s->out, "%s,%s,%s,%s%s;", wisp_event_text(s->e, NAME), wisp_event_text(s->e, DEEP),
			wisp_event_text(s->e, LAST), wisp_event_true(s->e, FLAG) ? "yes" : "no",
			wisp_event_has(s->e, FLAG) ? "" : "?");
}

static void
test_events(void)
{
	static const struct wisp_want wants[WANTS] = {
		[NAME] = {"name", 4}, [DEEP] = {"a.b.c", 8}, [LIST] = {"list[]", WISP_WANT_ITEM},
		[LIST_ID] = {"list[].id", 8}, [LIST_SUB] = {"list[].sub.x", 8}, [TEXT] = {"text", WISP_WANT_PIECES},
		[LAST] = {"all[]", 8}, [FLAG] = {"flag", 1},
	};
	static const struct {
		const char *input, *want;
		int lines, bad;
	} cases[] = {
		{"{}", ",,,no?;", 1, 0},
		{"{\"name\":\"bob\"}\n{\"name\":\"christine\"}\n", "bob,,,no?;chri,,,no?;", 2, 0},
		{"{\"name\":\"abc\xc3\xa9\"}", "abc,,,no?;", 1, 0},
		{"{\"name\":12.5,\"flag\":true,\"a\":{\"b\":{\"c\":\"x\",\"d\":1},\"c\":2}}", "12.5,x,,yes;", 1, 0},
		{"{\"b\":{\"c\":\"x\"},\"x\":{\"name\":\"no\",\"a\":{\"b\":{\"c\":\"no\"}}}}", ",,,no?;", 1, 0},
		{"{\"name\":{\"name\":\"no\"},\"flag\":null}", ",,,no?;", 1, 0},
		{"{\"name\":\"\",\"flag\":false}", ",,,no;", 1, 0},
		{"{\"list\":[{\"id\":1,\"sub\":{\"x\":\"y\"}},{\"id\":2},{\"sub\":{\"x\":3}},[],7]}",
		 "[1/y][2/][/3][/],,,no?;", 1, 0},
		{"{\"list\":{\"id\":1}}", ",,,no?;", 1, 0},
		{"{\"all\":[\"one\",\"two\"],\"text\":\"a\\nb\"}", "<5>a\nb,,two,no?;", 1, 0},
		{"{\"text\":\"\"}", "<5>,,,no?;", 1, 0},
		{"{\"name\":\"a\",\"name\":\"b\"}", "b,,,no?;", 1, 0},
		{"\n \r\n\t\n", "", 0, 0},
		{"\xef\xbb\xbf{}\n", ",,,no?;", 1, 0},
		{"\xef\xbbx\n{}", ",,,no?;", 1, 1},
		{"x\n[]\n1\n\"a\"\nnull\n", "", 0, 5},
		{"{\"name\":\"a\"\n{\"name\":\"b\"}\n", "b,,,no?;", 1, 1},
		{"{\"name\":\"a\"}}\n{\"na", "", 0, 2},
		{"{\"name\":\"\x01\"}\n{\"name\":\"\xff\"}\n{\"name\":\"\xe2\x80\xa8\"}", "\xe2\x80\xa8,,,no?;", 1, 2},
		{"{\"name\":\"\\u0000\"}\n{\"name\":\"\\ud800\"}\n", "\xef\xbf\xbd,,,no?;\xef\xbf\xbd,,,no?;", 2, 0},
		{"{\"name\":\"\\ud83d\\ude00\"}", "\xf0\x9f\x98\x80,,,no?;", 1, 0},
		{"{\"name\":\"\\ud83d\"}", "\xef\xbf\xbd,,,no?;", 1, 0},
		{"{\"a23456789012345678901234567890123456789012345678901234567890123456789\":1,\"name\":2}", "2,,,no?;", 1, 0},
	};
	struct wisp_event e;
	struct seen s = {.e = &e};
	const struct wisp_event_sink sink = {{see_pieces, see_item, &s}, see_line, &s};
	size_t i, j, piece;

	for (i = 0; i < 2 * (sizeof cases / sizeof *cases); i++) {
		const char *input = cases[i / 2].input;
		size_t len = strlen(input);

		wisp_event_init(&e, wants, WANTS, &sink);
		piece = i % 2 == 0 ? len : 1;
		for (j = 0; j < len; j += piece)
			wisp_event_feed(&e, input + j, piece);
		wisp_event_end(&e);
		CHECK_STR(s.out.data != NULL ? s.out.data : "", cases[i / 2].want, input);
		CHECK_INT(e.lines, cases[i / 2].lines, "lines");
		CHECK_INT(e.bad, cases[i / 2].bad, "bad lines");
		wisp_event_release(&e);
		wisp_buf_release(&s.out);
	}
}

/* A clock in which nothing has happened since 0, with these of its members. */
#define CLOCK(...) {.linger = -1, .finished = -1, .stopped = -1, __VA_ARGS__}

static void
test_clock(void)
{
	static const struct {
		const char *label;
		struct wisp_clock c;
		wisp_ms now;
		enum wisp_timed_out out;
		bool grace_over;
		int sleep;
	} cases[] = {
		{"no limits", CLOCK(.timeout = 0), 99999, WISP_IN_TIME, false, -1},
		{"before the time limit", CLOCK(.timeout = 100), 99, WISP_IN_TIME, false, 1},
		{"at the time limit", CLOCK(.timeout = 100), 100, WISP_WALL_TIME, false, 0},
		{"long after it", CLOCK(.timeout = 100), 900, WISP_WALL_TIME, false, 0},
		{"talking", CLOCK(.idle_timeout = 100, .heard = 50), 149, WISP_IN_TIME, false, 1},
		{"silent", CLOCK(.idle_timeout = 100, .heard = 50), 150, WISP_IDLE_TIME, false, 0},
		{"both", CLOCK(.timeout = 10, .idle_timeout = 10), 10, WISP_WALL_TIME, false, 0},
		{"the nearer one counts", CLOCK(.timeout = 90, .idle_timeout = 50, .heard = 20), 30, WISP_IN_TIME, false, 40},
		{"told to end", {.timeout = 10, .grace = 50, .linger = 0, .finished = 0, .stopped = 10}, 59, WISP_IN_TIME, false, 1},
		{"for long enough", {.timeout = 10, .grace = 50, .finished = -1, .stopped = 10}, 60, WISP_IN_TIME, true, 0},
		{"without grace", {.grace = 0, .finished = -1, .stopped = 10}, 10, WISP_IN_TIME, true, 0},
		{"a limit of years", CLOCK(.timeout = 99999999999), 0, WISP_IN_TIME, false, WISP_CLOCK_TICK},
		{"at work, linger is no limit", {.linger = 0, .finished = -1, .stopped = -1}, 99999, WISP_IN_TIME, false, -1},
		{"lingering", {.linger = 100, .finished = 50, .stopped = -1}, 149, WISP_IN_TIME, false, 1},
		{"lingering for long", {.linger = 100, .finished = 50, .stopped = -1}, 150, WISP_LINGERED, false, 0},
		{"not at all", {.linger = 0, .finished = 50, .stopped = -1}, 50, WISP_LINGERED, false, 0},
		{"as long as it likes", {.linger = -1, .finished = 50, .stopped = -1}, 99999, WISP_IN_TIME, false, -1},
		{"before the other limits", {.timeout = 10, .idle_timeout = 10, .linger = 5, .finished = 5, .stopped = -1}, 10,
		 WISP_LINGERED, false, 0},
		{"which hold meanwhile", {.timeout = 10, .linger = 50, .finished = 5, .stopped = -1}, 10, WISP_WALL_TIME, false, 0},
	};
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		CHECK_INT(wisp_clock_check(&cases[i].c, cases[i].now), cases[i].out, cases[i].label);
		CHECK_INT(wisp_clock_grace_over(&cases[i].c, cases[i].now), cases[i].grace_over, cases[i].label);
		CHECK_INT(wisp_clock_sleep(&cases[i].c, cases[i].now), cases[i].sleep, cases[i].label);
	}
}

/* Hours in which the supervisor did not run, in the middle of a step whose idle limit is ten minutes. */
static void
test_gaps(void)
{
	static const struct {
		const char *label;
		wisp_ms began, now;
		int asked;
		wisp_ms gap;
	} cases[] = {
		{"in time", 1000, 3000, 2000, 0}, {"early, for output", 1000, 1001, 2000, 0},
		{"late on a busy machine", 1000, 3000 + WISP_CLOCK_LATE - 1, 2000, 0},
		{"a gap", 1000, 3000 + WISP_CLOCK_LATE, 2000, WISP_CLOCK_LATE},
		{"a night", 1000, 3000 + 8 * 3600 * 1000, 2000, 8 * 3600 * 1000},
		{"output woke it, hours late", 1000, 1000 + 3600 * 1000, 0, 3600 * 1000},
		{"no limit, no matter", 1000, 99999999, -1, 0},
	};
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct wisp_clock c = {.timeout = 60 * 60 * 1000, .idle_timeout = 10 * 60 * 1000, .linger = 10000, .started = 10,
				       .heard = 20, .finished = 30, .stopped = -1}, open = CLOCK(.started = 10);

		wisp_clock_woke(&c, cases[i].began, cases[i].asked, cases[i].now);
		CHECK_INT(c.started, 10 + cases[i].gap, cases[i].label);
		CHECK_INT(c.heard, 20 + cases[i].gap, cases[i].label);
		CHECK_INT(c.finished, 30 + cases[i].gap, cases[i].label);
		CHECK_INT(c.stopped, -1, cases[i].label);
		wisp_clock_woke(&open, cases[i].began, cases[i].asked, cases[i].now);
		CHECK_INT(open.finished, -1, "what has not finished has not");
	}
}

/* Which output is a sign of life: by line, and where there are no lines by the byte. */
static void
test_lively(void)
{
	static const struct {
		const char *format, *output;
		unsigned long long lively;
	} cases[] = {
		{"text", "x", 1}, {"text", "", 0}, {"auto", ".", 1}, {"claude", "\n\n \n", 0},
		{"claude", "no JSON", 1},
		{"claude", "{\"type\":\"system\",\"subtype\":\"init\"}\n", 1},
		{"claude", "{\"type\":\"system\",\"subtype\":\"ini", 0},
		{"claude", "{\"type\":\"system\",\"subtype\":\"api_retry\"}\n", 0},
		{"claude", "{\"type\":\"keep_alive\"}\n", 0},
		{"claude", "{\"type\":\"of the future\"}\n", 1},
		{"claude", "{\"type\":\"tool_progress\",\"heartbeat\":true}\n", 0},
		{"claude", "{\"type\":\"tool_progress\",\"elapsed_time_seconds\":3}\n", 1},
		{"amp", "{\"type\":\"system\",\"subtype\":\"api_retry\"}\n", 0},
		{"qwen", "{\"type\":\"system\",\"subtype\":\"api_retry\"}\n", 0},
		{"codex", "{\"type\":\"error\",\"message\":\"Reconnecting... 2/5\"}\n", 0},
		{"codex", "{\"type\":\"turn.started\"}\n", 1},
		{"gemini", "{\"type\":\"error\",\"severity\":\"warning\",\"message\":\"it will try again\"}\n", 0},
		{"gemini", "{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"a\"}\n", 1},
		{"opencode", "{\"type\":\"error\",\"sessionID\":\"s\",\"error\":{}}\n", 0},
		{"opencode", "{\"type\":\"step_start\",\"part\":{}}\n", 1},
		{"copilot", "{\"type\":\"model.call_failure\",\"data\":{}}\n{\"type\":\"assistant.turn_retry\",\"data\":{}}\n"
			    "{\"type\":\"model.call_start\",\"data\":{}}\n", 0},
		{"copilot", "{\"type\":\"assistant.message\",\"data\":{}}\n", 1},
	};
	static struct wisp_parse parse;
	const struct wisp_ending end = {.exit_code = 0, .limit = -1};
	struct wisp_step step;
	struct wisp_buf big = WISP_BUF_INIT;
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		wisp_step_init(&step);
		wisp_parse_init(&parse, wisp_format_find(cases[i].format), &step);
		wisp_parse_feed(&parse, cases[i].output, strlen(cases[i].output));
		CHECK_INT(parse.lively, cases[i].lively, cases[i].output);
		wisp_parse_finish(&parse, &end);
		wisp_parse_release(&parse);
		wisp_step_release(&step);
	}
	wisp_buf_puts(&big, "{\"type\":\"user\",\"message\":\"");
	while (big.len < 5000)
		wisp_buf_putc(&big, 'x');
	wisp_step_init(&step);
	wisp_parse_init(&parse, &wisp_format_claude, &step);
	wisp_parse_feed(&parse, big.data, big.len);
	CHECK_INT(parse.lively, 1, "a line that is longer than a notice counts before it ends");
	wisp_parse_release(&parse);
	wisp_step_release(&step);
	wisp_buf_release(&big);
}

/* The final event of each format, after which nothing is work. */
static void
test_over(void)
{
	static const struct {
		const char *format, *output;
		bool over;
	} cases[] = {
		{"text", "done\n", false},
		{"claude", "{\"type\":\"assistant\"}\n", false},
		{"claude", "{\"type\":\"result\",\"subtype\":\"success\"}\n", true},
		{"claude", "{\"type\":\"result\"}\n{\"type\":\"system\",\"subtype\":\"init\"}\n", true},
		{"amp", "{\"type\":\"result\"}\n", true}, {"qwen", "{\"type\":\"result\"}\n", true},
		{"codex", "{\"type\":\"item.completed\"}\n", false},
		{"codex", "{\"type\":\"turn.completed\"}\n", true},
		{"codex", "{\"type\":\"turn.failed\"}\n", true},
		{"gemini", "{\"type\":\"result\"}\n", true},
		{"copilot", "{\"type\":\"result\"}\n", true},
		{"copilot", "{\"type\":\"assistant.turn_end\"}\n", false},
		{"opencode", "{\"type\":\"step_finish\",\"part\":{\"reason\":\"tool-calls\"}}\n", false},
		{"opencode", "{\"type\":\"step_finish\",\"part\":{\"reason\":\"stop\"}}\n", true},
		{"opencode", "{\"type\":\"step_finish\",\"part\":{\"reason\":\"stop\"}}\n{\"type\":\"step_start\",\"part\":{}}\n", false},
		{"opencode", "{\"type\":\"done\"}\n", true},
	};
	static struct wisp_parse parse;
	struct wisp_step step;
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		wisp_step_init(&step);
		wisp_parse_init(&parse, wisp_format_find(cases[i].format), &step);
		wisp_parse_feed(&parse, cases[i].output, strlen(cases[i].output));
		CHECK_INT(parse.over, cases[i].over, cases[i].output);
		wisp_parse_release(&parse);
		wisp_step_release(&step);
	}
}

static void
test_bounds(void)
{
	struct wisp_step step;
	struct cJSON *json;
	char *name;
	int i;

	wisp_step_init(&step);
	for (i = 0; i < 1000; i++) {
		name = wisp_str("tool %d", i);
		wisp_step_tool(&step, name);
		wisp_step_denial(&step, name, "");
		free(name);
	}
	wisp_step_end(&step, WISP_ERROR, "%0600d", 1);
	CHECK_INT(step.reason.len, WISP_STEP_REASON, "a reason has its bound");
	json = wisp_step_json(&step);
	CHECK_INT(wisp_json_len(wisp_json_get(json, "tools")), WISP_STEP_TOOLS, "so many tools");
	CHECK_INT(wisp_json_int(wisp_json_get(json, "tools"), "other", 0), 1000 - WISP_STEP_TOOLS + 1, "and the others");
	CHECK_INT(wisp_json_len(wisp_json_get(json, "denials")), WISP_STEP_DENIALS, "so many denials");
	CHECK_INT(wisp_json_type(wisp_json_get(json, "cost_usd")), WISP_T_NULL, "a cost that is not known is null");
	wisp_json_free(json);
	wisp_step_release(&step);
}

static void
test_members(void)
{
	static const char *const names[] = {
		"agent", "format", "agent_version", "model", "agent_session", "started_at", "ended_at", "duration_s",
		"exit_code", "signal", "outcome", "reason", "api_status", "limit", "auth", "overage",
		"cost_usd", "tokens", "turns", "retries",
		"final_text", "promise", "denials", "tools", "events", "unknown_events", "bad_lines", "output_bytes",
		"survivors_killed", "peak_rss_kb",
	};
	struct wisp_step step;
	struct cJSON *json, *at;
	size_t i = 0;

	wisp_step_init(&step);
	step.final_text = wisp_strdup("bad \xff byte");
	json = wisp_step_json(&step);
	for (at = wisp_json_first(json); at != NULL && i < sizeof names / sizeof *names; at = wisp_json_next(at), i++)
		CHECK_STR(wisp_json_key(at), names[i], "step.json");
	CHECK(at == NULL && i == sizeof names / sizeof *names, "all members and no others");
	CHECK_STR(wisp_json_str(json, "final_text", ""), "bad \xef\xbf\xbd byte", "JSON is UTF-8");
	wisp_json_free(json);
	wisp_step_release(&step);
}

int
main(void)
{
	test_env();
	test_env_withheld();
	test_env_options();
	test_promise();
	test_text();
	test_signals();
	test_events();
	test_clock();
	test_gaps();
	test_lively();
	test_over();
	test_bounds();
	test_members();
	return unit_done();
}
