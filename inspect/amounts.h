// SPDX-License-Identifier: Apache-2.0
/* Finds the tests that compiled code implements if it does not implement the test as written. */
#pragma once

#include "inspect/needs.h"

/* Whether the code is the subject's test, as the comparison sees it. */
typedef bool amounts_check(const struct inspect_subject *subject);

/*
 * Looks for tests that differ from the subject's as a compiler's changes do, and whose every step is in the code, in
 * order, and appends them to inspection->amounts_to:
 *
 * - a store without an instruction is left out, if its thread overwrites it, or if it is plain and writes what
 *   its thread last read or wrote there;
 * - a load without one gives its register the value of another access of its location, since its
 *   thread's last write there, or is left out if nobody reads the register. Which value the compiler
 *   took is not known: there is a test for each;
 * - an update that writes the value that it reads, such as fetch_add of 0, is a load, and an exchange whose
 *   result nobody reads is a store, if the code has such an access for it, as LLVM makes it (whether it may, the
 *   model says);
 * - statements in a row are in the order of the code, and two branches in a row with one condition
 *   are one;
 * - a loop that the code runs once is its body.
 *
 * Adds none if the code is not one of these. places: for each step of the kernel, the index in the listing of its first
 * instruction, or -1 if it has none. inspection: the findings of the test.
 */
void amounts_find(const struct inspect_subject *subject, const long *places, amounts_check *check,
                  struct inspection *inspection);

/* Whether a register that a statement of the body sets is read after it, by what the code has, or observed. places: as
 * above. */
bool amounts_is_read(const struct inspect_subject *subject, const long *places, unsigned body,
                     const struct litmus_statement *setter);
