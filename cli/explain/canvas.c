// SPDX-License-Identifier: Apache-2.0
/* Texts and lines on a grid of characters. */
#include "cli/explain/canvas.h"

#include <string.h>

enum { NORTH, EAST, SOUTH, WEST, DIRECTIONS };

struct canvas_cell {
    char letter; /* of a text or an arrow's head; 0: lines alone */
    bool strong, head;
    unsigned char line[DIRECTIONS]; /* enum canvas_weight of the line that leads there, or 0 */
};

void canvas_open(struct canvas *canvas, unsigned width, unsigned height)
{
    *canvas = (struct canvas){.width = width, .height = height};
    canvas->cells = arena_take(&canvas->arena, (size_t)width * height, sizeof *canvas->cells);
}

void canvas_release(struct canvas *canvas)
{
    arena_release(&canvas->arena);
    *canvas = (struct canvas){.width = 0};
}

static struct canvas_cell *cell_at(const struct canvas *canvas, unsigned x, unsigned y)
{
    return x < canvas->width && y < canvas->height ? &canvas->cells[(size_t)y * canvas->width + x] : NULL;
}

void canvas_text(struct canvas *canvas, unsigned x, unsigned y, const char *text, bool strong)
{
    for (; *text; text++, x++) {
        struct canvas_cell *cell = cell_at(canvas, x, y);
        if (!cell)
            return;
        cell->letter = *text;
        cell->strong = strong;
    }
}

static void join(struct canvas *canvas, unsigned x, unsigned y, unsigned direction, enum canvas_weight weight)
{
    struct canvas_cell *cell = cell_at(canvas, x, y);
    if (cell && cell->line[direction] < weight)
        cell->line[direction] = (unsigned char)weight;
}

void canvas_row(struct canvas *canvas, unsigned from, unsigned to, unsigned y, enum canvas_weight weight)
{
    const unsigned first = from < to ? from : to, last = from < to ? to : from;
    for (unsigned x = first; x < last; x++) {
        join(canvas, x, y, EAST, weight);
        join(canvas, x + 1, y, WEST, weight);
    }
}

void canvas_column(struct canvas *canvas, unsigned x, unsigned from, unsigned to, enum canvas_weight weight)
{
    const unsigned first = from < to ? from : to, last = from < to ? to : from;
    for (unsigned y = first; y < last; y++) {
        join(canvas, x, y, SOUTH, weight);
        join(canvas, x, y + 1, NORTH, weight);
    }
}

void canvas_head(struct canvas *canvas, unsigned x, unsigned y, char head)
{
    struct canvas_cell *cell = cell_at(canvas, x, y);
    if (!cell)
        return;
    cell->letter = head;
    cell->head = true;
}

bool canvas_is_row(const struct canvas *canvas, unsigned x, unsigned y)
{
    const struct canvas_cell *cell = cell_at(canvas, x, y);
    return cell && !cell->letter && cell->line[EAST] && cell->line[WEST] && !cell->line[NORTH] && !cell->line[SOUTH];
}

/* Indexed by the directions of the lines, as bits. */
static const char *const light_lines[1 << DIRECTIONS] = {" ", "╵", "╶", "└", "╷", "│", "┌", "├",
                                                         "╴", "┘", "─", "┴", "┐", "┤", "┬", "┼"};
static const char *const heavy_lines[1 << DIRECTIONS] = {" ", "╹", "╺", "┗", "╻", "┃", "┏", "┣",
                                                         "╸", "┛", "━", "┻", "┓", "┫", "┳", "╋"};
static const char *const ascii_lines[1 << DIRECTIONS] = {" ", "|", "-", "+", "|", "|", "+", "+",
                                                         "-", "+", "-", "+", "+", "+", "+", "+"};

/* The two lines of a crossing may differ in weight. */
static const char *crossing(const struct canvas_cell *cell)
{
    const bool down = cell->line[NORTH] == CANVAS_HEAVY, across = cell->line[EAST] == CANVAS_HEAVY;
    return down && across ? "╋" : down ? "╂" : across ? "┿" : "┼";
}

static const char *line_of(const struct canvas_cell *cell, bool unicode)
{
    unsigned directions = 0;
    bool heavy = false;
    for (unsigned i = 0; i < DIRECTIONS; i++) {
        directions |= cell->line[i] ? 1u << i : 0;
        heavy |= cell->line[i] == CANVAS_HEAVY;
    }
    /* A line's end is as long as its middle. */
    if (directions == 1u << EAST || directions == 1u << WEST)
        directions = 1u << EAST | 1u << WEST;
    if (unicode)
        return directions == (1 << DIRECTIONS) - 1 ? crossing(cell)
               : heavy                             ? heavy_lines[directions]
                                                   : light_lines[directions];
    if (heavy && directions == (1u << EAST | 1u << WEST))
        return "=";
    return heavy && directions == (1u << NORTH | 1u << SOUTH) ? "#" : ascii_lines[directions];
}

static const char *head_of(char head, bool unicode)
{
    switch (head) {
    case '<':
        return unicode ? "◂" : "<";
    case '^':
        return unicode ? "▴" : "^";
    case '>':
        return unicode ? "▸" : ">";
    default:
        return unicode ? "▾" : "v";
    }
}

static bool is_heavy(const struct canvas_cell *cell)
{
    bool heavy = cell->strong;
    for (unsigned i = 0; i < DIRECTIONS; i++)
        heavy |= cell->line[i] == CANVAS_HEAVY;
    return heavy;
}

static void print_cell(const struct canvas_cell *cell, bool unicode, struct text *text)
{
    if (cell->head)
        text_add(text, "%s", head_of(cell->letter, unicode));
    else if (cell->letter)
        text_add_bytes(text, &cell->letter, 1);
    else
        text_add(text, "%s", line_of(cell, unicode));
}

static unsigned used_width(const struct canvas *canvas, unsigned y)
{
    unsigned used = 0;
    for (unsigned x = 0; x < canvas->width; x++) {
        const struct canvas_cell *cell = cell_at(canvas, x, y);
        const bool blank = !cell->letter && *line_of(cell, false) == ' ';
        used = blank ? used : x + 1;
    }
    return used;
}

void canvas_print(const struct canvas *canvas, bool unicode, bool colours, unsigned indent, struct text *text)
{
    unsigned height = canvas->height;
    while (height > 0 && used_width(canvas, height - 1) == 0)
        height--;
    for (unsigned y = 0; y < height; y++) {
        const unsigned used = used_width(canvas, y);
        bool strong = false;
        text_add(text, "%*s", used > 0 ? (int)indent : 0, "");
        for (unsigned x = 0; x < used; x++) {
            const struct canvas_cell *cell = cell_at(canvas, x, y);
            if (is_heavy(cell) != strong)
                text_add(text, "%s", terminal_style(colours, strong ? TERMINAL_PLAIN : TERMINAL_STRONG));
            strong = is_heavy(cell);
            print_cell(cell, unicode, text);
        }
        text_add(text, "%s\n", strong ? terminal_style(colours, TERMINAL_PLAIN) : "");
    }
}
