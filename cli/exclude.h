// SPDX-License-Identifier: Apache-2.0
/* The option --exclude of the verbs that take TESTs. */
#ifndef ORCHIL_CLI_EXCLUDE_H
#define ORCHIL_CLI_EXCLUDE_H

#include "catalogue/selection.h"
#include "cli/options.h"

enum { EXCLUSIONS_MAXIMUM = 64 };

/* The exclusions: a member of a verb's request. */
struct exclusions {
    char *list[EXCLUSIONS_MAXIMUM]; /* part of argv */
    size_t count;
};

/* The row; at: of a struct exclusions. */
#define ROW_EXCLUDE(at)                                                                                                \
    "exclude", 0, "TEST", OPTION_OTHER, (at), .read = exclude_read, .decided = true,                                   \
                                              .help = "leave out these tests; may be given several times"

/* Adds a value to the exclusions of the request. */
void exclude_read(const struct argp_state *state, const struct option_row *row, const char *value, void *request);

/* Leaves them out of the selection; on failure the selection is released. */
enum status exclude_tests(const struct exclusions *exclusions, struct selection *selection, struct error *error);

#endif
