// SPDX-License-Identifier: Apache-2.0
/* The TEST arguments of a verb: which tests they mean, and what is said of files that cannot be read. */
#ifndef ORCHIL_CLI_TESTS_H
#define ORCHIL_CLI_TESTS_H

#include "catalogue/selection.h"

/* selection_make, with the list of unread files on standard error. The caller need not release what failed. */
enum status tests_select(char *const *arguments, size_t count, struct selection *selection, struct error *error);

/* The list on standard error, a line for each file. */
void tests_print_unread(const struct selection *selection);

/* The exit code of a verb that would end with `code` if no file were unread. */
int tests_exit_code(size_t unread_count, int code);

#endif
