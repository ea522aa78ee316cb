// SPDX-License-Identifier: Apache-2.0
/*
 * Whether it matters that loops are followed for only a few iterations.
 *
 * A path that goes beyond them does not matter if no possible values of its reads lead there: these
 * are the values that the followed parts of all paths write to the same places, and the initial
 * ones. Nor does it matter if one of its iterations is idle: it leaves the thread as it was
 * (trace_loops.c) and writes nothing, or its read-modify-writes write back what they read. An
 * execution with an idle iteration has the same outcome as the execution without it, and a model
 * that allows one of them allows both, since the iteration only adds to the relations. Iterations
 * that may have a race are not left out (idle.c).
 */
#include "models/search/enumerate.h"

/* The most values of one cell, and plays of one path, to try; with more, the bound is taken to
 * matter. */
enum { VALUES = 64, PLAYS = 4096 };

struct cell_values {
    int64_t value[VALUES];
    unsigned count;
    bool any; /* its values are unknown */
};

static void add_value(struct cell_values *cell, int64_t value)
{
    for (unsigned i = 0; i < cell->count; i++)
        if (cell->value[i] == value)
            return;
    if (cell->count == VALUES)
        cell->any = true;
    else
        cell->value[cell->count++] = value;
}

static struct cell_values *values_of(const struct enumeration *enumeration, struct cell_values *cells,
                                     const struct event *event)
{
    return &cells[enumeration_cell(enumeration, event->storage, event->element)];
}

/* Collects the values that an event's cell may hold: the initial one, and what the event writes. */
static void note_values(const struct enumeration *enumeration, const struct event *event, void *context)
{
    struct cell_values *cell = event->kind == EVENT_WRITE ? values_of(enumeration, context, event) : NULL;
    if (cell && event->unknown)
        cell->any = true;
    else if (cell)
        add_value(cell, event->value);
    if (event->location != LITMUS_NONE)
        add_value(values_of(enumeration, context, event),
                  location_initial(enumeration->test, event->storage, event->element));
}

bool path_is_busy(const struct path *path, const struct path_values *values)
{
    for (size_t i = 0; i < path->steady_count; i++) {
        bool idle = true;
        for (uint64_t rest = path->steady[i]; rest; rest &= rest - 1) {
            const unsigned write = set_first(rest);
            const int read = path->events[write].rmw;
            if (path->events[write].event.kind == EVENT_WRITE)
                idle &=
                    (values->known >> write & values->known >> read & 1) && values->value[write] == values->value[read];
        }
        if (idle)
            return false;
    }
    return true;
}

/* Are there values for the reads from number `read` on with which the path is taken without an idle
 * iteration? */
static bool may_be_taken(struct enumeration *enumeration, int body, const struct path *path, struct cell_values *cells,
                         struct path_values values, unsigned read, unsigned *plays)
{
    if (++*plays > PLAYS)
        return true;
    if (!path_play(enumeration, body, path, &values))
        return false;
    while (read < path->count && ((values.known >> read & 1) || !(path->reads >> read & 1)))
        read++;
    if (read == path->count)
        return path_is_busy(path, &values);
    const struct cell_values *cell = values_of(enumeration, cells, &path->events[read].event);
    if (cell->any)
        return may_be_taken(enumeration, body, path, cells, values, read + 1, plays);
    for (unsigned i = 0; i < cell->count; i++) {
        values.value[read] = cell->value[i];
        values.known |= set_of(read);
        if (may_be_taken(enumeration, body, path, cells, values, read + 1, plays))
            return true;
    }
    return false;
}

bool enumeration_is_cut(struct enumeration *enumeration)
{
    struct cell_values *cells = arena_take(&enumeration->arena, enumeration->cell_count, sizeof *cells);
    enumeration_visit_events(enumeration, note_values, cells);
    for (size_t body = 0; body < enumeration->test->body_count; body++)
        for (size_t i = 0; i < enumeration->traces[body].cut_count; i++) {
            unsigned plays = 0;
            const struct path_values values = {.known = 0};
            if (may_be_taken(enumeration, (int)body, &enumeration->traces[body].cut[i], cells, values, 0, &plays))
                return true;
        }
    return false;
}
