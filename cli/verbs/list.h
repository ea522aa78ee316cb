// SPDX-License-Identifier: Apache-2.0
/* What `orchil list` prints in addition to tests. Private to this folder. */
#ifndef ORCHIL_CLI_VERBS_LIST_H
#define ORCHIL_CLI_VERBS_LIST_H

#include <stdbool.h>

#include "catalogue/selection.h"

/* The families of the catalogue with their questions and how many tests they have in each dialect. Gives the exit code. */
int list_families(void);

/* For each forbidden test its mutants, for each allowed one its controls, and whether these are there. */
void list_pairs(const struct selection *selection, bool json);

#endif
