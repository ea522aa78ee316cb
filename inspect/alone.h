// SPDX-License-Identifier: Apache-2.0
/*
 * Plain accesses that no other thread can notice: those of a location that only one thread accesses, and loads that are
 * missing and that nobody reads. A compiler may move them, leave them out, and put others in, if the thread reads the
 * same values and the location ends with the same value. So each such location is compared alone:
 *
 * - a load may be skipped after another access of the location, or before another load of it;
 * - a store may be skipped before another store of it, or if it changes nothing, or another may stand for both.
 *
 * In a test of one thread, which is about instructions alone, what the code has must be in place. Which value the code
 * has in place of a load is not compared, as nowhere in this room.
 */
#pragma once

#include "inspect/compare.h"

/* Whether a body of the code is that of the subject's test. */
typedef bool alone_check(const struct inspect_subject *subject, unsigned body);

/* Per step of the kernel, whether it is a plain access that no other thread can notice, and the code has what it must
 * have of those of its location. The caller frees it. places: as amounts_find takes them. */
bool *alone_find(const struct inspect_subject *subject, const long *places, alone_check *check);

/* Whether the code has what it must have of all accesses of a step's location by its body, if other threads accessed it
 * only before and after that body. False if one of them is not plain. */
bool alone_may_lack(const struct inspect_subject *subject, const long *places, unsigned step, alone_check *check);

/* Lets the relation of one location's accesses skip what may be skipped (subject->alone), given the actions of the
 * code; what the code lacks although it may not be skipped stays needed. */
void alone_loosen(const struct body_code *code, struct follows *follows);
