// SPDX-License-Identifier: Apache-2.0
/*
 * PTX's instructions, one row each: the words, what they mean, and the operands. The parser, the printer and the reader
 * of compiled PTX take all three from here.
 *
 * The words of a row are "a.b|c.d?": b or c in one place, d or nothing. These stand for words of tables: ORDER,
 * FENCE_ORDER (orders of fences), SCOPE, WIDE_SCOPE (gpu and sys), MEMBAR_SCOPE, TYPE, OPERATION, PROXY (that a fence
 * names alone). Of several words the first is printed, but shared::cluster if it is one of them and the instruction has
 * PTX_CLUSTER; words that may be left out are printed. The first row that fits applies.
 */
#pragma once

#include "litmus/language/words.h"

enum ptx_shape {
    /* The row has the first words of such instructions. Those of accesses may come in any order. */
    PTX_LOAD,
    PTX_STORE,
    PTX_ATOM, /* read-modify-write with a result */
    PTX_RED,  /* without one */
    PTX_MOVE,
    PTX_COMPUTE,   /* rd, a, b */
    PTX_BRANCH,    /* a, b, LABEL */
    PTX_JUMP,      /* LABEL */
    PTX_COMPARE,   /* setp.OP rd, a, b */
    PTX_EXIT,      /* ends the thread */
    PTX_TEXT,      /* kept as text: orchil neither runs nor judges it */
    PTX_WRONG,     /* refused, with `expected` */
    PTX_ABSENT,    /* tests do not have it, compiled code may */
    PTX_ANY_FENCE, /* refused, with what is wrong */
    /* The row has all words. */
    PTX_COPY,
    PTX_GROUP,
    PTX_MBARRIER,
    PTX_REPLACE,  /* of the location that a tensor map names */
    PTX_MULTIPLY, /* of matrices in shared memory */
    PTX_FENCE,
    PTX_BARRIER,
    PTX_COLLECTIVE, /* a function that lanes call together */
    PTX_IDLE,       /* changes no memory, no register and no order; kept as text */
    PTX_REFUSED     /* with `expected` */
};

enum {
    PTX_BULK = 1 << 0,
    PTX_NOTIFIES = 1 << 1, /* an mbarrier is notified when the copy ends */
    PTX_THROUGH_L2 = 1 << 2,
    PTX_READ = 1 << 3,
    PTX_NO_INCREMENT = 1 << 4,
    PTX_ARRIVES = 1 << 5,
    PTX_WAITS = 1 << 6,
    PTX_BRIEF = 1 << 14,     /* for ptx_add_words: without the order and the scope that may be left out */
    PTX_RELAXED = 1 << 13,   /* an arrival at a barrier that orders nothing */
    PTX_UNALIGNED = 1 << 15, /* a barrier without .aligned */
    PTX_MATRIX = 1 << 16,    /* of wgmma.mma_async */
    PTX_CLUSTER = 1 << 7,    /* the shared memory of the whole cluster */
    PTX_MULTICAST = 1 << 8,
    PTX_TENSOR = 1 << 9, /* a tensor map names the global side of a copy; a fence copies a map first */
    PTX_VALUE = 1 << 10, /* of copies: of a value, not from memory */
    PTX_ON_GLOBAL = 1 << 11,
    PTX_ON_SHARED = 1 << 12 /* the memory that a fence is for */
};

/* What an instruction means. */
struct ptx_meaning {
    enum ptx_shape shape;
    unsigned flags;
    enum litmus_operation operation; /* of mbarriers, and of copies that change what is there; else LOAD */
    enum litmus_order order;         /* the default, or the only one */
    enum litmus_scope scope;
    enum litmus_type type;
    enum litmus_proxy proxy; /* of fences, and of accesses by other names than ld and st */
    enum litmus_restriction restriction;
    enum litmus_group_action action;
    enum litmus_region to, from;
    enum litmus_operator op; /* COMPUTE, BRANCH */
    enum litmus_collective_function together;
};

/* What it is in compiled code, where it reads or writes memory. */
enum ptx_in_code {
    PTX_COMPUTES, /* nothing of memory, or nothing that another thread notices */
    PTX_ACCESSES,
    PTX_UPDATES,
    PTX_FENCES,
    PTX_MEMBARS, /* a fence.sc */
    PTX_MEETS,
    PTX_AWAITS,   /* griddepcontrol.wait */
    PTX_TRIGGERS, /* griddepcontrol.launch_dependents */
    PTX_UNREAD    /* memory, in a way that a listing cannot express */
};

struct ptx_instruction {
    const char *words;
    struct ptx_meaning means;
    /*
     * Of an instruction with all its words in the row, a letter each:
     * t, f    where a copy goes to and comes from; T: a list of places of a multicast
     * b, v    its bytes; or its value
     * m, M, k an mbarrier; a list of them; the mask of their work-groups
     * n       the number of groups that may be pending
     * _, r    the result, dropped (of a register for it: mbarrier.arrive's is opaque); a register for it
     * c, i, x arrivals, 1 if left out; arrivals; bytes
     * p, h    a parity; a time limit, if any, which is dropped
     * D       the register for the result of lanes; of elect "_|p", of shfl "r0" or "r0|p", whose p becomes 1
     * q, l, K a lane's value; a lane; the mask of the lanes
     * C, O    31, the last lane that shfl reads; 0, before the mask of bar.warp.sync
     * I, R    the instance of a barrier; its resource and quorum, if any
     * N       both in one number, and the quorum, if any
     * a, A    a tensor map; the one that is copied
     * d       the place of a matrix
     * s       128, the bytes of a tensor map
     * w       the location that it is to name
     * e       any address
     * Of a move, a computation or a jump: its other words, which change nothing here, as a row has them.
     */
    const char *operands;
    const char *expected; /* for messages: the orders of accesses; or what would be right */
    unsigned orders;      /* of accesses, as bits */
    enum ptx_in_code in_code;
    unsigned unread; /* with this many operands it is another, unsupported instruction; 0: there is none */
};

extern const struct ptx_instruction ptx_instructions[]; /* ends with a row without words */

/* Whether the row has only the first words of its instructions. */
bool ptx_is_start(const struct ptx_instruction *row);

enum ptx_slot {
    PTX_ORDER,
    PTX_FENCE_ORDER,
    PTX_SCOPE,
    PTX_WIDE_SCOPE,
    PTX_MEMBAR_SCOPE,
    PTX_TYPE,
    PTX_OPERATION,
    PTX_PROXY
};

/* A word of a row: one or several, or what stands for those of a table. */
struct ptx_word {
    const char *text;
    size_t size;
    bool optional;
    int slot; /* an enum ptx_slot, or LITMUS_NONE */
};

/* Takes the next of a row's words; false after the last. */
bool ptx_next_word(const char **words, struct ptx_word *word);

/* Is the text one of the words? */
bool ptx_word_is(const struct ptx_word *word, const char *text, size_t size);

/* The row of compiled code that begins with its words; NULL if there is none. */
const struct ptx_instruction *ptx_find_in_code(const char *opcode, size_t size);

/* What a statement means whose row has all words. The thread may be NULL if it accesses no mbarrier, the test too if it
 * is no copy. */
struct ptx_meaning ptx_meaning_of(const struct litmus_test *test, const struct litmus_thread *thread,
                                  const struct litmus_statement *statement);

/* Sets that in a statement, other than operands, accesses and its kind. */
void ptx_set_statement(const struct ptx_meaning *meaning, struct litmus_statement *statement);

/* Where a statement has the operand of a letter that is an expression. */
struct litmus_expression **ptx_operand(struct litmus_statement *statement, char letter);

/* The row that is printed for a meaning. Never NULL for what the parser gives. */
const struct ptx_instruction *ptx_find_meaning(const struct ptx_meaning *meaning);

/* Appends the words of the instruction: "fence.sc.gpu"; "?" if there is none with that meaning. type: in code, where
 * the ISA has one for each operation; NULL in a test, which names what is in memory. */
void ptx_add_words(const struct ptx_meaning *meaning, const char *type, struct text *text);

/* The same for an access of the generic proxy or another, before its vector and its type:
 * "ld.relaxed.gpu.L1::no_allocate". space: in code, the state space with its dot, or ""; NULL in a test. */
void ptx_add_access(const struct litmus_access *access, const char *space, struct text *text);

/* The instruction's name for an operator or a proxy and shape; NULL if there is none. */
const char *ptx_operator_name(enum ptx_shape shape, enum litmus_operator op);
const char *ptx_access_name(enum ptx_shape shape, enum litmus_proxy proxy);
