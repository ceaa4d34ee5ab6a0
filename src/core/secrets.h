/*
 * secrets: the values that must not be read by others, and how they are taken out of what is kept: each is replaced
 * by `[secret NAME]`. What encodes one (base64, percent signs) is not seen.
 *
 * The commands say where they are (WISP_SECRETS, lib/secrets.bash), a line each: NAME=VALUE; NAME, a variable of the
 * program's own; @NAME=PATH, a file that a login is in: of JSON what its keys call a token, a key, a password and the
 * like, else its only line. So are a password in an address, the longer lines of a value that has several, and what a
 * value is as part of a JSON string. A value that many texts have by chance is left alone (wisp_secret_plain).
 */
#ifndef WISP_SECRETS_H
#define WISP_SECRETS_H

#include "buf.h"

struct cJSON;

#define WISP_SECRET_MIN 8		/* bytes */
#define WISP_SECRET_MAX ((size_t)64 << 10)

struct wisp_secret {
	char *name, *text;
	size_t len;
};

struct wisp_secrets {
	struct wisp_secret *list;	/* the longest first */
	size_t count;
	size_t shortest, longest;	/* bytes */
	unsigned char *shift;		/* by the last two bytes of a window: how far the next one may be */
};

/* Why a value is not replaced, in words; NULL where it is. */
const char *wisp_secret_plain(const char *value);
/* Adds a value under a name; of one that is there already the first name counts. wisp_secrets_ready comes after the last. */
void wisp_secrets_add(struct wisp_secrets *s, const char *name, const char *value);
void wisp_secrets_ready(struct wisp_secrets *s);
void wisp_secrets_release(struct wisp_secrets *s);
/* Those that WISP_SECRETS tells of, which is read once; none where it is not set. */
const struct wisp_secrets *wisp_secrets(void);
/* Calls `told` with the name and the reason of each variable in it whose value is not replaced. */
void wisp_secrets_plain(void (*told)(void *arg, const char *name, const char *why), void *arg);

/* A stream from which they are taken. At most the longest less one byte is held back, and only what one begins with. */
struct wisp_hide {
	const struct wisp_secrets *secrets;
	void (*put)(void *arg, const char *p, size_t n);
	void (*found)(void *arg, const struct wisp_secret *secret);	/* may be NULL */
	void *arg;
	struct wisp_buf held;
};
void wisp_hide_feed(struct wisp_hide *h, const char *p, size_t n);
/* What is held back goes out. It may be fed again. */
void wisp_hide_end(struct wisp_hide *h);

/* Out of a whole text, and of each string of a document. */
void wisp_secrets_hide(struct wisp_buf *text);
void wisp_secrets_hide_json(struct cJSON *doc);
/* A copy without them; the caller frees it. */
char *wisp_secrets_hidden(const char *text);
/* The same of texts that were cut somewhere: a part of one at either end goes, too, from 6 bytes on. */
void wisp_secrets_hide_cut(struct cJSON *doc);

#endif
