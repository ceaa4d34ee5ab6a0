/*
 * error: the error history of a session, or of a loop state alone, and whether
 * an error is the last one again.
 */
#include "machine.h"
#include "verb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/phase.h"

/* The operand, or standard input where there is none; a final line feed is not part of an error. */
static void
read_text(struct wisp_buf *b, const struct wisp_cli *cli)
{
	char part[8192];
	size_t n;

	if (cli->argc > 0) {
		wisp_buf_puts(b, cli->argv[0]);
		return;
	}
	while ((n = fread(part, 1, sizeof part, stdin)) > 0) {
		wisp_buf_add(b, part, n);
		if (b->len > WISP_FILE_MAX)
			die_data("the error on standard input is larger than 64 MiB");
	}
	if (ferror(stdin))
		die_sys("cannot read standard input");
	if (b->len > 0 && b->data[b->len - 1] == '\n')
		b->data[--b->len] = '\0';
	if (b->len == 0)
		wisp_buf_puts(b, "");
	/* Text is a C string from here on. */
	if (strlen(b->data) < b->len)
		die_data("the error on standard input holds a NUL");
}

/* error_history is a member of loop-state.json where there are phases, else of the record alone. */
static bool
is_last(const struct cJSON *doc, const char *sha)
{
	const struct cJSON *last = NULL;

	for (const struct cJSON *e = wisp_json_first(wisp_json_get(doc, "error_history")); e != NULL; e = wisp_json_next(e))
		last = e;
	return strcmp(wisp_json_str(last, "hash", ""), sha) == 0;
}

static void
add(struct wisp_loop *l, const char *text)
{
	if (l->loop != NULL)
		wisp_phase_error(l->loop, text);
	else
		wisp_phase_note(wisp_json_array_at(l->r.doc, "error_history"), NULL,
				wisp_json_num(wisp_record_session(&l->r), "loop_count", 0), text);
}

int
wisp_verb_error(struct wisp_cli *cli)
{
	bool same = false, last;
	const struct wisp_option options[] = {{"same", .flag = &same}, {0}};
	struct wisp_buf text = WISP_BUF_INIT;
	char sha[WISP_HASH_SIZE];
	struct cJSON *answer = wisp_json_object();
	struct wisp_loop l;

	wisp_cli_read(cli, options, 0, 1);
	read_text(&text, cli);
	wisp_hash(text.data, text.len, sha);
	wisp_cli_place(cli);
	if (!same)
		wisp_cli_refuse_step(&cli->place, "noting an error");
	wisp_loop_open(&l, cli, same ? WISP_READ : WISP_WRITE);
	last = is_last(l.loop != NULL ? l.loop : l.r.doc, sha);
	if (!same) {
		add(&l, text.data);
		wisp_loop_keep(&l, cli);
	}
	wisp_json_set_str(answer, "hash", sha);
	wisp_json_set_bool(answer, "same", last);
	if (cli->json)
		wisp_cli_json(answer);
	else
		puts(sha);
	wisp_loop_release(&l);
	wisp_buf_release(&text);
	return same && !last ? 1 : 0;
}
