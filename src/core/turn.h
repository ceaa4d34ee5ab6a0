/*
 * turn: one turn of the loop as changes of the record (docs/loop.md).
 *
 *	start      a loop takes the session: what became of the step before?
 *	restore    what is to become of the work tree, and `restored`: it has
 *	begin      the next step is reserved, or there is a reason not to
 *	ran        the agent program has ended; what did it leave?
 *	verified   the verify commands have answered
 *	observe    what the controller sees of the step: the iteration, as history will have it
 *	stuck      what the rules and the breaker say of it
 *	decide     what it means for the loop
 *	record     that is carried out: the iteration is history
 *
 * C plans, bash carries out. Each function changes the record and commits it;
 * each may be repeated after a crash and then does what is left to do. Answers
 * go into `answer`, an object of strings, numbers and booleans that the
 * utility prints as key=value lines; the names are those of docs/loop.md.
 *
 * All return 0, or -1: with `err` for bad data, with an empty `err` and errno
 * where the system refused.
 */
#ifndef WISP_TURN_H
#define WISP_TURN_H

#include "decide.h"
#include "due.h"
#include "record.h"
#include "request.h"
#include "stuck.h"
#include "time.h"

struct wisp_start {
	const struct cJSON *config;	/* thresholds in force from now on, or NULL: as they are */
	long pid;			/* of the loop */
	bool resume;			/* a person's: counts as intervention, ends `halted` */
	bool lost;			/* the step that is open is, whatever it left: the branch had to go back */
	const char *agent;		/* that it runs from now on, or NULL */
	const char *sandbox;		/* what confines its steps, or NULL */
	const char *login;		/* names of variables that its login depends on, with blanks between, or NULL */
	const char *const *env;		/* NAME=VALUE that it gets */
	size_t n_env;
	const char *template_dir;	/* its loop.json comes into force, or NULL: it stays */
	const char *const *options;	/* KEY=VALUE of limits that the command line set: they hold for later runs too */
	size_t n_options;
};
int wisp_turn_start(struct wisp_record *r, const struct wisp_start *s, struct cJSON *answer, struct wisp_err *err) WISP_CHECK;

struct wisp_restore {
	const char *head, *tree;	/* as observed now */
	bool again;			/* a put-away of this step was begun before: its ref is there */
};
/* do=none|first|adopt|put-away|drop|keep|modules, with n= (of the step put away) and checkpoint= (to go back to: its commit, else its number). Changes nothing. */
int wisp_turn_restore(struct wisp_record *r, const struct wisp_restore *o, struct cJSON *answer) WISP_CHECK;

struct wisp_restored {
	const char *did;		/* the word that restore answered, or `reset` */
	const char *head, *tree;	/* as they are now */
	const char *ref;		/* where work was put away, or NULL */
	const char *commits;		/* `id subject` lines of commits that stay, or NULL */
	const char *files;		/* file of NUL-separated names that a person changed, or NULL */
	const char *commit;		/* of a checkpoint that was made of it, or NULL */
};
/* changed= how many files a person changed, as far as the record keeps their names; names= those of them that fit on a line. */
int wisp_turn_restored(struct wisp_record *r, const struct wisp_restored *o, struct cJSON *answer) WISP_CHECK;

struct wisp_begin {
	const char *head, *tree;
	bool wait;			/* limits may be waited for */
	const char *plan;		/* the step is about the list as a whole: plan (there need be none yet), update, review (change.h), or of an orchestration (wisp_turn_artefact); else NULL */
};
/*
 * act=step     iteration= attempt= name= dir= max= budget=
 * act=judge    a step is open that ran already
 * act=check    every task passes before the first step: verify, then `checked`
 * act=ask      question= choices=
 * act=wait     until= text=
 * act=stop     exit= reason= text=
 */
int wisp_turn_begin(struct wisp_record *r, const struct wisp_begin *o, struct cJSON *answer, struct wisp_err *err) WISP_CHECK;
/* The answer to act=check: completed, or the first step is due after all. */
int wisp_turn_checked(struct wisp_record *r, enum wisp_verify verify, struct cJSON *answer) WISP_CHECK;

/*
 * The work tree is no work tree any more (`text` says how: "is gone") and is to be made again: the open step, if there
 * is one, counts as failed, unless `commits` of its own stand on the branch. `text` NULL: only n= checkpoint= head= (before
 * the step) are asked.
 */
int wisp_turn_lost(struct wisp_record *r, const char *text, bool commits, struct cJSON *answer) WISP_CHECK;
/* note= flags=, and what is due=. */
int wisp_turn_ran(struct wisp_record *r, struct cJSON *answer, struct wisp_err *err) WISP_CHECK;
/* The commands that verify this step, a new array. `all`: those of the configuration alone. */
struct cJSON *wisp_turn_commands(struct wisp_record *r, bool all);
/*
 * turn_observe.c: the metrics of the step, into its member `observed`: over the tests that verify said, which are there
 * already, what `metrics` holds (a file with the standard output of verify.metrics; METRICS.json beside it tells how that
 * ended). note= where there were none to be had, and what is due=.
 */
int wisp_turn_observed(struct wisp_record *r, const char *metrics, struct cJSON *answer, struct wisp_err *err) WISP_CHECK;
/* The tasks whose work a commit of this step has: those that it claims, and those of steps whose work could not be committed. A new array. */
struct cJSON *wisp_turn_uncommitted(const struct wisp_record *r);
/*
 * due= of a step that ran, once that has been `done` (due.h). Where it is a commit, its message is in the step's folder. The
 * caller saves the record.
 */
int wisp_turn_due(struct wisp_record *r, enum wisp_due done, struct cJSON *answer) WISP_CHECK;
#define WISP_TURN_MESSAGE "commit.txt"
/* What is due=. */
int wisp_turn_verified(struct wisp_record *r, enum wisp_verify verify, struct cJSON *answer, struct wisp_err *err) WISP_CHECK;

struct wisp_seen {
	const char *head, *tree;	/* as observed now; NULL where nothing is observed */
	const char *files;		/* file of NUL-separated names that the step changed, or NULL */
	int cut;			/* as in struct wisp_facts */
	bool once;
	const char *commit;		/* of the checkpoint that was made of it, or NULL */
	const char *uncommitted;	/* why wisp could not commit what the step left, or NULL */
	const char *deletes, *deleted;	/* "20 of 30 tracked files", and a file of their names: no commit is made of that */
	const char *rest;		/* file of NUL-separated names that verify ran on and HEAD lacks, or NULL */
	const char *wrote, *refused;	/* NUL-separated, in files: names that verify wrote, and are news; refusals */
};
/*
 * turn_judge.c: what is noted with a step that ran, until it is recorded: what was seen of it and its iteration
 * (members `seen` and `entry`), what the rules and the breaker say (`verdict`, `breaker`), and the decision. Each asks what
 * comes before it where nobody has, and may be repeated. The caller saves the record, or only looks.
 */
int wisp_turn_observe(struct wisp_record *r, const struct wisp_seen *o, struct wisp_err *err) WISP_CHECK;
/* `s` is what each rule says; release it. */
int wisp_turn_stuck(struct wisp_record *r, struct wisp_stuck *s, struct wisp_err *err) WISP_CHECK;
int wisp_turn_decide(struct wisp_record *r, struct wisp_err *err) WISP_CHECK;
/* All of that is forgotten. */
void wisp_turn_forget(struct cJSON *step);
/* iteration= action= exit= row= reason= tree= text= delay= seconds= and what history says of it; due=restore pending=. */
int wisp_turn_record(struct wisp_record *r, struct cJSON *answer, struct wisp_err *err) WISP_CHECK;

/* The loop ends between steps, by a signal or by WISP_CUT_STOP, and owns the session no longer. exit= text= */
int wisp_turn_end(struct wisp_record *r, int cut, struct cJSON *answer) WISP_CHECK;
/* The loop is over: nobody owns the session any more. */
int wisp_turn_release(struct wisp_record *r) WISP_CHECK;
/*
 * Tasks and counters as they were at the end of iteration n, whose checkpoint
 * the work tree (head, tree) is already back at. What was spent stays spent. 1:
 * there is no such checkpoint. With `head` NULL only that is asked.
 */
int wisp_turn_rollback(struct wisp_record *r, long long n, const char *head, const char *tree, struct wisp_err *err) WISP_CHECK;
/* `user interrupt (signal 2)`, `stopped on request`; the caller frees it. */
char *wisp_turn_cut_text(int cut);
/* Signal `cut` as it was meant: WISP_CUT_STOP where `stop --now` sent it. */
int wisp_turn_cut(const struct wisp_record *r, int cut);

/* What the modules of a turn share. */

/* The open or last step, borrowed, or NULL. */
struct cJSON *wisp_turn_step(const struct wisp_record *r);
bool wisp_turn_is_open(const struct wisp_record *r);	/* it ran, and is not recorded yet */
char *wisp_turn_step_path(const struct wisp_record *r, const char *name);	/* below the step's folder; the caller frees it */
/* The step.json of that step: 0; -1 with `err` and *result NULL where it is not whole, or of another iteration or try. */
int wisp_turn_result(const struct wisp_record *r, struct cJSON **result, struct wisp_err *err);
void wisp_turn_result_is(struct wisp_record *r);	/* as it is now; another one is none from now on */
/* Makes room for a folder, or for a file: what an agent has put at `path` in its place is removed. -1 with errno. */
int wisp_turn_clear(const char *path, bool folder) WISP_CHECK;
/*
 * turn_adopt.c: what changed from one list to the other, in words, tasks by number:
 * "2 added (4, 5), 1 reworded (3)". The caller frees it.
 */
char *wisp_turn_tasks_changed(const struct wisp_tasks *old, const struct wisp_tasks *new);
/* The same of thresholds: "limits.maxIterations 50 -> 60"; NULL where nothing did. */
char *wisp_turn_config_changed(const struct cJSON *old, const struct cJSON *new);
/* These thresholds come into force; with `tell`, config= says what is new in them. */
void wisp_turn_adopt_config(struct wisp_record *r, const struct cJSON *config, bool tell, struct cJSON *answer);
/* A state.json that a person changed since its step was recorded is what the next prompt shows of it; state= says so, or what is wrong with it. */
void wisp_turn_adopt_state(struct wisp_record *r, struct cJSON *answer);
/*
 * Applies the requests that lie there (request.h), each once, in their order. Commit the record, then call
 * wisp_turn_requests_done. Release them in any case. No step may be open that begins with a list of its own.
 */
struct wisp_asked {
	struct wisp_requests requests;
	bool pause;		/* a pause or a stop is among them */
};
int wisp_turn_requests(struct wisp_record *r, struct wisp_asked *asked, struct wisp_err *err) WISP_CHECK;
/* After the commit: they are gone. Without `pauses` a pause or a stop stays, for the loop that it was asked of. */
void wisp_turn_requests_done(const struct wisp_asked *asked, bool pauses);
/* Loads tasks.json as a person may have left it, and adopts it as the good one. 1: there is none. */
int wisp_turn_adopt_tasks(struct wisp_record *r, struct wisp_tasks *t, struct wisp_err *err) WISP_CHECK;
/* Writes a list to tasks.json if it differs, and keeps it as the good one. */
int wisp_turn_put_tasks(struct wisp_record *r, const struct wisp_tasks *t) WISP_CHECK;
/* The word of wisp_begin.plan that the step began with, or NULL. */
const char *wisp_turn_plan(const struct wisp_record *r);
/* What a step of an orchestration (discover, decompose, retrospect) is to leave, in the session's folder; NULL for any other word. */
const char *wisp_turn_artefact(const char *plan);
/* turn_claims.c: tasks.json as the step left it is put right, and its claims noted. */
int wisp_turn_settle_tasks(struct wisp_record *r, struct wisp_err *err) WISP_CHECK;
/* turn_plan.c: the same for a step that makes the list, or changes it. Of one for an orchestration it asks nothing. */
int wisp_turn_settle_plan(struct wisp_record *r, struct wisp_err *err) WISP_CHECK;
/* The claims of a step that began with the one list and left the other. */
void wisp_turn_note_claims(struct wisp_record *r, const struct wisp_tasks *old, const struct wisp_tasks *now);
/* What the screen and history are to say of the open step, after what they say already. */
void wisp_turn_note(struct wisp_record *r, const char *text);
/*
 * A list that is the agent's to make is the good one as it stands, and claims nothing; one that does not hold, or with fewer
 * than `least` tasks, or none where it is `due`, is taken away, and *why (caller frees) says what is wrong.
 */
int wisp_turn_take_list(struct wisp_record *r, bool due, size_t least, char **why) WISP_CHECK;
/* The tasks that this step claimed pass, or are open again. */
int wisp_turn_claims_put(struct wisp_record *r, bool passes, struct wisp_err *err) WISP_CHECK;
/*
 * turn_limits.c: act=wait or act=stop where the next step may not start. Else *cap is what it may cost
 * at most (NAN: no limit), reserved already where that is shared (pool.h).
 */
int wisp_turn_limits(struct wisp_record *r, const struct wisp_begin *o, double *cap, struct cJSON *answer,
		     struct wisp_err *err) WISP_CHECK;
/* act=stop: paused, to exit with `code`. */
void wisp_turn_stop(struct wisp_record *r, struct cJSON *answer, int code, const char *reason, const char *text);
/* turn_reserve.c: the next step is reserved and told of; its commit is synced. */
int wisp_turn_reserve(struct wisp_record *r, const struct wisp_begin *o, double cap, struct cJSON *answer) WISP_CHECK;
/* act=step and what belongs to it, for the step that is open. */
void wisp_turn_tell_step(const struct wisp_record *r, struct cJSON *answer);
/* The step's list as it was when it began goes back into its place. */
int wisp_turn_tasks_back(struct wisp_record *r, struct wisp_err *err) WISP_CHECK;
/* The work tree as it was seen last: a start compares with it. */
void wisp_turn_after(struct wisp_record *r, const char *head, const char *tree);
void wisp_turn_answer_point(const struct wisp_record *r, struct cJSON *answer);	/* checkpoint= */
void wisp_turn_answer_pending(const struct wisp_record *r, struct cJSON *answer);	/* pending=, of the step whose work is to be put away */
/* The checkpoint to go back to: that of the end of iteration n. `commit` may be NULL. */
void wisp_turn_point(struct wisp_record *r, double n, const char *head, const char *tree, const char *commit);
/* The same for one that was just made: its task list is kept as long as it is. */
void wisp_turn_checkpoint(struct wisp_record *r, double n, const char *head, const char *tree, const char *commit);
/* Cost (unknown: maxStepCostUsd, else the dearest so far), time and tokens of the step, once. `step_json` may be NULL: lost. */
void wisp_turn_charge(struct wisp_record *r, const struct cJSON *step_json);
/* turn_wait.c: the loop waits for a limit, `usage`, `hourly` or `money`; asked again it is the same wait. */
void wisp_turn_wait(struct wisp_record *r, const char *kind, wisp_ms until);
/* It does not wait any more. `waited` false: nobody did, its loop was gone. */
void wisp_turn_wait_over(struct wisp_record *r, bool waited);
/* A history entry for the step with what is known of it, and the same put into the window: that of the record, or a copy of it. */
struct cJSON *wisp_turn_entry(const struct wisp_record *r, const char *outcome);
void wisp_turn_history(const struct wisp_record *r, struct cJSON *history, struct cJSON *entry);
/* The facts of the step as it stands, before it is observed. */
void wisp_turn_facts(struct wisp_record *r, struct wisp_facts *f);
/* Is the folder of a step free, or was it made by a begin that was killed, or refused, before its commit? */
bool wisp_turn_step_unused(const char *path);
/* Step folders, NNNN or NNNN.N, the oldest first; other names are not listed. Free with wisp_dir_list_free. -1 with errno. */
int wisp_turn_steps(const char *dir, char ***names, size_t *count) WISP_CHECK;
/* The first 50 names in a file of NUL-separated names (NULL: none), as a new array in any case. -1 with errno. */
int wisp_turn_names(const char *file, struct cJSON **names) WISP_CHECK;
int wisp_turn_failures(const struct cJSON *history, long long since);	/* failed steps in a row at the end */
/* struct wisp_facts, `token`, by step.json and the history before it. */
bool wisp_turn_token(const struct cJSON *result, const struct cJSON *history, long long since);

/* turn_enter.c: the error text of a missing state.json; with the reason where the output names a read-only file system. */
char *wisp_turn_no_state(const struct wisp_record *r);

#endif
