// SPDX-License-Identifier: Apache-2.0
/* Columns as wide as their widest cells, or as the terminal allows. */
#include "base/terminal/table.h"

static const char ellipsis[] = "\xe2\x80\xa6";

enum {
    GAP = 2,             /* blanks between columns */
    NARROWEST_NAME = 12, /* of the first column; longer cells get their own lines if it must shrink below this */
    NARROWEST_CUT = 8,
    NARROWEST_LAST = 20,
    WIDEST_REGAINED = 20, /* of the first column, if another one can be broken for it */
    WIDEST_WORD = 24      /* longest word that a broken column keeps whole */
};

/* ---- building ---- */

static void __attribute__((format(printf, 3, 0)))
add_list(struct table *table, struct table_cell cell, const char *format, va_list arguments)
{
    LOCAL(text) text = {0}, safe = {0};
    terminal_add_list(&text, format, arguments);
    terminal_add_safe(&safe, text_string(&text));
    cell.text = memory_copy(text_string(&safe));
    LIST_ADD(table->cells, table->count, table->room) = cell;
}

void table_add(struct table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_list(table, (struct table_cell){.style = TERMINAL_PLAIN}, format, arguments);
    va_end(arguments);
}

void table_add_styled(struct table *table, enum terminal_style style, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_list(table, (struct table_cell){.style = style}, format, arguments);
    va_end(arguments);
}

void table_add_texts(struct table *table, size_t count, const char *const *texts)
{
    for (size_t i = 0; i < count; i++)
        table_add(table, "%s", texts[i]);
}

void table_add_heading(struct table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_list(table, (struct table_cell){.style = TERMINAL_STRONG, .spans = true}, format, arguments);
    va_end(arguments);
    for (size_t column = 1; column < table->columns; column++)
        table_add(table, "%s", "");
}

/* Reads the marks before a title. */
static const char *read_marks(const char *title, struct table_column *column)
{
    for (;; title++) {
        if (*title == '>')
            column->right = true;
        else if (*title == '<')
            column->yield = TABLE_CUT;
        else if (*title == '~')
            column->yield = TABLE_BROKEN;
        else if (*title == '-')
            column->yield = TABLE_SPARE;
        else
            return title;
    }
}

void table_columns(struct table *table, const char *titles)
{
    for (bool more = true; more && table->columns < TABLE_MAXIMUM_COLUMNS; table->columns++) {
        struct table_column *column = &table->column[table->columns];
        titles = read_marks(titles, column);
        const size_t length = strcspn(titles, "|");
        table_add_styled(table, TERMINAL_STRONG, "%.*s", (int)length, titles);
        more = titles[length] == '|';
        titles += length + (more ? 1 : 0);
        if (!more && column->yield == TABLE_STAYS && !column->right && table->columns > 0)
            column->yield = TABLE_CUT;
    }
}

/* ---- rows ---- */

static size_t row_count(const struct table *table)
{
    return table->columns > 0 ? table->count / table->columns : 0;
}

static const struct table_cell *cell_at(const struct table *table, size_t row, size_t column)
{
    return &table->cells[row * table->columns + column];
}

static bool row_is_empty(const struct table *table, size_t row)
{
    return !ANY_NUMBER(size_t, column, 0, table->columns, cell_at(table, row, column)->text[0] != '\0');
}

const char *table_settle(struct table *table, size_t column)
{
    const char *same = NULL;
    for (size_t row = 1; row < row_count(table); row++) {
        if (cell_at(table, row, 0)->spans)
            continue;
        const char *cell = cell_at(table, row, column)->text;
        if (same && strcmp(same, cell) != 0)
            return NULL;
        same = cell;
    }
    table->column[column].hidden = same != NULL;
    return same;
}

/* ---- widths ---- */

struct table_layout {
    struct text *text;
    size_t width; /* 0: no limit */
    bool colours;
    unsigned indent;
    struct {
        size_t width, least; /* least: it does not shrink further */
        bool shown;
    } column[TABLE_MAXIMUM_COLUMNS];
};

static size_t least_of(const struct table *table, const struct table_layout *layout, size_t column)
{
    const size_t widest = layout->column[column].width;
    size_t least = widest;
    if (column == 0)
        least = NARROWEST_NAME;
    else if (table->column[column].yield == TABLE_CUT)
        least = column + 1 == table->columns ? NARROWEST_LAST : NARROWEST_CUT;
    else if (table->column[column].yield == TABLE_BROKEN) {
        least = 0;
        for (size_t row = 0; row < row_count(table); row++) {
            const size_t word = wrap_longest_word(cell_at(table, row, column)->text);
            least = word > least ? word : least;
        }
        least = least < WIDEST_WORD ? least : WIDEST_WORD;
    }
    return least < widest ? least : widest;
}

static void table_measure(const struct table *table, struct table_layout *layout)
{
    for (size_t column = 0; column < table->columns; column++) {
        size_t *widest = &layout->column[column].width;
        layout->column[column].shown = !table->column[column].hidden;
        for (size_t row = 0; row < row_count(table); row++) {
            const struct table_cell *cell = cell_at(table, row, column);
            const size_t width = cell->spans ? 0 : terminal_columns(cell->text);
            *widest = width > *widest ? width : *widest;
        }
        layout->column[column].least = least_of(table, layout, column);
    }
}

static size_t layout_width(const struct table *table, const struct table_layout *layout)
{
    size_t sum = layout->indent, shown = 0;
    for (size_t column = 0; column < table->columns; column++)
        if (layout->column[column].shown)
            sum += layout->column[column].width + (shown++ > 0 ? GAP : 0);
    return sum;
}

/* Narrows the column that can give up most, among those that are broken or among the others. False if none can. */
static bool yield_one(const struct table *table, struct table_layout *layout, bool breaks)
{
    size_t chosen = 0, most = 0;
    for (size_t column = 0; column < table->columns; column++) {
        const size_t spare = layout->column[column].width - layout->column[column].least;
        if (layout->column[column].shown && (table->column[column].yield == TABLE_BROKEN) == breaks && spare > most) {
            most = spare;
            chosen = column;
        }
    }
    layout->column[chosen].width -= most > 0 ? 1 : 0;
    return most > 0;
}

/* Gives all names of the first column their own lines. */
static bool yield_names(struct table_layout *layout)
{
    if (layout->column[0].width <= GAP)
        return false;
    layout->column[0].least = layout->column[0].width = GAP;
    return true;
}

/* Leaves out the first visible spare column. False if there is none. */
static bool drop_one(const struct table *table, struct table_layout *layout)
{
    for (size_t column = 0; column < table->columns; column++) {
        if (table->column[column].yield != TABLE_SPARE || !layout->column[column].shown)
            continue;
        layout->column[column].shown = false;
        return true;
    }
    return false;
}

/* The longest name of at most WIDEST_REGAINED columns that is longer than the first column. */
static size_t regained_width(const struct table *table, const struct table_layout *layout)
{
    size_t regained = layout->column[0].width;
    for (size_t row = 0; row < row_count(table); row++) {
        const struct table_cell *cell = cell_at(table, row, 0);
        const size_t width = cell->spans ? 0 : terminal_columns(cell->text);
        regained = width > regained && width <= WIDEST_REGAINED ? width : regained;
    }
    return regained;
}

/* One long name must not give lines of their own to names that are a little longer than the narrowest first column: a
 * broken column pays for them. */
static void regain_names(const struct table *table, struct table_layout *layout)
{
    const size_t more = regained_width(table, layout) - layout->column[0].width;
    for (size_t column = 1; column < table->columns; column++) {
        size_t *width = &layout->column[column].width;
        if (layout->column[0].width < NARROWEST_NAME || !layout->column[column].shown ||
            table->column[column].yield != TABLE_BROKEN || *width < layout->column[column].least + more ||
            *width < WIDEST_WORD + more)
            continue;
        *width -= more;
        layout->column[0].width += more;
        return;
    }
}

/* ---- lines ---- */

/* Appends a part of a cell in its style and its width; the last column is not filled. */
static void table_add_part(struct table_layout *layout, const struct table *table, size_t row, size_t column,
                           const char *part)
{
    const enum terminal_style style = cell_at(table, row, column)->style;
    const size_t width = layout->column[column].width, used = terminal_columns(part);
    const int blanks = used < width ? (int)(width - used) : 0;
    if (table->column[column].right)
        text_add(layout->text, "%*s", blanks, "");
    text_add(layout->text, "%s", style == TERMINAL_PLAIN ? "" : terminal_style(layout->colours, style));
    text_add(layout->text, "%s", part);
    text_add(layout->text, "%s", style == TERMINAL_PLAIN ? "" : terminal_style(layout->colours, TERMINAL_PLAIN));
    if (!table->column[column].right)
        text_add(layout->text, "%*s", blanks, "");
}

static void end_line(struct table_layout *layout)
{
    struct text *text = layout->text;
    while (text->size > 0 && text->data[text->size - 1] == ' ')
        text->data[--text->size] = '\0';
    text_add(text, "\n");
}

/* Splits a cell into lines: one, one that is cut, or as many as needed. */
static void split_cell(const struct table_layout *layout, const struct table *table, size_t row, size_t column,
                       struct text *lines)
{
    const char *cell = cell_at(table, row, column)->text;
    const size_t width = layout->column[column].width;
    if (terminal_columns(cell) <= width)
        text_add(lines, "%s", cell);
    else if (table->column[column].yield == TABLE_BROKEN)
        terminal_wrap_line(lines, cell, strlen(cell), width, 0);
    else if (column > 0)
        text_add(lines, "%.*s%s", (int)terminal_bytes(cell, width - 1), cell, ellipsis);
}

/* A line over all columns, broken if it is too long. */
static void add_whole_line(struct table_layout *layout, const struct table *table, size_t row)
{
    const struct table_cell *cell = cell_at(table, row, 0);
    const size_t blanks = layout->indent + strspn(cell->text, " ");
    const bool is_long = layout->width > 0 && layout->indent + terminal_columns(cell->text) > layout->width;
    text_add(layout->text, "%*s%s", (int)layout->indent, "",
             cell->style == TERMINAL_PLAIN ? "" : terminal_style(layout->colours, cell->style));
    if (is_long)
        terminal_wrap_line(layout->text, cell->text, strlen(cell->text), layout->width - layout->indent, blanks + GAP);
    else
        text_add(layout->text, "%s", cell->text);
    text_add(layout->text, "%s", cell->style == TERMINAL_PLAIN ? "" : terminal_style(layout->colours, TERMINAL_PLAIN));
    end_line(layout);
}

/* Takes the next line from the rest of a cell. */
static void table_next_line(const char **left, struct text *line)
{
    const size_t size = strcspn(*left, "\n");
    text_clear(line);
    text_add_bytes(line, *left, size);
    *left += size + ((*left)[size] == '\n');
}

static void table_add_row(struct table_layout *layout, const struct table *table, size_t row)
{
    struct text lines[TABLE_MAXIMUM_COLUMNS] = {{0}}, part = {0};
    const char *left[TABLE_MAXIMUM_COLUMNS];
    const bool whole =
        cell_at(table, row, 0)->spans || terminal_columns(cell_at(table, row, 0)->text) > layout->column[0].width;
    if (whole && (layout->column[0].shown || cell_at(table, row, 0)->spans))
        add_whole_line(layout, table, row);
    for (size_t column = 0; column < table->columns; column++) {
        if (layout->column[column].shown && !(whole && column == 0))
            split_cell(layout, table, row, column, &lines[column]);
        left[column] = text_string(&lines[column]);
    }
    for (bool first = !whole; first || ANY_OF(one, left, table->columns, (*one)[0] != '\0'); first = false) {
        size_t shown = 0;
        text_add(layout->text, "%*s", (int)layout->indent, "");
        for (size_t column = 0; column < table->columns; column++) {
            if (!layout->column[column].shown)
                continue;
            text_add(layout->text, "%*s", shown++ > 0 ? GAP : 0, "");
            table_next_line(&left[column], &part);
            table_add_part(layout, table, row, column, text_string(&part));
        }
        end_line(layout);
    }
    for (size_t column = 0; column < table->columns; column++)
        text_release(&lines[column]);
    text_release(&part);
}

void table_add_to(const struct table *table, struct text *text, size_t width, bool colours, unsigned indent)
{
    struct table_layout layout = {.text = text, .width = width, .colours = colours, .indent = indent};
    const size_t rows = row_count(table);
    if (rows == 0)
        return;
    table_measure(table, &layout);
    /* First a spare column is left out, then columns that may be cut and names shrink, then columns that may be
     * broken. */
    bool yields = true, dropped = false;
    while (layout.width > 0 && layout_width(table, &layout) > layout.width && yields) {
        yields = !dropped && drop_one(table, &layout);
        dropped = true;
        yields = yields || yield_one(table, &layout, false) || yield_one(table, &layout, true) ||
                 drop_one(table, &layout) || yield_names(&layout);
    }
    regain_names(table, &layout);
    for (size_t row = row_is_empty(table, 0) ? 1 : 0; row < rows; row++)
        table_add_row(&layout, table, row);
}

void table_print(struct table *table, FILE *stream, unsigned indent)
{
    struct text text = {0};
    table_add_to(table, &text, terminal_width(stream), terminal_has_colours(stream), indent);
    terminal_end(stream, &text);
    table_release(table);
}

void table_release(struct table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i].text);
    free(table->cells);
    *table = (struct table){0};
}
