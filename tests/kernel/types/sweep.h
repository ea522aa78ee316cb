// SPDX-License-Identifier: Apache-2.0
/* Tests of every type and operation, made from tables of what the languages give them. */
#pragma once

#include "litmus/litmus.h"

/* A test, which the visited function releases. */
typedef void sweep_visit(struct litmus_test *test, void *context);

/* Every operation of every type with every order, at each scope and in each address space: one thread, and all of one
 * scope and space in one test. Returns how many accesses there are. */
size_t sweep_orders(enum litmus_dialect dialect, sweep_visit *visit, void *context);

/* Every operation of every type on values chosen to tell it from the others: all outcomes of such a test satisfy its
 * condition. A test is of one type and has at_once operations at most. Returns how many operations there are. */
size_t sweep_results(enum litmus_dialect dialect, size_t at_once, sweep_visit *visit, void *context);

/* Makes a test of a text. Fails the test where that has an error. */
struct litmus_test *sweep_parse(struct text *text);
