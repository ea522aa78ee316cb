// SPDX-License-Identifier: Apache-2.0
/* Updates verdicts of a database by models that have changed. Private to this folder. */
#ifndef ORCHIL_CLI_JUDGED_AGAIN_H
#define ORCHIL_CLI_JUDGED_AGAIN_H

#include "results/results.h"

/* For the documentation of a verb that reads verdicts. */
#define HELP_JUDGED_AGAIN                                                                                              \
    "If a model has changed since it judged a test, the test is judged again, for at most ten seconds, and a line on " \
    "standard error says so. The database is not changed."

/* A side_preparation: judges tests again whose verdicts the current models may change, for at most
 * ten seconds a test and two minutes in all, with progress; reports on standard error which tests
 * were judged again and which were not. */
enum status judged_again_prepare(struct store *store, int64_t run, struct error *error);

#endif
