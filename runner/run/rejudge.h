// SPDX-License-Identifier: Apache-2.0
/* Judging again with models that have changed. A judgement is stored with the hash of its model (model_hash). If the
 * model of that name now has another hash, the judgement is stale: the stored test is judged again for the stored
 * outcomes. */
#pragma once

#include "kernel/target.h" /* kernel_judge and kernel_judge_emitted, by which runs judge */
#include "models/models.h"
#include "results/results.h"

struct rejudge {
    int64_t run;                  /* 0: all */
    double test_seconds, seconds; /* limits for one judgement and for all */
    void (*went_on)(size_t done, size_t all,
                    /* Progress in tests: called before each test, and now and then while a model
                     * runs. */
                    void *context);
    void *context;
};

/* Judges the stored tests of the run again, and lets the store show the new judgements (store_rejudge); store_changes
 * reports what was done. Nothing is written to the file. A stored verdict remains, and the change says why, if the
 * model no longer exists, if the text now parses differently, if other instructions would be emitted now, or if the
 * model cannot judge the test in the time left. */
enum status rejudge(struct store *store, const struct rejudge *options, struct error *error);
