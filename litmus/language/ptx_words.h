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
extern const struct word ptx_cache_words[];      /* ca, L1::no_allocate, L2::128B, ... */
extern const struct word ptx_comparison_words[]; /* of setp: eq, ne, lt, ... */

/* ---- instructions ---- */

enum ptx_shape {
    PTX_LOAD,
    PTX_STORE,
    PTX_ATOM, /* read-modify-write with a result */
    PTX_RED,  /* without one */
    PTX_FENCE,
    PTX_MEMBAR,
    PTX_BAR,
    PTX_MOVE,
    PTX_COMPUTE, /* rd, a, b */
    PTX_BRANCH,  /* a, b, LABEL */
    PTX_JUMP,    /* LABEL */
    PTX_COMPARE  /* setp.OP rd, a, b */
};

struct ptx_instruction {
    const char *name;
    enum ptx_shape shape;
    enum litmus_proxy proxy; /* of accesses */
    enum litmus_operator op; /* COMPUTE, BRANCH */
};

extern const struct ptx_instruction ptx_instructions[]; /* ends with a row without a name */

/* The instruction's name for an operator or a proxy and shape; NULL if there is none. */
const char *ptx_operator_name(enum ptx_shape shape, enum litmus_operator op);
const char *ptx_comparison_name(enum litmus_operator op); /* of setp: "eq"; NULL if it is no comparison */
const char *ptx_access_name(enum ptx_shape shape, enum litmus_proxy proxy);

#endif
