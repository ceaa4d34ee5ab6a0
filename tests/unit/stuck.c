/*
 * stuck: the five rules, as a table. A history is written short, entries
 * separated by `;`, words by blanks:
 *
 *	i5 iteration     + - progress     t3/7 tasks passed, total     C D N B status
 *	fa,b files (f: none changed)      e... error, h... error_hash (_ is a blank)
 *	r... tree        s... state       o... outcome                 p... phase
 *	v... verify      x... refused     q promise false
 *
 * What is expected names the rules with a count: `?` after it warns, `!` is stuck.
 */
#include <ctype.h>

#include "core/config.h"
#include "core/rules.h"
#include "unit.h"

static void
set_files(struct cJSON *entry, char *names)
{
	struct cJSON *files = wisp_json_array_at(entry, "files");
	char *name, *rest = NULL;

	for (name = strtok_r(names, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest))
		wisp_json_push(files, wisp_json_string(name));
}

static void
set_word(struct cJSON *entry, char *word)
{
	static const struct {
		char letter;
		const char *key;
	} texts[] = {
		{'e', "error"}, {'h', "error_hash"}, {'r', "tree"}, {'s', "state"}, {'o', "outcome"}, {'p', "phase"}, {'v', "verify"},
		{'x', "refused"}
	};
	static const char *const statuses[] = {"CONTINUE", "DONE", "NEEDS_INPUT", "BLOCKED"};
	char *p;
	size_t i;

	if (*word == '+' || *word == '-')
		wisp_json_set_bool(entry, "progress", *word == '+');
	else if (*word == 'q')
		wisp_json_set_bool(entry, "promise", false);
	else if (*word == 'i')
		wisp_json_set_num(entry, "iteration", atoi(word + 1));
	else if (*word == 'f')
		set_files(entry, word + 1);
	else if (*word == 't') {
		wisp_json_set_num(entry, "tasks_passed", atoi(word + 1));
		if ((p = strchr(word, '/')) != NULL)
			wisp_json_set_num(entry, "tasks_total", atoi(p + 1));
	} else if (isupper((unsigned char)*word)) {
		for (i = 0; i < 4; i++)
			if (*statuses[i] == *word)
				wisp_json_set_str(entry, "status", statuses[i]);
	} else {
		for (p = word; *p != '\0'; p++)
			*p = *p == '_' ? ' ' : *p;
		for (i = 0; i < sizeof texts / sizeof *texts; i++)
			if (texts[i].letter == *word)
				wisp_json_set_str(entry, texts[i].key, word + 1);
	}
}

static struct cJSON *
history_of(const char *text)
{
	struct cJSON *history = wisp_json_array(), *entry;
	char *copy = wisp_strdup(text), *one, *word, *rest = NULL, *inner;

	for (one = strtok_r(copy, ";", &rest); one != NULL; one = strtok_r(NULL, ";", &rest)) {
		entry = wisp_json_object();
		inner = NULL;
		for (word = strtok_r(one, " ", &inner); word != NULL; word = strtok_r(NULL, " ", &inner))
			set_word(entry, word);
		wisp_json_push(history, entry);
	}
	free(copy);
	return history;
}

/* KEY=VALUE,... over the defaults */
static struct cJSON *
config_of(const char *text)
{
	struct cJSON *config = wisp_config_defaults();
	char *copy = wisp_strdup(text), *one, *value, *rest = NULL;

	for (one = strtok_r(copy, ",", &rest); one != NULL; one = strtok_r(NULL, ",", &rest)) {
		value = strchr(one, '=');
		*value++ = '\0';
		wisp_json_set(config, one, wisp_config_parse(wisp_config_key(one, NULL), value));
	}
	free(copy);
	return config;
}

static char *
answer(const struct wisp_stuck *s)
{
	struct wisp_buf b = WISP_BUF_INIT;
	const struct wisp_rule_result *r;

	for (r = s->rule; r < s->rule + WISP_RULES; r++)
		if (r->count > 0)
			wisp_buf_printf(&b, "%s%s=%d%s%s", b.len > 0 ? " " : "", r->name, r->count,
					r->warning ? "?" : "", r->stuck ? "!" : "");
	return wisp_buf_detach(&b);
}

static const struct {
	const char *label, *history;
	int since;
	const char *config, *expected;
} cases[] = {
	{"nothing yet", "", 0, "", ""},

	{"no progress: two are not three", "i1 -; i2 -", 0, "", "noProgress=2"},
	{"no progress: three in a row", "i1 -; i2 -; i3 -", 0, "", "noProgress=3!"},
	{"no progress: a newly passed task ends the row", "i1 -; i2 -; i3 +; i4 -", 0, "", "noProgress=1"},
	{"no progress: the last one made progress", "i1 -; i2 -; i3 -; i4 +", 0, "", ""},
	{"no progress: another threshold", "i1 -; i2 -", 0, "stuck.noProgress=2", "noProgress=2!"},
	{"no progress: no threshold", "i1 -; i2 -; i3 -; i4 -", 0, "stuck.noProgress=none", "noProgress=4"},
	{"no progress: not counted up to the intervention", "i1 -; i2 -; i3 -; i4 -", 2, "", "noProgress=2"},
	{"no progress: the intervention after the last one", "i1 -; i2 -; i3 -", 3, "", ""},
	{"no progress: a question does not count", "i1 -; i2 -; i3 - N", 0, "", "noProgress=2"},
	{"no progress: nor does it end the row", "i1 -; i2 - N; i3 -; i4 -", 0, "", "noProgress=3!"},
	{"no progress: a usage limit does not count", "i1 -; i2 - olimit; i3 -", 0, "", "noProgress=2"},
	{"no progress: an interruption does not count", "i1 -; i2 - ointerrupted; i3 -", 0, "", "noProgress=2"},
	{"no progress: a task that passed before a question is progress", "i1 -; i2 -; i3 + N; i4 -", 0, "", "noProgress=1"},
	{"no progress: failed steps count", "i1 - smissing; i2 - smalformed; i3 - ocrashed smissing", 0, "", "noProgress=3!"},
	{"no progress: a change of phase is progress", "i1 - pRED; i2 - pRED; i3 - pGREEN; i4 - pGREEN", 0, "", "noProgress=2"},
	{"no progress: the same phase is none", "i1 - pRED; i2 - pRED; i3 - pRED", 0, "", "noProgress=3!"},

	{"counts alone: none passes from the start", "i1 t0/2; i2 t0/2; i3 t0/2", 0, "", "noProgress=3!"},
	{"counts alone: the number rises", "i1 t0/2; i2 t1/2; i3 t1/2", 0, "", "noProgress=1"},
	{"counts alone: the window began in between", "i5 t2/4; i6 t2/4; i7 t2/4", 0, "", "noProgress=3!"},
	{"counts alone: passing in the first iteration", "i1 t1/4; i2 t1/4; i3 t1/4", 0, "", "noProgress=2"},
	{"counts alone: passing again is not new", "i1 t2/4; i2 t1/4; i3 t2/4; i4 t2/4", 0, "", "noProgress=3!"},
	{"counts alone: the field progress wins", "i1 t0/4 -; i2 t1/4 -; i3 t2/4 -", 0, "", "noProgress=3!"},
	{"neither: no evidence", "i1; i2; i3", 0, "", ""},
	{"no iteration numbers: counted from 1", "-; -; -; -", 1, "", "noProgress=3!"},

	{"window: what lies before it does not count", "i1 - eX; i2 - eX; i3 - eX; i4 - eX; i5 - eX", 0,
	 "history.window=2,stuck.noProgress=none", "noProgress=2 similarErrors=2"},

	{"same files: a warning at three", "i1 fa,b; i2 fa,b; i3 fb,a", 0, "", "sameFiles=3?"},
	{"same files: stuck at five", "i1 fa; i2 fa; i3 fa; i4 fa; i5 fa", 0, "", "sameFiles=5?!"},
	{"same files: four are a warning", "i1 fa; i2 fa; i3 fa; i4 fa", 0, "", "sameFiles=4?"},
	{"same files: a threshold below five is not stuck before", "i1 fa; i2 fa", 0, "stuck.sameFiles=2", "sameFiles=2?"},
	{"same files: a threshold above five is", "i1 fa; i2 fa; i3 fa; i4 fa; i5 fa", 0, "stuck.sameFiles=6", "sameFiles=5"},
	{"same files: both at a threshold above five", "i1 fa; i2 fa; i3 fa; i4 fa; i5 fa; i6 fa", 0, "stuck.sameFiles=6", "sameFiles=6?!"},
	{"same files: 80% overlap", "i1 fa,b,c,d,e; i2 fa,b,c,d; i3 fa,b,c,d,x", 0, "", "sameFiles=3?"},
	{"same files: 75% do not", "i1 fa,b,c,d; i2 fa,b,c,x; i3 fa,b,c,x", 0, "", "sameFiles=2"},
	{"same files: of the larger set", "i1 fa; i2 fa,b; i3 fa,b", 0, "", "sameFiles=2"},
	{"same files: named twice is once", "i1 fa,a,a,b; i2 fa,b; i3 fa,b", 0, "", "sameFiles=3?"},
	{"same files: each with the one before", "i1 fa,b,c,d,e; i2 fa,b,c,d,f; i3 fa,b,c,g,f", 0, "", "sameFiles=3?"},
	{"same files: nothing changed overlaps with nothing", "i1 f; i2 f; i3 f", 0, "", ""},
	{"same files: nothing changed ends the row", "i1 fa; i2 fa; i3 f; i4 fa", 0, "", "sameFiles=1"},
	{"same files: an entry without them is passed over", "i1 fa; i2; i3 fa; i4 fa", 0, "", "sameFiles=3?"},
	{"same files: progress ends the row", "i1 - fa; i2 - fa; i3 + fa; i4 - fa", 0, "", "noProgress=1 sameFiles=1"},

	{"similar errors: equal but for numbers and paths",
	 "i1 ea.c:1:_bad; i2 eb.c:22:_bad; i3 ea.c:3:_bad; i4 ea.c:4:9:_bad; i5 e/tmp/a.c:5:_bad", 0, "", "similarErrors=5!"},
	{"similar errors: not in a row", "i1 ebad; i2 +; i3 ebad; i4 eother; i5 ebad; i6 ebad; i7; i8 ebad", 0, "", "similarErrors=5!"},
	{"similar errors: the largest group", "i1 ea; i2 eb; i3 eb; i4 ea; i5 eb", 0, "", "similarErrors=3"},
	{"similar errors: case matters", "i1 eBad; i2 ebad", 0, "", "similarErrors=1"},
	{"similar errors: by the hash where there is no more", "i1 hff; i2 hff", 0, "", "similarErrors=2"},
	{"similar errors: an interruption is none", "i1 ebad ointerrupted; i2 ebad", 0, "", "similarErrors=1"},
	{"similar errors: not before the intervention", "i1 ebad; i2 ebad; i3 ebad; i4 ebad; i5 ebad", 1, "", "similarErrors=4"},

	{"returning tree: A B A B", "i1 rA; i2 rB; i3 rA; i4 rB", 0, "", "returningTree=2!"},
	{"returning tree: A B A is once", "i1 rA; i2 rB; i3 rA", 0, "", "returningTree=1"},
	{"returning tree: A A A is standing still", "i1 rA; i2 rA; i3 rA", 0, "", ""},
	{"returning tree: A B A A came back once", "i1 rA; i2 rB; i3 rA; i4 rA", 0, "", "returningTree=1"},
	{"returning tree: over a longer way", "i1 rA; i2 rB; i3 rC; i4 rA; i5 rC", 0, "", "returningTree=2!"},
	{"returning tree: a failed step was put away", "i1 rA svalid; i2 rB smissing; i3 rA svalid; i4 rB sinvalid; i5 rA svalid", 0, "", ""},
	{"returning tree: not known", "i1; i2; i3", 0, "", ""},

	{"false DONE: three times tasks open", "i1 D t0/2 -; i2 D t0/2 -; i3 D t0/2 -", 0, "stuck.noProgress=9", "noProgress=3 falseDone=3!"},
	{"false DONE: not in a row", "i1 D t1/2; i2 C t1/2; i3 D t1/2; i4 C t1/2; i5 D t1/2; i6 D t1/2", 0,
	 "stuck.noProgress=9", "noProgress=5 falseDone=3!"},
	{"false DONE: other reasons are counted apart", "D xtasks; D xpromise; D xtasks; D xverify", 0, "", "falseDone=2"},
	{"false DONE: until a task passes", "i1 D t0/3; i2 D t0/3; i3 D t1/3; i4 D t1/3", 0, "", "noProgress=1 falseDone=1"},
	{"false DONE: verify failed", "D t2/2 vfailed -; D t2/2 vfailed -; D t2/2 vfailed -", 0, "stuck.noProgress=9", "noProgress=3 falseDone=3!"},
	{"false DONE: the promise is missing", "D t2/2 q -; D t2/2 q -; D t2/2 q -", 0, "stuck.noProgress=9", "noProgress=3 falseDone=3!"},
	{"false DONE: not with a bad state", "D t0/2 sinvalid -; D t0/2 sinvalid -", 0, "", "noProgress=2"},
	{"false DONE: not with phases", "i1 D t0/2 pRED -; i2 D t0/2 pRED -", 0, "", "noProgress=2"},
};

static void
rules(void)
{
	struct cJSON *history, *config;
	struct wisp_stuck s;
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		history = history_of(cases[i].history);
		config = config_of(cases[i].config);
		wisp_stuck_check(&s, history, cases[i].since, config);
		CHECK_OWN(answer(&s), cases[i].expected, cases[i].label);
		wisp_stuck_release(&s);
		wisp_json_free(history);
		wisp_json_free(config);
	}
}

static void
evidence(void)
{
	struct cJSON *history = history_of("i1 - fa rA eDoh; i2 - fa rB eDoh; i3 - fa rA eDoh; i4 - fa rB eDoh D t0/1;"
					   "i5 - fa rA eDoh; i6 - fa,b/c,d,e rB; i8 - fa,b/c,d,e rB");
	struct cJSON *config = wisp_config_defaults();
	struct wisp_stuck s;

	wisp_stuck_check(&s, history, 0, config);
	CHECK_STR(s.rule[WISP_NO_PROGRESS].evidence, "iterations 1, 2, 3, 4, 5, ..., 8: no task newly passed", "evidence: no progress");
	CHECK_STR(s.rule[WISP_SAME_FILES].evidence, "iterations 6, 8 changed only a, b/c, d and 1 more, no task passed", "evidence: same files");
	CHECK_STR(s.rule[WISP_SIMILAR_ERRORS].evidence, "iterations 1, 2, 3, 4, 5: the same error: Doh", "evidence: similar errors");
	CHECK_STR(s.rule[WISP_RETURNING_TREE].evidence,
		  "iterations 3, 4, 5, 6: the work tree was again what it was after iteration 1, 2, 3, 4", "evidence: returning tree");
	CHECK_STR(s.rule[WISP_FALSE_DONE].evidence, "iteration 4: DONE was refused: tasks are open", "evidence: false DONE");
	CHECK_INT(s.rule[WISP_FALSE_DONE].threshold, 3, "the threshold comes with it");
	CHECK_STR(wisp_stuck_first(&s)->name, "noProgress", "the first rule that says stuck");
	wisp_stuck_release(&s);
	wisp_stuck_release(&s);
	wisp_json_free(history);

	history = history_of("i5 - fsrc/a.c,src/b.c; i6 - fsrc/b.c,src/a.c; i7 - fsrc/a.c,src/b.c,src/a.c");
	wisp_stuck_check(&s, history, 0, config);
	CHECK_STR(s.rule[WISP_SAME_FILES].evidence, "iterations 5, 6, 7 changed only src/a.c and src/b.c, no task passed",
		  "evidence: each file once");
	wisp_stuck_release(&s);
	wisp_json_free(history);

	history = history_of("i1 - pRED fa,b,c,d,e; i2 - pRED fa,b,c,d,x");
	wisp_stuck_check(&s, history, 0, config);
	CHECK_STR(s.rule[WISP_SAME_FILES].evidence, "iterations 1, 2 changed only a, b, c and 3 more, no metric improved",
		  "evidence: the files of all of them; no tasks with phases");
	CHECK_STR(s.rule[WISP_NO_PROGRESS].evidence, "iterations 1, 2: no metric improved", "evidence: no progress in a phase");
	wisp_stuck_release(&s);
	wisp_json_free(history);

	history = history_of("fa; fa; fa");
	wisp_stuck_check(&s, history, 0, config);
	CHECK_STR(wisp_stuck_first(&s)->name, "sameFiles", "else the first that warns");
	CHECK(s.warning && !s.stuck, "a warning is not stuck");
	wisp_stuck_release(&s);
	wisp_json_free(history);

	wisp_stuck_check(&s, NULL, 0, config);
	CHECK(wisp_stuck_first(&s) == NULL, "else none");
	CHECK_STR(s.rule[WISP_NO_PROGRESS].evidence, "", "no count, no evidence");
	wisp_stuck_release(&s);
	wisp_json_free(config);
}

static void
refused(void)
{
	static const struct {
		const char *entry, *expected;
	} table[] = {
		{"C t0/2", NULL}, {"D t1/2", "tasks"}, {"D t2/2", NULL}, {"D t2/2 q", "promise"}, {"D t1/2 q", "tasks"},
		{"D t2/2 vfailed", "verify"}, {"D t2/2 q vfailed", "promise"}, {"D t2/2 vfailed xtasks", "tasks"}, {"D", NULL},
		{"D t2/2 smissing vfailed", NULL}
	};
	struct cJSON *history;
	size_t i;

	for (i = 0; i < sizeof table / sizeof *table; i++) {
		history = history_of(table[i].entry);
		CHECK_STR(wisp_rules_refused(wisp_json_first(history)), table[i].expected, table[i].entry);
		wisp_json_free(history);
	}
}

int
main(void)
{
	rules();
	evidence();
	refused();
	return unit_done();
}
