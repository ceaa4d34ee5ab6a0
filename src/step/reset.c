/*
 * reset: see reset.h.
 */
#include "reset.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>

#define SECOND ((wisp_ms)1000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define FAR (366 * DAY)		/* no limit lasts longer */
#define ZONE_MAX 64

/* Moves *s past `word` where it stands there, whatever its case. */
static bool
take(const char **s, const char *word)
{
	size_t n = strlen(word);

	if (strncasecmp(*s, word, n) != 0)
		return false;
	*s += n;
	return true;
}

/* The same for a whole word, and the blank after it. */
static bool
take_word(const char **s, const char *word)
{
	const char *p = *s;

	if (!take(&p, word) || isalnum((unsigned char)*p))
		return false;
	*s = p + strspn(p, " ,:");
	return true;
}

/* A number of `min` to `max` digits; -1 if there is none. */
static int
number(const char **s, int min, int max)
{
	int value = 0, n = 0;

	while (n < max && isdigit((unsigned char)(*s)[n]))
		value = value * 10 + ((*s)[n++] - '0');
	if (n < min || isdigit((unsigned char)(*s)[n]))
		return -1;
	*s += n;
	return value;
}

/* The unit's length in ms; -1 for a word that is none. */
static wisp_ms
unit(const char **s)
{
	static const struct {
		const char *words;	/* with blanks around each */
		wisp_ms ms;
	} units[] = {
		{" ms millisecond milliseconds ", 1}, {" s sec secs second seconds ", SECOND},
		{" m min mins minute minutes ", MINUTE}, {" h hr hrs hour hours ", HOUR},
		{" d day days ", DAY}, {" w week weeks ", 7 * DAY},
	};
	char word[16] = " ";
	size_t i, n = 0;

	while (n < sizeof word - 3 && isalpha((unsigned char)(*s)[n])) {
		word[n + 1] = (char)tolower((unsigned char)(*s)[n]);
		n++;
	}
	word[n + 1] = ' ';
	for (i = 0; n > 0 && i < sizeof units / sizeof *units; i++)
		if (strstr(units[i].words, word) != NULL) {
			*s += n;
			return units[i].ms;
		}
	return -1;
}

/* `3h 20m`, `2 hours and 5 minutes`, `34.07s`, `an hour`; seconds where no unit is named. -1 for anything else. */
static wisp_ms
duration(const char *s)
{
	double sum = -1, value;
	char *end;

	(void)(take_word(&s, "about") || (take_word(&s, "less") && take_word(&s, "than")));
	for (;;) {
		wisp_ms ms;

		if (take_word(&s, "an") || take_word(&s, "a")) {
			value = 1;
		} else if (isdigit((unsigned char)*s)) {
			value = strtod(s, &end);
			s = end + (*end == ' ');
		} else {
			break;
		}
		ms = unit(&s);
		/* A bare number is seconds, but not the beginning of a date or a time. */
		if (ms < 0 && sum < 0 && value <= (double)(FAR / SECOND) &&
		    !isalnum((unsigned char)*s) && (*s == '\0' || strchr("/:-", *s) == NULL))
			return (wisp_ms)(value * (double)SECOND);
		if (ms < 0 && sum < 0)
			return -1;
		if (ms < 0)
			break;
		sum = (sum < 0 ? 0 : sum) + value * (double)ms;
		s += strspn(s, " ,");
		(void)take_word(&s, "and");
	}
	return sum > (double)FAR ? -1 : (wisp_ms)sum;
}

/* Is there a zone of this name in the system's database? */
static bool
zone_known(const char *name)
{
	const char *dirs[] = {getenv("TZDIR"), "/usr/share/zoneinfo", "/usr/lib/zoneinfo",
			      "/share/zoneinfo", "/etc/zoneinfo"};
	struct stat st;
	bool known = false;
	char *path;
	size_t i;

	if (name[0] == '/' || strstr(name, "..") != NULL)
		return false;
	for (i = 0; !known && i < sizeof dirs / sizeof *dirs; i++) {
		if (dirs[i] == NULL)
			continue;
		path = wisp_str("%s/%s", dirs[i], name);
		known = stat(path, &st) == 0 && S_ISREG(st.st_mode);
		free(path);
	}
	return known;
}

/* `+02:00`, `-0800`, `+5` as a value of TZ, in which east is negative. */
static bool
zone_offset(const char *s, char zone[ZONE_MAX])
{
	char sign = *s == '-' ? '+' : '-';
	int hours, minutes = 0;

	if (*s != '+' && *s != '-')
		return false;
	s++;
	hours = strspn(s, "0123456789") == 4 ? (s[0] - '0') * 10 + s[1] - '0' : number(&s, 1, 2);
	if (strspn(s, "0123456789") == 4)
		minutes = (s[2] - '0') * 10 + s[3] - '0';
	else if (*s == ':' && s++)
		minutes = number(&s, 2, 2);
	if (hours < 0 || hours > 14 || minutes < 0 || minutes > 59)
		return false;
	snprintf(zone, ZONE_MAX, "<any>%c%02d:%02d", sign, hours, minutes);
	return true;
}

/* The zone named at `s` as a value of TZ, "" for local time; false for one that is not known. */
static bool
find_zone(const char *s, char zone[ZONE_MAX])
{
	static const char *const vague[] = {"pt",  "pst", "pdt",  "et",	 "est", "edt",
					    "ct",  "cst", "cdt",  "mt",	 "mst", "mdt",
					    "bst", "cet", "cest", "ist", "jst"};
	bool bracket;
	size_t i, n;

	s += strspn(s, " ");
	bracket = *s == '(';
	s += bracket;
	n = strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-:/");
	snprintf(zone, ZONE_MAX, "%.*s", (int)(n < ZONE_MAX ? n : 0), s);
	for (i = 0; i < sizeof vague / sizeof *vague; i++)
		if (strcasecmp(zone, vague[i]) == 0)
			return false;
	if (zone_offset(zone, zone))
		return true;
	if (strncasecmp(zone, "utc", 3) == 0 || strncasecmp(zone, "gmt", 3) == 0) {
		if (zone[3] != '\0')
			return zone_offset(zone + 3, zone);
		snprintf(zone, ZONE_MAX, "UTC0");
		return true;
	}
	if (strcasecmp(zone, "z") == 0) {
		snprintf(zone, ZONE_MAX, "UTC0");
		return true;
	}
	if (bracket || strchr(zone, '/') != NULL)
		return zone_known(zone);
	zone[0] = '\0';
	return true;
}

/* A day and a time as they were written; -1 for what was not. */
struct when {
	int year, month, day, hour, minute, second;
};

static int
month(const char **s)
{
	static const char names[] = "janfebmaraprmayjunjulaugsepoctnovdec";
	int i;

	for (i = 0; i < 12; i++)
		if (strncasecmp(*s, names + 3 * i, 3) == 0) {
			while (isalpha((unsigned char)**s))
				(*s)++;
			*s += strspn(*s, ". ");
			return i;
		}
	return -1;
}

static int
day_of_month(const char **s)
{
	int day = number(s, 1, 2);

	if (day > 0)
		(void)(take(s, "st") || take(s, "nd") || take(s, "rd") || take(s, "th"));
	return day >= 1 && day <= 31 ? day : -1;
}

/* `2026-12-01`, `Nov 28th, 2026`, `28 Nov 2026`, the year at will; false, and *s as it was, where no day stands. */
static bool
take_date(const char **s, struct when *w)
{
	const char *p = *s;
	struct when d = *w;

	if (isdigit((unsigned char)p[0]) && strspn(p, "0123456789") == 4 && p[4] == '-') {
		d.year = number(&p, 4, 4);
		d.month = p[0] == '-' && p++ ? number(&p, 2, 2) - 1 : -1;
		d.day = p[0] == '-' && p++ ? number(&p, 2, 2) : -1;
		(void)(isdigit((unsigned char)p[1]) && take(&p, "t"));
	} else {
		d.day = isdigit((unsigned char)*p) ? day_of_month(&p) : -1;
		p += d.day > 0 ? strspn(p, " ") : 0;
		d.month = month(&p);
		if (d.day < 0)
			d.day = day_of_month(&p);
		if (d.month < 0 || d.day < 0)
			return false;
		p += strspn(p, " ,");
		if (strspn(p, "0123456789") == 4)
			d.year = number(&p, 4, 4);
	}
	if (d.month < 0 || d.month > 11 || d.day < 1 || d.day > 31)
		return false;
	*w = d;
	*s = p + strspn(p, " ,");
	return true;
}

/* `3am`, `9:06 PM`, `21:06`; a bare hour only after a date. */
static bool
take_time(const char **s, struct when *w)
{
	const char *p = *s;
	int hour = number(&p, 1, 2), minute = 0, second = 0;
	bool plain = true;

	if (hour >= 0 && *p == ':' && p++) {
		minute = number(&p, 2, 2);
		plain = false;
		if (*p == ':' && p++)
			second = number(&p, 2, 2);
	}
	p += *p == ' ' && (p[1] == 'a' || p[1] == 'A' || p[1] == 'p' || p[1] == 'P') &&
	     (p[2] == 'm' || p[2] == 'M');
	if ((*p == 'a' || *p == 'A' || *p == 'p' || *p == 'P') && (p[1] == 'm' || p[1] == 'M') &&
	    !isalnum((unsigned char)p[2])) {
		if (hour < 1 || hour > 12)
			return false;
		hour = hour % 12 + (*p == 'p' || *p == 'P' ? 12 : 0);
		p += 2;
		plain = false;
	}
	if (plain || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 ||
	    second > 60)
		return false;
	w->hour = hour;
	w->minute = minute;
	w->second = second;
	*s = p;
	return true;
}

/* In the zone that is in force: the moment, the first after `began` where the day or the year is left open. */
static wisp_ms
resolve(const struct when *w, wisp_ms began)
{
	time_t base = (time_t)(began / SECOND), t;
	struct tm tm = {0}, at;

	if (w->year < 0 && (began < 0 || localtime_r(&base, &tm) == NULL))
		return -1;
	tm.tm_hour = w->hour < 0 ? 0 : w->hour;
	tm.tm_min = w->minute < 0 ? 0 : w->minute;
	tm.tm_sec = w->second < 0 ? 0 : w->second;
	tm.tm_isdst = -1;
	if (w->day > 0) {
		tm.tm_mday = w->day;
		tm.tm_mon = w->month;
	}
	if (w->year >= 0)
		tm.tm_year = w->year - 1900;
	at = tm;
	t = mktime(&at);
	/* Said on the day itself it may just have passed. */
	if (t >= 0 && w->year < 0 && (w->day > 0 ? t + DAY / SECOND < base : t <= base)) {
		tm.tm_year += w->day > 0;
		tm.tm_mday += w->day < 0;
		t = mktime(&tm);
	}
	return t > 0 ? (wisp_ms)t * SECOND : -1;
}

static wisp_ms
resolve_in(const struct when *w, const char *zone, wisp_ms began)
{
	char *before = getenv("TZ");
	wisp_ms t;

	if (*zone == '\0')
		return resolve(w, began);
	before = before != NULL ? wisp_strdup(before) : NULL;
	setenv("TZ", zone, 1);
	tzset();
	t = resolve(w, began);
	if (before != NULL)
		setenv("TZ", before, 1);
	else
		unsetenv("TZ");
	tzset();
	free(before);
	return t;
}

/* A day, a time, or both, and a zone. */
static wisp_ms
moment(const char *s, wisp_ms began)
{
	static const char days[] = "monday tuesday wednesday thursday friday saturday sunday";
	struct when w = {-1, -1, -1, -1, -1, -1};
	char zone[ZONE_MAX], word[4] = "";
	bool date, time;

	snprintf(word, sizeof word, "%.3s", s);
	for (char *c = word; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	if (isalpha((unsigned char)word[0]) && strlen(word) == 3 && strstr(days, word) != NULL &&
	    strcmp(word, "day") != 0) {
		s += strcspn(s, " ");
		s += strspn(s, " ,");
	}
	date = take_date(&s, &w);
	(void)take_word(&s, "at");
	time = take_time(&s, &w);
	if ((!date && !time) || !find_zone(s, zone))
		return -1;
	return resolve_in(&w, zone, began);
}

/* `|1795903600` at the end of a word, in seconds or milliseconds. */
static wisp_ms
epoch(const char *text)
{
	const char *p = strchr(text, '|');
	size_t n = p != NULL ? strspn(++p, "0123456789") : 0;

	if (n == 10)
		return (wisp_ms)strtoll(p, NULL, 10) * SECOND;
	return n == 13 ? (wisp_ms)strtoll(p, NULL, 10) : -1;
}

wisp_ms
wisp_reset_find(const char *text, wisp_ms began, wisp_ms said)
{
	static const char *const marks[] = {"resets", "reset",	       "try again",
					    "retry",  "regain access", "available again",
					    "wait"};
	wisp_ms t = epoch(text);
	const char *p, *s;
	size_t i;

	for (i = 0; i < sizeof marks / sizeof *marks; i++)
		for (p = text; t < 0 && *p != '\0'; p++) {
			s = p;
			if ((p > text && isalnum((unsigned char)p[-1])) || !take_word(&s, marks[i]))
				continue;
			if (take_word(&s, "in") || take_word(&s, "after") ||
			    strcmp(marks[i], "wait") == 0) {
				wisp_ms d = duration(s);

				if (d >= 0)
					return said >= 0 ? said + d : -1;
			}
			(void)(take_word(&s, "at") || take_word(&s, "on"));
			t = moment(s, began);
		}
	return t;
}
