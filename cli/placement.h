// SPDX-License-Identifier: Apache-2.0
/* Where a test's threads sit, as the names of tests write it. Private to this folder. */
#ifndef ORCHIL_CLI_PLACEMENT_H
#define ORCHIL_CLI_PLACEMENT_H

#include "base/text.h"
#include "litmus/litmus.h"

/* Appends the numbers of the threads, threads of one work-group together, groups joined by '-': "0-1", "01-2". 'w' stands
 * before threads that share a sub-group ("w01"), brackets round the groups of one cluster ("[0-1]-2"), '|' between
 * devices, 'h' before the threads of the host ("0|h1"). Numbers of two digits are divided by ',', a range of equal
 * threads is written "0..7". */
void placement_print(const struct litmus_test *test, struct text *text);

#endif
