/*
 * agent: see agent.h.
 */
#include "agent.h"

#include <stdlib.h>
#include <string.h>

#include "core/file.h"

static const char *const words[] = {"write", "fixed", "read", "login", "config", "set", "host"};

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define TABLE_MAX 65536

static int
add_line(struct wisp_sandbox_agent *a, const char *line, size_t len, size_t number, const char *path, struct wisp_err *err)
{
	size_t n, i = 0;

	n = strcspn(line, " \t\n");
	while (i < COUNT(words) && (strlen(words[i]) != n || strncmp(line, words[i], n) != 0))
		i++;
	if (i == COUNT(words))
		return wisp_err_set(err, path, number, 1, "unknown word '%.*s'", (int)n, line);
	line += n;
	len -= n;
	n = strspn(line, " \t");
	if (n >= len)
		return wisp_err_set(err, path, number, 0, "'%s' needs a value", words[i]);
	a->lines = wisp_realloc(a->lines, a->count + 1, sizeof *a->lines);
	a->lines[a->count].word = wisp_strdup(words[i]);
	a->lines[a->count++].value = wisp_str("%.*s", (int)(len - n), line + n);
	return 0;
}

int
wisp_sandbox_agent_parse(struct wisp_sandbox_agent *a, const char *text, const char *path, struct wisp_err *err)
{
	size_t len, number = 1;

	for (; *text != '\0'; text += len + (text[len] == '\n'), number++) {
		len = strcspn(text, "\n");
		if (len > 0 && *text != '#' && add_line(a, text, len, number, path, err) < 0)
			return -1;
	}
	return 0;
}

static int
read_table(struct wisp_sandbox_agent *a, const char *path, struct wisp_err *err)
{
	struct wisp_buf text = WISP_BUF_INIT;
	int rc = wisp_file_read(path, TABLE_MAX, &text);

	if (rc == 0 && text.len > 0)
		rc = wisp_sandbox_agent_parse(a, text.data, path, err);
	wisp_buf_release(&text);
	return rc;
}

struct wisp_sandbox_agent *
wisp_sandbox_agents(const char *folder, struct wisp_err *err)
{
	const size_t suffix = strlen(WISP_SANDBOX_TABLE);
	struct wisp_sandbox_agent *agents;
	char **names, *path;
	size_t count, i, n = 0, len;
	int rc = 0;

	if (wisp_dir_list(folder, &names, &count) < 0)
		return NULL;
	agents = wisp_alloc(count + 1, sizeof *agents);
	for (i = 0; i < count && rc == 0; i++) {
		len = strlen(names[i]);
		if (len <= suffix || strcmp(names[i] + len - suffix, WISP_SANDBOX_TABLE) != 0)
			continue;
		agents[n].name = wisp_str("%.*s", (int)(len - suffix), names[i]);
		path = wisp_str("%s/%s", folder, names[i]);
		rc = read_table(&agents[n++], path, err);
		free(path);
	}
	wisp_dir_list_free(names, count);
	if (rc == 0)
		return agents;
	wisp_sandbox_agents_free(agents);
	return NULL;
}

void
wisp_sandbox_agents_free(struct wisp_sandbox_agent *agents)
{
	struct wisp_sandbox_agent *a;
	size_t i;

	for (a = agents; a != NULL && a->name != NULL; a++) {
		for (i = 0; i < a->count; i++) {
			free(a->lines[i].word);
			free(a->lines[i].value);
		}
		free(a->lines);
		free(a->name);
	}
	free(agents);
}
