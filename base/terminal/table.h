// SPDX-License-Identifier: Apache-2.0
/* Aligned columns. A table starts as {0}; cells are added row by row and printed at once, each column as wide as its
 * widest cell. Cells are made safe as terminal_add does. */
#pragma once

#include "base/base.h"

enum { TABLE_MAXIMUM_COLUMNS = 16 };

/* How a column shrinks if the terminal is too narrow. Numbers are never cut or broken. */
enum table_yield {
    TABLE_STAYS,
    TABLE_CUT,    /* ends in an ellipsis */
    TABLE_BROKEN, /* at blanks, into several lines */
    TABLE_SPARE   /* it is left out if nothing else helps, the first such column first */
};

struct table {
    struct table_cell {
        char *text;
        enum terminal_style style;
        bool spans; /* a line of its own, with the rest of its row empty */
    } * cells;
    size_t count, room;
    size_t columns;
    struct table_column {
        bool right; /* a column of numbers */
        bool hidden;
        enum table_yield yield;
    } column[TABLE_MAXIMUM_COLUMNS];
};

/* Begins the columns with their titles, divided by '|'; marks before a title set its form:
 * "Name|>Count|-Rate|<Control|~Note" aligns Count to the right, leaves Rate out if the terminal is too narrow (also
 * "->Rate"), cuts Control and breaks Note. The last column is cut unless it is broken. A cell of the first column that
 * does not fit gets a line of its own. A title row of empty titles only ("||") is not printed. */
void table_columns(struct table *table, const char *titles);

/* Adds the next cell; a row is full when it has as many as there are columns. */
void table_add(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_add_styled(struct table *table, enum terminal_style style, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds cells that are texts. */
#define TABLE_ADD_TEXTS(table, ...)                                                                                    \
    table_add_texts(table, sizeof((const char *[]){__VA_ARGS__}) / sizeof(const char *), (const char *[]){__VA_ARGS__})
void table_add_texts(struct table *table, size_t count, const char *const *texts);

/* Adds a row that is one line over all columns. */
void table_add_heading(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Removes a column whose rows are all equal and returns their text, to be printed above the table; else NULL. The table
 * owns the text. */
const char *table_settle(struct table *table, size_t column);

/* Appends it to a text, each line indented by `indent` spaces, in lines of at most `width` columns (0: no limit). */
void table_add_to(const struct table *table, struct text *text, size_t width, bool colours, unsigned indent);

/* Prints it as wide as the stream's terminal, and releases it. The owner of the stream checks ferror at the end. */
void table_print(struct table *table, FILE *stream, unsigned indent);

void table_release(struct table *table);
