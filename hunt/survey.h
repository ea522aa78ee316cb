// SPDX-License-Identifier: Apache-2.0
/* Which of several models the results of a database contradict, and which test tells the others apart. A model is
 * contradicted if an outcome was seen that it forbids. It is loose if a test ran whose outcome it allows and that was
 * not seen: a device may be stronger than its model. */
#ifndef ORCHIL_HUNT_SURVEY_H
#define ORCHIL_HUNT_SURVEY_H

#include "catalogue/synthesis/synthesis.h"

enum { SURVEY_MODELS = 16 };

struct survey_request {
    const char *models; /* names, or files, separated by commas: at most SURVEY_MODELS */
    enum litmus_dialect dialect;
    struct synthesis_bound bound; /* of the tests that may tell them apart */
    const char *database;         /* NULL: nothing was seen */
};

struct survey_model {
    struct model *model;
    bool contradicted, loose;
    const char *reason; /* the first test and outcome that show it; "" if neither */
};

/* Starts as {0}; survey_release frees its contents. */
struct survey {
    struct survey_model models[SURVEY_MODELS];
    size_t model_count;
    struct survey_candidate *candidates; /* private */
    size_t count;
    const struct litmus_test *next; /* some of the models that fit allow it and some forbid it; NULL: there is none */
    struct arena arena;
};

/* USAGE for too many models, or one that cannot be read. The caller calls survey_release, whatever the result. */
enum status survey_make(const struct survey_request *request, struct survey *survey, struct error *error);
void survey_release(struct survey *survey);

#endif
