// SPDX-License-Identifier: Apache-2.0
/* The dialects: one row each. A new dialect needs a value in enum litmus_dialect, a row here, and its columns in the
 * tables of language/words.c. */
#pragma once

#include "litmus/litmus.h"

struct parser;
struct draft;

/* Questions about a dialect are columns here, so that code need not compare dialects. */
struct dialect {
    const char *name;
    const char *words[4]; /* accepted in the header, NULL after the last */
    /* From the token after the initial state to the first one of the trailers. Types are complete afterwards. */
    enum status (*parse_threads)(struct parser *parser);
    /* One instruction of PTX in asm, which goes to the thread's body; NULL: the dialect has no asm. */
    enum status (*parse_assembly)(struct parser *parser, struct draft *draft);
    void (*print_threads)(const struct litmus_test *test, struct text *text);
    bool has_places;        /* a test may place its threads and locations, and launches are ordered by edges */
    bool columns;           /* its threads are columns of instructions */
    bool has_scopes;        /* atomic accesses and fences have a scope; without, it is DEVICE */
    bool has_atomic_types;  /* a location is atomic or not by its type, whatever accesses it */
    bool has_flags;         /* fences and barriers name the memory that they order */
    bool has_semantics;     /* VULKAN's availability and visibility: an ordering has more than its order and scope */
    bool has_seq_cst;       /* accesses can be sequentially consistent */
    bool is_nvidia;         /* plain accesses are weak and can be made strong, and fences are of two orders */
    bool is_dat3m;          /* edges, placements and aliases are written as Dat3M does */
    bool judged_as_ptx;     /* its model judges the PTX that a test becomes */
    const char *article;    /* of its name */
    const char *group_word; /* for people: "work-group" */
    const char *sub_group_word;
};

extern const struct dialect dialects[LITMUS_DIALECT_COUNT];
