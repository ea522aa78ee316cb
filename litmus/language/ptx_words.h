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

/* The text of the first row with the value; "?" if there is none: the dialect cannot spell it. */
const char *word_name(const struct word *table, int value);

extern const struct word ptx_order_words[];      /* weak, volatile, relaxed, ... */
extern const struct word ptx_scope_words[];      /* cta, cluster, gpu, sys */
extern const struct word ptx_membar_words[];     /* scopes of membar, whose gl is gpu */
extern const struct word ptx_operation_words[];  /* ld, st, and what atom and red do: exch, cas, add, ... */
extern const struct word ptx_type_words[];       /* u32, s32, b32, ... */
extern const struct word ptx_lane_words[];       /* v2, v4, v8: the number of words of a vector */
extern const struct word ptx_comparison_words[]; /* of setp: eq, ne, lt, ... */

/* The value of enum litmus_cache of "ca", "L1::no_allocate", "L2::128B", or LITMUS_NONE. */
int ptx_find_cache(const char *text, size_t size);

/* Whether one of the instructions has the cache word. NONE is of all. */
enum { PTX_ON_LOADS = 1, PTX_ON_READ_ONLY = 2 /* ld.nc */, PTX_ON_STORES = 4 };
bool ptx_has_cache(unsigned instructions, enum litmus_cache cache);

/* The architecture since which there is the cache word, 75 for sm_75; 0 for NONE and for what all have that orchil runs on. */
unsigned ptx_cache_since(enum litmus_cache cache);

/* The comparison's name in setp: "eq"; NULL if it is none. */
const char *ptx_comparison_name(enum litmus_operator op);

#endif
