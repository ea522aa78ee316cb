// SPDX-License-Identifier: Apache-2.0
/* Turns an execution that the search found into an explanation. */
#pragma once

#include "models/explain/explain.h"
#include "models/search/enumerate.h"

/* The explanation of an outcome that this execution has; values: those of the test's variables, or NULL for any
 * outcome. The caller calls explanation_free. */
struct explanation *explanation_make(const struct capture *capture, enum verdict verdict, const int64_t *values,
                                     const char *axiom);
void explanation_free(struct explanation *explanation);

/* Gives the events the bodies that their threads have in `test`; NULL is fine. */
void explanation_find_bodies(struct explanation *explanation, const struct litmus_test *test);
