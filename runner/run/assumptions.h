// SPDX-License-Identifier: Apache-2.0
/* The answers of a run of assumptions, which programs make and no specification promises: whether each holds on each
 * device. An assumption is a test whose witness breaks it, and whose metadata `Planted` names a test in which the
 * violation is planted. Not seeing a violation means something only if the planted one was seen. */
#pragma once

#include "runner/run/report.h"

/* Gravest first: X(name, word, style of the word). */
#define ASSUMPTION_ANSWER_LIST(X)                                                                                      \
    X(BROKEN, "broken", TERMINAL_BAD)                                                                                  \
    X(FAILED, "failed", TERMINAL_BAD)                                                                                  \
    X(UNKNOWN, "cannot tell", TERMINAL_WARNING)                                                                        \
    X(UNSUPPORTED, "unsupported", TERMINAL_PLAIN)                                                                      \
    X(HOLDS, "holds so far", TERMINAL_GOOD)
#define ASSUMPTION_ANSWER_ENUM(name, word, style) ASSUMPTION_##name,
enum assumption_answer { ASSUMPTION_ANSWER_LIST(ASSUMPTION_ANSWER_ENUM) ASSUMPTION_ANSWERS };

extern const struct assumption_answer_row {
    const char *word;
    enum terminal_style style;
} assumption_answers[ASSUMPTION_ANSWERS];

/* The result of a test's job. The test and the device are the plan's. */
struct assumption_job {
    const struct litmus_test *test;
    const struct backend_device *device;
    enum job_state state;
    const char *reason;            /* why it did not complete, or "" */
    const char *not_kept;          /* why the compiled code is not the test; NULL if it is, or was not inspected */
    uint64_t witnesses, instances; /* instances: without void ones */
    uint64_t impossible;           /* instances in forbidden outcomes other than the witness: a fault */
    double seconds;                /* from the first launch to the last read-back */
};

/* The jobs of a run that are no controls. Starts as {0}; the caller calls assumptions_release. */
struct assumptions {
    struct assumption_job *jobs;
    size_t count;
    struct arena arena;
};

void assumptions_add(struct assumptions *assumptions, const struct job_report *report);
void assumptions_release(struct assumptions *assumptions);

/* An assumption and its planted violation on the same device, which is NULL if the run did not have it. */
struct assumption {
    const struct assumption_job *itself, *planted;
};

/* The next assumption from the job *at on; false after the last. */
bool assumptions_next(const struct assumptions *assumptions, size_t *at, struct assumption *assumption);

enum assumption_answer assumption_answer(const struct assumption *assumption);

/* The upper bound on the chance of a violation per instance if none was seen, with STATISTICS_CONFIDENCE. */
double assumption_bound(const struct assumption *assumption);

/* The figures of the answer: "0 of 2,100,000,000 instances: below 1.4e-09 per instance (95 %)"; or why it has none. */
void assumption_add_figures(const struct assumption *assumption, struct text *text);
