// SPDX-License-Identifier: Apache-2.0
/* Cycles: their threads and locations, their validity, and their start. */
#include "catalogue/cycles/cycle_parts.h"

#include <string.h>

static const struct {
    int first, last;
} ends[] = {
    [CYCLE_RF] = {CYCLE_WRITE, CYCLE_READ},     [CYCLE_CO] = {CYCLE_WRITE, CYCLE_WRITE},
    [CYCLE_FR] = {CYCLE_READ, CYCLE_WRITE},     [CYCLE_PO] = {LITMUS_NONE, LITMUS_NONE},
    [CYCLE_FENCE] = {LITMUS_NONE, LITMUS_NONE}, [CYCLE_ADDRESS] = {CYCLE_READ, LITMUS_NONE},
    [CYCLE_DATA] = {CYCLE_READ, CYCLE_WRITE},   [CYCLE_CONTROL] = {CYCLE_READ, LITMUS_NONE},
};

int cycle_required_first(enum cycle_relation relation)
{
    return ends[relation].first;
}

int cycle_required_last(enum cycle_relation relation)
{
    return ends[relation].last;
}

bool cycle_is_communication(enum cycle_relation relation)
{
    return relation == CYCLE_RF || relation == CYCLE_CO || relation == CYCLE_FR;
}

enum cycle_relation cycle_communication(enum cycle_direction from, enum cycle_direction to)
{
    if (from == CYCLE_READ)
        return to == CYCLE_WRITE ? CYCLE_FR : CYCLE_RF;
    return to == CYCLE_WRITE ? CYCLE_CO : CYCLE_RF;
}

size_t cycle_threads(const struct cycle *cycle)
{
    size_t count = 0;
    for (size_t i = 0; i < cycle->count; i++)
        count += cycle->edges[i].external;
    return count;
}

static unsigned count_changes(const struct cycle *cycle)
{
    unsigned changes = 0;
    for (size_t i = 0; i < cycle->count; i++)
        changes += !cycle->edges[i].same_location;
    return changes;
}

unsigned cycle_locations(const struct cycle *cycle, unsigned locations[CYCLE_MAXIMUM_EDGES])
{
    const unsigned changes = count_changes(cycle), count = changes == 0 ? 1 : changes;
    unsigned location = 0;
    for (size_t i = 0; i < cycle->count; i++) {
        locations[i] = location;
        if (!cycle->edges[i].same_location)
            location = (location + 1) % count;
    }
    return count;
}

static const char *direction_name(int direction)
{
    return direction == CYCLE_READ ? "a read" : "a write";
}

/* Whether an edge has the directions that its relation requires. Rfe and DpData have no letters
 * for them. */
static enum status check_ends(const struct cycle *cycle, size_t edge, struct error *error)
{
    const enum cycle_relation relation = cycle->edges[edge].relation;
    const int required[2] = {cycle_required_first(relation), cycle_required_last(relation)};
    for (size_t i = 0; i < 2; i++) {
        const int found = (int)cycle->events[(edge + i) % cycle->count].direction;
        if (required[i] != LITMUS_NONE && required[i] != found)
            return error_set(error, STATUS_SYNTAX, "edge %zu of the cycle: expected %s at its %s, found %s", edge + 1,
                             direction_name(required[i]), i == 0 ? "start" : "end", direction_name(found));
    }
    return STATUS_OK;
}

enum status cycle_check(const struct cycle *cycle, struct error *error)
{
    const size_t threads = cycle_threads(cycle);
    const unsigned changes = count_changes(cycle);
    bool ordered = false;
    if (cycle->count < 2)
        return error_set(error, STATUS_SYNTAX, "the cycle: expected at least two edges, found %zu", cycle->count);
    for (size_t i = 0; i < cycle->count; i++) {
        TRY(check_ends(cycle, i, error));
        ordered |= !cycle_is_communication(cycle->edges[i].relation);
    }
    if (threads == 0)
        return error_set(error, STATUS_SYNTAX, "the cycle: expected an edge between threads such as Rfe, found none");
    if (threads > CYCLE_MAXIMUM_THREADS)
        return error_set(error, STATUS_LIMIT, "the cycle: expected at most %d threads, found %zu",
                         CYCLE_MAXIMUM_THREADS, threads);
    if (threads == 1 && changes > 0)
        return error_set(error, STATUS_SYNTAX,
                         "the cycle: expected at least two edges between threads if there are several locations, "
                         "found one");
    if (changes == 1)
        return error_set(error, STATUS_SYNTAX,
                         "the cycle: expected no edge to another location, or two or more, found one, after which "
                         "the location never changes back");
    if (changes == 0 && !ordered)
        return error_set(error, STATUS_SYNTAX,
                         "the cycle: expected an edge of program order, found communications of one location alone, "
                         "which contradict each other");
    return STATUS_OK;
}

void cycle_rotate(struct cycle *cycle, size_t first)
{
    const struct cycle old = *cycle;
    for (size_t i = 0; i < old.count; i++) {
        cycle->edges[i] = old.edges[(first + i) % old.count];
        cycle->events[i] = old.events[(first + i) % old.count];
    }
}

void cycle_normalize(struct cycle *cycle)
{
    struct cycle_key key;
    size_t best = 0, start = 0;
    cycle_key_of(cycle, &key);
    for (size_t i = 1; i < key.count; i++)
        if (cycle_compare_rotations(&key, i, best) < 0)
            best = i;
    for (size_t thread = 0; thread < best; start++)
        thread += cycle->edges[start].external;
    if (start > 0)
        cycle_rotate(cycle, start);
}
