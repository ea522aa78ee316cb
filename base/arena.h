// SPDX-License-Identifier: Apache-2.0
/* Memory that is freed all at once. An arena starts as {0}; its allocations live until arena_release. As in
 * base/memory.h, no function returns NULL: if memory runs out, the process ends. */
#pragma once

#include <stddef.h>

struct text;

struct arena {
    struct arena_block *last;
    size_t size; /* of all blocks */
};

/* Zeroed memory for count objects of size bytes, aligned for any of them. */
void *arena_take(struct arena *arena, size_t count, size_t size) __attribute__((returns_nonnull));

char *arena_copy(struct arena *arena, const char *text) __attribute__((returns_nonnull));

/* The same of the first `size` bytes, or up to a NUL byte before. */
char *arena_copy_part(struct arena *arena, const char *text, size_t size) __attribute__((returns_nonnull));

/* The same of what a text has, which is released. */
char *arena_keep(struct arena *arena, struct text *text) __attribute__((returns_nonnull));
char *arena_print(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3), returns_nonnull));

/* Makes room for one more object in an array of count objects that arena_grow allocated (NULL if count is 0). Returns
 * the array, which may have moved. Capacity doubles at each power of two. */
void *arena_grow(struct arena *arena, void *array, size_t count, size_t size) __attribute__((returns_nonnull));

/* Makes room for one more in such an array: ARENA_ADD(arena, list.items, list.count) = item. Neither items nor count
 * may have side effects. */
#define ARENA_ADD(arena, items, count)                                                                                 \
    (*(((items) = arena_grow((arena), (items), (count), sizeof *(items))), &(items)[(count)++]))

void arena_release(struct arena *arena);

/* Defines TYPE_release for a struct all of whose memory is in its arena. storage: static, or nothing. */
#define ARENA_RELEASES(storage, type)                                                                                  \
    storage void type##_release(struct type *released)                                                                 \
    {                                                                                                                  \
        arena_release(&released->arena);                                                                               \
        *released = (struct type){0};                                                                                  \
    }
