/*
 * filter: see filter.h.
 */
#include "filter.h"

#include <errno.h>

#ifdef __linux__

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

#define X32 0x40000000
#define IO_URING_SETUP 425
#define CLONE3 435
#ifndef TIOCLINUX
#define TIOCLINUX 0x541C
#endif

#ifdef ARCHITECTURE

static void
put(struct wisp_buf *b, struct sock_filter one)
{
	wisp_buf_add(b, &one, sizeof one);
}

static void
load(struct wisp_buf *b, size_t offset)
{
	put(b, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset));
}

/* The lower half of an argument: all words and flags that are asked for lie there. */
static size_t
argument(int number)
{
	return offsetof(struct seccomp_data, args) + (size_t)number * 8
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		+ 4
#endif
		;
}

static void
refuse(struct wisp_buf *b, int error)
{
	put(b, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error));
}

/* The next `skip` instructions are for that call alone; the number of the call is loaded. */
static void
for_call(struct wisp_buf *b, unsigned number, unsigned char skip)
{
	put(b, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, skip));
}

static void
load_call(struct wisp_buf *b)
{
	load(b, offsetof(struct seccomp_data, nr));
}

/* A call whose argument has one of these bits is refused. */
static void
refuse_bits(struct wisp_buf *b, unsigned call, int number, unsigned bits)
{
	for_call(b, call, 4);
	load(b, argument(number));
	put(b, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
	refuse(b, EPERM);
	load_call(b);
}

/* A call whose argument is one of two words is refused, or every other is. */
static void
refuse_words(struct wisp_buf *b, unsigned call, int number, unsigned one, unsigned other, bool others, int error)
{
	for_call(b, call, 5);
	load(b, argument(number));
	put(b, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, one, others ? 2 : 1, 0));
	put(b, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, other, others ? 1 : 0, others ? 0 : 1));
	refuse(b, error);
	load_call(b);
}

void
wisp_filter_make(struct wisp_buf *b, unsigned what)
{
	load(b, offsetof(struct seccomp_data, arch));
	put(b, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
	refuse(b, ENOSYS);
	load_call(b);
#ifdef __x86_64__
	put(b, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32, 0, 1));
	refuse(b, ENOSYS);
#endif
	/* setup, enter and register */
	put(b, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, IO_URING_SETUP, 0, 2));
	put(b, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, IO_URING_SETUP + 2, 1, 0));
	refuse(b, ENOSYS);
	refuse_words(b, SYS_ioctl, 1, TIOCSTI, TIOCLINUX, false, EPERM);
	if (what & WISP_FILTER_NAMESPACES) {
		for_call(b, CLONE3, 1);	/* its flags lie in memory, where no filter looks */
		refuse(b, ENOSYS);
		refuse_bits(b, SYS_clone, 0, CLONE_NEWUSER);
		refuse_bits(b, SYS_unshare, 0, CLONE_NEWUSER);
	}
	if (what & WISP_FILTER_NETWORK)
		refuse_words(b, SYS_socket, 0, AF_UNIX, AF_NETLINK, true, EACCES);
	put(b, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
}

#else

void
wisp_filter_make(struct wisp_buf *b, unsigned what)
{
	(void)b;
	(void)what;
}

#endif

int
wisp_filter_set(const struct wisp_buf *program)
{
	struct sock_fprog f = {
		.len = (unsigned short)(program->len / sizeof(struct sock_filter)),
		.filter = (struct sock_filter *)(void *)program->data
	};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return program->len > 0 ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &f, 0, 0) : 0;
}

#else

void
wisp_filter_make(struct wisp_buf *b, unsigned what)
{
	(void)b;
	(void)what;
}

int
wisp_filter_set(const struct wisp_buf *program)
{
	(void)program;
	errno = ENOSYS;
	return -1;
}

#endif
