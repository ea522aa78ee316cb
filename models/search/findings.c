// SPDX-License-Identifier: Apache-2.0
/* The outcomes found so far, by their values. */
#include <stdlib.h>
#include <string.h>

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

static bool grow_table(struct findings *findings)
{
    const size_t size = findings->table_size ? 2 * findings->table_size : 64;
    size_t *table = calloc(size, sizeof *table);
    if (!table)
        return false;
    free(findings->table);
    findings->table = table;
    findings->table_size = size;
    for (size_t i = 0; i < findings->count; i++)
        table[slot_of(findings, findings->items[i].values)] = i + 1;
    return true;
}

struct found *findings_get(struct findings *findings, const int64_t *values)
{
    if (2 * (findings->count + 1) > findings->table_size && !grow_table(findings))
        return NULL;
    const size_t slot = slot_of(findings, values);
    if (findings->table[slot])
        return &findings->items[findings->table[slot] - 1];
    if (findings->count == ENUMERATE_MAXIMUM_OUTCOMES)
        return NULL;
    if (findings->count == findings->capacity) {
        const size_t capacity = findings->capacity ? 2 * findings->capacity : 32;
        struct found *items = realloc(findings->items, capacity * sizeof *items);
        if (!items)
            return NULL;
        findings->items = items;
        findings->capacity = capacity;
    }
    const size_t size = findings->test->variable_count * sizeof *values;
    struct found *found = &findings->items[findings->count];
    *found = (struct found){.values = malloc(size + 1), .rank = -1};
    if (!found->values)
        return NULL;
    if (size > 0)
        memcpy(found->values, values, size);
    findings->table[slot] = ++findings->count;
    return found;
}

void findings_release(struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        free(findings->items[i].values);
        free(findings->items[i].cycle);
    }
    free(findings->items);
    free(findings->table);
    *findings = (struct findings){0};
}
