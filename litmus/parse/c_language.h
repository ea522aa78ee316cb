// SPDX-License-Identifier: Apache-2.0
/*
 * Bodies in a subset of C. Statements and expressions are the same in every C dialect; the dialect
 * has a set of functions, and tables of its names for orders and scopes.
 */
#ifndef ORCHIL_LITMUS_PARSE_C_LANGUAGE_H
#define ORCHIL_LITMUS_PARSE_C_LANGUAGE_H

#include "litmus/language/c_functions.h"
#include "litmus/parse/parser.h"

/* Functions of other headers, by how their names begin, and what to write instead. */
struct c_foreign {
    const char *start, *nearest;
};

struct c_language {
    const char *page;                /* of docs/reference, which lists the functions */
    const struct c_foreign *foreign; /* ends with a row without a start; or NULL */
    unsigned functions;              /* its set of them */
    /* A class whose object refers to a location, as "cuda::atomic_ref<int,
     * cuda::thread_scope_device>(*x)" does; NULL if the dialect has none. */
    const char *reference;
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

/* What C11's functions name: orders, and neither scopes nor regions. */
#define C11_WORDS                                                                                                      \
    .orders = c_order_words, .scopes = no_words, .regions = no_words,                                                  \
    .an_order = "an order such as memory_order_relaxed", .a_scope = "no scope"

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
