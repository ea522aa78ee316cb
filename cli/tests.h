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

/* For struct verb: the message if a required TEST is missing. */
extern const char tests_none[];

/* The list on standard error, a line for each file. */
void tests_print_unread(const struct selection *selection);

/* The exit code of a verb that would end with `code` without unread files. */
int tests_exit_code(size_t unread_count, int code);

#endif
