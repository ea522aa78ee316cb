// SPDX-License-Identifier: Apache-2.0
/* Relations as rows of bits. */
#include "models/execution.h"

#include <string.h>

void relation_clear(struct relation *result, unsigned count)
{
    memset(result->row, 0, count * sizeof result->row[0]);
}

bool relation_is_empty(const struct relation *relation, unsigned count)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < count; i++)
        any |= relation->row[i];
    return any == 0;
}

bool relation_is_irreflexive(const struct relation *relation, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (relation_has(relation, i, i))
            return false;
    return true;
}

bool relation_equal(const struct relation *left, const struct relation *right, unsigned count)
{
    return memcmp(left->row, right->row, count * sizeof left->row[0]) == 0;
}

void relation_unite(struct relation *result, const struct relation *left, const struct relation *right, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        result->row[i] = left->row[i] | right->row[i];
}

void relation_compose(struct relation *result, const struct relation *left, const struct relation *right,
                      unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint64_t reached = 0;
        for (uint64_t middle = left->row[i]; middle; middle &= middle - 1)
            reached |= right->row[set_first(middle)];
        result->row[i] = reached;
    }
}

void relation_invert(struct relation *result, const struct relation *operand, unsigned count)
{
    relation_clear(result, count);
    for (unsigned i = 0; i < count; i++)
        for (uint64_t left = operand->row[i]; left; left &= left - 1)
            relation_add(result, set_first(left), i);
}

void relation_close(struct relation *result, const struct relation *operand, unsigned count)
{
    if (result != operand)
        memcpy(result->row, operand->row, count * sizeof result->row[0]);
    for (unsigned middle = 0; middle < count; middle++) {
        const uint64_t reached = result->row[middle];
        for (unsigned i = 0; reached && i < count; i++)
            if (relation_has(result, i, middle))
                result->row[i] |= reached;
    }
}

/* Takes away events without a successor until none is left or each has one. */
bool relation_is_acyclic(const struct relation *relation, unsigned count)
{
    uint64_t left = set_all(count);
    for (bool changed = true; changed && left;) {
        changed = false;
        for (uint64_t rest = left; rest; rest &= rest - 1) {
            const unsigned i = set_first(rest);
            if (!(relation->row[i] & left)) {
                left &= ~set_of(i);
                changed = true;
            }
        }
    }
    return left == 0;
}

/* Breadth-first from start back to start; the length of the shortest path, or 0. before[e] is the
 * predecessor of e. */
static unsigned shortest_path_back(const struct relation *relation, unsigned start, unsigned before[EVENTS_MAXIMUM])
{
    uint64_t seen = 0, front = set_of(start);
    for (unsigned length = 1; front; length++) {
        uint64_t next = 0;
        for (; front; front &= front - 1) {
            const unsigned i = set_first(front);
            for (uint64_t fresh = relation->row[i] & ~seen; fresh; fresh &= fresh - 1)
                before[set_first(fresh)] = i;
            next |= relation->row[i] & ~seen;
            seen |= next;
        }
        if (next & set_of(start))
            return length;
        front = next;
    }
    return 0;
}

unsigned relation_cycle(const struct relation *relation, unsigned count, unsigned cycle[EVENTS_MAXIMUM])
{
    unsigned best = 0, before[EVENTS_MAXIMUM];
    for (unsigned start = 0; start < count; start++) {
        const unsigned length = shortest_path_back(relation, start, before);
        if (length == 0 || (best && length >= best))
            continue;
        best = length;
        cycle[0] = start;
        unsigned event = start;
        for (unsigned i = length; i-- > 1;) {
            event = before[event];
            cycle[i] = event;
        }
    }
    return best;
}
