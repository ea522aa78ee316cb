// SPDX-License-Identifier: Apache-2.0
/*
 * Reproducers: a standalone program that shows an outcome on a device. It plays the test as the skeleton does
 * (runner/kernel/skeleton.cl says how), but with the numbers of one draw as constants, with the mechanisms that this draw
 * uses and no others, and it counts the one outcome. It needs the vendor's SDK: CUDA's toolkit, or OpenCL's headers and loader.
 */
#ifndef ORCHIL_RUNNER_REPRODUCE_H
#define ORCHIL_RUNNER_REPRODUCE_H

#include "runner/environment/environment.h"

enum {
    REPRODUCE_LINES = 200, /* of program text: usual tests have no more */
    REPRODUCE_RUNS = 3,
    REPRODUCE_FILES = 4
};

/* What is to be reproduced, and what is known of it. */
struct reproduce_facts {
    const struct litmus_test *test;
    const char *outcome;                 /* its label, an outcome of the test */
    const struct backend_device *device; /* that showed it */
    const char *lowering;                /* of kernel_generate_by; NULL: the device's usual one */

    /* The draw: the arguments of draw_make. */
    const struct environment *environment;
    uint32_t resident_groups;
    uint64_t seed, key, batch;

    uint64_t seen, instances; /* in orchil's runs: the outcome, and what was played */
    double seconds;           /* that these took */
    double run_seconds;       /* that each of the program's runs takes; 0: by the rate */
    const char *needed;       /* which parameters of the environment are needed, in words; NULL: nobody looked */
    const char *tool, *command, *when; /* what made it: "orchil 0.9", the command line, the day */
};

struct reproducer {
    struct reproduced_file {
        const char *name; /* "reproduce.cu", "Makefile" */
        bool program;     /* its lines count */
        struct text text;
    } files[REPRODUCE_FILES];
    size_t file_count;
    unsigned lines; /* of program text */
    double seconds; /* that the program takes unless it is told otherwise */
    double
        expected; /* after which three of three runs are expected to have seen the outcome, by the rate in the facts */
};

/* UNSUPPORTED, with what to do instead, for a test of several launches: a reproducer makes one. */
enum status reproduce_check_test(const struct litmus_test *test, struct error *error);

/*
 * Writes the files. UNSUPPORTED where the test has no kernel for the device, has several launches, asks for progress, has more work-groups than the
 * device holds at once, or the draw lets nobody meet; USAGE where the outcome is none of the test's. The caller releases
 * *reproducer, whatever the result.
 */
enum status reproduce_write(const struct reproduce_facts *facts, struct reproducer *reproducer, struct error *error);
void reproduce_release(struct reproducer *reproducer);

/* The seconds that three runs take together so that all of them see an outcome of this rate per second: each of ten of them. */
double reproduce_expected_seconds(double rate);

#endif
