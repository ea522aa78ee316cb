// SPDX-License-Identifier: Apache-2.0
/* A grid of characters to draw on: texts, and lines that join where they meet. */
#ifndef ORCHIL_CLI_EXPLAIN_CANVAS_H
#define ORCHIL_CLI_EXPLAIN_CANVAS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/terminal/terminal.h"

struct canvas {
    struct arena arena;
    unsigned width, height;
    struct canvas_cell *cells;
};

/* How heavy a line is: the cycle's are heavy. */
enum canvas_weight { CANVAS_LIGHT = 1, CANVAS_HEAVY = 2 };

void canvas_open(struct canvas *canvas, unsigned width, unsigned height);
void canvas_release(struct canvas *canvas);

/* ASCII text from a place to the right, cut at the edge. */
void canvas_text(struct canvas *canvas, unsigned x, unsigned y, const char *text, bool strong);

/* A line along a row or a column, ends included, in either direction. */
void canvas_row(struct canvas *canvas, unsigned from, unsigned to, unsigned y, enum canvas_weight weight);
void canvas_column(struct canvas *canvas, unsigned x, unsigned from, unsigned to, enum canvas_weight weight);

/* An arrow's head in place of the line: '<', '>', '^' or 'v'. */
void canvas_head(struct canvas *canvas, unsigned x, unsigned y, char head);

/* Is there a line along the row, and nothing else? */
bool canvas_is_row(const struct canvas *canvas, unsigned x, unsigned y);

/* Appends the lines, without blanks at their ends and empty lines after the last; unicode: with box drawing, else in ASCII. */
void canvas_print(const struct canvas *canvas, bool unicode, bool colours, unsigned indent, struct text *text);

#endif
