// SPDX-License-Identifier: Apache-2.0
/*
 * Values in the witness. The events of one location are adjacent in the cycle. Writes are numbered
 * in that order, from 1 on, and a read gives the number of the write before it, or 0: so the
 * reads-from and from-read edges hold. In a cycle of one location the order starts after the last
 * edge of program order, which is then the edge that is broken.
 */
#include <string.h>

#include "catalogue/cycles/variant_parts.h"

const char variant_letters[CYCLE_MAXIMUM_EDGES + 1] = "xyzabcdefghijklm";

/* The event at which the numbering starts: the first of its location. */
static size_t find_start(const struct cycle *cycle, bool one_location)
{
    size_t start = 0;
    for (size_t i = 0; i < cycle->count; i++) {
        const struct cycle_edge *edge = &cycle->edges[i];
        if (one_location ? !cycle_is_communication(edge->relation) : !edge->same_location)
            start = (i + 1) % cycle->count;
    }
    return start;
}

/* The known order of writes to one location; 0 is the initial value. */
struct known {
    bool before[CYCLE_MAXIMUM_EDGES + 1][CYCLE_MAXIMUM_EDGES + 1];
};

static void complete(struct known *known, unsigned writes)
{
    for (unsigned k = 0; k <= writes; k++)
        for (unsigned i = 0; i <= writes; i++)
            for (unsigned j = 0; j <= writes; j++)
                known->before[i][j] |= known->before[i][k] && known->before[k][j];
}

/* The final value says which write is the last; a thread that meets two writes says which of them came first. */
static void know(const struct cycle *cycle, const struct variant_values *values, unsigned location, struct known *known)
{
    const unsigned writes = values->write_counts[location];
    for (unsigned i = 0; i < writes; i++)
        known->before[0][i + 1] = known->before[i][writes] = true;
    for (size_t i = 0; i < cycle->count; i++)
        for (size_t j = i; j + 1 < cycle->count && !cycle->edges[j].external; j++)
            if (values->locations[i] == location && values->locations[j + 1] == location &&
                values->values[i] < values->values[j + 1])
                known->before[values->values[i]][values->values[j + 1]] = true;
    complete(known, writes);
}

static enum status check_known(const struct cycle *cycle, const struct variant_values *values, struct error *error)
{
    for (unsigned location = 0; location < values->location_count; location++) {
        struct known known = {0};
        know(cycle, values, location, &known);
        for (size_t i = 0; i < cycle->count; i++) {
            const enum cycle_relation relation = cycle->edges[i].relation;
            const unsigned first = values->values[i], last = values->values[(i + 1) % cycle->count];
            if (values->locations[i] != location || (relation != CYCLE_CO && relation != CYCLE_FR) ||
                known.before[first][last])
                continue;
            return error_set(error, STATUS_UNSUPPORTED,
                             "location %c is written %u times, and no final state shows that %u was written before %u",
                             variant_letters[location], values->write_counts[location], first, last);
        }
    }
    return STATUS_OK;
}

enum status variant_find_values(const struct cycle *cycle, struct variant_values *values, struct error *error)
{
    *values = (struct variant_values){0};
    values->location_count = cycle_locations(cycle, values->locations);
    const size_t start = find_start(cycle, values->location_count == 1);
    for (size_t k = 0; k < cycle->count; k++) {
        const size_t i = (start + k) % cycle->count;
        unsigned *writes = &values->write_counts[values->locations[i]];
        if (cycle->events[i].direction == CYCLE_WRITE)
            ++*writes;
        values->values[i] = *writes;
    }
    return check_known(cycle, values, error);
}

bool variant_scope(enum litmus_dialect dialect, const char *word, size_t size, enum litmus_scope *scope)
{
    for (int i = 0; i < LITMUS_SCOPE_COUNT; i++) {
        const char *own = variant_abilities[dialect].scope_words[i];
        if (own && strlen(own) == size && memcmp(own, word, size) == 0) {
            *scope = (enum litmus_scope)i;
            return true;
        }
    }
    return false;
}

unsigned variant_locations(const struct variant *variant)
{
    unsigned locations[CYCLE_MAXIMUM_EDGES];
    return (1U << cycle_locations(&variant->cycle, locations)) - 1;
}

unsigned variant_groups(const struct variant *variant)
{
    unsigned groups = 0;
    for (unsigned i = 0; i < variant->threads; i++)
        groups += variant->work_group[i] == groups;
    return groups;
}
