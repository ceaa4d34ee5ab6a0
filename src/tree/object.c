/*
 * object: see object.h.
 */
#include "object.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include <sha1.h>

#define STORED_MAX 65535 /* bytes in a block that is stored as it is */
#define ADLER 65521

static void
sha1(const struct wisp_buf *b, char hex[WISP_HASH_SIZE])
{
	uint8_t sum[SHA1_DIGEST_LENGTH];
	SHA1_CTX ctx;

	SHA1Init(&ctx);
	SHA1Update(&ctx, (const uint8_t *)b->data, b->len);
	SHA1Final(sum, &ctx);
	for (size_t i = 0; i < sizeof sum; i++)
		(void)snprintf(hex + 2 * i, 3, "%02x", sum[i]);
}

static void
put_number(struct wisp_buf *out, uint32_t n, int bytes, bool little)
{
	for (int i = 0; i < bytes; i++)
		wisp_buf_putc(out, (char)(n >> (8 * (little ? i : bytes - 1 - i))));
}

/* RFC 1950 and 1951, with stored blocks alone. */
static void
put_stored(struct wisp_buf *out, const struct wisp_buf *in)
{
	uint32_t a = 1, b = 0;
	size_t at = 0, n;

	wisp_buf_add(out, "\x78\x01", 2);
	do {
		n = in->len - at < STORED_MAX ? in->len - at : STORED_MAX;
		wisp_buf_putc(out, at + n == in->len);
		put_number(out, (uint32_t)n, 2, true);
		put_number(out, ~(uint32_t)n, 2, true);
		wisp_buf_add(out, in->data + at, n);
		at += n;
	} while (at < in->len);
	for (size_t i = 0; i < in->len; i++) {
		a = (a + (unsigned char)in->data[i]) % ADLER;
		b = (b + a) % ADLER;
	}
	put_number(out, b << 16 | a, 4, false);
}

void
wisp_object_commit(const struct wisp_buf *text, bool sha256, char id[WISP_HASH_SIZE], struct wisp_buf *file)
{
	struct wisp_buf whole = WISP_BUF_INIT;

	wisp_buf_printf(&whole, "commit %zu", text->len);
	wisp_buf_putc(&whole, '\0');
	wisp_buf_add(&whole, text->data, text->len);
	if (sha256)
		wisp_hash(whole.data, whole.len, id);
	else
		sha1(&whole, id);
	put_stored(file, &whole);
	wisp_buf_release(&whole);
}
