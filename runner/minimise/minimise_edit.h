// SPDX-License-Identifier: Apache-2.0
/* A test with one thing less. Private. */
#ifndef ORCHIL_RUNNER_MINIMISE_EDIT_H
#define ORCHIL_RUNNER_MINIMISE_EDIT_H

#include "litmus/litmus.h"

/* X(name, words): what goes; the words are followed by what it was. */
#define EDIT_LIST(X)                                                                                                   \
    X(THREAD, "without")                                                                                               \
    X(STATEMENT, "without") /* with all that is inside it */                                                           \
    X(THEN, "as if true:")                                                                                             \
    X(OTHERWISE, "as if false:")                                                                                       \
    X(ONCE, "once:") /* a loop's body in its place */                                                                  \
    X(VARIABLE, "without looking at")

#define EDIT_ENUM(name, words) EDIT_##name,
enum edit_kind { EDIT_LIST(EDIT_ENUM) EDIT_KIND_COUNT };
#undef EDIT_ENUM

/* MISSING: the test has no such thread, statement or variable. REFUSED: what would be left is not a test, or not such a statement. */
enum edit_end { EDIT_DONE, EDIT_REFUSED, EDIT_MISSING };

/*
 * Makes the test without thing number `number` of its kind: threads and variables as in the test, statements of all threads in
 * the order of the text, those inside others after them. The outcome, one value for each of the test's variables, becomes its
 * condition; registers and locations that nothing writes or names any more are not part of it, and of a location that nobody
 * names nothing is left. `what` gets the words of the edit, also where it is refused. *edited, its printed text and its *values
 * (which the caller frees) are set where it is DONE.
 */
enum edit_end edit_test(const struct litmus_test *test, const int64_t *values, enum edit_kind kind, size_t number,
                        struct text *what, struct litmus_test **edited, struct text *text, int64_t **edited_values);

#endif
