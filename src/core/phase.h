/*
 * phase: the phase machine of a template over loop-state.json (seed 000_, its
 * fields and rules; seed 003_, its flow). `machine` is what wisp_template_machine
 * gives, `loop` the loop state.
 *
 * The loop state's fields are those of 000_ (session_id prp_file started_at
 * current_phase current_iteration green_model last_activity status halt_reason
 * pause_reason paused_at phases_completed phase_history error_history
 * total_agent_calls) and, beside them:
 *   qa_attempts             REJECTs since the last APPROVE or a person's answer (000_)
 *   consecutive_green_runs  iterations in a row, in this phase, whose tests all passed
 *   last                    the metrics of the iteration before in this phase; {} on entry
 *   allowed                 iterations that this phase may use: its max_iterations, and as many again for a resume
 *
 * A phase's current_iteration is 0 on entry, and the iteration that is judged is
 * counted before its gates are asked. The next phase is the first one in order
 * that is not in phases_completed.
 */
#ifndef WISP_PHASE_H
#define WISP_PHASE_H

#include "schema.h"
#include "state.h"

#define WISP_PHASE_COUNT_MAX 100	/* of current_iteration (000_, validation) */
#define WISP_PHASE_ERRORS 50		/* in error_history (000_) */
#define WISP_PHASE_ERROR_MAX 500	/* characters of one; the hash is of all */

/* A loop state at the beginning of the first phase. `prp` NULL is written as `none`. The caller frees it. */
struct cJSON *wisp_phase_new(const struct cJSON *machine, const char *session_id, const char *prp);
/* 0, or -1 with `err`: schema, UUID v4, ranges, times with a zone; the names of phases are those of `machine` (NULL: any). */
int wisp_phase_check(const struct wisp_source *src, const struct cJSON *loop, const struct cJSON *machine,
		     struct wisp_err *err) WISP_CHECK;

/* The current phase's object of the machine; NULL where the machine does not know it (renamed in mid-session). Borrowed. */
const struct cJSON *wisp_phase_now(const struct cJSON *machine, const struct cJSON *loop);
bool wisp_phase_done(const struct cJSON *loop, const char *name);
/* Percent of the whole: 000_'s formula, by weights. */
int wisp_phase_percent(const struct cJSON *machine, const struct cJSON *loop);

/* What an agent claims of a phase: by its state file, else by the block (block.h) in its final message. */
struct wisp_phase_claim {
	const struct cJSON *metrics;	/* borrowed; NULL for none, or where those of a block do not fit (metrics.h) */
	bool exit;			/* DONE or exit_signal: gate 2 */
	struct cJSON *block;		/* where the state file has no metrics, and there is one; owned */
};
/* `st` as it was loaded, valid or not; `step_json` may be NULL. Release it in any case. */
void wisp_phase_claim(struct wisp_phase_claim *c, const struct wisp_state *st, const struct cJSON *step_json);
void wisp_phase_claim_release(struct wisp_phase_claim *c);
/*
 * The metrics in force once the iteration `step` (of the record) is counted in `loop`, which `count` has done here; *green as
 * wisp_phase_count has it. The caller frees them.
 */
struct cJSON *wisp_phase_gather(const struct wisp_phase_claim *c, struct cJSON *loop, const struct cJSON *step, bool count,
				bool *green);

/*
 * The metrics in force, a new object: what the agent claimed (`claimed`, may be
 * NULL), over it what the controller observed (`observed`, may be NULL), and what it
 * counts: `iteration`, `consecutive_green_runs` (where `loop` has them). The
 * caller frees it.
 */
struct cJSON *wisp_phase_metrics(const struct cJSON *loop, const struct cJSON *claimed, const struct cJSON *observed);
/* Are all tests green in these metrics? tests_failing 0, tests_total > 0, and as many passing. */
bool wisp_phase_green(const struct cJSON *metrics);

struct wisp_phase_answer {
	bool gate_1, gate_2;	/* the phase's filter; DONE or exit_signal */
	bool progress;		/* the phase's filter; without one: false */
	bool reject;		/* the template's filter, in the phase it is for */
	bool last;		/* no phase is left after this one */
	int attempts, attempts_max;	/* of reject, this one included; max 0 where there is none */
};
/*
 * Asks gate 1, progress and reject in one start of libjq, over the document of
 * wisp-gate(1) with `metrics` and `last` in it. `exit`: gate 2. -1 with `err`: a filter
 * that fails, or whose answer is not one boolean; it names the phase and the member.
 */
int wisp_phase_ask(struct wisp_phase_answer *a, const struct cJSON *machine, const struct cJSON *loop,
		   const struct cJSON *document, bool exit, struct wisp_err *err) WISP_CHECK;

/*
 * One iteration of the current phase has ended: current_iteration, total_agent_calls, last_activity and, with
 * `green` (its tests all passed, and no verify failed) or without, consecutive_green_runs. Before the gates are asked.
 */
void wisp_phase_count(struct cJSON *loop, bool green);
/* ... and its metrics become `last`. After the gates; not when the phase changes. */
void wisp_phase_keep(struct cJSON *loop, const struct cJSON *metrics);
/* The current phase is complete for `reason` ("Dual-Gate satisfied"): the next one is entered; false where none is left. */
bool wisp_phase_pass(const struct cJSON *machine, struct cJSON *loop, const char *reason);
/* The reject rule holds: its phase and the one it goes to are taken out of phases_completed, the latter is entered. */
void wisp_phase_reject(const struct cJSON *machine, struct cJSON *loop, const char *reason);
/* May another iteration of the phase begin? max_iterations, plus what resumes granted. */
bool wisp_phase_allowed(const struct cJSON *machine, const struct cJSON *loop);
/* A person's resume: max_iterations again from where the phase stands, but never more than WISP_PHASE_COUNT_MAX in all. */
void wisp_phase_grant(const struct cJSON *machine, struct cJSON *loop);
/* error_history: the newest WISP_PHASE_ERRORS, each cut to WISP_PHASE_ERROR_MAX, with the hash of the whole (000_). */
void wisp_phase_error(struct cJSON *loop, const char *error);
/* The same into a list that stands elsewhere; `phase` may be NULL. */
void wisp_phase_note(struct cJSON *errors, const char *phase, double iteration, const char *error);

#endif
