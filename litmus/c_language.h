// SPDX-License-Identifier: Apache-2.0
/*
 * Bodies in a subset of C. The statements and expressions are the same for every dialect that is written in C; which
 * functions there are, and what its orders and scopes are called, is a table of the dialect.
 */
#ifndef ORCHIL_LITMUS_C_LANGUAGE_H
#define ORCHIL_LITMUS_C_LANGUAGE_H

#include "litmus/parser.h"

/* How the arguments of a function are read. (order, scope) behind an argument list stands for what _explicit adds. */
enum c_shape {
    C_LOAD,    /* (pointer) (order, scope) */
    C_MODIFY,  /* (pointer, value) (order, scope): a store, an exchange or a fetch-and-modify */
    C_COMPARE, /* (pointer, expected pointer, value) (order, order, scope) */
    C_FENCE,   /* (flags, order, scope) */
    C_BARRIER  /* (flags) or (flags, scope) */
};

struct c_function {
    const char *name; /* without "_explicit" */
    enum c_shape shape;
    enum litmus_operation operation; /* of an access */
    bool has_scope;                  /* of a barrier: may it name one */
};

struct c_language {
    const struct c_function *functions; /* up to a row without a name */
    const struct word *orders, *scopes;
    enum litmus_order default_order;
    enum litmus_scope default_scope;
};

/* Parses statements up to the brace that closes the body; '{' is at hand. The locations that the body may name are
 * those marked visible in the draft. */
enum status parse_c_body(struct parser *parser, struct draft *draft, const struct c_language *language);

#endif
