/*
 * record: what the controller knows about one session, in one document, and
 * the commit point of whatever happens (docs/record.md).
 *
 * HOME/record.json is replaced by one atomic rename of a synced file: when a step
 * is begun, when it is recorded, and by what people ask. What lies beside it:
 *   record.last.json     the one before, synced too (a link)
 *   record.now.json      the record as the open step has changed it since, not
 *              synced: `base` is the SHA-256 of the record.json that it belongs
 *              to, and with any other it counts for nothing
 *   record.damaged.json  what stood in the place of record.json and was none
 *   lock       flocked by the loop that owns the session, as long as it lives
 *   making     what a command was making when it was cut off (docs/record.md)
 *   .write     flocked by whoever reads, changes and commits the record
 *   requests/  what people ask of the loop (request.h)
 *   good/      task lists that were good, and specs, named by their SHA-256
 * and in the project's own folder (place.h, `shared`) .good/: the good copy of
 * config, templates and agents, under .good.lock.
 *
 * session.json, history.json, breaker.json, limits.json and loop-state.json in
 * the session's folder are printed from the record ("published"). Since the
 * same record always prints the same bytes, a file that differs from what the
 * record prints was changed by somebody else; no hashes need to be kept.
 *
 * A folder of no session (place.home NULL) keeps its record.json in itself,
 * and the published files are read back at each open: they are the authority
 * there, since people and scripts write them as they like.
 *
 * Members of the document (see docs/record.md for each field):
 *   version project branch session history breaker limits phases config
 *   template intervened step after checkpoint checkpoints pending question
 *   feedback good gitfile watch checkout exit reason next_at
 */
#ifndef WISP_RECORD_H
#define WISP_RECORD_H

#include "hash.h"
#include "json.h"
#include "place.h"
#include "tasks.h"

/* The files that a seal is of. */
enum wisp_record_file { WISP_RECORD_IS, WISP_RECORD_WAS, WISP_RECORD_OPEN, WISP_RECORD_FILES };

struct wisp_record {
	const struct wisp_place *place;
	char *home;		/* folder of record.json */
	struct cJSON *doc;
	int lock;		/* the write lock, or -1 when opened to read */
	/* Of each file as it was read or written here, its SHA-256; "-" there is none, "?" it cannot be read, "" not looked at. */
	char sha[WISP_RECORD_FILES][WISP_HASH_SIZE];
	struct cJSON *moved;	/* names of what stood where the session's folders belong */
	bool rebuilt;		/* there was no record: made from the published files */
	bool back;		/* record.json was missing or damaged, and `doc` is what takes its place */
	bool noted;		/* `doc` has what an open step noted */
	bool later;		/* set by a caller whose next commit follows at once: it publishes what this one would */
	bool behind;		/* then: that is not published yet */
	bool swept;		/* what writers that were killed left is gone */
};

#define WISP_RECORD "record.json"
#define WISP_RECORD_LAST "record.last.json"
#define WISP_RECORD_NOW "record.now.json"
#define WISP_RECORD_DAMAGED "record.damaged.json"

enum wisp_record_mode { WISP_READ, WISP_WRITE };

/* What is published: the member of the record and the file; ends with NULLs. */
extern const char *const wisp_published[][2];

/*
 * Opens the record of a session. WISP_WRITE takes the write lock and keeps it
 * until release. Where the record of a session is missing or damaged the one
 * kept before it takes its place, else it is rebuilt from the published files;
 * where those are missing too, the answer is 1. -1 with `err` for bad data, -1
 * with errno and an empty `err` where the system refused.
 */
int wisp_record_open(struct wisp_record *r, const struct wisp_place *place, enum wisp_record_mode mode,
		     struct wisp_err *err) WISP_CHECK;
/*
 * The same, by who has the seal that the record had (NULL: none, any is right). It is compared with what is read here,
 * once, under the lock, and what is read is what is worked on. 2: something else was there; the names of the files that are not as they were are
 * added to `names`, and they are moved to NAME.changed: the next owner then goes on from the record that was kept before.
 */
int wisp_record_open_sealed(struct wisp_record *r, const struct wisp_place *place, enum wisp_record_mode mode, const char *seal,
			    struct wisp_buf *names, struct wisp_err *err) WISP_CHECK;
/* Makes an empty record for a session that has none yet, under the write lock; folders are made. -1 with errno. */
int wisp_record_create(struct wisp_record *r, const struct wisp_place *place) WISP_CHECK;
/* The commit point, synced, then publishes. -1 with errno: then nothing has happened. */
int wisp_record_commit(struct wisp_record *r) WISP_CHECK;
/*
 * A stage within a step, for the next call of the same iteration: record.now.json,
 * published only with the next commit. A power cut may lose it: then what the step
 * left tells the same again. -1 with errno.
 */
int wisp_record_save(struct wisp_record *r) WISP_CHECK;
/*
 * The record's files in a line, as they were read or written here, for a loop to keep while what may change them runs:
 * what another program has put there since is not sealed.
 */
void wisp_record_seal(struct wisp_record *r, struct wisp_buf *seal);
/* record_back.c: compares what was read, and moves aside what is not as it was: 0, 2, or -1 with errno. */
int wisp_record_sealed(struct wisp_record *r, const char *seal, struct wisp_buf *names) WISP_CHECK;
/* Does a record lie in that folder, or one that was kept? */
bool wisp_record_there(const char *home);
/*
 * record_back.c: the record is missing or damaged (`why`), and the one kept before it
 * takes its place; member `back` says so until a loop starts. 1: none was kept.
 */
int wisp_record_back(struct wisp_record *r, const char *why) WISP_CHECK;
/* Notes {"why", "from", "kept"} as `back`: `from` is when what took its place was last changed. */
void wisp_record_note_back(struct wisp_record *r, const char *why);
/* ... in words for people; NULL where the record is sound. The caller frees it. */
char *wisp_record_back_text(const struct wisp_record *r);
/* Writes the published files that differ from what the record prints. */
int wisp_record_publish(const struct wisp_record *r) WISP_CHECK;
/* Removes what writers that were killed left. Where notes go on, that is for `ran`, before them, and for the commit. */
void wisp_record_sweep(struct wisp_record *r);
void wisp_record_release(struct wisp_record *r);

/* Members that are always objects or arrays, borrowed: made if they are missing. */
struct cJSON *wisp_record_session(struct wisp_record *r);
struct cJSON *wisp_record_config(struct wisp_record *r);
struct cJSON *wisp_record_feedback(struct wisp_record *r);

/*
 * Compares the files that the controller owns with what it published: the
 * published ones, config, templates and agents with the good copies, the work tree's
 * .git file. What differs is copied to `keep` (a folder, made if needed) and
 * put back; its name goes into `names` (a JSON array of strings). Watched
 * files (.git/config, hooks, agents' settings) that changed are named too, but
 * stay. -1 with errno.
 */
int wisp_record_guard(struct wisp_record *r, const char *keep, struct cJSON *names) WISP_CHECK;
/* Notes the watched files as they are now, so that wisp_record_guard sees later changes. */
void wisp_record_watch(struct wisp_record *r);
/* What is otherwise in the person's checkout than at the call before (checkout.h): false if nothing is. */
bool wisp_record_checkout(struct wisp_record *r, struct wisp_buf *out);
/* Notes the work tree's .git file as the one that wisp_record_guard puts back. */
void wisp_record_gitfile(struct wisp_record *r);
/* Renews the project's good copy of config, templates and agents from .wisp/; a person did that. */
int wisp_good_renew(const struct wisp_place *place) WISP_CHECK;

/* Keeps bytes in HOME/good/SHA, synced, and sets their SHA; nothing of the record refers to them yet. */
int wisp_record_keep(const struct wisp_record *r, const void *data, size_t len, char *sha) WISP_CHECK;
/* Keeps `t->bytes` as the good task list: HOME/good/SHA, synced, and its name in the record. */
int wisp_record_keep_tasks(struct wisp_record *r, const struct wisp_tasks *t) WISP_CHECK;
/* The same of a valid list of which the counts are known. */
int wisp_record_keep_list(struct wisp_record *r, const struct wisp_buf *list, size_t passed, size_t total) WISP_CHECK;
/* How many tasks of the good list pass, and how many there are; 0 and 0 without one. It is not read where the record knows. */
void wisp_record_counts(const struct wisp_record *r, size_t *passed, size_t *total);
/* The bytes of the good list of that SHA (NULL: the current one). false: there is none, or it is not what its name says. */
bool wisp_record_good_bytes(const struct wisp_record *r, const char *sha, struct wisp_buf *out) WISP_CHECK;
/* Loads the good list of that SHA (NULL: the current one). 1 if there is none, -1 with `err`. */
int wisp_record_good_tasks(const struct wisp_record *r, const char *sha, struct wisp_tasks *t, struct wisp_err *err) WISP_CHECK;

/* Adds {"kind", "text"} to what the next prompt says; the object is borrowed, for more fields. `text` may be NULL. */
struct cJSON *wisp_record_tell(struct wisp_record *r, const char *kind, const char *text);

/* PATH below the session's folder or below home; the caller frees it. */
char *wisp_record_dir_path(const struct wisp_record *r, const char *name);
char *wisp_record_home_path(const struct wisp_record *r, const char *name);
/* Is the session owned by a live loop? 1, 0, or -1 with errno. */
int wisp_record_owned(const struct wisp_record *r) WISP_CHECK;

#endif
