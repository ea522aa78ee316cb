// SPDX-License-Identifier: Apache-2.0
/* The tests of `--last-failed`: the tests of a database's newest run that failed. */
#pragma once

#include "catalogue/selection.h"

struct last_failed {
    int64_t run;                /* the newest run of the database that has a plan and is no rerun of a gate */
    size_t tests;               /* of its plan */
    size_t failed;              /* of these */
    struct selection selection; /* the failed ones, with the texts that they had */
};

/* Finds them. A test failed if a job of it, or of one of its controls, on any device, ended in another state than
 * completed or unsupported, has not ended, or was not begun; if it showed an outcome that the stored verdicts forbid,
 * or a witness that must not appear; or if a gate ran it again because it looked changed. USAGE if there is no
 * database, or no such run in it. The caller releases the selection, whatever the result. */
enum status last_failed_find(const char *database, struct last_failed *found, struct error *error);

/* Leaves only the tests of `selection` that failed, by dialect and name. */
void last_failed_narrow(const struct last_failed *found, struct selection *selection);
