// SPDX-License-Identifier: Apache-2.0
/* The TEST arguments of a verb: which tests they select, and files that cannot be read; and the seed of a run. */
#ifndef ORCHIL_CLI_TESTS_H
#define ORCHIL_CLI_TESTS_H

#include "catalogue/selection.h"
#include "cli/options.h"

/* selection_make, with its notes and the list of unread files on standard error. The caller need not release what failed. */
enum status tests_select(const struct arguments *arguments, struct selection *selection, struct error *error);

/* For struct verb: the message if a required TEST is missing. */
extern const char tests_none[];

/* A new seed, where no option gives one: below 2^32, so short enough to be typed again. */
enum status tests_new_seed(uint64_t *seed, struct error *error);

/* The list on standard error, a line for each file. */
void tests_print_unread(const struct selection *selection);

/* The exit code of a verb that would end with `code` if no file were unread. */
int tests_exit_code(size_t unread_count, int code);

#endif
