/*
 * cli: what the utilities' command lines have in common.
 *
 *	wisp-NAME [-C DIR] [--json] [-q] VERB [OPTION | OPERAND]...
 *
 * -C, --json, -q, -h and -V are taken before and after the verb; a verb's own
 * options anywhere after it, as `--name value`, `--name=value`, `-n value` or
 * `-nvalue`; `--` ends options, and a number below 0 is none. Names are not abbreviated. Whatever is wrong
 * with the call ends the program with 100. Unlike the rest of the core this
 * file dies and prints: it belongs to the mains.
 *
 *	static int
 *	list(struct wisp_cli *cli)
 *	{
 *		bool open = false;
 *		const struct wisp_option options[] = {{"open", .flag = &open}, {0}};
 *
 *		wisp_cli_read(cli, options, 0, 0);
 *		wisp_cli_place(cli);
 *		...
 *		return 0;
 *	}
 *
 *	int
 *	main(int argc, char **argv)
 *	{
 *		static const struct wisp_verb verbs[] = {
 *			{"list", list, "[--open]", "one line for each task"}, {0}
 *		};
 *		wisp_cli_main(argc, argv, "the task list of a session", verbs);
 *	}
 */
#ifndef WISP_CLI_H
#define WISP_CLI_H

#include "decide.h"
#include "record.h"

struct wisp_cli;

struct wisp_verb {
	const char *name;			/* "" as the only one: a program without verbs */
	int (*run)(struct wisp_cli *cli);	/* returns the exit code */
	const char *args;			/* for the usage, "" for none */
	const char *help;			/* one line */
};

/* The values of an option that may be given several times; they are argv's, free only `list`. */
struct wisp_texts {
	const char **list;
	size_t count;
};

/* `text` stays the caller's, and has to stay as long as the list. */
void wisp_texts_add(struct wisp_texts *list, const char *text);

/* Exactly one of the pointers is set; what it points to keeps its value where the option is not given. */
struct wisp_option {
	const char *name;		/* without dashes */
	char letter;			/* 0 for none */
	bool *flag;
	const char **text;		/* the last one given */
	long long *number;		/* a whole number from 0 */
	struct wisp_texts *list;
};

struct wisp_cli {
	const char *about;		/* what the program is for, one line */
	const struct wisp_verb *verbs, *verb;
	const char *dir;		/* of -C, or NULL */
	bool json;
	int argc;			/* what follows the verb; after wisp_cli_read only the operands */
	char **argv;			/* ends with NULL */
	struct wisp_place place;	/* after wisp_cli_place */
};

/* Reads what stands before the verb, runs the verb and ends the program with its answer. */
_Noreturn void wisp_cli_main(int argc, char **argv, const char *about, const struct wisp_verb *verbs);
/*
 * Every verb begins with this: reads options (NULL for none) and leaves the
 * operands, of which there must be `min` to `max` (-1: any number).
 */
void wisp_cli_read(struct wisp_cli *cli, const struct wisp_option *options, int min, int max);
/* The same, for a verb with which a loop is run: dies 100 inside a step. */
void wisp_cli_read_loop(struct wisp_cli *cli, const struct wisp_option *options, int min, int max);
/* What verify said, as an operand or an option has it; dies 100 at any other word. */
enum wisp_verify wisp_cli_verify(const char *word);
/* The folder to work on: -C, else what wisp_place_pick finds from here. Dies where there is none. */
void wisp_cli_place(struct wisp_cli *cli);
/*
 * Dies 100 where this program is run by a step (inside.h), and the folder is a session's:
 * what only people may do. `what` is what was asked for: "changing tasks".
 */
void wisp_cli_refuse_step(const struct wisp_place *place, const char *what);
/*
 * The record of cli->place, which is found first where it was not: false where
 * there is no session. Dies 102 for bad data, 111 where the system refuses.
 */
bool wisp_cli_record(struct wisp_cli *cli, struct wisp_record *r, enum wisp_record_mode mode);
/* The same; dies 102 also where there is no session. */
void wisp_cli_need_record(struct wisp_cli *cli, struct wisp_record *r, enum wisp_record_mode mode);
/* Dies 102: the place is no session's. */
_Noreturn void wisp_cli_no_session(const struct wisp_place *place);
/* The same, to change it; dies 102, too, where it is not as it was when it had the seal (record.h); NULL: any is. */
void wisp_cli_need_sealed(struct wisp_cli *cli, struct wisp_record *r, const char *seal);
/* seal= of the record as it was read or written here, for the call after it. */
void wisp_cli_seal(struct wisp_record *r, struct cJSON *answer);
/*
 * The same, for a verb of the loop: true where a loop has the session, and this program was started by it. Ends the
 * program with 1 where one has, and the caller is another process, whatever it knows.
 */
bool wisp_cli_need_loop(struct wisp_cli *cli, struct wisp_record *r, const char *seal);
/* Where rc is not 0, dies: 102 with what `err` says is wrong with the data, else 111, the record could not be changed. */
void wisp_cli_must(int rc, const struct wisp_err *err, const struct wisp_record *r);
/*
 * A file of a folder that has no session, of the kind by that name (kinds.h): a
 * document to be freed, NULL where it is missing. Dies 102 where it does not hold.
 */
struct cJSON *wisp_cli_file(const struct wisp_place *place, const char *kind);
/* Writes it, synced, or dies. */
void wisp_cli_keep_file(const struct wisp_place *place, const char *kind, const struct cJSON *doc);
/* Does a live loop own the session? Dies 111 where that cannot be told. */
bool wisp_cli_owned(const struct wisp_record *r);
/* Commits, synced, or dies. */
void wisp_cli_commit(struct wisp_record *r);
/* Takes the write lock of a session, or of a folder of none (then DIR/.lock); held until the program ends. */
void wisp_cli_lock(const struct wisp_place *place);

/* The bytes on stdout; wisp_exit tells whether they arrived. Releases the text. */
void wisp_cli_print(struct wisp_buf *text);
/* `key=text` on stdout, the text brought to one line; nothing for NULL. */
void wisp_cli_pair(const char *key, const char *text);
/* The same, whole: % and a line feed are %25 and %0A. */
void wisp_cli_pair_whole(const char *key, const char *text);
/*
 * An object of plain values as key=value lines, numbers as they are and
 * booleans as yes or no, or with --json as it stands; then frees it.
 */
void wisp_cli_answer(struct wisp_cli *cli, struct cJSON *answer);
/* The document on stdout, then frees it. */
void wisp_cli_json(struct cJSON *v);

#endif
