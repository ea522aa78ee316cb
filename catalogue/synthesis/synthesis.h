// SPDX-License-Identifier: Apache-2.0
/*
 * Finds the tests that a model needs: all minimal tests up to a bound, and those that tell two models apart. What is
 * enumerated, in which order, what minimal means and why nothing is missed is in README.md.
 *
 * Ownership: models belong to the caller; what take is given lives until it returns.
 */
#pragma once

#include "base/hash_index.h"
#include "catalogue/selection.h"
#include "litmus/litmus.h"
#include "models/models.h"

/* Tests with at most as many of each. A read-modify-write is one access. barriers: work-groups whose threads meet,
 * once. local: locations in local memory, where the model tells it from global memory. */
struct synthesis_bound {
    unsigned threads, accesses, fences, updates, dependencies, barriers, local;
};

enum { SYNTHESIS_MAXIMUM_THREADS = 4, SYNTHESIS_MAXIMUM_ACCESSES = 8 };

/* What was done so far. Every number counts this shard only. */
struct synthesis_counts {
    uint64_t skeletons; /* programs without their orders and fences, all different up to symmetry */
    uint64_t programs;  /* with orders and fences: all of these that the bound has */
    uint64_t judged;    /* questions to the models, about programs and weaker forms of them; other answers follow */
    uint64_t unjudged;  /* of these, those that a model cannot answer: taken as allowed */
    uint64_t contradictions; /* tests given up because a weaker form is forbidden where a stronger one is allowed */
    uint64_t tests;
};

/* The tests of the catalogue in a dialect, by synthesis_key. Starts as {0}. */
struct known_tests {
    struct selection selection;
    char **keys; /* of its tests, or NULL */
    struct hash_index index;
};

/* The caller releases them, also after an error. */
enum status known_tests_open(struct known_tests *known, enum litmus_dialect dialect, struct error *error);
void known_tests_release(struct known_tests *known);

struct synthesis_request {
    const struct model *forbid; /* its minimal tests are wanted */
    const struct model *allow;  /* only those that this model allows; NULL: all */
    int dialect;                /* LITMUS_NONE: the one of the model */
    struct synthesis_bound bound;
    unsigned shard, shards;          /* skeletons number shard, shard + shards, ...; shards 0: all */
    const struct known_tests *known; /* whose names tests get; NULL: none */
    /* accesses: of the skeletons that are searched now; done: the part of these that is done, 0 to 1, where later ones
     * take longer. Or NULL. */
    void (*progress)(unsigned accesses, double done, const struct synthesis_counts *counts, void *context);
    bool (*stopped)(void *); /* or NULL */
    /* Takes a minimal test; is_known: it has the name of a known one. Those of fewer accesses come first; with `allow`
     * also, of as many, those of fewer fences, read-modify-writes and dependencies, then of threads, so that the
     * smallest difference is the first. */
    enum status (*take)(const struct litmus_test *test, bool is_known, void *context, struct error *error);
    void *context; /* of all of these */
};

/* The dialect in which the tests of a model are written. */
enum litmus_dialect synthesis_dialect(const char *model, int dialect);

/* *complete: nothing up to the bound is missing; false if it was stopped. USAGE if no row of the room has the dialect;
 * the status of take. */
enum status synthesise(const struct synthesis_request *request, struct synthesis_counts *counts, bool *complete,
                       struct error *error);

/* Appends what a test is up to the names of its threads, locations, registers and groups: equal for two tests if one is
 * the other renamed. False for a test that is not straight lines of accesses and fences with a condition that says what
 * every read returns. */
bool synthesis_key(const struct litmus_test *test, struct text *key);

/* What the criterion says of a given test. */
enum synthesis_answer {
    SYNTHESIS_MINIMAL,
    SYNTHESIS_CONTAINS,     /* it is forbidden, but not minimal: it contains a smaller or weaker test that is */
    SYNTHESIS_ALLOWED,      /* the model allows its condition, or gives the test no meaning */
    SYNTHESIS_INEXPRESSIBLE /* it is not straight lines of accesses and fences, or its condition not one outcome */
};

/* For INEXPRESSIBLE, appends what in the test is not enumerated, in words: "P0 line 5: red.relaxed.gpu.add x, 1". For
 * CONTAINS, appends the first thing that it does not need, and *contained is a minimal test that it contains, without a
 * name of the catalogue; the caller releases it. Else *contained is NULL. */
enum synthesis_answer synthesis_examine(const struct model *model, const struct litmus_test *test, struct text *spare,
                                        struct litmus_test **contained);
