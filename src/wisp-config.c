/*
 * wisp-config: the configuration in force, from its layers. Private to the
 * commands in libexec, which know where the layers lie (lib/config.bash).
 *
 * What a repository's file would have executed, or loosens (`asks`), needs a person's
 * word. `trust` remembers it by its SHA-256, a line each, in the project's folder
 * outside the repository.
 *
 * Exit: 0 yes; 1 no (not trusted); 100 called wrongly, also by an unknown key
 * or a bad value given as an argument; 102 a file that does not hold; 111.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/layers.h"
#include "core/config.h"
#include "core/near.h"
#include "core/record.h"
#include "core/secrets.h"
#include "core/template.h"
#include "core/trust.h"
#include "step/env.h"

#define READ_SIZE 65536

extern char **environ;

static int
resolve(struct wisp_cli *cli)
{
	struct wisp_layers l;
	struct cJSON *both;

	wisp_layers_read(&l, cli, 0);
	if (l.with_origin) {
		both = wisp_json_object();
		wisp_json_set(both, "config", wisp_json_copy(l.config));
		wisp_json_set(both, "origin", wisp_json_copy(l.origin));
		wisp_cli_json(both);
	} else {
		wisp_cli_json(wisp_json_copy(l.config));
	}
	wisp_layers_release(&l);
	return 0;
}

/* The values of a key, one after the other; an empty list has one that is NULL. */
static const struct cJSON *
first(const struct cJSON *v)
{
	return wisp_json_type(v) == WISP_T_ARRAY ? wisp_json_first(v) : v;
}

static const struct cJSON *
next(const struct cJSON *v, const struct cJSON *e)
{
	return wisp_json_type(v) == WISP_T_ARRAY && e != NULL ? wisp_json_next(e) : NULL;
}

/* Dies 100 for a key that there is not. */
static const struct wisp_key *
known_key(const char *name, char **canonical)
{
	const struct wisp_key *key = wisp_config_key(name, canonical);
	const char *nearest;

	if (key != NULL)
		return key;
	nearest = wisp_config_nearest(name);
	die_usage("unknown key '%s'; %s%s%s", name, nearest != NULL ? "did you mean '" : "wisp config --list shows them all",
		  nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
}

static int
get(struct wisp_cli *cli)
{
	struct wisp_buf out = WISP_BUF_INIT;
	const struct wisp_key *key;
	const struct cJSON *v, *e;
	struct wisp_layers l;
	char *name = NULL;

	wisp_layers_read(&l, cli, 1);
	key = known_key(cli->argv[0], &name);
	v = wisp_json_get(l.config, name);
	if (cli->json) {
		wisp_cli_json(v != NULL ? wisp_json_copy(v) : wisp_json_null());
	} else {
		e = first(v);
		for (bool more = e != NULL || l.as == NULL; more; more = (e = next(v, e)) != NULL) {
			wisp_config_print(&out, key, e);
			if (l.as != NULL) {
				wisp_cli_pair_whole(l.as, out.data);
				wisp_buf_reset(&out);
			} else {
				wisp_buf_putc(&out, '\n');
			}
		}
	}
	wisp_cli_print(&out);
	wisp_layers_release(&l);
	free(name);
	return 0;
}

/* What `wisp config` must know of a key before it sets it. */
static int
check(struct wisp_cli *cli)
{
	struct wisp_err err = WISP_ERR_INIT;
	struct wisp_buf value = WISP_BUF_INIT;
	const struct wisp_key *key;
	char *name = NULL;

	wisp_cli_read(cli, NULL, 1, 2);
	key = known_key(cli->argv[0], &name);
	wisp_cli_pair("name", name);
	if (cli->argc > 1) {
		struct cJSON *v = wisp_config_value(key, cli->argv[1], &err);

		if (v == NULL)
			die_usage("%s", err.text);
		/* A list's value may have lines, and is what it is. */
		wisp_config_print(&value, key, v);
		if (key->type != WISP_KEY_LIST && key->type != WISP_KEY_TEXT)
			wisp_cli_pair("value", value.data);
		wisp_json_free(v);
	}
	wisp_buf_release(&value);
	printf("variable=%s%s\n", strchr(name, '.') == NULL ? WISP_CONFIG_BARE "." : "", name);
	printf("list=%s\nasks=%s\n", key->type == WISP_KEY_LIST ? "yes" : "no", key->asks || key->limit ? "yes" : "no");
	free(name);
	return 0;
}

static int
keys(struct wisp_cli *cli)
{
	const struct wisp_key *k;

	wisp_cli_read(cli, NULL, 0, 0);
	for (k = wisp_keys; k->name != NULL; k++)
		printf("%s\n", k->name);
	return 0;
}

/* The words that a value is chosen from; none of a key whose value is any number or text. */
static int
words(struct wisp_cli *cli)
{
	const struct wisp_key *k;
	const char *word;
	size_t len;

	wisp_cli_read(cli, NULL, 1, 1);
	k = wisp_config_key(cli->argv[0], NULL);
	word = k == NULL ? "" : k->type == WISP_KEY_BOOL ? "true|false" : k->type == WISP_KEY_WORD ? k->words : "";
	for (; *word != '\0'; word += len + (word[len] == '|')) {
		len = strcspn(word, "|");
		printf("%.*s\n", (int)len, word);
	}
	return k == NULL ? 1 : 0;
}

static int
near(struct wisp_cli *cli)
{
	char *text;

	wisp_cli_read(cli, NULL, 1, -1);
	text = wisp_did_you_mean(cli->argv[0], cli->argv + 1);
	printf("%s", text);
	free(text);
	return 0;
}

/* --- trust ------------------------------------------------------------------- */

/*
 * Did it come out of the repository, and is it executed, or looser than what a person set? How many iterations
 * there are is no safeguard: money and hours end them.
 */
static bool
asks_for_trust(const struct wisp_layers *l, const struct cJSON *member, const char *origin)
{
	const char *name = wisp_json_key(member);
	const struct wisp_key *key = wisp_config_key(name, NULL);

	if (strcmp(origin, "template") != 0 && strcmp(origin, "project") != 0)
		return false;
	if (!key->asks)
		return strcmp(name, "limits.maxIterations") != 0 && wisp_config_looser(key, wisp_json_get(l->person, name), member);
	/* An agent's name is looked up, and what is found in .wisp/agents/ is asked about as such. */
	return wisp_json_type(member) != WISP_T_NULL &&
	       (strcmp(name, "agent.default") != 0 || strchr(wisp_json_text(member, ""), '/') != NULL);
}

/* KEY=VALUE and a NUL for each value that asks for trust; those of a template are the repository's only where that is. */
static void
add_asked(struct wisp_buf *out, const struct wisp_layers *l, const struct cJSON *config, const struct cJSON *origins, bool template)
{
	const struct cJSON *m, *e;
	const char *origin;

	for (m = wisp_json_first(config); m != NULL; m = wisp_json_next(m)) {
		origin = wisp_json_str(origins, wisp_json_key(m), "");
		if ((!template && strcmp(origin, "template") == 0) || !asks_for_trust(l, m, origin))
			continue;
		for (e = first(m); e != NULL; e = next(m, e)) {
			wisp_buf_printf(out, "%s=", wisp_json_key(m));
			wisp_config_print(out, wisp_config_key(wisp_json_key(m), NULL), e);
			wisp_buf_putc(out, '\0');
		}
	}
}

static int
asks(struct wisp_cli *cli)
{
	struct wisp_buf out = WISP_BUF_INIT;
	struct wisp_layers l;

	wisp_layers_read(&l, cli, 0);
	add_asked(&out, &l, l.config, l.origin, true);
	wisp_cli_print(&out);
	wisp_layers_release(&l);
	return 0;
}

static void
use_project(struct wisp_cli *cli, const char *dir)
{
	struct wisp_err err = WISP_ERR_INIT;
	char *top = wisp_place_project(dir, NULL, NULL);

	if (top == NULL)
		die_usage("'%s' is not in a git repository", dir);
	/* What belongs to the project is the same for any branch. */
	if (wisp_place_session(&cli->place, top, "main", &err) < 0)
		die_err(&err);
	free(top);
}

static void
read_stdin(struct wisp_buf *in)
{
	size_t n;

	do {
		wisp_buf_grow(in, READ_SIZE);
		n = fread(in->data + in->len, 1, READ_SIZE, stdin);
		in->len += n;
	} while (n > 0 && in->len < WISP_FILE_MAX);
	if (ferror(stdin))
		die_sys("cannot read standard input");
}

static void
put_line(struct wisp_buf *out, const char *key, const char *text)
{
	struct wisp_buf line = WISP_BUF_INIT;

	wisp_buf_line(&line, text, SIZE_MAX);
	wisp_buf_printf(out, "%s%s\n", key, line.data != NULL ? line.data : "");
	wisp_buf_release(&line);
}

/* Standard input: values with a NUL after each. Prints those not known, for people. */
static int
trust(struct wisp_cli *cli)
{
	const char *dir = ".";
	bool add = false;
	const struct wisp_option options[] = {{"project", .text = &dir}, {"add", .flag = &add}, {0}};
	struct wisp_buf in = WISP_BUF_INIT, unknown = WISP_BUF_INIT, line = WISP_BUF_INIT;
	const char *v;
	int rc;

	wisp_cli_read(cli, options, 0, 0);
	use_project(cli, dir);
	if (add)
		wisp_cli_refuse_step(&cli->place, "trusting a command");
	read_stdin(&in);
	if (add)
		rc = wisp_trust_add(cli->place.shared, in.data, in.len);
	else
		rc = wisp_trust_check(cli->place.shared, in.data, in.len, &unknown);
	if (rc < 0)
		die_sys("cannot %s '%s/.trust'", add ? "write" : "read", cli->place.shared);
	for (v = unknown.data; v != NULL && v < unknown.data + unknown.len; v += strlen(v) + 1)
		put_line(&line, "", v);
	wisp_cli_print(&line);
	rc = unknown.len > 0;
	wisp_buf_release(&in);
	wisp_buf_release(&unknown);
	return rc;
}

/* Of the caller's variables, those that a command of the project is not given, and that may be looked for by name. */
static void
add_withheld(struct wisp_buf *names)
{
	const struct wisp_env tools = {.kind = WISP_ENV_TOOLS, .mark = ""};
	char **env = wisp_env_make(&tools, environ);

	(void)wisp_env_withheld(environ, env, NULL, names);
	wisp_env_free(env);
}

static int
withheld(struct wisp_cli *cli)
{
	struct wisp_buf names = WISP_BUF_INIT;

	wisp_cli_read(cli, NULL, 0, 0);
	add_withheld(&names);
	if (names.len > 0)
		wisp_buf_putc(&names, '\n');
	wisp_cli_print(&names);
	return 0;
}

static void
add_plain(void *out, const char *name, const char *why)
{
	struct wisp_buf *b = out;

	if (b->len == 0 || strstr(b->data, name) == NULL)
		wisp_buf_printf(b, "%s%s (%s)", b->len > 0 ? ", " : "", name, why);
}

/* Of WISP_SECRETS: how many values are replaced where wisp keeps text, and which variables' are not. */
static int
secrets(struct wisp_cli *cli)
{
	struct wisp_buf plain = WISP_BUF_INIT;

	wisp_cli_read(cli, NULL, 0, 0);
	wisp_secrets_plain(add_plain, &plain);
	printf("count=%zu\nplain=%s\n", wisp_secrets()->count, plain.len > 0 ? plain.data : "");
	wisp_buf_release(&plain);
	return 0;
}

/* Standard input without them. */
static int
hide(struct wisp_cli *cli)
{
	struct wisp_buf text = WISP_BUF_INIT;

	wisp_cli_read(cli, NULL, 0, 0);
	read_stdin(&text);
	wisp_secrets_hide(&text);
	wisp_cli_print(&text);
	return 0;
}

/* --- what would be pushed ------------------------------------------------------ */

#define FOUND_MOST 20

struct search {
	char *where;			/* the object that is read */
	struct wisp_buf out;
	int count;
};

static void
pass_over(void *arg, const char *p, size_t n)
{
	(void)arg;
	(void)p;
	(void)n;
}

/* Once for each object and name. */
static void
note_found(void *arg, const struct wisp_secret *secret)
{
	struct search *s = arg;
	char *text = wisp_str("%s has [secret %s]", s->where, secret->name);
	struct wisp_buf line = WISP_BUF_INIT;

	wisp_buf_line(&line, text, SIZE_MAX);
	wisp_buf_putc(&line, '\n');
	if (s->out.len == 0 || strstr(s->out.data, line.data) == NULL) {
		if (s->count++ < FOUND_MOST)
			wisp_buf_puts(&s->out, line.data);
	}
	wisp_buf_release(&line);
	free(text);
}

/* Names an object: TYPE ID SIZE PATH; the size, or -1. */
static long long
read_header(struct search *s, char *line)
{
	char *id = strchr(line, ' '), *size = id != NULL ? strchr(id + 1, ' ') : NULL, *end, *path;
	long long n;

	line[strcspn(line, "\n")] = '\0';
	if (size == NULL)
		return -1;
	*id++ = '\0';
	*size++ = '\0';
	n = strtoll(size, &end, 10);
	if (end == size || n < 0)
		return -1;
	path = wisp_secrets_hidden(*end == ' ' ? end + 1 : end);
	free(s->where);
	if (strcmp(line, "blob") == 0)
		s->where = wisp_str("'%s'", path);
	else if (strcmp(line, "tree") == 0)
		s->where = wisp_str("a name in '%s'", *path != '\0' ? path : ".");
	else
		s->where = wisp_str("the %s %.12s", line, id);
	free(path);
	return n;
}

/* Standard input: what `git cat-file --batch='%(objecttype) %(objectname) %(objectsize) %(rest)'` prints. 1: none is in it. */
static int
found(struct wisp_cli *cli)
{
	struct search s = {0};
	struct wisp_hide h = {.secrets = wisp_secrets(), .put = pass_over, .found = note_found, .arg = &s};
	static char data[READ_SIZE];
	char *line = NULL;
	size_t cap = 0;

	wisp_cli_read(cli, NULL, 0, 0);
	while (getline(&line, &cap, stdin) > 0) {
		long long left = read_header(&s, line);

		if (left < 0)
			die_data("git does not say what object comes");
		while (left > 0) {
			size_t n = fread(data, 1, left < READ_SIZE ? (size_t)left : READ_SIZE, stdin);

			if (n == 0)
				die_data("git has ended within an object");
			wisp_hide_feed(&h, data, n);
			left -= (long long)n;
		}
		wisp_hide_end(&h);
		(void)getc(stdin);
	}
	if (ferror(stdin))
		die_sys("cannot read standard input");
	if (s.count > FOUND_MOST)
		wisp_buf_printf(&s.out, "... and %d more\n", s.count - FOUND_MOST);
	wisp_cli_print(&s.out);
	free(s.where);
	free(line);
	return s.count > 0 ? 0 : 1;
}

/* Into FILE: phases=yes|no, agent= for each that a phase names, asks= for each value that is not trusted yet, withheld=. */
static void
say_start(struct wisp_layers *l, struct wisp_cli *cli)
{
	struct wisp_buf out = WISP_BUF_INIT, values = WISP_BUF_INIT, unknown = WISP_BUF_INIT;
	struct wisp_err err = WISP_ERR_INIT;
	struct cJSON *doc = NULL, *machine;
	const char *dir = l->template_dir, *v, *agent;

	if (dir == NULL || l->project == NULL)
		die_usage("--said needs --template-dir and --project");
	if (wisp_template_load(dir, NULL, &doc, &err) != 0)
		die_err(&err);
	machine = wisp_template_machine(doc);
	wisp_buf_printf(&out, "phases=%s\n", machine != NULL ? "yes" : "no");
	for (const struct cJSON *p = wisp_json_first(wisp_json_get(machine, "phases")); p != NULL; p = wisp_json_next(p))
		if ((agent = wisp_json_str(p, "agent", NULL)) != NULL)
			put_line(&out, "agent=", agent);
	add_asked(&values, l, l->unlimited, l->unlimited_origin,
		  strncmp(dir, l->project, strlen(l->project)) == 0 && dir[strlen(l->project)] == '/');
	use_project(cli, l->project);
	if (wisp_trust_check(cli->place.shared, values.data, values.len, &unknown) < 0)
		die_sys("cannot read '%s/.trust'", cli->place.shared);
	for (v = unknown.data; v != NULL && v < unknown.data + unknown.len; v += strlen(v) + 1)
		put_line(&out, "asks=", v);
	wisp_buf_puts(&out, "withheld=");
	add_withheld(&out);
	wisp_buf_putc(&out, '\n');
	if (wisp_file_write(l->said, out.data, out.len, WISP_NOSYNC) != 0)
		die_sys("cannot write '%s'", l->said);
	wisp_buf_release(&out);
	wisp_buf_release(&values);
	wisp_buf_release(&unknown);
	wisp_json_free(machine);
	wisp_json_free(doc);
}

static int
list(struct wisp_cli *cli)
{
	struct wisp_buf out = WISP_BUF_INIT;
	const struct cJSON *m, *e;
	const char *name;
	struct wisp_layers l;

	wisp_layers_read(&l, cli, 0);
	if (l.to != NULL && wisp_json_write(l.to, l.config, WISP_NOSYNC) < 0)
		die_sys("cannot write '%s'", l.to);
	if (l.said != NULL)
		say_start(&l, cli);
	for (m = wisp_json_first(l.config); m != NULL; m = wisp_json_next(m)) {
		name = wisp_json_key(m);
		e = first(m);
		do {
			wisp_buf_printf(&out, "%s=", name);
			wisp_config_print(&out, wisp_config_key(name, NULL), e);
			if (l.with_origin)
				wisp_buf_printf(&out, "\t%s", wisp_json_str(l.origin, name, wisp_config_layers[0]));
			wisp_buf_putc(&out, '\n');
		} while ((e = next(m, e)) != NULL);
	}
	wisp_cli_print(&out);
	wisp_layers_release(&l);
	return 0;
}

/* A person changed the configuration: the project's good copy becomes what it is now. */
static int
renew(struct wisp_cli *cli)
{
	const char *dir = ".";
	const struct wisp_option options[] = {{"project", .text = &dir}, {0}};

	wisp_cli_read(cli, options, 0, 0);
	use_project(cli, dir);
	wisp_cli_refuse_step(&cli->place, "changing the configuration");
	if (wisp_good_renew(&cli->place) < 0)
		die_sys("cannot renew '%s/.good'", cli->place.shared);
	return 0;
}

int
main(int argc, char **argv)
{
	static const char layers[] = "[--template FILE] [--layer NAME=PATH]... [--set KEY=VALUE]... [--command] [--option KEY=VALUE]...";
	static const struct wisp_verb verbs[] = {
		{"resolve", resolve, layers, "all thresholds as JSON; with --origin also where they come from"},
		{"get", get, "[--as WORD] KEY", "one value, for people, or WORD= each of a list; layers as above"},
		{"list", list, "[--origin] [--to FILE] [--said FILE --project DIR --template-dir DIR]",
		 "all values, KEY=VALUE; FILE gets what resolve prints, and the other one what a start must know; layers as above"},
		{"asks", asks, "", "what of a repository's files needs a person's word, NUL-separated; layers as above"},
		{"trust", trust, "[--add] [--project DIR]", "is what stands on standard input trusted? else prints it, 1"},
		{"check", check, "KEY [VALUE]", "is that a key, and a value for it?"},
		{"keys", keys, "", "the names of all keys"},
		{"words", words, "KEY", "the words that its value is chosen from; 1 if there is no such key"},
		{"withheld", withheld, "", "your variables that commands of the project are not given, and that have an underscore"},
		{"secrets", secrets, "", "of those that WISP_SECRETS tells of, how many are replaced and which are not"},
		{"hide", hide, "", "standard input without their values"},
		{"found", found, "", "which of them are in objects on standard input (git cat-file --batch); 1 if none is"},
		{"near", near, "WORD WORD...", "which of the others was meant by the first, as people are asked"},
		{"renew", renew, "[--project DIR]", "the good copy of the project's configuration is what it is now"},
		{0}
	};

	wisp_cli_main(argc, argv, "the configuration in force", verbs);
}
