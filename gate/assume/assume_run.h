// SPDX-License-Identifier: Apache-2.0
/* Runs assumptions and their planted violations, each in a run of its own. */
#ifndef ORCHIL_GATE_ASSUME_ASSUME_RUN_H
#define ORCHIL_GATE_ASSUME_ASSUME_RUN_H

#include "analysis/compare/compare.h"
#include "catalogue/selection.h"
#include "gate/assume/assumptions.h"
#include "runner/run/run_jobs.h"

struct assume_pair {
    const struct selected_test *test; /* of the selection */
    struct selected_test planted;
    bool borrowed; /* planted also belongs to the selection; else to the pair */
};

/* Starts as {0}; assume_release frees its contents. */
struct assume_tests {
    struct assume_pair *pairs;
    struct assumption *list; /* as many: their results */
    size_t count;
    struct arena arena; /* holds all of that, and the texts of the list */
};

/* The tests of the selection that name a planted violation. USAGE if none does, if a named one does not exist, or if
 * the planted one's witness is not allowed. */
enum status assume_choose(const struct selection *selection, struct assume_tests *tests, struct error *error);
void assume_release(struct assume_tests *tests);

/* Which tests of the pairs run. */
enum assume_half { ASSUME_PLANTED, ASSUME_ITSELF };

/* Who hears of progress, at most every second and at every batch. */
struct assume_listener {
    void (*went_on)(const struct run_progress *progress, enum assume_half half, void *context);
    void *context;
};

/* Runs the planted violations, each for `planted_seconds` at most, or the assumptions, each for options->seconds, and
 * records their results in the list. *profile and *environment, in the list's arena, are those of a job; "" if none
 * ended. */
enum status assume_run(struct assume_tests *tests, enum assume_half half, const struct backend_device *device,
                       const struct run_options *options, const struct assume_listener *listener,
                       struct run_result *result, const char **profile, const char **environment, struct error *error);

#endif
