// SPDX-License-Identifier: Apache-2.0
/* Allocation that does not fail. */
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_MEMORY = 4, FIRST_ROOM = 8 };

void memory_fail(size_t size)
{
    char line[80];
    const int length = snprintf(line, sizeof line, "orchil: out of memory: cannot allocate %zu bytes\n", size);
    if (length > 0)
        (void)!write(STDERR_FILENO, line, (size_t)length); /* stdio may need memory */
    _exit(EXIT_MEMORY);
}

void *memory_take(size_t count, size_t size)
{
    void *bytes = calloc(count ? count : 1, size ? size : 1);
    if (!bytes)
        memory_fail(count > SIZE_MAX / (size ? size : 1) ? SIZE_MAX : count * size);
    return bytes;
}

char *memory_copy_part(const char *text, size_t length)
{
    length = strnlen(text, length);
    char *copy = memory_take(length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

char *memory_copy(const char *text)
{
    return memory_copy_part(text, SIZE_MAX);
}

void *memory_grow(void *items, size_t count, size_t *room, size_t size)
{
    if (items && count < *room)
        return items;
    const size_t wanted = *room ? 2 * *room : FIRST_ROOM;
    if (wanted > SIZE_MAX / 2 / size)
        memory_fail(SIZE_MAX);
    char *grown = realloc(items, wanted * size);
    if (!grown)
        memory_fail(wanted * size);
    memset(grown + count * size, 0, (wanted - count) * size);
    *room = wanted;
    return grown;
}

void memory_free_local(void *pointer)
{
    void *block;
    memcpy(&block, pointer, sizeof block);
    free(block);
}
