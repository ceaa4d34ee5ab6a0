/*
 * null: the agent that does next to nothing.
 *
 * Appends the monotonic time in nanoseconds to WISP_BENCH_LOG, so that what
 * lies between two calls can be told from it; changes WISP_BENCH_FILE, if that
 * is set; claims CONTINUE in WISP_STATE_FILE, if that is set, by a rename.
 */
#include <stdio.h>
#include <stdlib.h>
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

int
main(void)
{
	const char *log = getenv("WISP_BENCH_LOG"), *file = getenv("WISP_BENCH_FILE"), *state = getenv("WISP_STATE_FILE");
	char line[64], temporary[4096];
	struct timespec now;

	if (log == NULL)
		return 100;
	clock_gettime(CLOCK_MONOTONIC, &now);
	snprintf(line, sizeof line, "%lld%09ld\n", (long long)now.tv_sec, now.tv_nsec);
	put(log, "a", line);
	if (file != NULL && *file != '\0')
		put(file, "w", line);
	if (state != NULL && *state != '\0') {
		snprintf(temporary, sizeof temporary, "%s.null", state);
		put(temporary, "w", "{\"status\": \"CONTINUE\", \"summary\": \"nothing\"}\n");
		if (rename(temporary, state) != 0)
			return 1;
	}
	return 0;
}
