// SPDX-License-Identifier: Apache-2.0
/* On which tests several models differ. */
#ifndef ORCHIL_CLI_VERBS_CHECK_DIFFER_H
#define ORCHIL_CLI_VERBS_CHECK_DIFFER_H

#include "base/terminal/table.h"
#include "models/models.h"

/* The most models that can be compared: two columns are for the test. */
enum { DIFFERENCES_MODELS = TABLE_MAXIMUM_COLUMNS - 2 };

/* Tests on whose witness several models differ. Starts as {0} and owns its contents; differences_release frees them. */
struct differences {
    struct compared_model {
        char *id;
        uint64_t counts[VERDICT_COUNT]; /* of tests that every model judged */
        enum verdict verdict;           /* of the present test; VERDICT_NONE: unjudged */
    } models[DIFFERENCES_MODELS];
    size_t model_count;
    size_t present; /* models that have judged the present test */
    struct table table;
    uint64_t tests, differing, unjudged; /* unjudged: by at least one model; they count nowhere else */
};

/* A model's verdict on the witness: of several, the most permissive. VERDICT_NONE if the bound on loops cut the search
 * before one was found. */
enum verdict differences_witness(const struct judgement *judgement);

/* The next model's verdict on the present test. At most DIFFERENCES_MODELS, in the same order for every test. */
void differences_note(struct differences *differences, const struct model *model, enum verdict verdict);

/* The present test has been judged by all. Do they differ? */
bool differences_end_test(struct differences *differences, const struct litmus_test *test);

/* The tests on which they differ, and a line with counts. To standard output. */
void differences_print(struct differences *differences);

/* The last finished test, as one line of JSON with a verdict for each model. False if it cannot be written. */
bool differences_print_json(const struct differences *differences, const struct litmus_test *test);

void differences_release(struct differences *differences);

#endif
