// SPDX-License-Identifier: Apache-2.0
/* Finds the items with a name in an array. The index keeps numbers and hashes, not names, so the caller compares the
 * names of what it finds. Starts as {0}. */
#pragma once

#include "base/base.h"

struct hash_index {
    struct hash_slot {
        uint64_t key;
        size_t item; /* one more than the item; 0: the slot is free */
    } * slots;
    size_t capacity, count; /* capacity is a power of two, or 0 */
};

/* The key of a name among those of a kind, such as a dialect (64-bit FNV-1a). */
uint64_t hash_index_key(int kind, const char *name);

/* The key of an object, by its address. */
static inline uint64_t hash_index_object_key(const void *object)
{
    return (uint64_t)(uintptr_t)object * UINT64_C(0x9e3779b97f4a7c15);
}

/* A key may have several items. */
void hash_index_add(struct hash_index *index, uint64_t key, size_t item);

/* The items of a key one by one, in the order in which they were added. *step starts as 0; false after the last. */
bool hash_index_next(const struct hash_index *index, uint64_t key, size_t *step, size_t *item);

void hash_index_clear(struct hash_index *index); /* keeps the memory */
void hash_index_release(struct hash_index *index);
