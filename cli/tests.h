// SPDX-License-Identifier: Apache-2.0
/* The TEST arguments of a verb: the tests that they select, and unread files; and the seed of a
 * run. */
#ifndef ORCHIL_CLI_TESTS_H
#define ORCHIL_CLI_TESTS_H

#include "catalogue/selection.h"
#include "cli/options.h"

/* selection_make, with its notes and the list of unread files on standard error. After a failure
 * there is nothing to release. */
enum status tests_select(char *const *arguments, size_t count, struct selection *selection, struct error *error);

struct verb_call;
struct exclusions;

/* The same into call->selection, which the caller of the verb releases, less the exclusions (or NULL). */
enum status tests_take(struct verb_call *call, const struct verb_arguments *tests, const struct exclusions *exclude,
                       struct error *error);

/* For struct verb: the message if a required TEST is missing. */
extern const char tests_none[];

/* The list on standard error, a line for each file. */
void tests_print_unread(const struct selection *selection);

/* The exit code of a verb that would end with `code` without unread files. */
int tests_exit_code(size_t unread_count, int code);

/* ---- --exclude ---- */

enum { EXCLUSIONS_MAXIMUM = 64 };

/* The exclusions: a member of a verb's request. */
struct exclusions {
    char *list[EXCLUSIONS_MAXIMUM]; /* part of argv */
    size_t count;
};

/* The row; at: of a struct exclusions. */
#define ROW_EXCLUDE(at)                                                                                                \
    "exclude", 0, "TEST", OPTION_OTHER, (at), .read = exclude_read, .decided = true, .file = OPTION_FILE_READ,         \
                                              .help = "leave out these tests; may be given several times"

/* Adds a value to the exclusions of the request. */
void exclude_read(const struct argp_state *state, const struct option_row *row, const char *value, void *request);

/* Leaves them out of the selection; on failure the selection is released. */
enum status exclude_tests(const struct exclusions *exclusions, struct selection *selection, struct error *error);

#endif
