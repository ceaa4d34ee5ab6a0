/*
 * tree: see tree.h.
 */
#include "tree.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__) && !defined(WISP_PORTABLE)
#include <sys/prctl.h>
#endif

#include "proc.h"

#define LOOKS 3
#define STOP_ROUNDS 64		/* of stopping, until no new process appears */
#define KILL_ROUNDS 400		/* of waiting for what was killed to be gone: about a second */
#define ROUND_NS 2500000L

struct members {
	struct wisp_proc *list;
	size_t count;
	bool blind;		/* processes cannot be listed here */
};

void
wisp_ptree_adopt(void)
{
#if defined(__linux__) && !defined(WISP_PORTABLE)
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
#endif
}

static bool
has(const struct members *m, pid_t pid)
{
	size_t i;

	for (i = 0; i < m->count; i++)
		if (m->list[i].pid == pid)
			return true;
	return false;
}

/* Does it belong to the step by itself, whoever its parent is? */
static bool
is_root(const struct wisp_ptree *t, const struct wisp_proc *p)
{
	return p->parent == t->self || (t->init != 0 && p->parent == t->init) ||
	       (t->session != 0 && p->session == t->session) || wisp_proc_marked(p, t->mark);
}

/* Moves what belongs to the step to the front of the list and drops the rest. */
static void
select_members(const struct wisp_ptree *t, struct members *m)
{
	size_t i, before, total = m->count;
	bool roots = true;
	struct wisp_proc p;

	m->count = 0;
	do {
		before = m->count;
		for (i = m->count; i < total; i++) {
			p = m->list[i];
			if (p.pid == t->self || p.pid == t->init)
				continue;
			if (!has(m, p.parent) && !(roots && is_root(t, &p)))
				continue;
			m->list[i] = m->list[m->count];
			m->list[m->count++] = p;
		}
		roots = false;
	} while (m->count > before);
}

/* Does every process of the step hang on this one? Then none can be overlooked. */
static bool
adopts(const struct wisp_ptree *t)
{
#if defined(__linux__) && !defined(WISP_PORTABLE)
	return t->self == getpid();
#else
	(void)t;
	return false;
#endif
}

/*
 * The step's processes as they are now; an empty list if they cannot be found.
 * One that is about to become another program shows no environment, so where
 * all depends on the mark "none" must be seen several times.
 */
static struct members
find(const struct wisp_ptree *t)
{
	struct members m = {NULL, 0, false};
	int looks = adopts(t) ? 1 : LOOKS;

	while (m.count == 0 && looks-- > 0 && !m.blind) {
		free(m.list);
		m.blind = wisp_proc_list(t->mark, &m.list, &m.count) < 0;
		select_members(t, &m);
	}
	return m;
}

/* Where nobody can be found, at least the agent's own group. */
static void
signal_group(const struct wisp_ptree *t, const struct members *m, int sig)
{
	if (m->blind && t->session != 0)
		(void)kill(-t->session, sig);
}

void
wisp_ptree_signal(const struct wisp_ptree *t, int sig)
{
	struct members m = find(t);
	size_t i;

	signal_group(t, &m, sig);
	for (i = 0; i < m.count; i++)
		if (m.list[i].pid != t->wrapper)
			(void)wisp_proc_signal(&m.list[i], sig);
	free(m.list);
}

bool
wisp_ptree_alive(const struct wisp_ptree *t)
{
	struct members m;
	siginfo_t info;
	bool alive;

	if (adopts(t))
		return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
	m = find(t);
	alive = m.count > 0 || (m.blind && t->session != 0 && kill(-t->session, 0) == 0);
	free(m.list);
	return alive;
}

/* Stops everything until a look around finds nobody new; all of them. */
static struct members
stop_all(const struct wisp_ptree *t)
{
	struct members stopped = {NULL, 0, false}, now;
	size_t i, fresh;
	int round;

	for (round = 0; round < STOP_ROUNDS; round++) {
		now = find(t);
		fresh = 0;
		for (i = 0; i < now.count; i++) {
			if (has(&stopped, now.list[i].pid))
				continue;
			(void)wisp_proc_signal(&now.list[i], SIGSTOP);
			fresh++;
		}
		free(stopped.list);
		stopped = now;
		if (fresh == 0)
			break;
	}
	return stopped;
}

/* Kills what is on the list; how many refused. */
static size_t
kill_all(const struct members *m)
{
	size_t i, refused = 0;

	for (i = 0; i < m->count; i++)
		if (wisp_proc_signal(&m->list[i], SIGKILL) < 0)
			refused++;
	return refused;
}

static size_t
count_others(const struct wisp_ptree *t, const struct members *m)
{
	return m->count - (t->session != 0 && has(m, t->session) ? 1 : 0);
}

size_t
wisp_ptree_kill(const struct wisp_ptree *t, size_t *left)
{
	const struct timespec wait = {0, ROUND_NS};
	struct members m;
	size_t killed, refused;
	int round;

	if (left != NULL)
		*left = 0;
	if (!wisp_ptree_alive(t))
		return 0;
	m = stop_all(t);
	signal_group(t, &m, SIGKILL);
	killed = count_others(t, &m);
	if (t->init != 0)
		(void)kill(t->init, SIGKILL);
	for (round = 0; m.count > 0 && round < KILL_ROUNDS; round++) {
		refused = kill_all(&m);
		if (refused == m.count)
			break;
		if (round > 0)
			(void)nanosleep(&wait, NULL);
		free(m.list);
		m = find(t);
	}
	if (left != NULL)
		*left = m.count;
	free(m.list);
	return killed;
}
