// SPDX-License-Identifier: Apache-2.0
/* Draws an execution. Threads are columns, with a gutter between any two. The events of one column and those of
 * adjacent columns are on different lines, so no two arrows share a line of a gutter. An arrow leaves its event along
 * that event's line, changes lines in a track of the gutter that no other arrow uses, and reaches the target along the
 * target's line. Between columns that are not adjacent it passes below all events. */
#include "cli/explain/explained.h"

#include "litmus/language/order.h"

enum { NORTH, EAST, SOUTH, WEST, DIRECTIONS };

struct canvas_cell {
    char letter; /* of a text or an arrow's head; 0: lines alone */
    bool strong, head;
    unsigned char line[DIRECTIONS]; /* enum canvas_weight of the line that leads there, or 0 */
};

struct canvas {
    struct arena arena;
    unsigned width, height;
    struct canvas_cell *cells;
};

/* How heavy a line is: the cycle's are heavy. */
enum canvas_weight { CANVAS_LIGHT = 1, CANVAS_HEAVY = 2 };

/* ---- texts and lines on a grid of characters ---- */

static void canvas_open(struct canvas *canvas, unsigned width, unsigned height)
{
    *canvas = (struct canvas){.width = width, .height = height};
    canvas->cells = arena_take(&canvas->arena, (size_t)width * height, sizeof *canvas->cells);
}

ARENA_RELEASES(static, canvas)

static struct canvas_cell *cell_at(const struct canvas *canvas, unsigned x, unsigned y)
{
    return x < canvas->width && y < canvas->height ? &canvas->cells[(size_t)y * canvas->width + x] : NULL;
}

/* ASCII text from a place to the right, cut at the edge. */
static void canvas_text(struct canvas *canvas, unsigned x, unsigned y, const char *text, bool strong)
{
    for (; *text; text++, x++) {
        struct canvas_cell *cell = cell_at(canvas, x, y);
        if (!cell)
            return;
        cell->letter = *text;
        cell->strong = strong;
    }
}

static void execution_join(struct canvas *canvas, unsigned x, unsigned y, unsigned direction, enum canvas_weight weight)
{
    struct canvas_cell *cell = cell_at(canvas, x, y);
    if (cell && cell->line[direction] < weight)
        cell->line[direction] = (unsigned char)weight;
}

/* A line along a row or a column, ends included, in either direction. */
static void canvas_row(struct canvas *canvas, unsigned from, unsigned to, unsigned y, enum canvas_weight weight)
{
    const unsigned first = from < to ? from : to, last = from < to ? to : from;
    for (unsigned x = first; x < last; x++) {
        execution_join(canvas, x, y, EAST, weight);
        execution_join(canvas, x + 1, y, WEST, weight);
    }
}

static void canvas_column(struct canvas *canvas, unsigned x, unsigned from, unsigned to, enum canvas_weight weight)
{
    const unsigned first = from < to ? from : to, last = from < to ? to : from;
    for (unsigned y = first; y < last; y++) {
        execution_join(canvas, x, y, SOUTH, weight);
        execution_join(canvas, x, y + 1, NORTH, weight);
    }
}

/* An arrow's head in place of the line: '<', '>', '^' or 'v'. */
static void canvas_head(struct canvas *canvas, unsigned x, unsigned y, char head)
{
    struct canvas_cell *cell = cell_at(canvas, x, y);
    if (!cell)
        return;
    cell->letter = head;
    cell->head = true;
}

/* Is there a line along the row, and nothing else? */
static bool canvas_is_row(const struct canvas *canvas, unsigned x, unsigned y)
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
    return head == '<'   ? unicode ? "◂" : "<"
           : head == '>' ? unicode ? "▸" : ">"
           : head == '^' ? unicode ? "▴" : "^"
           : unicode     ? "▾"
                         : "v";
}

static bool is_heavy(const struct canvas_cell *cell)
{
    return cell->strong || ANY_OF(one, cell->line, DIRECTIONS, *one == CANVAS_HEAVY);
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

/* Appends the lines, without blanks at their ends and empty lines after the last; unicode: with box drawing, else in
 * ASCII. */
static void canvas_print(const struct canvas *canvas, bool unicode, bool colours, unsigned indent, struct text *text)
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
            if (cell->head)
                text_add(text, "%s", head_of(cell->letter, unicode));
            else if (cell->letter)
                text_add_bytes(text, &cell->letter, 1);
            else
                text_add(text, "%s", line_of(cell, unicode));
        }
        text_add(text, "%s\n", strong ? terminal_style(colours, TERMINAL_PLAIN) : "");
    }
}

enum { HEAD_LINES = 2, NARROWEST_GUTTER = 8, WIDEST_GUTTER = 30, AIRY_ROWS = 4, MAXIMUM_COLUMNS = 8 };

enum arrow_side { LEFT, RIGHT, SIDES };

/* How an arrow runs. */
struct route {
    enum arrow_side leaves, comes; /* on which side of its events */
    unsigned leaving, coming;      /* lines below the events' own */
    unsigned gutters[2];           /* of the tracks; gutter i follows column i */
    unsigned tracks[2];            /* their columns of characters */
    bool far;                      /* below all events, from the first track to the second */
    unsigned below;                /* then: the line */
};

struct drawing_layout {
    const struct execution_drawing *drawing;
    struct canvas canvas;
    struct route *routes;
    bool brief;
    unsigned widths[MAXIMUM_COLUMNS], gutters[MAXIMUM_COLUMNS], places[MAXIMUM_COLUMNS];
    unsigned track_counts[MAXIMUM_COLUMNS];
    unsigned step;      /* lines between the events of two neighbours */
    unsigned far_count; /* arrows below all events */
};

/* ---- the width ---- */

static unsigned event_width(const struct drawing_layout *layout, const struct drawn_event *event)
{
    return (unsigned)(strlen(event->letter) + 2 + strlen(layout->brief ? event->sign : event->words));
}

static void measure_columns(struct drawing_layout *layout)
{
    const struct execution_drawing *drawing = layout->drawing;
    memset(layout->widths, 0, sizeof layout->widths);
    for (size_t i = 0; i < drawing->event_count; i++) {
        const unsigned width = event_width(layout, &drawing->events[i]);
        unsigned *const widest = &layout->widths[drawing->events[i].column];
        *widest = width > *widest ? width : *widest;
    }
}

static unsigned least_gutter(const struct drawing_layout *layout, unsigned gutter)
{
    const unsigned needed = 2 * layout->track_counts[gutter] + 4;
    return needed > NARROWEST_GUTTER ? needed : NARROWEST_GUTTER;
}

/* Places columns and gutters; false if they are too wide. */
static bool place_columns(struct drawing_layout *layout, unsigned width)
{
    const unsigned count = layout->drawing->column_count;
    unsigned used = 0;
    measure_columns(layout);
    for (unsigned i = 0; i < count; i++) {
        layout->gutters[i] = i + 1 < count ? least_gutter(layout, i) : 0;
        used += layout->widths[i] + layout->gutters[i];
    }
    if (used > width)
        return false;
    for (unsigned i = 0; i + 1 < count; i++) {
        const unsigned more = (width - used) / (count - 1 - i);
        const unsigned room = layout->gutters[i] < WIDEST_GUTTER ? WIDEST_GUTTER - layout->gutters[i] : 0;
        const unsigned added = more < room ? more : room;
        layout->gutters[i] += added;
        used += added;
    }
    for (unsigned i = 0, x = 0; i < count; x += layout->widths[i] + layout->gutters[i], i++)
        layout->places[i] = x;
    return true;
}

/* ---- routes ---- */

static void choose_gutters(const struct execution_drawing *drawing, const struct drawn_arrow *arrow,
                           struct route *route)
{
    const unsigned from = drawing->events[arrow->from].column, to = drawing->events[arrow->to].column;
    route->far = from > to + 1 || to > from + 1;
    if (from == to) {
        route->leaves = route->comes = from + 1 < drawing->column_count ? RIGHT : LEFT;
        route->gutters[0] = route->gutters[1] = route->leaves == RIGHT ? from : from - 1;
        return;
    }
    route->leaves = from < to ? RIGHT : LEFT;
    route->comes = from < to ? LEFT : RIGHT;
    route->gutters[0] = from < to ? from : from - 1;
    route->gutters[1] = from < to ? to - 1 : to;
}

static void find_routes(struct drawing_layout *layout)
{
    const struct execution_drawing *drawing = layout->drawing;
    unsigned(*ends)[SIDES] = memory_take(drawing->event_count + 1, sizeof *ends), most = 1; /* of arrows, so far */
    for (size_t i = 0; i < drawing->arrow_count; i++) {
        const struct drawn_arrow *arrow = &drawing->arrows[i];
        struct route *route = &layout->routes[i];
        choose_gutters(drawing, arrow, route);
        route->leaving = ends[arrow->from][route->leaves]++;
        route->coming = ends[arrow->to][route->comes]++;
        most = route->leaving + 1 > most ? route->leaving + 1 : most;
        most = route->coming + 1 > most ? route->coming + 1 : most;
        for (unsigned k = 0; k < (route->far ? 2u : 1u); k++)
            route->tracks[k] = layout->track_counts[route->gutters[k]]++;
        route->below = route->far ? layout->far_count++ : 0;
    }
    layout->step = drawing->row_count <= AIRY_ROWS && most < 2 ? 2 : most;
    free(ends);
}

/* ---- drawing ---- */

static unsigned line_of_event(const struct drawing_layout *layout, const struct drawn_event *event)
{
    return HEAD_LINES + 2 * layout->step * event->row + (event->column % 2 ? layout->step : 0);
}

static unsigned last_line(const struct drawing_layout *layout)
{
    unsigned last = 0;
    for (size_t i = 0; i < layout->drawing->event_count; i++) {
        const unsigned line = line_of_event(layout, &layout->drawing->events[i]) + layout->step - 1;
        last = line > last ? line : last;
    }
    return last;
}

/* The place where the line of an end begins: next to the event or on the line below it. */
static unsigned end_place(const struct drawing_layout *layout, const struct drawn_event *event, enum arrow_side side,
                          unsigned below)
{
    const unsigned x = layout->places[event->column];
    if (side == LEFT)
        return below > 0 ? x : x - 2;
    return below > 0 ? x : x + event_width(layout, event) + 1;
}

static void draw_end(struct drawing_layout *layout, const struct drawn_event *event, enum arrow_side side,
                     unsigned below, unsigned track, enum canvas_weight weight)
{
    const unsigned line = line_of_event(layout, event), x = layout->places[event->column];
    canvas_row(&layout->canvas, end_place(layout, event, side, below), track, line + below, weight);
    if (below > 0)
        canvas_column(&layout->canvas, x, line, line + below, weight);
}

/* A part of a line that nothing crosses. */
struct free_part {
    unsigned start, length, line;
};

static struct free_part find_free_part(const struct drawing_layout *layout, unsigned from, unsigned to, unsigned line)
{
    const unsigned first = (from < to ? from : to) + 1, last = (from < to ? to : from) - 1;
    struct free_part best = {.line = line};
    for (unsigned x = first, run = 0; x <= last; x++) {
        run = canvas_is_row(&layout->canvas, x, line) ? run + 1 : 0;
        if (run > best.length)
            best = (struct free_part){x + 1 - run, run, line};
    }
    return best;
}

/* A label is in the middle of the part. */
static void draw_label(struct drawing_layout *layout, struct free_part part, const struct drawn_arrow *arrow)
{
    const unsigned size = (unsigned)strlen(arrow->label);
    if (part.length > size)
        canvas_text(&layout->canvas, part.start + (part.length - size) / 2, part.line, arrow->label, arrow->in_cycle);
}

static void draw_head(struct drawing_layout *layout, const struct drawn_event *event, const struct route *route)
{
    const unsigned place = end_place(layout, event, route->comes, route->coming);
    const char sideways = route->comes == LEFT ? '>' : '<';
    /* From below, up to the event. */
    canvas_head(&layout->canvas, place, line_of_event(layout, event) + route->coming,
                route->coming > 0 ? '^' : sideways);
}

static void draw_arrow(struct drawing_layout *layout, const struct drawn_arrow *arrow, const struct route *route,
                       unsigned below)
{
    const struct drawn_event *from = &layout->drawing->events[arrow->from], *to = &layout->drawing->events[arrow->to];
    const enum canvas_weight weight = arrow->in_cycle ? CANVAS_HEAVY : CANVAS_LIGHT;
    const unsigned start = line_of_event(layout, from) + route->leaving,
                   end = line_of_event(layout, to) + route->coming;
    const unsigned second = route->far ? route->tracks[1] : route->tracks[0];
    const unsigned turn = route->far ? below + 1 + route->below : end;
    draw_end(layout, from, route->leaves, route->leaving, route->tracks[0], weight);
    draw_end(layout, to, route->comes, route->coming, second, weight);
    canvas_column(&layout->canvas, route->tracks[0], start, turn, weight);
    canvas_row(&layout->canvas, route->tracks[0], second, turn, weight);
    canvas_column(&layout->canvas, second, turn, end, weight);
}

static void label_arrow(struct drawing_layout *layout, const struct drawn_arrow *arrow, const struct route *route,
                        unsigned below)
{
    const struct drawn_event *from = &layout->drawing->events[arrow->from], *to = &layout->drawing->events[arrow->to];
    const unsigned leaves = end_place(layout, from, route->leaves, route->leaving),
                   comes = end_place(layout, to, route->comes, route->coming);
    const unsigned second = route->far ? route->tracks[1] : route->tracks[0];
    const struct free_part out =
        find_free_part(layout, leaves, route->tracks[0], line_of_event(layout, from) + route->leaving);
    const struct free_part in = find_free_part(layout, comes, second, line_of_event(layout, to) + route->coming);
    if (route->far)
        draw_label(layout, find_free_part(layout, route->tracks[0], second, below + 1 + route->below), arrow);
    else
        draw_label(layout, out.length >= in.length ? out : in, arrow);
}

/* The events of a column, and the line that joins each to the next. */
static void draw_events(struct drawing_layout *layout)
{
    const struct execution_drawing *drawing = layout->drawing;
    LOCAL(text) words = {0};
    for (size_t i = 0; i < drawing->event_count; i++) {
        const struct drawn_event *event = &drawing->events[i], *next = event + 1;
        const unsigned x = layout->places[event->column], line = line_of_event(layout, event);
        text_clear(&words);
        text_add(&words, "%s: %s", event->letter, layout->brief ? event->sign : event->words);
        canvas_text(&layout->canvas, x, line, text_string(&words), event->in_cycle);
        if (i + 1 == drawing->event_count || next->column != event->column)
            continue;
        const unsigned end = line_of_event(layout, next);
        canvas_column(&layout->canvas, x, line, end, event->po_in_cycle ? CANVAS_HEAVY : CANVAS_LIGHT);
        if (event->po_in_cycle && layout->step > 1)
            canvas_text(&layout->canvas, x + 2, end - 1, "po", true);
    }
}

static void draw_all(struct drawing_layout *layout, unsigned width)
{
    const struct execution_drawing *drawing = layout->drawing;
    const unsigned below = last_line(layout);
    canvas_open(&layout->canvas, width, below + 1 + layout->far_count);
    draw_events(layout);
    for (size_t i = 0; i < drawing->arrow_count; i++)
        draw_arrow(layout, &drawing->arrows[i], &layout->routes[i], below);
    for (size_t i = 0; i < drawing->arrow_count; i++)
        label_arrow(layout, &drawing->arrows[i], &layout->routes[i], below);
    for (size_t i = 0; i < drawing->arrow_count; i++)
        draw_head(layout, &drawing->events[drawing->arrows[i].to], &layout->routes[i]);
    LOCAL(text) words = {0};
    for (unsigned i = 0; i < layout->drawing->column_count; i++) {
        text_clear(&words);
        text_add(&words, "P%d", layout->drawing->threads[i]);
        canvas_text(&layout->canvas, layout->places[i], 0, text_string(&words), true);
    }
}

bool execution_draw(const struct execution_drawing *drawing, const struct execution_style *style, struct text *text)
{
    const unsigned width = style->width - style->indent;
    if (drawing->column_count == 0 || drawing->column_count > MAXIMUM_COLUMNS ||
        (drawing->column_count == 1 && drawing->arrow_count > 0))
        return false;
    struct drawing_layout layout = {.drawing = drawing,
                                    .routes = memory_take(drawing->arrow_count + 1, sizeof *layout.routes)};
    find_routes(&layout);
    bool fits = place_columns(&layout, width);
    if (!fits) {
        layout.brief = true;
        fits = place_columns(&layout, width);
    }
    if (fits) {
        /* Turns the number of a track into its column of characters; tracks are spread over the gutter. */
        for (size_t i = 0; i < layout.drawing->arrow_count; i++)
            for (unsigned k = 0; k < (layout.routes[i].far ? 2u : 1u); k++) {
                struct route *route = &layout.routes[i];
                const unsigned gutter = route->gutters[k], count = layout.track_counts[gutter];
                const unsigned start = layout.places[gutter] + layout.widths[gutter] + 2;
                const unsigned room = layout.gutters[gutter] - 5;
                route->tracks[k] = start + (room * (route->tracks[k] + 1)) / (count + 1);
            }
        draw_all(&layout, width);
        canvas_print(&layout.canvas, style->unicode, style->colours, style->indent, text);
    }
    canvas_release(&layout.canvas);
    free(layout.routes);
    return fits;
}

/* ---- the list ---- */

static unsigned place_width(const struct execution_drawing *drawing)
{
    unsigned widest = 0;
    for (size_t i = 0; i < drawing->event_count; i++) {
        const struct explained_event *event = drawing->events[i].event;
        const int width = snprintf(NULL, 0, "P%d line %u", event->thread, event->place.line);
        widest = (unsigned)width > widest ? (unsigned)width : widest;
    }
    return widest;
}

/* "st.release.gpu" of the write that is "write y = 1, release gpu". */
static void add_mnemonic(const struct explanation *explanation, const struct explained_event *event, struct text *text)
{
    const char *after = strstr(event->what, ", "), *scope = after ? strrchr(after + 2, ' ') : NULL;
    const bool update = event->other_half != LITMUS_NONE;
    static const char *const names[] = {"ld", "st", "fence", "bar.sync"};
    text_add(text, "%s", update ? "atom" : names[event->kind]);
    if (!after || event->kind == EXPLAINED_BARRIER)
        return;
    if (update)
        text_add(
            text, ".%s%s%s",
            litmus_order_name(LITMUS_PTX, order_joined(event->order, explanation->events[event->other_half].order)),
            scope ? "." : "", scope ? scope + 1 : "");
    for (const char *at = after + 1; !update && *at; at++)
        text_add_bytes(text, *at == ' ' ? "." : at, 1);
}

/* The text for an event in the list: its instruction; for later events of the same instruction, such as a copy's, what
 * they do. */
static const char *words_of(const struct execution_drawing *drawing, size_t number)
{
    const struct explained_event *event = drawing->events[number].event;
    bool later = event->instruction == NULL;
    for (size_t i = 0; i < number; i++) {
        const struct explained_event *other = drawing->events[i].event;
        later |= other->thread == event->thread && other->place.line == event->place.line &&
                 other->place.column == event->place.column && event->place.line > 0;
    }
    return !later ? event->instruction : event->other_half != LITMUS_NONE ? drawing->events[number].words : event->what;
}

void execution_list(const struct execution_drawing *drawing, const struct explanation *explanation, bool emitted,
                    const struct execution_style *style, struct text *text)
{
    const unsigned indent = style->indent;
    const unsigned widest = place_width(drawing);
    for (size_t i = 0; i < drawing->event_count; i++) {
        const struct explained_event *event = drawing->events[i].event;
        LOCAL(text) place = {0}, line = {0};
        text_add(&place, "P%d line %u", event->thread, event->place.line);
        terminal_add(&line, "%*s%-3s %-*s  %s", (int)indent, "", drawing->events[i].letter, (int)widest,
                     text_string(&place), words_of(drawing, i));
        terminal_wrap_line(text, text_string(&line), line.size, style->width, indent + 4 + widest + 4);
        text_add(text, "\n");
        if (emitted) {
            text_add(text, "%*sin PTX: ", (int)(indent + 4 + widest + 2), "");
            add_mnemonic(explanation, event, text);
            text_add(text, "\n");
        }
    }
    unsigned count = 0;
    FOR_EACH(const struct explained_event, event, explanation->events, explanation->event_count) {
        if (event->thread != LITMUS_NONE)
            continue;
        terminal_add(text, "%*s%s %s = %s", count > 0 ? 0 : (int)indent, "", count > 0 ? "," : "initially",
                     event->location, event->shown);
        count++;
    }
    text_add(text, "%s", count > 0 ? "\n" : "");
}

/* ---- an execution as a graph in the DOT language of Graphviz ---- */

/* A text in quotes: DOT knows only this escape, and a backslash before other characters has a meaning. */
static void add_quoted(struct text *text, const char *words)
{
    text_add(text, "\"");
    for (const char *c = words; *c; c++)
        text_add(text, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    text_add(text, "\"");
}

static void add_edge(const struct execution_drawing *drawing, size_t from, size_t to, const char *label, bool heavy,
                     struct text *text)
{
    static const struct {
        const char *label, *colour;
    } colours[] = {{"rf", "#1f5fa8"}, {"co", "#8a5a00"}, {"fr", "#b3262e"}, {"sync", "#2c7a3f"}};
    const char *colour = "black";
    for (size_t i = 0; i < COUNT(colours); i++)
        if (strcmp(colours[i].label, label) == 0)
            colour = colours[i].colour;
    text_add(text, "  %s -> %s [label=", drawing->events[from].letter, drawing->events[to].letter);
    add_quoted(text, label);
    text_add(text, ", color=\"%s\", fontcolor=\"%s\"%s%s];\n", colour, colour, heavy ? ", penwidth=2.4" : "",
             strcmp(label, "po") == 0 ? "" : ", constraint=false");
}

void execution_add_dot(const struct execution_drawing *drawing, const char *title, struct text *text)
{
    text_add(text, "digraph execution {\n  label=");
    add_quoted(text, title);
    text_add(text, ";\n  labelloc=t; nodesep=0.9; fontname=\"Helvetica\";\n"
                   "  node [shape=box, style=rounded, fontname=\"Helvetica\"];\n"
                   "  edge [fontname=\"Helvetica\", fontsize=11];\n");
    for (unsigned column = 0; column < drawing->column_count; column++) {
        text_add(text, "  subgraph cluster_%u {\n    label=\"P%d\"; color=\"#cccccc\";\n", column,
                 drawing->threads[column]);
        FOR_EACH(const struct drawn_event, event, drawing->events, drawing->event_count) {
            if (event->column != column)
                continue;
            text_add(text, "    %s [label=", event->letter);
            LOCAL(text) label = {0};
            text_add(&label, "%s: %s", event->letter, event->sign);
            add_quoted(text, text_string(&label));
            text_add(text, "%s];\n", event->in_cycle ? ", penwidth=2" : "");
        }
        text_add(text, "  }\n");
    }
    for (size_t i = 0; i + 1 < drawing->event_count; i++)
        if (drawing->events[i].column == drawing->events[i + 1].column)
            add_edge(drawing, i, i + 1, "po", drawing->events[i].po_in_cycle, text);
    FOR_EACH(const struct drawn_arrow, arrow, drawing->arrows, drawing->arrow_count)
        add_edge(drawing, arrow->from, arrow->to, arrow->label, arrow->in_cycle, text);
    text_add(text, "}\n");
}
