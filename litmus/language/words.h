// SPDX-License-Identifier: Apache-2.0
/* Tables of the formats' words that more than one file of the room reads. */
#ifndef ORCHIL_LITMUS_LANGUAGE_WORDS_H
#define ORCHIL_LITMUS_LANGUAGE_WORDS_H

#include "litmus/language/ptx_words.h"

/* "global", "local", "image". */
const char *region_name(enum litmus_region region);

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
void print_value(enum litmus_type type, int64_t value, struct text *text);

/* Appends an observed variable as conditions name it: "1:r0", "[x]", "x[2]". */
void print_variable(const struct litmus_test *test, const struct litmus_variable *variable, struct text *text);

/* The type as the dialect spells it: uint, unsigned, uint32_t. */
const char *type_word(enum litmus_dialect dialect, enum litmus_type type);

#endif
