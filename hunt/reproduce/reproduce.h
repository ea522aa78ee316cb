// SPDX-License-Identifier: Apache-2.0
/* Reproducers: standalone programs that show an outcome on a device. A reproducer plays the test as the skeleton does
 * (see kernel/skeleton.cl), but with the numbers of one draw as constants and only the mechanisms that this draw uses,
 * and it counts one outcome. It needs the vendor's SDK: CUDA's toolkit, or OpenCL's headers and loader. */
#pragma once

#include "runner/environment/environment.h"

enum {
    REPRODUCE_LINES = 200, /* of program text: enough for usual tests */
    REPRODUCE_RUNS = 3,
    REPRODUCE_FILES = 5
};

/* What to reproduce, and the known facts. */
struct reproduce_facts {
    const struct litmus_test *test;
    const char *outcome;                 /* its label, an outcome of the test */
    const struct backend_device *device; /* on which it was seen */
    const char *lowering;                /* of kernel_generate; NULL: the device's usual one */

    /* The draw: the arguments of draw_make. */
    const struct environment *environment;
    uint32_t resident_groups;
    uint64_t seed, key, batch;

    uint64_t seen, instances;          /* in orchil's runs: the outcome; instances played */
    double seconds;                    /* of these instances */
    double run_seconds;                /* of each of the program's runs; 0: by the rate */
    const char *needed;                /* text on the needed parameters of the environment; NULL: unknown */
    const char *tool, *command, *when; /* origin: "orchil 0.9", the command line, the day */
};

struct reproducer {
    struct reproduced_file {
        const char *name; /* "reproduce.cu", "Makefile" */
        bool program;     /* its lines count */
        struct text text;
    } files[REPRODUCE_FILES];
    size_t file_count;
    unsigned lines; /* of program text */
    double seconds; /* that the program takes by default */
    /* Seconds in which three of three runs are expected to see the outcome, by the rate in the facts. */
    double expected;
};

/* UNSUPPORTED, with what to do instead, for a test of several launches: a reproducer makes only one. */
enum status reproduce_check_test(const struct litmus_test *test, struct error *error);

/* Writes the files. UNSUPPORTED if the test has no kernel for the device, has several launches, asks for progress or
 * has more work-groups than the device holds at once, or if no groups meet in the draw; USAGE if the outcome is not an
 * outcome of the test. The caller releases *reproducer, whatever the result. */
enum status reproduce_write(const struct reproduce_facts *facts, struct reproducer *reproducer, struct error *error);
void reproduce_release(struct reproducer *reproducer);

/* How many seconds three runs need in total so that each sees an outcome of this rate per second: ten are expected in
 * each. */
double reproduce_expected_seconds(double rate);
