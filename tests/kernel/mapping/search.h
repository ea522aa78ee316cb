// SPDX-License-Identifier: Apache-2.0
/* Asks of a test whether the PTX that is emitted for it allows what the source's model forbids: a limit of the
 * mapping. */
#pragma once

#include "models/models.h"

enum { SEARCH_MODELS = 5 };

/* A source's model, and what became of the tests that it was asked about. */
struct search_model {
    const char *name;
    enum litmus_dialect dialect;
    struct model *model; /* NULL: this program has none of that name */
    unsigned judged, racy, unjudged;
    unsigned with_limits;     /* tests of which a line was added */
    unsigned out_of_thin_air; /* tests whose limits are values that RC11 forbids by acyclic po | rf */
    unsigned by_total_order;  /* tests of which its rule about seq_cst alone forbids some outcome */
};

struct mapping_search {
    struct search_model models[SEARCH_MODELS];
    enum litmus_dialect to; /* PTX or VULKAN */
    struct model *target;   /* of it */
    unsigned tests, target_unjudged;
    unsigned unexplained; /* limits of which it could not be judged whether a fence.sc in each release forbids them */
    struct text *found;   /* the lines */
};

void mapping_search_start(struct mapping_search *search, enum litmus_dialect to, struct text *found);
void search_release(struct mapping_search *search);

/* Appends a line to search->found for each model that forbids an outcome of the target: the model, its axiom, the test
 * and the first such outcome. Of PTX, fails the present test where it is not forbidden even with a fence.sc in each
 * release. */
void search_examine(struct mapping_search *search, const struct litmus_test *test);

/* Whether the name stands in lines that search_examine has written. */
bool search_lists(const char *lines, const char *name);
