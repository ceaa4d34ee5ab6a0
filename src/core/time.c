/*
 * time: see time.h.
 */
#include "time.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SECOND_MS 1000
#define MINUTE_MS (60 * SECOND_MS)
#define HOUR_MS (60 * MINUTE_MS)
#define DAY_MS (24 * HOUR_MS)

static wisp_ms
clock_ms(clockid_t id)
{
	struct timespec ts;

	if (clock_gettime(id, &ts) < 0)
		return -1;
	return (wisp_ms)ts.tv_sec * SECOND_MS + ts.tv_nsec / 1000000;
}

wisp_ms
wisp_time_now(void)
{
	const char *s = getenv("WISP_NOW");
	char *end;
	long long t;

	if (s != NULL && isdigit((unsigned char)*s)) {
		errno = 0;
		t = strtoll(s, &end, 10);
		if (errno == 0 && *end == '\0')
			return t;
	}
	return clock_ms(CLOCK_REALTIME);
}

wisp_ms
wisp_time_monotonic(void)
{
#if defined CLOCK_BOOTTIME && !defined WISP_PORTABLE
	wisp_ms t = clock_ms(CLOCK_BOOTTIME);

	if (t >= 0)
		return t;
#endif
	return clock_ms(CLOCK_MONOTONIC);
}

wisp_ms
wisp_time_midnight(wisp_ms now)
{
	time_t seconds = (time_t)(now / SECOND_MS);
	struct tm tm;

	tzset();
	if (localtime_r(&seconds, &tm) == NULL)
		return now + DAY_MS;
	tm.tm_mday++;
	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	tm.tm_isdst = -1;
	seconds = mktime(&tm);
	return seconds < 0 ? now + DAY_MS : (wisp_ms)seconds * SECOND_MS;
}

char *
wisp_time_iso(wisp_ms t)
{
	time_t seconds = (time_t)(t / SECOND_MS);
	char text[64];
	struct tm tm;
	size_t n;

	tzset();	/* localtime_r need not look at TZ */
	if (t < 0 || localtime_r(&seconds, &tm) == NULL)
		return NULL;
	n = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S%z", &tm);
	if (n < 5)
		return NULL;
	/* strftime has +hhmm only. */
	return wisp_str("%.*s:%s", (int)(n - 2), text, text + n - 2);
}

char *
wisp_time_clock(wisp_ms t, wisp_ms now)
{
	char *time = wisp_time_iso(t), *today = wisp_time_iso(now), *text;
	bool same;

	if (time == NULL) {
		free(today);
		return wisp_strdup("-");
	}
	same = today != NULL && strncmp(time, today, sizeof "2026-01-16" - 1) == 0;
	time[10] = ' ';
	text = wisp_str("%.*s", same ? 5 : 16, same ? time + 11 : time);
	free(today);
	free(time);
	return text;
}

char *
wisp_time_utc(wisp_ms t)
{
	time_t seconds = (time_t)(t / SECOND_MS);
	char text[64];
	struct tm tm;

	if (t < 0 || gmtime_r(&seconds, &tm) == NULL ||
	    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		return NULL;
	return wisp_strdup(text);
}

/* Exactly `n` digits at *s, moved past them; -1 if they are not there or out of range. */
static int
digits(const char **s, int n, int low, int high)
{
	int value = 0;

	for (; n > 0; n--, (*s)++) {
		if (!isdigit((unsigned char)**s))
			return -1;
		value = value * 10 + (**s - '0');
	}
	return value >= low && value <= high ? value : -1;
}

static bool
skip(const char **s, const char *any)
{
	if (**s == '\0' || strchr(any, **s) == NULL)
		return false;
	(*s)++;
	return true;
}

static int
month_days(int year, int month)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return month == 2 && leap ? 29 : days[month - 1];
}

/* Days from 1970-01-01. Years are counted from March, so that a leap day is their last. */
static int64_t
day_number(int year, int month, int day)
{
	int64_t y = month > 2 ? year : year - 1;
	int64_t m = month > 2 ? month - 3 : month + 9;

	return y * 365 + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468;
}

/* `.123456` at *s in thousandths, 0 if there is none, -1 if no digit follows the point. */
static int
fraction(const char **s)
{
	int value = 0, unit = 100;

	if (!skip(s, "."))
		return 0;
	if (!isdigit((unsigned char)**s))
		return -1;
	for (; isdigit((unsigned char)**s); (*s)++, unit /= 10)
		value += (**s - '0') * unit;
	return value;
}

/* A zone that ends the string, in minutes east of UTC. */
static bool
zone(const char *s, int *minutes)
{
	int sign = *s == '-' ? -1 : 1, h, m;

	*minutes = 0;
	if (skip(&s, "Zz"))
		return *s == '\0';
	if (!skip(&s, "+-") || (h = digits(&s, 2, 0, 23)) < 0)
		return false;
	skip(&s, ":");
	if ((m = digits(&s, 2, 0, 59)) < 0)
		return false;
	*minutes = sign * (h * 60 + m);
	return *s == '\0';
}

wisp_ms
wisp_time_parse(const char *s)
{
	int year, month, day, hour, minute, second, ms, east;
	wisp_ms t;

	if (s == NULL)
		return -1;
	if ((year = digits(&s, 4, 0, 9999)) < 0 || !skip(&s, "-") ||
	    (month = digits(&s, 2, 1, 12)) < 0 || !skip(&s, "-") ||
	    (day = digits(&s, 2, 1, month_days(year, month))) < 0 || !skip(&s, "Tt ") ||
	    (hour = digits(&s, 2, 0, 23)) < 0 || !skip(&s, ":") ||
	    (minute = digits(&s, 2, 0, 59)) < 0 || !skip(&s, ":") ||
	    (second = digits(&s, 2, 0, 60)) < 0 ||	/* 60: a leap second */
	    (ms = fraction(&s)) < 0 || !zone(s, &east))
		return -1;
	t = day_number(year, month, day) * DAY_MS + hour * HOUR_MS +
	    (minute - east) * (wisp_ms)MINUTE_MS + second * SECOND_MS + ms;
	return t < 0 ? -1 : t;
}

/* The length of the unit at *s in ms, moved past it; 0 if it is none. A bare number is seconds. */
static wisp_ms
unit(const char **s, bool first)
{
	if (**s == '\0')
		return first ? SECOND_MS : 0;
	if ((*s)[0] == 'm' && (*s)[1] == 's') {
		*s += 2;
		return 1;
	}
	switch (*(*s)++) {
	case 'd':
		return DAY_MS;
	case 'h':
		return HOUR_MS;
	case 'm':
		return MINUTE_MS;
	case 's':
		return SECOND_MS;
	default:
		return 0;
	}
}

/* Units come from large to small, each once; only the last part may have a fraction. */
wisp_ms
wisp_duration_parse(const char *s)
{
	wisp_ms total = 0, size, last = INT64_MAX;
	unsigned long long n;
	bool first = true;
	char *end;
	int part;

	if (s == NULL)
		return -1;
	do {
		if (!isdigit((unsigned char)*s))
			return -1;
		errno = 0;
		n = strtoull(s, &end, 10);
		s = end;
		part = *s == '.' ? fraction(&s) : 0;
		size = unit(&s, first);
		if (errno != 0 || part < 0 || size == 0 || size >= last || (part > 0 && *s != '\0'))
			return -1;
		if (n >= (unsigned long long)((INT64_MAX - total) / size))
			return -1;
		total += (wisp_ms)n * size + part * size / 1000;
		last = size;
		first = false;
	} while (*s != '\0');
	return total;
}

char *
wisp_duration_text(wisp_ms d)
{
	long long s = d / SECOND_MS, m = s / 60, h = m / 60;

	if (d < 0)
		return wisp_strdup("-");
	if (d > 0 && s == 0)
		return wisp_str("%lldms", (long long)d);
	if (m == 0)
		return wisp_str("%llds", s);
	if (h == 0)
		return wisp_str("%lldm%02llds", m, s % 60);
	if (h < 24)
		return wisp_str("%lldh%02lldm", h, m % 60);
	return wisp_str("%lldd%02lldh", h / 24, h % 24);
}

char *
wisp_duration_clock(wisp_ms d)
{
	long long s = d > 0 ? d / SECOND_MS : 0;

	if (s < 3600)
		return wisp_str("%lld:%02lld", s / 60, s % 60);
	return wisp_str("%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
}
