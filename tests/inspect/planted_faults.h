// SPDX-License-Identifier: Apache-2.0
/* Counts the faults that the tests of this folder plant in compiled code, by kind, and checks them against
 * docs/internals/inspection.md. */
#pragma once

#include "inspect/inspect.h"

/* Kinds: X(name, word, needed). needed: every machine's tests must have one. */
#define PLANTED_FAULT_LIST(X)                                                                                          \
    X(DROPPED_FENCE, "dropped fence", true) /* or an invalidation of the cache */                                      \
    X(MERGED_LOADS, "merged loads", true)                                                                              \
    X(MOVED_LOAD, "moved load", true)                                                                                  \
    X(DROPPED_STORE, "dropped store", true)                                                                            \
    X(NARROWER_SCOPE, "narrower scope", true)                                                                          \
    X(WIDER_ACCESS, "wider access", true)                                                                              \
    X(SMALLER_ACCESS, "smaller access", false) /* or one in pieces */                                                  \
    X(MOVED_FENCE, "moved fence", false)                                                                               \
    X(WEAKER_ORDER, "weaker order", false) /* or an access that is not atomic */                                       \
    X(DOUBLED_ACCESS, "doubled access", false)                                                                         \
    X(DROPPED_COPY, "dropped copy", false) /* or another asynchronous operation */                                     \
    X(DROPPED_WAIT, "dropped wait", false) /* or one that waits for less */                                            \
    X(OTHER, "other", false)

#define PLANTED_FAULT_ENUM(name, word, needed) PLANTED_##name,
enum planted_fault { PLANTED_FAULT_LIST(PLANTED_FAULT_ENUM) PLANTED_FAULT_COUNT };
#undef PLANTED_FAULT_ENUM

struct planted_faults {
    unsigned counts[PLANTED_FAULT_COUNT];
};

/* Appends how the test is kept, and the findings or the reason, each on a line. */
void planted_faults_print(const struct inspection *inspection, struct text *text);

/* Counts one case. `word`, up to the end of its line, is the planted kind; NULL: none. Fails the test if code with a
 * fault is not reported as not kept, or code without one is. */
void planted_faults_add(struct planted_faults *faults, const char *what, const char *word, enum kept kept);

/* Fails the test unless every needed kind was planted, and the machine's row in docs/internals/inspection.md has these
 * numbers. A machine without scopes needs no narrower scope. */
void planted_faults_check(const struct planted_faults *faults, const char *machine);
