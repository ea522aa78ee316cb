// SPDX-License-Identifier: Apache-2.0
/*
 * What programs rely on and no specification promises: whether it holds on a device. An assumption is a test whose witness
 * breaks it, with a sibling in which the violation is planted. That nothing was seen says something only where the
 * planted violation was seen.
 */
#ifndef ORCHIL_ANALYSIS_ASSUMPTIONS_H
#define ORCHIL_ANALYSIS_ASSUMPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/record.h"
#include "base/text.h"

/* X(name, word, class): the answers, the gravest first. class: of its tile and row on a page. */
#define ASSUMPTION_ANSWER_LIST(X)                                                                                      \
    X(BROKEN, "broken", "bad")                                                                                         \
    X(FAILED, "failed", "bad")                                                                                         \
    X(UNTOLD, "cannot tell", "doubt")                                                                                  \
    X(UNSUPPORTED, "unsupported", "plain")                                                                             \
    X(HOLDS, "holds so far", "good")

#define ASSUMPTION_ANSWER_ENUM(name, word, class) ASSUMPTION_##name,
enum assumption_answer { ASSUMPTION_ANSWER_LIST(ASSUMPTION_ANSWER_ENUM) ASSUMPTION_ANSWERS };
#undef ASSUMPTION_ANSWER_ENUM

const char *assumption_word(enum assumption_answer answer);

/* What the job of a test came to. */
struct assumption_job {
    const char *test;
    enum job_state state;
    const char *reason;            /* why it did not complete; or "" */
    const char *not_kept;          /* why the compiled code is not the test; NULL: it is, or was not inspected */
    uint64_t witnesses, instances; /* instances: without void ones */
    uint64_t impossible;           /* instances in other outcomes than the witness that the model forbids: a fault */
    double seconds;                /* from the first launch to the last read-back */
};

/* The texts are never NULL; "" where the test does not say. */
struct assumption {
    struct assumption_job itself, planted;
    const char *assumes;  /* what is relied on, a sentence */
    const char *relies;   /* who relies on it */
    const char *promises; /* what the specification says */
    const char *instead;  /* what would be promised */
    bool promised;        /* the specification does promise it: a witness is a fault of the device */
};

/* All of them on one device. */
struct assumptions {
    const struct assumption *list;
    size_t count;
    const char *tool, *when; /* "orchil 0.9", "2026-11-23" */
    const char *backend, *device, *architecture, *driver, *compiler, *platform;
    unsigned index;
    const char *profile, *environment; /* environment: its hash */
    const char *database;
    int64_t run, planted_run; /* in the database */
    double seconds;           /* that each was given */
    uint64_t seed;
    int signal; /* that ended it; 0: none */
};

enum assumption_answer assumption_answer(const struct assumption *assumption);

size_t assumptions_count(const struct assumptions *assumptions, enum assumption_answer answer);

/* Where the violation was never seen: below what its chance per instance is, with ASSUMPTION_CONFIDENCE. */
#define ASSUMPTION_CONFIDENCE 0.95
double assumption_bound(const struct assumption *assumption);

/* The answer with its figures: "0 of 2,100,000,000 instances: below 1.4e-09 per instance (95 %)"; or why there are none. */
void assumption_add_figures(const struct assumption *assumption, struct text *text);

/* What was seen of the planted violation: "planted violation seen 12 times in 0.1 s". */
void assumption_add_planted(const struct assumption *assumption, struct text *text);

/* "3 hold so far, 1 broken." */
void assumptions_add_sum(const struct assumptions *assumptions, struct text *text);

/* 128 + a signal; else 1 where something is broken, 4 where a job failed, 3 if something cannot be decided or nothing was
 * supported, 0 where all that is supported holds. */
int assumptions_exit_code(const struct assumptions *assumptions);

/* colours: with styles of a terminal. width: columns that lines may have; names and paths are not broken. */
void assumptions_print_text(const struct assumptions *assumptions, bool colours, size_t width, struct text *text);
void assumptions_print_json(const struct assumptions *assumptions, struct text *text);
void assumptions_print_page(const struct assumptions *assumptions, struct text *text);

#endif
