// SPDX-License-Identifier: Apache-2.0
/* Whether assumptions that programs make and no specification promises hold on a device. An assumption is a test whose
 * witness breaks it, with a sibling in which the violation is planted. Not seeing a violation means something only if
 * the planted one was seen. */
#ifndef ORCHIL_GATE_ASSUME_ASSUMPTIONS_H
#define ORCHIL_GATE_ASSUME_ASSUMPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/record.h"
#include "base/text.h"

/* X(name, word, class): the answers, gravest first. class: the CSS class of its tile and row on a page. */
#define ASSUMPTION_ANSWER_LIST(X)                                                                                      \
    X(BROKEN, "broken", "bad")                                                                                         \
    X(FAILED, "failed", "bad")                                                                                         \
    X(UNKNOWN, "cannot tell", "doubt")                                                                                 \
    X(UNSUPPORTED, "unsupported", "plain")                                                                             \
    X(HOLDS, "holds so far", "good")

#define ASSUMPTION_ANSWER_ENUM(name, word, class) ASSUMPTION_##name,
enum assumption_answer { ASSUMPTION_ANSWER_LIST(ASSUMPTION_ANSWER_ENUM) ASSUMPTION_ANSWERS };
#undef ASSUMPTION_ANSWER_ENUM

const char *assumption_word(enum assumption_answer answer);

/* The result of a test's job. */
struct assumption_job {
    const char *test;
    enum job_state state;
    const char *reason;            /* why it did not complete, or "" */
    const char *not_kept;          /* why the compiled code is not the test; NULL if it is, or was not inspected */
    uint64_t witnesses, instances; /* instances: without void ones */
    uint64_t impossible;           /* instances in forbidden outcomes other than the witness: a fault */
    double seconds;                /* from the first launch to the last read-back */
};

/* The texts are never NULL; "" if the test does not say. */
struct assumption {
    struct assumption_job itself, planted;
    const char *assumes;  /* the assumption, as a sentence */
    const char *relies;   /* who relies on it */
    const char *promises; /* what the specification says */
    const char *instead;  /* the promise that is missing */
    bool promised;        /* the specification promises it: a witness is a device fault */
};

/* All assumptions on one device. */
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

/* The upper bound on the chance of a violation per instance if none was seen, with STATISTICS_CONFIDENCE. */
double assumption_bound(const struct assumption *assumption);

/* The answer with its figures: "0 of 2,100,000,000 instances: below 1.4e-09 per instance (95 %)"; or why it has
 * none. */
void assumption_add_figures(const struct assumption *assumption, struct text *text);

/* How often the planted violation was seen: "planted violation seen 12 times in 0.1 s". */
void assumption_add_planted(const struct assumption *assumption, struct text *text);

/* "3 hold so far, 1 broken." */
void assumptions_add_sum(const struct assumptions *assumptions, struct text *text);

/* 128 + the signal if interrupted; else 1 if an assumption is broken, 4 if a job failed, 3 if something cannot be
 * decided or nothing was supported, 0 if all supported assumptions hold. */
int assumptions_exit_code(const struct assumptions *assumptions);

/* colours: use terminal styles. width: columns per line; names and paths are not broken. */
void assumptions_print_text(const struct assumptions *assumptions, bool colours, size_t width, struct text *text);
void assumptions_print_json(const struct assumptions *assumptions, struct text *text);
void assumptions_print_page(const struct assumptions *assumptions, struct text *text);

#endif
