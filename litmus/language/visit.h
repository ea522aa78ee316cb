// SPDX-License-Identifier: Apache-2.0
/* Visits the bodies of a test. */
#ifndef ORCHIL_LITMUS_LANGUAGE_VISIT_H
#define ORCHIL_LITMUS_LANGUAGE_VISIT_H

#include "litmus/language/statement.h"

/* Called for every statement, before those inside it, and for every expression, before its operands. Either may be
 * NULL. */
struct visitor {
    void (*statement)(const struct litmus_statement *statement, void *context);
    void (*expression)(const struct litmus_expression *expression, void *context);
    void *context;
};

void litmus_visit_statement(const struct litmus_statement *statement, const struct visitor *visitor);
void litmus_visit_block(const struct litmus_block *block, const struct visitor *visitor);
void litmus_visit_expression(const struct litmus_expression *expression, const struct visitor *visitor);

/* Whether computing the expression, which may be NULL, accesses memory. */
bool litmus_has_access(const struct litmus_expression *expression);

#endif
