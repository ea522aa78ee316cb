// SPDX-License-Identifier: Apache-2.0
/* Output of `orchil list` other than tests. Private to this folder. */
#ifndef ORCHIL_CLI_VERBS_LIST_H
#define ORCHIL_CLI_VERBS_LIST_H

#include <stdbool.h>

#include "catalogue/selection.h"

/* Prints the families of the catalogue with their questions and their number of tests in each
 * dialect. Returns the exit code. */
int list_families(void);

/* Prints for each forbidden test its mutants, for each allowed one its controls, and whether these
 * exist. */
void list_pairs(const struct selection *selection, bool json);

#endif
