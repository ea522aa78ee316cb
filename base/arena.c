// SPDX-License-Identifier: Apache-2.0
/* Memory allocated in blocks and freed all at once. */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"

struct arena_block {
    struct arena_block *before;
    size_t used, size;
    max_align_t bytes[];
};

enum { FIRST_BLOCK = 4 * 1024, LARGEST_BLOCK = 256 * 1024 };

/* Half as much again: a small arena has few bytes to spare, a large one few blocks. */
static size_t room_for(const struct arena *arena, size_t wanted)
{
    size_t room = arena->size / 2;
    room = room < FIRST_BLOCK ? FIRST_BLOCK : room > LARGEST_BLOCK ? LARGEST_BLOCK : room;
    return room < wanted ? wanted : room;
}

void *arena_take(struct arena *arena, size_t count, size_t size)
{
    const size_t align = sizeof(max_align_t);
    size_t wanted;
    if (__builtin_mul_overflow(count, size, &wanted) || wanted > SIZE_MAX / 4)
        memory_fail(SIZE_MAX);
    wanted = (wanted + align) / align * align;
    if (!arena->last || arena->last->size - arena->last->used < wanted) {
        const size_t room = room_for(arena, wanted);
        struct arena_block *block = memory_take(1, sizeof *block + room);
        block->size = room;
        block->before = arena->last;
        arena->last = block;
        arena->size += room;
    }
    void *taken = (char *)arena->last->bytes + arena->last->used;
    arena->last->used += wanted;
    return taken;
}

char *arena_copy(struct arena *arena, const char *text)
{
    const size_t size = strlen(text) + 1;
    return memcpy(arena_take(arena, size, 1), text, size);
}

char *arena_copy_part(struct arena *arena, const char *text, size_t size)
{
    const size_t length = strnlen(text, size);
    return memcpy(arena_take(arena, length + 1, 1), text, length);
}

char *arena_keep(struct arena *arena, struct text *text)
{
    char *copy = arena_copy(arena, text_string(text));
    text_release(text);
    return copy;
}

char *arena_print(struct arena *arena, const char *format, ...)
{
    struct text text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_add_list(&text, format, arguments);
    va_end(arguments);
    return arena_keep(arena, &text);
}

void *arena_grow(struct arena *arena, void *array, size_t count, size_t size)
{
    if (array && (count == 0 || count & (count - 1))) /* there is room up to the next power of two */
        return array;
    void *grown = arena_take(arena, count ? 2 * count : 1, size);
    if (count)
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
