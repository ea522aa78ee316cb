// SPDX-License-Identifier: Apache-2.0
/* Removing one thing from a test. */
#pragma once

#include "litmus/litmus.h"

/* X(name, words): the thing removed; the words are followed by its text. */
#define EDIT_LIST(X)                                                                                                   \
    X(THREAD, "without")                                                                                               \
    X(STATEMENT, "without") /* with everything inside it */                                                            \
    X(THEN, "as if true:")                                                                                             \
    X(OTHERWISE, "as if false:")                                                                                       \
    X(ONCE, "once:") /* a loop is replaced by its body */                                                              \
    X(VARIABLE, "without looking at")

#define EDIT_ENUM(name, words) EDIT_##name,
enum edit_kind { EDIT_LIST(EDIT_ENUM) EDIT_KIND_COUNT };

/* MISSING: the test does not have that thread, statement or variable. REFUSED: the rest would not be a test, or the
 * statement is not of the kind. */
enum edit_end { EDIT_DONE, EDIT_REFUSED, EDIT_MISSING };

/* Makes the test without thing number `number` of its kind: threads and variables as in the test, statements of all
 * threads in the order of the text, with nested statements after the statement that contains them. The outcome, one
 * value for each variable of the test, becomes the condition, without registers and locations that nothing writes or
 * names; a location that nothing names is removed. `what` gets the words of the edit, even if it is REFUSED. If DONE,
 * *edited, its printed text and its *edited_values (which the caller frees) are set. */
enum edit_end edit_test(const struct litmus_test *test, const int64_t *values, enum edit_kind kind, size_t number,
                        struct text *what, struct litmus_test **edited, struct text *text, int64_t **edited_values);
