// SPDX-License-Identifier: Apache-2.0
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_block {
    struct arena_block *before;
    size_t used, size;
    max_align_t bytes[];
};

enum { USUAL_BLOCK = 64 * 1024 };

void *arena_make(struct arena *arena, size_t count, size_t size)
{
    const size_t align = sizeof(max_align_t);
    size_t wanted;
    if (__builtin_mul_overflow(count, size, &wanted) || wanted > SIZE_MAX / 2) {
        arena->failed = true;
        return NULL;
    }
    wanted = (wanted + align) / align * align;
    if (!arena->last || arena->last->size - arena->last->used < wanted) {
        const size_t room = wanted > USUAL_BLOCK ? wanted : USUAL_BLOCK;
        struct arena_block *block = calloc(1, sizeof *block + room);
        if (!block) {
            arena->failed = true;
            return NULL;
        }
        block->size = room;
        block->before = arena->last;
        arena->last = block;
    }
    void *made = (char *)arena->last->bytes + arena->last->used;
    arena->last->used += wanted;
    return made;
}

char *arena_copy(struct arena *arena, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = arena_make(arena, size, 1);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

char *arena_print(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = NULL;
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0) {
        arena->failed = true;
        return NULL;
    }
    char *copy = arena_copy(arena, text);
    free(text);
    return copy;
}

void *arena_grow(struct arena *arena, void *array, size_t count, size_t size)
{
    if (count & (count - 1) || (array && count == 0)) /* there is room up to the next power of two */
        return array;
    void *grown = arena_make(arena, count ? 2 * count : 1, size);
    if (grown && count)
        memcpy(grown, array, count * size);
    return grown;
}

void arena_release(struct arena *arena)
{
    for (struct arena_block *block = arena->last, *before; block; block = before) {
        before = block->before;
        free(block);
    }
    *arena = (struct arena){0};
}
