// SPDX-License-Identifier: Apache-2.0
/* The monotonic clock, which all time limits and durations use, and the date. */
#pragma once

/* Seconds since a fixed moment in the past; never decreases. */
double clock_seconds(void);

/* "2026-11-23", in UTC; "" if the clock fails. Returns day. */
enum { CLOCK_DAY_SIZE = 32 };
const char *clock_today(char day[CLOCK_DAY_SIZE]);
