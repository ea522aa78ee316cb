// SPDX-License-Identifier: Apache-2.0
/* Memory that is given back all at once. An arena starts as {0}; what it gives lives until arena_release. Private to
 * analysis/. */
#ifndef ORCHIL_BASE_ARENA_H
#define ORCHIL_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena {
    struct arena_block *last;
    bool failed; /* memory ran out at least once */
};

/* Zeroed memory for count objects of size bytes, aligned for any of them; NULL if memory ran out. */
void *arena_make(struct arena *arena, size_t count, size_t size);

/* A copy; NULL if memory ran out. */
char *arena_copy(struct arena *arena, const char *text);
char *arena_print(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Room for one object more in an array of count that arena_grow has made: the array, moved if it had to be; NULL if memory
 * ran out. Room doubles at each power of two. */
void *arena_grow(struct arena *arena, void *array, size_t count, size_t size);

void arena_release(struct arena *arena);

#endif
