// SPDX-License-Identifier: Apache-2.0
/*
 * Stored verdicts by models that have changed. A judgement is stored with the hash of its model (model_hash). Where the model
 * of that name is another one today, what it said is old: the test is judged again, by the text and for the outcomes that
 * are stored.
 */
#ifndef ORCHIL_RUNNER_AGAIN_JUDGE_AGAIN_H
#define ORCHIL_RUNNER_AGAIN_JUDGE_AGAIN_H

#include "models/models.h"
#include "results/results.h"

struct judge_again {
    int64_t run;                  /* 0: all */
    double test_seconds, seconds; /* at most for one judgement; for all */
    void (*went_on)(size_t done, size_t all,
                    void *context); /* tests; before each, and now and then while a model thinks */
    void *context;
};

/*
 * Judges again what the store has of the run, and lets it show the new judgements (store_judge_again); what was done is
 * told by store_changes. Nothing is written to the file. Stored verdicts remain valid, and the change says why, where there is
 * no such model any more, where the text is not read as it was, where the instructions that were emitted would not be
 * emitted now, and where the model cannot judge the test in the time that there is.
 */
enum status judge_again(struct store *store, const struct judge_again *options, struct error *error);

#endif
