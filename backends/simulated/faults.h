// SPDX-License-Identifier: Apache-2.0
/* Triggers the faults of a script, and keeps in its state file what must outlive the process that
 * they end. */
#ifndef ORCHIL_SIMULATED_FAULTS_H
#define ORCHIL_SIMULATED_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/simulated/script.h"
#include "base/status.h"
#include "base/text.h"

/* A moment in the life of a session. */
struct fault_point {
    enum script_phase phase;
    unsigned device;
    const char *test; /* NULL before a program is built */
    uint64_t batch;
};

struct fault_effect {
    enum script_how
        wrong;   /* SCRIPT_SUM, SCRIPT_ZERO or SCRIPT_OVERLAP: the error in the counters; else SCRIPT_HOW_DEFAULT */
    bool wedged; /* the device is wedged from now on */
    const json_t *rates; /* rates of this batch instead of the script's, by label; NULL: none */
    double slow_seconds; /* by which the launch takes longer */
};

/*
 * Triggers every fault of the script that fits the point, in the script's order. Does not return
 * from a hang or a crash. DEVICE_LOST and BUILD_FAILED come from the faults; SYSTEM or SYNTAX if
 * the state file cannot be used. The log of a refused build is appended to *log, which may be NULL
 * unless the phase is SCRIPT_BUILD.
 */
enum status faults_meet(const struct script *script, const struct fault_point *point, struct fault_effect *effect,
                        struct text *log, struct error *error);

/* Whether an earlier fault has wedged the device. */
enum status faults_wedged(const struct script *script, unsigned device, bool *wedged, struct error *error);

#endif
