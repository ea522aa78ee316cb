// SPDX-License-Identifier: Apache-2.0
/*
 * What registers hold, as linear forms: a constant and terms with coefficients. A term is a parameter, the address of a
 * variable, a special register, a loaded value, an operation on forms, or a register that is not followed further.
 * Equal forms are one object, so forms are compared by their addresses.
 *
 * Widths and signs are ignored: a form is what the value would be without overflow, which is how compilers compute
 * addresses.
 */
#pragma once

#include "audit/flow.h"

enum term_kind {
    TERM_PARAMETER,
    TERM_SHARED, /* the address of a variable in shared memory */
    TERM_GLOBAL, /* of one in other memory */
    TERM_SPECIAL,
    TERM_LOAD,      /* arguments[0]: the address */
    TERM_OPERATION, /* name: the opcode */
    TERM_PRODUCT,   /* of two forms */
    TERM_JOIN,    /* a register that several instructions write, or that one selects: arguments are the choices without
                     * itself, or none if they are too many */
    TERM_REGISTER /* unknown */
};

/* What a form depends on, as bits. */
enum {
    VALUE_THREAD = 1,  /* the thread's number in its block or warp */
    VALUE_BLOCK_X = 2, /* the block's number, by axis */
    VALUE_BLOCK_Y = 16,
    VALUE_BLOCK_Z = 32,
    VALUE_BLOCK = VALUE_BLOCK_X | VALUE_BLOCK_Y | VALUE_BLOCK_Z,
    VALUE_OPAQUE = 4, /* memory, or what is not followed */
    VALUE_LANE = 8    /* the lane's number, together with VALUE_THREAD */
};

struct form;

enum { TERM_MOST_ARGUMENTS = 4, FORM_MOST_TERMS = 24 };

struct form_term {
    enum term_kind kind;
    const char *name;
    unsigned identity; /* of a JOIN or a REGISTER: the register; of a LOAD or a PARAMETER: which of several results */
    bool wide;         /* of these: it has 64 bits, as pointers have */
    bool pointer;      /* cvta has made an address of it */
    const struct form *arguments[TERM_MOST_ARGUMENTS];
    unsigned argument_count;
    int64_t step;     /* of a JOIN: what is added to it again and again; 0: nothing, or different values */
    unsigned depends; /* of all that is in it */
    unsigned weight;  /* terms in it, counted as a tree; large ones are opaque */
    unsigned number;
};

struct form_part {
    const struct form_term *term;
    int64_t times;
};

struct form {
    struct form_part *parts; /* in order of the terms' numbers; no coefficient is 0 */
    unsigned count;
    int64_t constant;
    unsigned depends, weight;
    unsigned number;
};

struct values {
    struct arena arena;
    const struct flow *flow;
    struct form_term **terms;
    size_t term_count;
    struct form **forms;
    size_t form_count;
    struct hash_index term_index, form_index;
    unsigned depends;              /* of all terms */
    const struct form **registers; /* for each register, its form once it was asked for */
    const struct form *zero;
    bool *evaluating; /* registers that are being asked for */
};

void values_begin(const struct flow *flow, struct values *values);
void values_release(struct values *values);

/* A loaded pointer without what chooses among the elements of its table: pointers of one table have it in common. */
const struct form_term *value_table(struct values *values, const struct form_term *loaded);

/* The form of an operand ("%r1", "4", "[%rd1+8]", a variable). */
const struct form *value_of(struct values *values, const struct flow_instruction *instruction, const char *operand);

const struct form *value_constant(struct values *values, int64_t constant);
const struct form *value_term(struct values *values, const struct form_term *term);
const struct form *value_add(struct values *values, const struct form *one, const struct form *two, int64_t times);

/* The value for one thread of a block. False if it depends on more than the thread's number. */
struct value_thread {
    unsigned x, y, z;
    unsigned lane;
};
bool value_for_thread(const struct form *form, const struct value_thread *thread, int64_t *value);

/* ---- facts ---- */

/* A comparison of a form with 0 that holds. Comparisons without a sign are taken as those with one. ELECTED: the thread
 * is the one of its warp that elect.sync chose; the form is then 0. */
enum fact_comparison { FACT_EQ, FACT_NE, FACT_LT, FACT_LE, FACT_GT, FACT_GE, FACT_ELECTED };

struct value_fact {
    enum fact_comparison comparison;
    const struct form *form;
};

enum { FACT_MOST = 16 };

/* The facts that follow if a predicate is true, or false. Returns how many; at most FACT_MOST. */
unsigned facts_of(struct values *values, unsigned predicate, bool truth, struct value_fact *facts);

bool fact_holds(enum fact_comparison comparison, int64_t value);

/* Whether the two say the opposite of each other of one form: then no execution has both. */
bool facts_exclude(const struct value_fact *one, const struct value_fact *two);
