// SPDX-License-Identifier: Apache-2.0
/* The output of `orchil explain` for one outcome, as text and as JSON. */
#pragma once

#include <jansson.h>

#include "catalogue/catalogue.h"
#include "models/explain/explain.h"
#include "models/explain/repair.h"
#include "models/models.h"
#include "models/races.h"

/* ---- an execution drawn in the terminal, or as a graph ---- */

struct execution_style {
    bool unicode, colours;
    unsigned indent, width; /* width: columns of a line, with its indent */
};

/* Appends the drawing: a column for each thread, its events from top to bottom, and the arrows between columns. The
 * cycle's lines are heavy. False, with nothing appended, if it does not fit into the width. */
bool execution_draw(const struct execution_drawing *drawing, const struct execution_style *style, struct text *text);

/* Appends a line for each event: its letter, its place, its instruction; and the initial values of memory. emitted: the
 * events belong to the PTX that was emitted for the test, and a line below names the instruction. */
void execution_list(const struct execution_drawing *drawing, const struct explanation *explanation, bool emitted,
                    const struct execution_style *style, struct text *text);

/* Appends the drawing as a graph in the DOT language, for Graphviz: a cluster for each thread, the cycle's edges
 * heavy. */
void execution_add_dot(const struct execution_drawing *drawing, const char *title, struct text *text);

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
    struct repairs repairs;   /* for an allowed outcome, the changes that forbid it; for a forbidden one, those that
                               * allow it */
    bool searched;            /* repairs were looked for */
    double seconds;           /* seconds allowed for the search */
    const struct nearest_test *nearest;
    size_t nearest_count;
};

void explained_print(const struct explained *explained);
json_t *explained_to_json(const struct explained *explained);
