// SPDX-License-Identifier: Apache-2.0
/* An execution drawn in the terminal, or as a graph. */
#ifndef ORCHIL_CLI_EXPLAIN_EXECUTION_H
#define ORCHIL_CLI_EXPLAIN_EXECUTION_H

#include "base/text.h"
#include "models/explain/explain.h"

struct execution_style {
    bool unicode, colours;
    unsigned indent, width; /* width: columns of a line, with its indent */
};

/* Appends the drawing: a column for each thread, its events from top to bottom, and the arrows
 * between columns. The cycle's lines are heavy. False, with nothing appended, if it does not fit
 * into the width. */
bool execution_draw(const struct execution_drawing *drawing, const struct execution_style *style, struct text *text);

/* Appends a line for each event: its letter, its place, its instruction; and the initial values of
 * memory. emitted: the events belong to the PTX that was emitted for the test, and a line below
 * names the instruction. */
void execution_list(const struct execution_drawing *drawing, const struct explanation *explanation, bool emitted,
                    const struct execution_style *style, struct text *text);

/* Appends the drawing as a graph in the DOT language, for Graphviz: a cluster for each thread, the cycle's edges heavy. */
void execution_add_dot(const struct execution_drawing *drawing, const char *title, struct text *text);

#endif
