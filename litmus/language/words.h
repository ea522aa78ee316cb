// SPDX-License-Identifier: Apache-2.0
/* Tables of the formats' words, for all who read or write them. */
#pragma once

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

/* ---- the words of PTX ---- */

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

/* The architecture since which there is the cache word, 75 for sm_75; 0 for NONE and for what all have that orchil runs
 * on. */
unsigned ptx_cache_since(enum litmus_cache cache);

/* The comparison's name in setp: "eq"; NULL if it is none. */
const char *ptx_comparison_name(enum litmus_operator op);

/* ---- the words of the other formats, and those of all ---- */

/* "global", "local", "image". */
const char *litmus_region_name(enum litmus_region region);

extern const struct word c_order_words[];    /* memory_order_relaxed and old herd's mo_rlx */
extern const struct word c_scope_words[];    /* memory_scope_device and old herd's s_dev */
extern const struct word cuda_order_words[]; /* cuda::memory_order_relaxed, also in cuda::std */
extern const struct word cuda_scope_words[]; /* cuda::thread_scope_device */
extern const struct word type_words[];       /* int, uint, int32_t, ... */
extern const struct word proxy_words[];      /* generic, texture, surface, constant, alias, async */
extern const struct word region_words[];     /* global, local, shared */
extern const struct word relation_words[];   /* =, !=, <, ... */
extern const struct word no_words[];         /* none */

/* Levels of placement, wide to narrow. SYSTEM, KERNEL and THREAD group without a number of their own. */
enum level {
    LEVEL_SYSTEM,
    LEVEL_DEVICE,
    LEVEL_QUEUE_FAMILY,
    LEVEL_KERNEL,
    LEVEL_CLUSTER,
    LEVEL_WORK_GROUP,
    LEVEL_SUB_GROUP,
    LEVEL_THREAD
};

extern const struct word level_words[];

/* How tightly an operator binds in C, from 1 on; 0: it has no spelling in C. Unary ones bind tightest. */
int operator_level(enum litmus_operator op);

/* A value of the type, as the formats write it: unsigned types without a sign. */
void litmus_print_value(enum litmus_type type, int64_t value, struct text *text);

/* Appends an observed variable as conditions name it: "1:r0", "[x]", "x[2]". */
void litmus_print_variable(const struct litmus_test *test, const struct litmus_variable *variable, struct text *text);

/* The type as the dialect spells it: uint, unsigned, uint32_t. */
const char *litmus_type_word(enum litmus_dialect dialect, enum litmus_type type);
