// SPDX-License-Identifier: Apache-2.0
/* The memory of one test: taken piece by piece while it is parsed, given back at once. */
#ifndef ORCHIL_LITMUS_LANGUAGE_MEMORY_H
#define ORCHIL_LITMUS_LANGUAGE_MEMORY_H

#include <stddef.h>

struct litmus_memory;

/* NULL when memory has run out. */
struct litmus_memory *litmus_memory_create(void);

/* Zeroed bytes, aligned for every type of the room; NULL when memory has run out. They live as long as the memory. */
void *litmus_memory_take(struct litmus_memory *memory, size_t size);

/* Gives everything back; NULL is fine. */
void litmus_memory_release(struct litmus_memory *memory);

#endif
