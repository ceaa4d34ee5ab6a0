/*
 * sha256: blocks of SHA-256 by the instructions that some processors have for it, which take an eighth of the time.
 */
#ifndef WISP_SHA256_H
#define WISP_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__) && defined(__has_include)
#if __has_include(<sys/platform/x86.h>)
#define WISP_SHA256_BLOCKS
#endif
#endif

#ifdef WISP_SHA256_BLOCKS
/* Takes in so many blocks of 64 bytes. false where the processor has no such instructions: nothing is done then. */
bool wisp_sha256_blocks(uint32_t state[8], const void *data, size_t blocks);
#endif

#endif
