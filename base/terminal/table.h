// SPDX-License-Identifier: Apache-2.0
/*
 * Aligned columns. A table starts as {0}; cells are added row by row and printed at once, each column as wide as its
 * widest cell. Bytes that could steer a terminal become '?'.
 */
#ifndef ORCHIL_BASE_TERMINAL_TABLE_H
#define ORCHIL_BASE_TERMINAL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/terminal/terminal.h"

enum { TABLE_MAXIMUM_COLUMNS = 16 };

struct table {
    struct table_cell {
        char *text;
        enum terminal_style style;
    } * cells;
    size_t count, room;
    size_t columns;
    bool right[TABLE_MAXIMUM_COLUMNS]; /* columns of numbers */
    bool cut[TABLE_MAXIMUM_COLUMNS];   /* columns that a narrow terminal may cut */
};

/* Begins the columns with their titles, divided by '|'; "Name|>Count|<Note" sets Count to the right, and lets a terminal
 * that is too narrow cut Note. A title row of empty titles only ("||") is not printed. */
void table_columns(struct table *table, const char *titles);

/* Adds the next cell; a row is full when it has as many as there are columns. */
void table_add(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_add_styled(struct table *table, enum terminal_style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints it, each line behind `indent` blanks. On a terminal the last column is cut to the width, and those that may be
 * cut before it vanishes; an ellipsis stands for what is missing. Whoever owns the
 * stream looks at ferror at the end. */
void table_print(const struct table *table, FILE *stream, unsigned indent);

void table_release(struct table *table);

#endif
