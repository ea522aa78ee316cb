// SPDX-License-Identifier: Apache-2.0
/* The circumstances of a job: clocks, temperature, power and load of its device and its host while it ran. If a series
 * of runs breaks, they distinguish a changed machine from a changed driver. In the database and in JSON they are an
 * object with a member for each value that could be read. */
#pragma once

#include <jansson.h>

#include "base/base.h"

/* X(name, member, highest): the numbers, from 0 to the highest plausible value. OTHER_PROCESSES: processes other than
 * this run's that compute on the device. HOST_LOAD: the load average of the last minute. */
#define CIRCUMSTANCE_LIST(X)                                                                                           \
    X(SM_CLOCK, "sm_clock_mhz", 1e5)                                                                                   \
    X(MEMORY_CLOCK, "memory_clock_mhz", 1e5)                                                                           \
    X(TEMPERATURE, "temperature_c", 1e3)                                                                               \
    X(POWER, "power_w", 1e5)                                                                                           \
    X(OTHER_PROCESSES, "other_processes", 1e6)                                                                         \
    X(HOST_LOAD, "host_load", 1e6)                                                                                     \
    X(CPU_CLOCK, "cpu_mhz", 1e5)

#define CIRCUMSTANCE_ENUM(name, member, highest) CIRCUMSTANCE_##name,
enum circumstance { CIRCUMSTANCE_LIST(CIRCUMSTANCE_ENUM) CIRCUMSTANCE_COUNT };

/* Starts as {0}: nothing is known. */
struct circumstances {
    unsigned known; /* a bit for each of enum circumstance */
    double numbers[CIRCUMSTANCE_COUNT];
    char throttle[64]; /* why the clocks are not higher: words separated by spaces, or "none"; empty: not known */
};

const char *circumstance_member(enum circumstance which); /* "sm_clock_mhz" */

/* Records a number. A number outside 0 to the highest plausible value changes nothing and returns false. */
bool circumstances_note(struct circumstances *circumstances, enum circumstance which, double number);

/* Likewise for `throttle`, which is 1 to 63 bytes of a to z, '-' and single spaces between words. */
bool circumstances_note_throttle(struct circumstances *circumstances, const char *words);

/* Appends the object; {} if nothing is known. */
void circumstances_print(const struct circumstances *circumstances, struct text *text);

/* Reads such an object. False, with nothing known, if it is not an object, has an unknown member, or has an implausible
 * value. */
bool circumstances_read(const json_t *object, struct circumstances *circumstances);
