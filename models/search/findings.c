// SPDX-License-Identifier: Apache-2.0
/* The outcomes found so far, by their values. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "models/search/enumerate.h"

static size_t slot_of(const struct findings *findings, const int64_t *values)
{
    uint64_t hash = UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i < findings->test->variable_count; i++) {
        hash = (hash ^ (uint64_t)values[i]) * UINT64_C(0xbf58476d1ce4e5b9);
        hash ^= hash >> 29;
    }
    const size_t size = findings->test->variable_count * sizeof *values;
    size_t slot = (size_t)hash & (findings->table_size - 1);
    while (findings->table[slot] && size > 0 &&
           memcmp(findings->items[findings->table[slot] - 1].values, values, size) != 0)
        slot = (slot + 1) & (findings->table_size - 1);
    return slot;
}

static void grow_table(struct findings *findings)
{
    free(findings->table);
    findings->table_size = findings->table_size ? 2 * findings->table_size : 64;
    findings->table = memory_take(findings->table_size, sizeof *findings->table);
    for (size_t i = 0; i < findings->count; i++)
        findings->table[slot_of(findings, findings->items[i].values)] = i + 1;
}

struct search_finding *findings_find(const struct findings *findings, const int64_t *values)
{
    const size_t slot = findings->table_size ? slot_of(findings, values) : 0;
    return findings->table_size && findings->table[slot] ? &findings->items[findings->table[slot] - 1] : NULL;
}

struct search_finding *findings_get(struct findings *findings, const int64_t *values)
{
    if (2 * (findings->count + 1) > findings->table_size)
        grow_table(findings);
    const size_t slot = slot_of(findings, values);
    if (findings->table[slot])
        return &findings->items[findings->table[slot] - 1];
    if (findings->count == ENUMERATE_MAXIMUM_OUTCOMES)
        return NULL;
    const size_t count = findings->test->variable_count;
    struct search_finding *found = &LIST_ADD(findings->items, findings->count, findings->room);
    *found = (struct search_finding){.values = arena_take(&findings->arena, count, sizeof *values), .rank = -1};
    memcpy(found->values, values, count * sizeof *values);
    findings->table[slot] = findings->count;
    return found;
}

void findings_release(struct findings *findings)
{
    arena_release(&findings->arena);
    free(findings->items);
    free(findings->table);
    *findings = (struct findings){0};
}
