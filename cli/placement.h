// SPDX-License-Identifier: Apache-2.0
/* The placement of a test's threads, as test names write it. Private to this folder. */
#ifndef ORCHIL_CLI_PLACEMENT_H
#define ORCHIL_CLI_PLACEMENT_H

#include "base/text.h"
#include "litmus/litmus.h"

/* Appends the numbers of the threads, threads of one work-group together, groups joined by '-':
 * "0-1", "01-2". 'w' precedes threads that share a sub-group ("w01"), brackets enclose the groups
 * of one cluster ("[0-1]-2"), '|' separates devices, 'h' precedes the threads of the host ("0|h1").
 * Numbers of two digits are separated by ',', a range of equal threads is written "0..7". */
void placement_print(const struct litmus_test *test, struct text *text);

#endif
