/*
 * null: the agent that does next to nothing.
 *
 * Appends the monotonic time in nanoseconds to WISP_BENCH_LOG, so that what
 * lies between two calls can be told from it, and an empty line to WISP_BENCH_BELL,
 * a named pipe that somebody reads; changes WISP_BENCH_FILE, each if it is set. Where WISP_BENCH_KIND is `commit` or `leave`, marks the first open
 * task of WISP_TASKS_FILE as passed, and with `commit` commits all there is.
 * Claims CONTINUE in WISP_STATE_FILE, if that is set, by a rename.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void
put(const char *path, const char *mode, const char *text)
{
	FILE *f = fopen(path, mode);

	if (f == NULL || fputs(text, f) == EOF || fclose(f) != 0) {
		perror(path);
		exit(1);
	}
}

/* replace(PATH, TEXT): so that nobody ever sees half of it. */
static void
replace(const char *path, const char *text)
{
	char temporary[4096];

	snprintf(temporary, sizeof temporary, "%s.null", path);
	put(temporary, "w", text);
	if (rename(temporary, path) != 0) {
		perror(path);
		exit(1);
	}
}

static void
pass_first_open(const char *tasks)
{
	static char text[8 << 20];
	FILE *f = tasks == NULL ? NULL : fopen(tasks, "r");
	char *found;

	if (f == NULL)
		return;
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	found = strstr(text, "\"passes\": false");
	if (found == NULL)
		return;
	memcpy(found, "\"passes\":  true", strlen("\"passes\":  true"));
	replace(tasks, text);
}

int
main(void)
{
	const char *log = getenv("WISP_BENCH_LOG"), *file = getenv("WISP_BENCH_FILE"),
		   *state = getenv("WISP_STATE_FILE");
	const char *kind = getenv("WISP_BENCH_KIND"), *bell = getenv("WISP_BENCH_BELL");
	char line[64];
	struct timespec now;

	if (log == NULL)
		return 100;
	clock_gettime(CLOCK_MONOTONIC, &now);
	snprintf(line, sizeof line, "%lld%09ld\n", (long long)now.tv_sec, now.tv_nsec);
	put(log, "a", line);
	if (bell != NULL && *bell != '\0')
		put(bell, "a", "\n");
	if (file != NULL && *file != '\0')
		put(file, "w", line);
	if (kind != NULL && *kind != '\0')
		pass_first_open(getenv("WISP_TASKS_FILE"));
	if (kind != NULL && strcmp(kind, "commit") == 0 && system("git commit -qam work") != 0)
		return 1;
	if (state != NULL && *state != '\0')
		replace(state, "{\"status\": \"CONTINUE\", \"summary\": \"nothing\"}\n");
	return 0;
}
