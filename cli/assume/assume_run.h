// SPDX-License-Identifier: Apache-2.0
/* Running assumptions: each with its planted violation, through a run of its own each. Private to verb_assume.c. */
#ifndef ORCHIL_CLI_ASSUME_ASSUME_RUN_H
#define ORCHIL_CLI_ASSUME_ASSUME_RUN_H

#include "analysis/analysis.h"
#include "catalogue/selection.h"
#include "runner/run/run_jobs.h"

struct assume_pair {
    const struct selected_test *test; /* of the selection */
    struct selected_test planted;
    bool borrowed; /* planted is the selection's, too; else the pair's */
};

/* Starts as {0}; assume_release frees what it holds. */
struct assume_tests {
    struct assume_pair *pairs;
    struct assumption *list; /* as many: what came of them */
    size_t count;
    struct arena arena; /* of all of that, and of the texts of the list */
};

/* The tests of the selection that name a planted violation. USAGE where none does, where one names none that is there, or
 * where the planted one's witness is not allowed. */
enum status assume_choose(const struct selection *selection, struct assume_tests *tests, struct error *error);
void assume_release(struct assume_tests *tests);

/* Runs the planted violations, each for `planted_seconds` at most, or the assumptions, each for options->seconds, and notes
 * in the list their results. *profile and *environment, of the list's arena, are those of a job; "" where none ended. */
enum assume_half { ASSUME_PLANTED, ASSUME_ITSELF };
enum status assume_run(struct assume_tests *tests, enum assume_half half, const struct backend_device *device,
                       const struct run_options *options, int argc, char **argv, struct run_result *result,
                       const char **profile, const char **environment, struct error *error);

#endif
