// SPDX-License-Identifier: Apache-2.0
/* The monotonic clock, which all time limits and durations use. */
#ifndef ORCHIL_BASE_CLOCK_H
#define ORCHIL_BASE_CLOCK_H

/* Seconds since some fixed moment of the past; never goes back. */
double clock_seconds(void);

#endif
