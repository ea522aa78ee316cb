// SPDX-License-Identifier: Apache-2.0
/* Columns as wide as their widest cells. */
#include "base/terminal/table.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

static const char gap[] = "  "; /* between columns */
static const char ellipsis[] = "\xe2\x80\xa6";

/* Columns that are left of one that is cut; and how many the last one gets at the cost of those that may be cut. */
enum { NARROWEST = 8, LAST_COLUMN = 24 };

/* ---- building ---- */

static void __attribute__((format(printf, 3, 0)))
add_list(struct table *table, enum terminal_style style, const char *format, va_list arguments)
{
    struct text cell = {0}, safe = {0};
    terminal_add_list(&cell, format, arguments);
    terminal_add_safe(&safe, text_string(&cell));
    LIST_ADD(table->cells, table->count, table->room) = (struct table_cell){memory_copy(text_string(&safe)), style};
    text_release(&cell);
    text_release(&safe);
}

void table_add(struct table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_list(table, TERMINAL_PLAIN, format, arguments);
    va_end(arguments);
}

void table_add_styled(struct table *table, enum terminal_style style, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_list(table, style, format, arguments);
    va_end(arguments);
}

void table_columns(struct table *table, const char *titles)
{
    for (bool more = true; more && table->columns < TABLE_MAXIMUM_COLUMNS; table->columns++) {
        table->right[table->columns] = titles[0] == '>';
        table->cut[table->columns] = titles[0] == '<';
        titles += titles[0] == '>' || titles[0] == '<' ? 1 : 0;
        const size_t length = strcspn(titles, "|");
        table_add_styled(table, TERMINAL_STRONG, "%.*s", (int)length, titles);
        more = titles[length] == '|';
        titles += length + (more ? 1 : 0);
    }
}

/* ---- printing ---- */

/* Columns that a text takes: its characters, in UTF-8, as if each were one wide. */
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

/* Bytes of text that take at most `width` columns. */
static size_t bytes_in(const char *text, size_t width)
{
    size_t bytes = 0;
    for (size_t used = 0; text[bytes]; bytes++) {
        used += ((unsigned char)text[bytes] & 0xc0) != 0x80;
        if (used > width)
            break;
    }
    return bytes;
}

static const char *cell_at(const struct table *table, size_t index)
{
    return table->cells[index].text;
}

static bool row_is_empty(const struct table *table, size_t row)
{
    for (size_t column = 0; column < table->columns; column++)
        if (cell_at(table, row * table->columns + column)[0] != '\0')
            return false;
    return true;
}

/* Appends a cell, cut to `width` columns. */
static void add_cut(struct text *line, const char *cell, size_t width)
{
    if (width_of(cell) <= width)
        text_add(line, "%s", cell);
    else
        text_add(line, "%.*s%s", (int)bytes_in(cell, width - 1), cell, ellipsis);
}

static void add_row(const struct table *table, size_t row, const size_t *widths, bool colours, struct text *line)
{
    for (size_t column = 0; column < table->columns; column++) {
        const size_t index = row * table->columns + column;
        const char *cell = cell_at(table, index);
        const size_t used = width_of(cell), blanks = used < widths[column] ? widths[column] - used : 0;
        const enum terminal_style style = table->cells[index].style;
        text_add(line, "%s", column > 0 ? gap : "");
        if (table->right[column])
            text_add(line, "%*s", (int)blanks, "");
        text_add(line, "%s", style == TERMINAL_PLAIN ? "" : terminal_style(colours, style));
        add_cut(line, cell, widths[column]);
        text_add(line, "%s", style == TERMINAL_PLAIN ? "" : terminal_style(colours, TERMINAL_PLAIN));
        if (!table->right[column] && column + 1 < table->columns)
            text_add(line, "%*s", (int)blanks, "");
    }
}

static void find_widths(const struct table *table, size_t rows, size_t *widths)
{
    for (size_t i = 0; i < rows * table->columns; i++) {
        const size_t cell = width_of(cell_at(table, i));
        size_t *widest = &widths[i % table->columns];
        *widest = cell > *widest ? cell : *widest;
    }
}

static size_t sum_before_last(const struct table *table, const size_t *widths)
{
    size_t sum = 0;
    for (size_t column = 0; column + 1 < table->columns; column++)
        sum += widths[column] + strlen(gap);
    return sum;
}

/* Cuts columns to the width. A terminal too narrow even for what may not be cut gets whole lines, which it wraps. */
static void fit_widths(const struct table *table, size_t width, size_t *widths)
{
    size_t *last = &widths[table->columns - 1];
    const size_t wanted = *last < LAST_COLUMN ? *last : LAST_COLUMN;
    for (bool more = true; more && sum_before_last(table, widths) + wanted > width;) {
        size_t widest = 0;
        for (size_t column = 1; column + 1 < table->columns; column++)
            if (table->cut[column] && widths[column] > widths[widest] * (widest > 0))
                widest = column;
        more = widest > 0 && widths[widest] > NARROWEST;
        widths[widest] -= more ? 1 : 0;
    }
    const size_t used = sum_before_last(table, widths);
    if (used < width && used + *last > width)
        *last = width - used;
}

void table_print(const struct table *table, FILE *stream, unsigned indent)
{
    size_t widths[TABLE_MAXIMUM_COLUMNS] = {0};
    const size_t width = terminal_width(stream);
    const bool colours = terminal_has_colours(stream);
    struct text line = {0};
    const size_t rows = table->columns > 0 ? table->count / table->columns : 0;
    find_widths(table, rows, widths);
    if (rows > 0 && width > indent)
        fit_widths(table, width - indent, widths);
    for (size_t row = rows > 0 && row_is_empty(table, 0) ? 1 : 0; row < rows; row++) {
        text_clear(&line);
        text_add(&line, "%*s", (int)indent, "");
        add_row(table, row, widths, colours, &line);
        while (line.size > 0 && line.data[line.size - 1] == ' ')
            line.data[--line.size] = '\0';
        (void)fprintf(stream, "%s\n", text_string(&line));
    }
    text_release(&line);
}

void table_release(struct table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i].text);
    free(table->cells);
    *table = (struct table){0};
}
