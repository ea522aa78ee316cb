// SPDX-License-Identifier: Apache-2.0
/*
 * Whether it matters how often a loop is followed, and that it is followed for a few iterations
 * only.
 *
 * A path that goes beyond them does not matter if no values that its reads may have lead there:
 * these are what the paths that end write to the same places. Nor does it if one of its iterations
 * is idle: if that leaves the thread as it was (trace_loops.c) and writes nothing, or with
 * read-modify-writes what these have read. An execution with an idle iteration has the outcome of
 * the same execution without it, and a model that allows one of them allows both, since what is
 * left out only adds to its relations. Iterations that may have a race are not left out (idle.c).
 */
#include "models/search/enumerate.h"

/* Values of one place, and plays of one path, that are tried; where there are more, it matters. */
enum { VALUES = 64, PLAYS = 4096 };

struct place {
    int64_t value[VALUES];
    unsigned count;
    bool any; /* nobody knows which values it has */
};

static void add_value(struct place *place, int64_t value)
{
    for (unsigned i = 0; i < place->count; i++)
        if (place->value[i] == value)
            return;
    if (place->count == VALUES)
        place->any = true;
    else
        place->value[place->count++] = value;
}

static struct place *place_of(const struct enumeration *enumeration, struct place *places, const struct event *event)
{
    return &places[enumeration_cell(enumeration, event->storage, event->element)];
}

/* What each place may hold, by the paths that end; by those that do not, it may hold what these write. */
static void find_values(const struct enumeration *enumeration, struct place *places)
{
    for (size_t body = 0; body < enumeration->test->body_count; body++) {
        const struct traces *traces = &enumeration->traces[body];
        for (size_t i = 0; i < traces_path_count(traces); i++) {
            const struct path *path = traces_path(traces, i);
            for (unsigned k = 0; k < path->count; k++) {
                const struct event *event = &path->events[k].event;
                struct place *place = event->kind == EVENT_WRITE ? place_of(enumeration, places, event) : NULL;
                if (place && event->unknown)
                    place->any = true;
                else if (place)
                    add_value(place, event->value);
                if (event->location != LITMUS_NONE)
                    add_value(place_of(enumeration, places, event),
                              location_initial(enumeration->test, event->storage, event->element));
            }
        }
    }
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

/* Is there a way to give the reads from number `read` on values with which the path is taken and is busy? */
static bool may_be_taken(struct enumeration *enumeration, int body, const struct path *path, struct place *places,
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
    const struct place *place = place_of(enumeration, places, &path->events[read].event);
    if (place->any)
        return may_be_taken(enumeration, body, path, places, values, read + 1, plays);
    for (unsigned i = 0; i < place->count; i++) {
        values.value[read] = place->value[i];
        values.known |= set_of(read);
        if (may_be_taken(enumeration, body, path, places, values, read + 1, plays))
            return true;
    }
    return false;
}

bool enumeration_is_cut(struct enumeration *enumeration)
{
    struct place *places = arena_take(&enumeration->arena, enumeration->cell_count, sizeof *places);
    find_values(enumeration, places);
    for (size_t body = 0; body < enumeration->test->body_count; body++)
        for (size_t i = 0; i < enumeration->traces[body].cut_count; i++) {
            unsigned plays = 0;
            const struct path_values values = {.known = 0};
            if (may_be_taken(enumeration, (int)body, &enumeration->traces[body].cut[i], places, values, 0, &plays))
                return true;
        }
    return false;
}
