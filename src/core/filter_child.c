/*
 * filter_child: see filter_child.h.
 */
#include "filter_child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#if defined(__linux__) && !defined(WISP_PORTABLE)
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include <jq.h>
#include <jv.h>

#define MEMORY ((rlim_t)512 << 20)
#define ANSWER 3		/* the child's descriptor */
#define DESCRIPTORS 1024	/* no program of wisp has one above */
/*
 * 1.7 has a callback for `stderr` that is unset at first, 1.6 no function to
 * set it. Modules can only be named before the first definition: no more.
 */
#define PRELUDE "def stderr: .; "

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

extern char **environ;

static void
close_from(int first)
{
	int fd;

#ifdef SYS_close_range
	if (syscall(SYS_close_range, (unsigned)first, UINT_MAX, 0) == 0)
		return;
#endif
	for (fd = first; fd < DESCRIPTORS; fd++)
		close(fd);
}

static void
limit(int resource, rlim_t most, rlim_t hard)
{
	struct rlimit r = {most, hard};

	if (setrlimit(resource, &r) < 0)
		_exit(WISP_FILTER_FAILED);
}

/* Nothing to read, nothing to write but ANSWER, little memory, little time. */
static void
shut_in(int out, int seconds)
{
	static char *nothing[] = {NULL};
	int null, fd;

#ifdef PR_SET_PDEATHSIG
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (dup2(out, ANSWER) < 0 || (null = open("/dev/null", O_RDWR)) < 0)
		_exit(WISP_FILTER_FAILED);
	for (fd = 0; fd < ANSWER; fd++)
		if (dup2(null, fd) < 0)
			_exit(WISP_FILTER_FAILED);
	close_from(ANSWER + 1);
	environ = nothing;
	limit(RLIMIT_NOFILE, 0, 0);
	limit(RLIMIT_CORE, 0, 0);
	limit(RLIMIT_CPU, (rlim_t)seconds, (rlim_t)seconds + 1);	/* SIGXCPU, which the parent knows */
#if defined(RLIMIT_AS) && !defined(__SANITIZE_ADDRESS__)	/* which reserves terabytes */
	limit(RLIMIT_AS, MEMORY, MEMORY);
#endif
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXCPU, SIG_DFL);
}

static _Noreturn void
answer(enum wisp_filter_answer what, const char *data, size_t len)
{
	ssize_t n;

	for (; len > 0; data += n, len -= (size_t)n)
		if ((n = write(ANSWER, data, len)) < 0 && errno == EINTR)
			n = 0;
		else if (n < 0)
			_exit(WISP_FILTER_FAILED);
	_exit(what);
}

static void
no_memory(void *arg)
{
	(void)arg;
	_exit(WISP_FILTER_NO_MEMORY);
}

/* jq says `jq: error: WHAT\nTHE FILTER:...`, then `jq: 1 compile error`: the first line tells. */
static void
first_message(void *arg, jv msg)
{
	struct wisp_buf *b = arg;
	jv text = jq_format_error(msg);
	const char *s = jv_string_value(text);
	static const char prefix[] = "jq: error: ", hint[] = " (Unix shell quoting issues?)";
	const char *aside;
	size_t n;

	if (b->len == 0) {
		if (strncmp(s, prefix, strlen(prefix)) == 0)
			s += strlen(prefix);
		n = strcspn(s, "\n");
		aside = strstr(s, hint);
		if (aside != NULL && aside < s + n) {
			wisp_buf_add(b, s, (size_t)(aside - s));
			n -= (size_t)(aside - s) + strlen(hint);
			s = aside + strlen(hint);
		}
		wisp_buf_add(b, s, n > 0 && s[n - 1] == ':' ? n - 1 : n);
	}
	jv_free(text);
}

/* The value of a result that is none: why. 0 if the results are just over. */
static int
failure(jq_state *jq, jv result, struct wisp_buf *why)
{
	jv msg;

	if (jq_halted(jq)) {
		wisp_buf_puts(why, "it halts");
		jv_free(result);
		return -1;
	}
	if (!jv_invalid_has_msg(jv_copy(result))) {
		jv_free(result);
		return 0;
	}
	msg = jv_invalid_get_msg(result);
	if (jv_get_kind(msg) != JV_KIND_STRING)
		msg = jv_dump_string(msg, 0);
	wisp_buf_puts(why, strcmp(jv_string_value(msg), "break") == 0 ? "there is no more input" : jv_string_value(msg));
	jv_free(msg);
	return -1;
}

/* A libjq that reaches nothing; its first message goes into `why`. */
static jq_state *
open_jq(struct wisp_buf *why)
{
	jq_state *jq = jq_init();

	if (jq == NULL)
		_exit(WISP_FILTER_NO_MEMORY);
	jq_set_nomem_handler(jq, no_memory, NULL);
	jq_set_error_cb(jq, first_message, why);
	/* jq_init leaves these unset. */
	jq_set_input_cb(jq, NULL, NULL);
	jq_set_debug_cb(jq, NULL, NULL);
	jq_set_attr(jq, jv_string("JQ_LIBRARY_PATH"), jv_array());
	return jq;
}

static bool
compile(jq_state *jq, const char *text, struct wisp_buf *why)
{
	char *program = wisp_str(PRELUDE "%s", text);
	bool good;

	wisp_buf_reset(why);
	good = jq_compile(jq, program) != 0;
	free(program);
	return good;
}

/*
 * In 1.7 a comment goes on after a line feed that an odd number of backslashes precede, in 1.6 it ends there. With
 * one line feed more it has ended in both; where such a line is no comment, it is an error in both. 1.6 knows no
 * CRLF.
 */
static void
add_lines(struct wisp_buf *program, const char *filter)
{
	size_t slashes = 0;

	for (const char *s = filter; *s != '\0'; s++) {
		if (*s == '\r' && s[1] == '\n')
			continue;
		if (*s == '\n' && slashes % 2 == 1)
			wisp_buf_putc(program, '\n');
		wisp_buf_putc(program, *s);
		slashes = *s == '\\' ? slashes + 1 : 0;
	}
	wisp_buf_puts(program, "\n\n");
}

/*
 * The filter in brackets of two kinds, since no filter closes both. In brackets an empty one, or a comment alone,
 * is an error; without, it is one in 1.7 only.
 */
static void
bracket(struct wisp_buf *program, const char *filter)
{
	wisp_buf_puts(program, program->len > 0 ? ",if false then [" : "if false then [");
	add_lines(program, filter);
	wisp_buf_puts(program, "] else (");
	add_lines(program, filter);
	wisp_buf_puts(program, ") end");
}

/* cJSON's document as jq's. Its numbers are doubles, where 1.7 would keep, compare and print how a text spells them. */
static jv
document(const struct cJSON *v)
{
	const struct cJSON *c = wisp_json_first(v);
	jv out;

	switch (wisp_json_type(v)) {
	case WISP_T_BOOL:
		return jv_bool(wisp_json_true(v));
	case WISP_T_NUMBER:
		return jv_number(wisp_json_number(v, 0));
	case WISP_T_STRING:
		return jv_string(wisp_json_text(v, ""));
	case WISP_T_ARRAY:
		for (out = jv_array(); c != NULL; c = wisp_json_next(c))
			out = jv_array_append(out, document(c));
		return out;
	case WISP_T_OBJECT:
		for (out = jv_object(); c != NULL; c = wisp_json_next(c))
			out = jv_object_set(out, jv_string(wisp_json_key(c)), document(c));
		return out;
	case WISP_T_NONE:
	case WISP_T_NULL:
		break;
	}
	return jv_null();
}

/* A result whose numbers are doubles, too: 1.7 prints one of the filter's own text as it is spelled there. */
static jv
plain(jv v)
{
	jv out = v;

	switch (jv_get_kind(v)) {
	case JV_KIND_NUMBER:
		out = jv_number(jv_number_value(v));
		jv_free(v);
		break;
	case JV_KIND_ARRAY:
		out = jv_array();
		for (int i = 0, n = jv_array_length(jv_copy(v)); i < n; i++)
			out = jv_array_append(out, plain(jv_array_get(jv_copy(v), i)));
		jv_free(v);
		break;
	case JV_KIND_OBJECT:
		out = jv_object();
		for (int i = jv_object_iter(v); jv_object_iter_valid(v, i); i = jv_object_iter_next(v, i))
			out = jv_object_set(out, jv_object_iter_key(v, i), plain(jv_object_iter_value(v, i)));
		jv_free(v);
		break;
	default:
		break;
	}
	return out;
}

_Noreturn void
wisp_filter_child_run(int out, const char *filter, const struct cJSON *input, int seconds)
{
	struct wisp_buf program = WISP_BUF_INIT, results = WISP_BUF_INIT, why = WISP_BUF_INIT;
	jq_state *jq;
	jv result;

	shut_in(out, seconds);
	jq = open_jq(&why);
	bracket(&program, filter);
	if (!compile(jq, program.data, &why))
		answer(WISP_FILTER_FAILED, why.data, why.len);
	jq_start(jq, document(input), 0);
	while (jv_is_valid(result = jq_next(jq))) {
		result = jv_dump_string(plain(result), 0);
		wisp_buf_add(&results, jv_string_value(result), (size_t)jv_string_length_bytes(jv_copy(result)));
		wisp_buf_putc(&results, '\n');
		jv_free(result);
		if (results.len > WISP_FILTER_OUTPUT)
			break;
	}
	if (results.len <= WISP_FILTER_OUTPUT && failure(jq, result, &why) < 0)
		answer(WISP_FILTER_FAILED, why.data, why.len);
	answer(WISP_FILTER_RESULTS, results.data, results.len);
}

/* Ends the child where this one does not compile. */
static void
compile_one(jq_state *jq, size_t index, const char *program, struct wisp_buf *why)
{
	char *text;

	if (compile(jq, program, why))
		return;
	text = wisp_str("%zu %s", index, why->len > 0 ? why->data : "it does not compile");
	answer(WISP_FILTER_FAILED, text, strlen(text));
}

/* All at once, for a compilation takes as long as jq's own definitions do; one by one only where that fails. */
_Noreturn void
wisp_filter_child_compile(int out, const char *const *filters, size_t count)
{
	struct wisp_buf program = WISP_BUF_INIT, why = WISP_BUF_INIT;
	jq_state *jq;

	shut_in(out, WISP_FILTER_SECONDS);
	jq = open_jq(&why);
	for (size_t i = 0; i < count; i++)
		bracket(&program, filters[i]);
	if (count == 0 || compile(jq, program.data, &why))
		answer(WISP_FILTER_RESULTS, "", 0);
	for (size_t i = 0; i < count; i++) {
		wisp_buf_reset(&program);
		bracket(&program, filters[i]);
		compile_one(jq, i, program.data, &why);
	}
	_exit(WISP_FILTER_FAILED);
}
