// SPDX-License-Identifier: Apache-2.0
/*
 * Bodies in a subset of C. Statements and expressions are the same in every C dialect; the dialect
 * has a table of its functions and of its names for orders and scopes.
 */
#ifndef ORCHIL_LITMUS_PARSE_C_LANGUAGE_H
#define ORCHIL_LITMUS_PARSE_C_LANGUAGE_H

#include "litmus/parse/parser.h"

/* A function: the meaning of a call, and how its arguments are read. */
struct c_function {
    const char *name;
    enum litmus_statement_kind kind; /* PERFORM, which is an access; FENCE or BARRIER */
    enum litmus_operation operation; /* of an access, or of a barrier that counts */
    enum litmus_order order;         /* of an access or a fence whose call names none */
    enum litmus_scope scope;         /* of a call that names none */
    /*
     * A letter for each argument, in order; what follows a '?' may be left out:
     *   p  pointer to the location          v  value to store, to add, ...
     *   m  pointer to the atomic_flag       (which is exchanged for 1, or is stored 0)
     *   e  pointer to the expected value: a location, or "&r0"
     *   r  reference to the expected value: "*y", or "r0"
     *   x  expected value
     *   o  order                            n  order of a compare_exchange that fails
     *   s  scope                            f  flags, such as CLK_GLOBAL_MEM_FENCE
     *   c  the predicate of a barrier, combined over threads by its operation
     *   i  image and coordinate, "x, 0"     w  value to write to a pixel, "1" or "(int4)(1, 0, 0, 0)"
     */
    const char *arguments;
};

/* Functions of other headers, by how their names begin, and what to write instead. */
struct c_foreign {
    const char *start, *nearest;
};

struct c_language {
    const char *page;                   /* of docs/reference, which lists the functions */
    const struct c_foreign *foreign;    /* ends with a row without a start; or NULL */
    const struct c_function *functions; /* ends with a row without a name */
    const struct c_function *legacy;    /* likewise, those of OpenCL C 1.x; NULL if the dialect has none */
    /* A class whose object refers to a location, as "cuda::atomic_ref<int,
     * cuda::thread_scope_device>(*x)" does, and the functions of such an object; NULL if the
     * dialect has none. */
    const char *reference;
    const struct c_function *methods;
    const struct word *orders, *scopes, *regions;
    const char *an_order, *a_scope, *a_parameter; /* what errors say was expected */
    bool atomic_types;                            /* may a parameter point to atomic_int */
    bool generic_pointers;                        /* whether a parameter without a region points to any of them */
    bool images;                                  /* may a parameter be an image */
    bool fixed_places;                            /* each thread is a work-group of its own, on device 0 */
    bool notes_form;             /* whether a test records if a call wrote an order and a scope (explicit_order) */
    bool finds_locations;        /* threads have no parameters: a name that is not a register is a location */
    bool volatile_accesses;      /* is an access volatile, and not the location */
    bool failure_never_releases; /* C++ forbids release and acq_rel to a compare_exchange that fails */
};

/* The atomic functions that C11 and OpenCL share: X(name, operation, arguments, orders). */
#define C11_FUNCTIONS(X)                                                                                               \
    X("load", LITMUS_LOAD, "p", "o"), X("store", LITMUS_STORE, "pv", "o"), X("exchange", LITMUS_EXCHANGE, "pv", "o"),  \
        X("compare_exchange_strong", LITMUS_CAS, "pev", "on"),                                                         \
        X("compare_exchange_weak", LITMUS_CAS_WEAK, "pev", "on"), X("fetch_add", LITMUS_FETCH_ADD, "pv", "o"),         \
        X("fetch_sub", LITMUS_FETCH_SUB, "pv", "o"), X("fetch_and", LITMUS_FETCH_AND, "pv", "o"),                      \
        X("fetch_or", LITMUS_FETCH_OR, "pv", "o"), X("fetch_xor", LITMUS_FETCH_XOR, "pv", "o")

/* The functions of atomic_flag: X(name, operation, arguments, orders). */
#define C11_FLAG_FUNCTIONS(X) X("flag_test_and_set", LITMUS_EXCHANGE, "m", "o"), X("flag_clear", LITMUS_STORE, "m", "o")

/* Such a function without an order, which is then seq_cst, and with one; scope: the letters that give one, or "". */
#define C11_FUNCTION(name, operation, arguments, orders, scope)                                                        \
    {"atomic_" name, LITMUS_PERFORM, operation, LITMUS_SEQ_CST, LITMUS_DEVICE, arguments},                             \
    {                                                                                                                  \
        "atomic_" name "_explicit", LITMUS_PERFORM, operation, LITMUS_SEQ_CST, LITMUS_DEVICE, arguments orders scope   \
    }

/* What C11's functions name: orders, and neither scopes nor regions. */
#define C11_WORDS                                                                                                      \
    .orders = c_order_words, .scopes = no_words, .regions = no_words,                                                  \
    .an_order = "an order such as memory_order_relaxed", .a_scope = "no scope"

extern const struct c_language c_language_opencl, c_language_cuda, c_language_herd;

/* All threads and their parameters, "P0@wg 0 (global int* x) {...}". */
enum status parse_c_threads(struct parser *parser, const struct c_language *language);

/* Parses statements up to the brace that closes the body; '{' is at hand. The locations that the body may name are
 * those marked visible in the draft. */
enum status parse_c_body(struct parser *parser, struct draft *draft, const struct c_language *language);

/* One statement without its semicolon, as in a cell of a column: a call, "r0 = e" or "*x = e".
 * Outside parentheses `e` has no operator that binds more loosely than ^, since | ends the cell.
 * Its target need not be declared. */
enum status parse_c_cell(struct parser *parser, struct draft *draft, const struct c_language *language);

#endif
