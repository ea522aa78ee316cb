// SPDX-License-Identifier: Apache-2.0
#include "litmus/language/memory.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

enum { FIRST_PIECE = 4096, LARGEST_PIECE = 256 * 1024 };

struct piece {
    struct piece *previous;
    size_t size, used; /* bytes of the data behind the piece */
    alignas(max_align_t) unsigned char data[];
};

struct litmus_memory {
    struct piece *last;
};

struct litmus_memory *litmus_memory_create(void)
{
    return calloc(1, sizeof(struct litmus_memory));
}

void *litmus_memory_take(struct litmus_memory *memory, size_t size)
{
    const size_t alignment = alignof(max_align_t);
    if (size > SIZE_MAX / 4)
        return NULL;
    size = (size + alignment - 1) / alignment * alignment;
    struct piece *piece = memory->last;
    if (!piece || piece->size - piece->used < size) {
        size_t room = piece ? piece->size * 2 : FIRST_PIECE;
        if (room > LARGEST_PIECE)
            room = LARGEST_PIECE;
        if (room < size)
            room = size;
        struct piece *fresh = calloc(1, sizeof *fresh + room);
        if (!fresh)
            return NULL;
        fresh->previous = piece;
        fresh->size = room;
        memory->last = fresh;
        piece = fresh;
    }
    void *bytes = piece->data + piece->used;
    piece->used += size;
    return bytes;
}

void litmus_memory_release(struct litmus_memory *memory)
{
    if (!memory)
        return;
    for (struct piece *piece = memory->last; piece;) {
        struct piece *previous = piece->previous;
        free(piece);
        piece = previous;
    }
    free(memory);
}
