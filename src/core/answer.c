/*
 * answer: see answer.h.
 */
#include "answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "quote.h"
#include "time.h"

#define ARTIFACTS_MAX 20	/* of a gate, that a person is shown */

const struct cJSON *
wisp_answer_question(const struct wisp_record *r)
{
	const struct cJSON *question = wisp_json_get(r->doc, "question");

	return wisp_json_type(question) == WISP_T_OBJECT ? question : NULL;
}

void
wisp_answer_show(struct wisp_buf *out, const struct cJSON *question)
{
	const struct cJSON *choice = wisp_json_first(wisp_json_get(question, "choices"));
	const char *text = wisp_json_str(question, "question", "");
	size_t len;
	char *line;
	int n;

	for (; *text != '\0'; text += len + (text[len] != '\0')) {
		len = strcspn(text, "\n");
		line = wisp_str("%.*s", (int)len, text);
		wisp_buf_line(out, line, WISP_LINE_TEXT * 4);
		wisp_buf_putc(out, '\n');
		free(line);
	}
	wisp_quote_list(out, "It is about:\n", wisp_json_get(wisp_json_get(question, "gate"), "artifacts"), "-", ARTIFACTS_MAX);
	for (n = 1; choice != NULL; choice = wisp_json_next(choice), n++) {
		wisp_buf_printf(out, "  %d  ", n);
		wisp_buf_line(out, wisp_json_text(choice, "?"), WISP_LINE_TEXT);
		wisp_buf_putc(out, '\n');
	}
}

const char *
wisp_answer_text(const struct cJSON *question, const char *text)
{
	const struct cJSON *choice = wisp_json_first(wisp_json_get(question, "choices"));
	char number[24];
	int n;

	for (n = 1; choice != NULL; choice = wisp_json_next(choice), n++) {
		snprintf(number, sizeof number, "%d", n);
		if (strcmp(text, number) == 0)
			return wisp_json_text(choice, text);
	}
	return text;
}

int
wisp_answer_write(const struct wisp_record *r, const struct cJSON *question, const char *text)
{
	char *path = wisp_record_dir_path(r, "response.json"), *now = wisp_time_iso(wisp_time_now());
	struct cJSON *response = wisp_json_object();
	int rc;

	wisp_json_set_str(response, "response", wisp_answer_text(question, text));
	/* Else the text of a choice that is a number itself would be taken for the number of another one. */
	if (wisp_answer_text(question, text) != text)
		wisp_json_set_str(response, "choice", text);
	wisp_json_set_str(response, "question_id", wisp_json_str(question, "id", NULL));
	wisp_json_set_str(response, "responded_at", now);
	rc = wisp_json_write(path, response, WISP_SYNC);
	wisp_json_free(response);
	free(now);
	free(path);
	return rc;
}
