/*
 * measure: runs a program a few times. Usage: measure TIMES PROGRAM ARGS...
 *
 * Prints the median wall time in microseconds, the largest resident set in
 * kilobytes and the median time of CPU in microseconds. The program's output goes
 * to /dev/null. Fails if it does.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000LL + t.tv_nsec / 1000;
}

static long long
microseconds(struct timeval t)
{
	return t.tv_sec * 1000000LL + t.tv_usec;
}

static int
by_size(const void *a, const void *b)
{
	long long x = *(const long long *)a, y = *(const long long *)b;

	return (x > y) - (x < y);
}

int
main(int argc, char **argv)
{
	int times = argc > 2 ? atoi(argv[1]) : 0, status;
	long long *took, *cpu;
	long most = 0;

	if (times < 1)
		return 100;
	took = calloc((size_t)times, sizeof *took);
	cpu = calloc((size_t)times, sizeof *cpu);
	for (int i = 0; took != NULL && cpu != NULL && i < times; i++) {
		long long start = now();
		struct rusage usage;
		pid_t pid = fork();

		if (pid == 0) {
			int null = open("/dev/null", O_RDWR);

			dup2(null, 1);
			execvp(argv[2], argv + 2);
			_exit(127);
		}
		if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
			return 111;
		if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) {
			fprintf(stderr, "measure: %s failed\n", argv[2]);
			return 1;
		}
		took[i] = now() - start;
		cpu[i] = microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
		if (usage.ru_maxrss > most)
			most = usage.ru_maxrss;
	}
	qsort(took, (size_t)times, sizeof *took, by_size);
	qsort(cpu, (size_t)times, sizeof *cpu, by_size);
	printf("%lld %ld %lld\n", took[times / 2], most, cpu[times / 2]);
	free(took);
	free(cpu);
	return 0;
}
