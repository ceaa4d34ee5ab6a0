/*
 * proxy: see proxy.h.
 */
#include "proxy.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/file.h"
#include "core/hash.h"
#include "driver.h"
#include "step/fd.h"

#define PORTS "80 443"		/* of a host that is listed without one */
#define NOBODY 65534		/* the user as which the proxy of root runs */
#define START_LIMIT 2000	/* times 5 ms */
#define LOG_MAX ((size_t)1 << 20)	/* bytes that are read of what was refused */

/* In this order, `hosts` before and `port` after them: the name of the rule, what it is about, what it says. */
static const struct rule {
	const char *name, *addresses, *says;
} rules[] = {
	{"hosts", NULL, "it is not in sandbox.network"},
	{"loopback", "127.0.0.0/8 0.0.0.0/8 ::1 ::", "its address is this machine"},
	{"link-local", "169.254.0.0/16 fe80::/10", "its address is link-local"},
	{"private", "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 198.18.0.0/15 fc00::/7 64:ff9b::/96",
	 "its address is private: sandbox.network can name the address itself"},
	{"reserved", "192.0.0.0/24 224.0.0.0/4 240.0.0.0/4 ff00::/8", "its address is reserved"},
	{"port", NULL, "sandbox.network has it with another port"},
};

#define RULES (sizeof rules / sizeof *rules)

static const char settings[] =
	"visible_hostname wisp\npid_filename none\ncache deny all\ncache_mem 0\nmemory_pools off\ncache_store_log none\n"
	"cache_log squid.log\nnetdb_filename none\npinger_enable off\nicp_port 0\nvia off\nforwarded_for delete\n"
	"shutdown_lifetime 0 seconds\nbuffered_logs off\nread_timeout 1 day\nerror_directory .\n"
	"acl refused note rule\nlogformat refusal %ts %{rule}note %>rd %>rP\naccess_log stdio:refused.log logformat=refusal refused\n";

/* A host as an expression, and its ports; `literal`: it is an address. */
static bool
add_host(struct wisp_buf *out, const char *host, size_t len, size_t number)
{
	size_t skip = strncmp(host, "*.", 2) == 0 ? 2 : 0, i;
	size_t end = host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":\n");

	wisp_buf_printf(out, "acl host%zu dstdom_regex -n -i ^%s", number, skip > 0 ? ".+[.]" : "");
	for (i = skip; i < end; i++)
		wisp_buf_printf(out, host[i] == '.' ? "[.]" : host[i] == '[' || host[i] == ']' ? "\\%c" : "%c", host[i]);
	wisp_buf_printf(out, "$\nacl port%zu port ", number);
	if (end < len)
		wisp_buf_add(out, host + end + 1, len - end - 1);
	wisp_buf_printf(out, "%s\n", end < len ? "" : PORTS);
	return host[0] == '[' || strspn(host, "0123456789.") == end;
}

void
wisp_proxy_config(struct wisp_buf *out, const char *hosts, unsigned port)
{
	struct wisp_buf listed = WISP_BUF_INIT, literal = WISP_BUF_INIT, names = WISP_BUF_INIT;
	size_t i, len, n = 0;

	wisp_buf_printf(out, "http_port 127.0.0.1:%u\n%s", port, settings);
	for (; *hosts != '\0'; hosts += len + (hosts[len] == '\n'), n++) {
		len = strcspn(hosts, "\n");
		wisp_buf_printf(&listed, " host%zu", n);
		wisp_buf_printf(add_host(out, hosts, len, n) ? &literal : &names, "http_access allow host%zu port%zu\n", n, n);
	}
	for (i = 0; i < RULES; i++) {
		if (rules[i].addresses != NULL)
			wisp_buf_printf(out, "acl to-%s dst %s\n", rules[i].name, rules[i].addresses);
		wisp_buf_printf(out, "acl by-%s annotate_transaction rule=%s\ndeny_info refused-%s by-%s\n",
				rules[i].name, rules[i].name, rules[i].name, rules[i].name);
	}
	wisp_buf_printf(out, "acl listed any-of%s\nhttp_access deny manager by-hosts\n%shttp_access deny !listed by-hosts\n",
			listed.data, literal.data != NULL ? literal.data : "");
	for (i = 0; i < RULES; i++)
		if (rules[i].addresses != NULL)
			wisp_buf_printf(out, "http_access deny to-%s by-%s\n", rules[i].name, rules[i].name);
	wisp_buf_printf(out, "%shttp_access deny all by-port\n", names.data != NULL ? names.data : "");
	wisp_buf_release(&listed);
	wisp_buf_release(&literal);
	wisp_buf_release(&names);
}

/* --- what was refused ---------------------------------------------------------- */

static const char *
says(const char *rule, size_t len)
{
	size_t i;

	for (i = 0; i < RULES; i++)
		if (strlen(rules[i].name) == len && strncmp(rules[i].name, rule, len) == 0)
			return rules[i].says;
	return NULL;
}

/* `SECONDS RULE HOST PORT`; what has another form is none of squid's. */
static void
add_refusal(struct wisp_buf *out, const char *line, size_t len)
{
	const char *part[4], *end = line + len, *why;
	struct wisp_buf text = WISP_BUF_INIT;
	size_t size[4], i;

	for (i = 0; i < 4; i++, line += line < end) {
		part[i] = line;
		size[i] = strcspn(line, " \n");
		line += size[i];
	}
	why = size[2] > 0 && size[3] > 0 ? says(part[1], size[1]) : NULL;
	if (why == NULL)
		return;
	wisp_buf_printf(&text, "\n%.*s:%.*s: %s\n", (int)size[2], part[2], (int)size[3], part[3], why);
	if (strncmp(out->data != NULL ? out->data : "", text.data + 1, text.len - 1) != 0 &&
	    (out->data == NULL || strstr(out->data, text.data) == NULL))
		wisp_buf_puts(out, text.data + 1);
	wisp_buf_release(&text);
}

int
wisp_proxy_refused(const char *folder, struct wisp_buf *out)
{
	char *path = wisp_str("%s/squid/refused.log", folder), *mark = wisp_str("%s/told", folder);
	char *said = wisp_file_line(mark, ""), *new, *data = wisp_alloc(LOG_MAX + 1, 1), *line, *end;
	int fd = wisp_file_open(path), rc = fd < 0 && errno != ENOENT ? -1 : 0;
	off_t at = said != NULL ? (off_t)strtoll(said, NULL, 10) : 0;
	ssize_t n = fd >= 0 ? pread(fd, data, LOG_MAX, at) : 0;

	for (line = data; n > 0 && (end = strchr(line, '\n')) != NULL; line = end + 1)
		add_refusal(out, line, (size_t)(end - line));
	new = wisp_str("%lld\n", (long long)at + (line - data));
	if (n < 0 || (line > data && wisp_file_write(mark, new, strlen(new), WISP_NOSYNC) < 0))
		rc = -1;
	if (fd >= 0)
		(void)close(fd);
	free(path);
	free(mark);
	free(said);
	free(new);
	free(data);
	return rc;
}

#ifdef __linux__

#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>

/* --- in the step --------------------------------------------------------------- */

static int
listen_at(int fd, const struct sockaddr *address, socklen_t size)
{
	return fd >= 0 && bind(fd, address, size) == 0 && listen(fd, SOMAXCONN) == 0 ? fd : -1;
}

/* A socat for each connection; the socket listens before anything is started that asks for it, which socat's own would not. */
static _Noreturn void
serve(const char *socat, int listener, char *to)
{
	char *argv[] = {(char[]){"socat"}, (char[]){"-t60"}, (char[]){"FD:3,shut-down"}, to, NULL};
	int fd;

	listener = wisp_fd_only(listener);
	(void)signal(SIGCHLD, SIG_IGN);
	while ((fd = accept(listener, NULL, NULL)) >= 0 || errno == EINTR || errno == ECONNABORTED) {
		if (fd >= 0 && fork() == 0) {
			(void)signal(SIGCHLD, SIG_DFL);
			if (wisp_fd_only(fd) == 3)
				execv(socat, argv);
			_exit(127);
		}
		if (fd >= 0)
			(void)close(fd);
	}
	_exit(1);
}

/* No child of the program that comes after this: the program may wait for all that it has. */
int
wisp_proxy_behind(const char *socat)
{
	static char to[] = "UNIX-CONNECT:" WISP_SANDBOX_PROXY;
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(WISP_SANDBOX_PROXY_PORT))};
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), status;
	pid_t pid;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (listen_at(listener, (struct sockaddr *)&address, sizeof address) < 0 || (pid = fork()) < 0)
		return -1;
	if (pid == 0) {
		if (fork() == 0)
			serve(socat, listener, to);
		_exit(0);
	}
	(void)close(listener);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return 0;
}

/* --- the proxy itself ---------------------------------------------------------- */

struct proxy {
	const char *folder, *hosts;
	char *squid, *socat, *name;	/* name: of what it leaves in /dev/shm */
	unsigned port;
	int listener;
	pid_t pid[2], owner;	/* squid, socat */
};

static void
pause_ms(int ms)
{
	(void)poll(NULL, 0, ms);
}

static void
sweep_shm(const struct proxy *p)
{
	char **names, *path;
	size_t count, i;

	if (wisp_dir_list("/dev/shm", &names, &count) < 0)
		return;
	for (i = 0; i < count; i++)
		if (strncmp(names[i], p->name, strlen(p->name)) == 0) {
			path = wisp_str("/dev/shm/%s", names[i]);
			(void)unlink(path);
			free(path);
		}
	wisp_dir_list_free(names, count);
}

/* A port of loopback that is free at this moment; 0 for none. */
static unsigned
free_port(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET};
	socklen_t size = sizeof a;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), rc;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	rc = fd >= 0 && bind(fd, (struct sockaddr *)&a, sizeof a) == 0 ? getsockname(fd, (struct sockaddr *)&a, &size) : -1;
	if (fd >= 0)
		(void)close(fd);
	return rc == 0 ? ntohs(a.sin_port) : 0;
}

static bool
answers(unsigned port)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), rc;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	rc = fd >= 0 ? connect(fd, (struct sockaddr *)&a, sizeof a) : -1;
	if (fd >= 0)
		(void)close(fd);
	return rc == 0;
}

/* squid's files: what it is told, and a page for each rule. Where root starts it they belong to the user `nobody`. */
static int
write_files(const struct proxy *p)
{
	char *folder = wisp_str("%s/squid", p->folder), *path;
	struct wisp_buf text = WISP_BUF_INIT;
	int rc = wisp_dir_make(folder);
	size_t i;

	for (i = 0; i <= RULES && rc == 0; i++) {
		path = i < RULES ? wisp_str("%s/refused-%s", folder, rules[i].name) : wisp_str("%s/squid.conf", folder);
		wisp_buf_reset(&text);
		if (i < RULES)
			wisp_buf_printf(&text, "wisp: the sandbox refuses %%H: %s\n", rules[i].says);
		else
			wisp_proxy_config(&text, p->hosts, p->port);
		rc = wisp_file_write(path, text.data, text.len, WISP_NOSYNC);
		if (rc == 0 && geteuid() == 0)
			rc = chown(path, NOBODY, NOBODY);
		free(path);
	}
	if (rc == 0 && geteuid() == 0)
		rc = chown(folder, NOBODY, NOBODY);
	wisp_buf_release(&text);
	free(folder);
	return rc;
}

/* In a child: in squid's folder, as the user `nobody` where this is root, and ended with us. */
static void
enter_child(const struct proxy *p, pid_t parent)
{
	char *folder = wisp_str("%s/squid", p->folder);
	sigset_t none;

	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)setpgid(0, 0);
	if (chdir(folder) < 0 || (geteuid() == 0 && (setgroups(0, NULL) < 0 || setgid(NOBODY) < 0 || setuid(NOBODY) < 0)) ||
	    prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
		_exit(127);
	free(folder);
}

static void
start_children(struct proxy *p)
{
	char *squid[] = {p->squid, (char[]){"-N"}, (char[]){"-f"}, (char[]){"squid.conf"}, (char[]){"-n"}, p->name, NULL};
	char *to = wisp_str("TCP:127.0.0.1:%u", p->port);
	pid_t self = getpid();

	p->pid[0] = fork();
	if (p->pid[0] == 0) {
		enter_child(p, self);
		wisp_fd_cloexec_from(3);
		execv(p->squid, squid);
		_exit(127);
	}
	p->pid[1] = fork();
	if (p->pid[1] == 0) {
		enter_child(p, self);
		serve(p->socat, p->listener, to);
	}
	free(to);
}

static bool
has_ended(pid_t *pid)
{
	if (*pid > 0 && waitpid(*pid, NULL, WNOHANG) == *pid)
		*pid = 0;
	return *pid <= 0;
}

/* squid leaves some of what it has in /dev/shm even where it is asked to end, and keeps nothing: it is not asked. */
static void
end_children(struct proxy *p)
{
	int i;

	for (i = 0; i < 2; i++)
		if (p->pid[i] > 0)
			(void)kill(-p->pid[i], SIGKILL);
	while (wait(NULL) > 0 || errno == EINTR)
		;
	sweep_shm(p);
}

/* The last thing that squid said, else that it does not start. */
static char *
squid_fault(const struct proxy *p)
{
	char *path = wisp_str("%s/squid/squid.log", p->folder), *fatal, *why;
	struct wisp_buf log = WISP_BUF_INIT, line = WISP_BUF_INIT;

	fatal = wisp_file_read(path, LOG_MAX, &log) == 0 && log.len > 0 ? strstr(log.data, "FATAL: ") : NULL;
	if (fatal != NULL)
		fatal[strcspn(fatal, "\n")] = '\0';
	wisp_buf_line(&line, fatal != NULL ? fatal : "it does not start", 300);
	why = wisp_str("squid: %s", line.data);
	wisp_buf_release(&log);
	wisp_buf_release(&line);
	free(path);
	return why;
}

/* Until squid answers; a port that someone else took meanwhile is not the last one. NULL, or why not. */
static char *
start(struct proxy *p)
{
	int tries, i;
	char *why = NULL;

	for (tries = 0; tries < 3; tries++) {
		free(why);
		p->port = free_port();
		if (p->port == 0 || write_files(p) < 0)
			return wisp_str("'%s': %s", p->folder, strerror(errno));
		start_children(p);
		for (i = 0; i < START_LIMIT && !has_ended(&p->pid[0]) && !has_ended(&p->pid[1]); i++) {
			if (answers(p->port))
				return NULL;
			pause_ms(5);
		}
		why = squid_fault(p);
		end_children(p);
	}
	return why;
}

/* By a relative name: the path of a socket is at most 107 bytes long, and this one's folder may be longer. */
static int
make_socket(const char *folder)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
	int fd = chdir(folder) == 0 ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;

	(void)umask(077);
	(void)unlink("socket");
	return listen_at(fd, (struct sockaddr *)&address, sizeof address);
}

/* Until the owner ends, it is asked to end, or a part of it does. */
static void
supervise(const sigset_t *heard, pid_t owner)
{
	struct pollfd fds[2] = {{.events = POLLIN}, {.events = POLLIN}};

	fds[0].fd = (int)syscall(SYS_pidfd_open, owner, 0U);
	fds[1].fd = signalfd(-1, heard, SFD_CLOEXEC);
	while (fds[0].fd >= 0 && fds[1].fd >= 0 && poll(fds, 2, -1) < 0 && errno == EINTR)
		;
}

static int
write_line(const char *folder, const char *name, const char *text)
{
	char *path = wisp_str("%s/%s", folder, name);
	int rc = wisp_file_write(path, text, strlen(text), WISP_NOSYNC);

	free(path);
	return rc;
}

/* The process of the proxy; says on `answer` nothing where it has started, else why not. */
static _Noreturn void
be_proxy(struct proxy *p, int answer)
{
	char *lock = wisp_str("%s/lock", p->folder), *pid = wisp_str("%ld\n", (long)getpid()), *why = NULL;
	sigset_t heard;

	(void)setsid();
	answer = wisp_fd_only(answer);
	(void)sigemptyset(&heard);
	(void)sigaddset(&heard, SIGCHLD);
	(void)sigaddset(&heard, SIGTERM);
	(void)sigaddset(&heard, SIGINT);
	(void)sigaddset(&heard, SIGHUP);
	(void)sigprocmask(SIG_BLOCK, &heard, NULL);
	if (wisp_lock(lock) < 0 || (p->listener = make_socket(p->folder)) < 0 || write_line(p->folder, "pid", pid) < 0 ||
	    write_line(p->folder, "hosts", p->hosts) < 0)
		why = wisp_str("'%s': %s", p->folder, strerror(errno));
	if (why == NULL)
		why = start(p);
	if (why != NULL)
		dprintf(answer, "%s", why);
	(void)close(answer);
	if (why == NULL) {
		supervise(&heard, p->owner);
		end_children(p);
	}
	(void)unlink("socket");
	_exit(why != NULL);
}

/* Is there one for just these hosts? One for others is ended, with all that it has. */
static bool
is_there(const char *folder, const char *hosts)
{
	char *lock = wisp_str("%s/lock", folder), *file = wisp_str("%s/hosts", folder), *pid = wisp_str("%s/pid", folder), *line;
	int fd;
	bool held = wisp_lock_held(lock) == 1, same = held && *hosts != '\0' && wisp_file_holds(file, hosts, strlen(hosts));

	line = held && !same ? wisp_file_line(pid, "") : NULL;
	if (line != NULL && atol(line) > 1 && kill((pid_t)atol(line), SIGTERM) == 0 && (fd = wisp_lock(lock)) >= 0)
		(void)close(fd);
	free(lock);
	free(file);
	free(pid);
	free(line);
	return same;
}

char *
wisp_proxy_start(const char *folder, const char *hosts, pid_t owner)
{
	struct proxy p = {.hosts = hosts, .owner = owner};
	char hash[WISP_HASH_SIZE], text[512];
	struct wisp_buf why = WISP_BUF_INIT;
	int fd[2];
	ssize_t n;
	pid_t pid;

	if (*hosts != '\0' && wisp_dir_make(folder) < 0)
		return wisp_str("'%s': %s", folder, strerror(errno));
	if ((p.folder = realpath(folder, NULL)) == NULL || is_there(folder, hosts))
		return NULL;
	wisp_hash(p.folder, strlen(p.folder), hash);
	p.name = wisp_str("wisp%.16s", hash);
	sweep_shm(&p);	/* of one that was killed */
	if (*hosts == '\0')
		return NULL;
	if ((p.squid = wisp_sandbox_tool("squid")) == NULL || (p.socat = wisp_sandbox_tool("socat")) == NULL)
		return wisp_str("%s is not found: a list of hosts needs squid and socat", p.squid == NULL ? "squid" : "socat");
	if (wisp_fd_pipe(fd) < 0)
		return wisp_str("%s", strerror(errno));
	pid = fork();
	if (pid == 0)
		be_proxy(&p, fd[1]);
	(void)close(fd[1]);
	while (pid > 0 && (n = read(fd[0], text, sizeof text)) > 0)
		wisp_buf_add(&why, text, (size_t)n);
	(void)close(fd[0]);
	free(p.squid);
	free(p.socat);
	free(p.name);
	return pid < 0 ? wisp_str("%s", strerror(errno)) : why.len > 0 ? wisp_buf_detach(&why) : NULL;
}

#else

int
wisp_proxy_behind(const char *socat)
{
	(void)socat;
	errno = ENOSYS;
	return -1;
}

char *
wisp_proxy_start(const char *folder, const char *hosts, pid_t owner)
{
	(void)folder;
	(void)owner;
	return *hosts != '\0' ? wisp_str("%s", strerror(ENOSYS)) : NULL;
}

#endif
