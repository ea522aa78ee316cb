// SPDX-License-Identifier: Apache-2.0
/* Shared by the files of the PTX dialect. */
#ifndef ORCHIL_LITMUS_LANGUAGE_PTX_H
#define ORCHIL_LITMUS_LANGUAGE_PTX_H

#include <string.h>

#include "litmus/parse/parser.h"

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

/* An instruction with its first word taken. */
enum status parse_ptx_instruction(struct parser *parser, struct draft *draft, const struct token *name);

/* "@p bra L" or "@!p bra L", with the '@' at hand. */
enum status parse_ptx_predicated(struct parser *parser, struct draft *draft);

/* A statement of C in the column of a host thread, up to the mark that ends the cell. */
enum status parse_host_cell(struct parser *parser, struct draft *draft);

/* An access without a type suffix has this type until parse_ptx_types. */
enum { PTX_NO_TYPE = LITMUS_TYPE_COUNT };

/* Makes a register in an instruction with a type suffix at least as wide as the suffix. */
enum status ptx_widen_register(struct parser *parser, struct draft *draft, int index, enum litmus_type type,
                               struct litmus_place place);

/* Assigns types to locations, registers and accesses without a declaration. */
enum status parse_ptx_types(struct parser *parser);

#endif
