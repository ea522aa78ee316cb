// SPDX-License-Identifier: Apache-2.0
/* What kinds of fault the tests of this folder plant in compiled code, counted, so that docs/internals/inspection.md says the truth. */
#ifndef ORCHIL_TESTS_INSPECT_PLANTED_FAULTS_H
#define ORCHIL_TESTS_INSPECT_PLANTED_FAULTS_H

#include "runner/inspect/inspect.h"

/* X(name, word, needed): a kind; needed where every machine's tests must have one. */
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

/* Counts one case. `word`, up to its line's end, says what was planted in it, NULL that nothing was. Fails the test where
 * code with a fault was not found to be not-kept, or code without one was. */
void planted_faults_add(struct planted_faults *faults, const char *what, const char *word, enum kept kept);

/* Fails the test unless every kind that is needed was planted, and docs/internals/inspection.md has the row of the machine with these
 * numbers. A machine without scopes needs no narrower one. */
void planted_faults_check(const struct planted_faults *faults, const char *machine, bool has_scopes);

#endif
