// SPDX-License-Identifier: Apache-2.0
/* Lets the faults of a script happen, and keeps in its state file what must outlive the process that they end. */
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
        wrong;           /* SCRIPT_SUM, SCRIPT_ZERO or SCRIPT_OVERLAP: how the counters lie; else SCRIPT_HOW_DEFAULT */
    bool wedged;         /* the device is wedged from now on */
    const json_t *rates; /* that this batch has instead of the script's, by label; NULL: none */
};

/*
 * Lets every fault of the script that fits the point happen, in the script's order. Does not return from a hang or a
 * crash. DEVICE_LOST and BUILD_FAILED are the faults' own; SYSTEM or SYNTAX if the state file cannot be used. The log of
 * a refused build is appended to *log, which may be NULL where the phase is not SCRIPT_BUILD.
 */
enum status faults_meet(const struct script *script, const struct fault_point *point, struct fault_effect *effect,
                        struct text *log, struct error *error);

/* Whether an earlier fault has wedged the device. */
enum status faults_wedged(const struct script *script, unsigned device, bool *wedged, struct error *error);

#endif
