// SPDX-License-Identifier: Apache-2.0
/* The words of PTX, for all who read or write it. */
#ifndef ORCHIL_LITMUS_LANGUAGE_PTX_WORDS_H
#define ORCHIL_LITMUS_LANGUAGE_PTX_WORDS_H

#include "litmus/litmus.h"

/* A word and what it means. A table ends with a row without text. */
struct word {
    const char *text;
    int value;
};

/* The value of the row that spells the word of size bytes, or LITMUS_NONE. */
int word_value(const struct word *table, const char *text, size_t size);

extern const struct word ptx_order_words[];     /* weak, volatile, relaxed, ... */
extern const struct word ptx_scope_words[];     /* cta, cluster, gpu, sys */
extern const struct word ptx_membar_words[];    /* scopes of membar, whose gl is gpu */
extern const struct word ptx_operation_words[]; /* ld, st, and what atom and red do: exch, cas, add, ... */
extern const struct word ptx_type_words[];      /* u32, s32, b32, ... */
extern const struct word ptx_lane_words[];      /* v2, v4, v8: the number of words of a vector */
extern const struct word ptx_cache_words[];     /* ca, L1::no_allocate, L2::128B, ... */

#endif
