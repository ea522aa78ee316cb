// SPDX-License-Identifier: Apache-2.0
/* The output of `orchil explain` for one outcome, as text and as JSON. */
#ifndef ORCHIL_CLI_EXPLAIN_EXPLAINED_H
#define ORCHIL_CLI_EXPLAIN_EXPLAINED_H

#include <jansson.h>

#include "catalogue/nearest.h"
#include "models/explain/explain.h"
#include "models/explain/repair.h"
#include "models/models.h"
#include "models/races.h"

/* For a stored outcome: where it was seen. job is 0 if nothing is stored. */
struct explained_job {
    int64_t job, run;
    const char *database, *device, *driver;
    uint64_t count, instances;
};

/* An outcome with all that is known about it. Pointers are borrowed. */
struct explained {
    const struct litmus_test *test;
    const char *model; /* id */
    bool emitted;      /* the model judged the PTX that was emitted for the test */
    const char *label; /* of the outcome; "" if all outcomes are undefined */
    bool witness;
    enum verdict verdict;
    const char *flags;                     /* of an undefined test, as judgement.undefined_by; or NULL */
    const char *cut;                       /* of a judgement that did not follow all loops; or NULL */
    const char *empty;                     /* as in struct judgement */
    const char *end;                       /* of a test that never ends: that it does not, as a sentence; or NULL */
    const struct explanation *explanation; /* NULL: the model has no execution of the outcome */
    struct execution_drawing drawing;      /* of it */
    struct explained_job job;
    struct race race;         /* of a CUDA test judged as PTX: what CUDA C++ says of it */
    struct weakness weakness; /* of a weak outcome; alone is NULL if it was not computed */
    struct repairs repairs;   /* for an allowed outcome, the changes that forbid it; for a forbidden
                               * one, those that allow it */
    bool searched;            /* repairs were looked for */
    double seconds;           /* seconds allowed for the search */
    const struct nearest_test *nearest;
    size_t nearest_count;
};

void explained_print(const struct explained *explained);
json_t *explained_to_json(const struct explained *explained);

#endif
