// SPDX-License-Identifier: Apache-2.0
/*
 * Algebra of relations over at most 64 events. Private to this room.
 *
 * count is the number of events; rows and bits from count on are never read and stay 0 in every result.
 */
#ifndef ORCHIL_MODELS_RELATION_H
#define ORCHIL_MODELS_RELATION_H

#include <stdbool.h>
#include <stdint.h>

enum { EVENTS_MAXIMUM = 64 };

/* Row a holds, as bits, the events to which a is related. */
struct relation {
    uint64_t row[EVENTS_MAXIMUM];
};

/* The set of all events. */
static inline uint64_t set_all(unsigned count)
{
    return count == EVENTS_MAXIMUM ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

static inline uint64_t set_of(unsigned event)
{
    return UINT64_C(1) << event;
}

/* The lowest event of a set that is not empty. */
static inline unsigned set_first(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}

static inline unsigned set_size(uint64_t set)
{
    return (unsigned)__builtin_popcountll(set);
}

static inline bool relation_has(const struct relation *relation, unsigned from, unsigned to)
{
    return relation->row[from] >> to & 1;
}

static inline void relation_add(struct relation *relation, unsigned from, unsigned to)
{
    relation->row[from] |= set_of(to);
}

void relation_clear(struct relation *result, unsigned count);
bool relation_is_empty(const struct relation *relation, unsigned count);
bool relation_equal(const struct relation *left, const struct relation *right, unsigned count);

/* result may be one of the operands, except in relation_compose and relation_invert. */
void relation_unite(struct relation *result, const struct relation *left, const struct relation *right, unsigned count);
void relation_compose(struct relation *result, const struct relation *left, const struct relation *right,
                      unsigned count);
void relation_invert(struct relation *result, const struct relation *operand, unsigned count);
void relation_close(struct relation *result, const struct relation *operand, unsigned count); /* transitive closure */

/* Is nothing related to itself? */
bool relation_is_irreflexive(const struct relation *relation, unsigned count);

/* Is there no cycle? */
bool relation_is_acyclic(const struct relation *relation, unsigned count);

/* Writes the events of a shortest cycle in order, each related to the next and the last to the first, and returns how
 * many there are; 0 if there is no cycle. */
unsigned relation_cycle(const struct relation *relation, unsigned count, unsigned cycle[EVENTS_MAXIMUM]);

#endif
