// SPDX-License-Identifier: Apache-2.0
/* The index of names: open addressing over keys. */
#include "base/hash_index.h"

enum { FIRST_CAPACITY = 64 };

uint64_t hash_index_key(int kind, const char *name)
{
    uint64_t key = UINT64_C(0xcbf29ce484222325);
    key = (key ^ (uint64_t)(unsigned)kind) * UINT64_C(0x100000001b3);
    for (const char *c = name; *c; c++)
        key = (key ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    return key;
}

/* The slot at a step of a key's probe sequence. The upper half of the key is mixed in, because FNV's lower bits alone
 * are weak. */
static size_t slot_at(const struct hash_index *index, uint64_t key, size_t step)
{
    return (size_t)((key ^ key >> 32) + step) & (index->capacity - 1);
}

static void hash_index_put(struct hash_index *index, uint64_t key, size_t item)
{
    size_t step = 0;
    while (index->slots[slot_at(index, key, step)].item != 0)
        step++;
    index->slots[slot_at(index, key, step)] = (struct hash_slot){key, item + 1};
    index->count++;
}

static void index_grow(struct hash_index *index)
{
    struct hash_index larger = {.capacity = index->capacity ? 2 * index->capacity : FIRST_CAPACITY};
    larger.slots = memory_take(larger.capacity, sizeof *larger.slots);
    /* Starting after a free slot keeps the items of a key in order, even across the end of the array. */
    const size_t start = INDEX_OF(one, index->slots, index->capacity, one->item == 0);
    for (size_t i = 0; i < index->capacity; i++) {
        const struct hash_slot *slot = &index->slots[(start + i) & (index->capacity - 1)];
        if (slot->item != 0)
            hash_index_put(&larger, slot->key, slot->item - 1);
    }
    free(index->slots);
    *index = larger;
}

void hash_index_add(struct hash_index *index, uint64_t key, size_t item)
{
    if (2 * index->count >= index->capacity)
        index_grow(index);
    hash_index_put(index, key, item);
}

bool hash_index_next(const struct hash_index *index, uint64_t key, size_t *step, size_t *item)
{
    while (index->capacity > 0) {
        const struct hash_slot *slot = &index->slots[slot_at(index, key, *step)];
        if (slot->item == 0)
            return false;
        ++*step;
        if (slot->key == key) {
            *item = slot->item - 1;
            return true;
        }
    }
    return false;
}

void hash_index_clear(struct hash_index *index)
{
    if (index->slots)
        memset(index->slots, 0, index->capacity * sizeof *index->slots);
    index->count = 0;
}

void hash_index_release(struct hash_index *index)
{
    free(index->slots);
    *index = (struct hash_index){0};
}
