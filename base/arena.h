// SPDX-License-Identifier: Apache-2.0
/* Memory that is given back all at once. An arena starts as {0}; what it gives lives until arena_release. Like base/memory.h
 * it never returns NULL: where no memory is left, the process ends. */
#ifndef ORCHIL_BASE_ARENA_H
#define ORCHIL_BASE_ARENA_H

#include <stddef.h>

struct arena {
    struct arena_block *last;
};

/* Zeroed memory for count objects of size bytes, aligned for any of them. */
void *arena_take(struct arena *arena, size_t count, size_t size) __attribute__((returns_nonnull));

char *arena_copy(struct arena *arena, const char *text) __attribute__((returns_nonnull));
char *arena_print(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3), returns_nonnull));

/* Room for one object more in an array of count that arena_grow has made (or NULL, of none): the array, moved if it had to
 * be. Room doubles at each power of two. */
void *arena_grow(struct arena *arena, void *array, size_t count, size_t size) __attribute__((returns_nonnull));

/* Makes room for one more in such an array: ARENA_ADD(arena, list.items, list.count) = item. Neither items nor count may
 * have side effects. */
#define ARENA_ADD(arena, items, count)                                                                                 \
    (*(((items) = arena_grow((arena), (items), (count), sizeof *(items))), &(items)[(count)++]))

void arena_release(struct arena *arena);

#endif
