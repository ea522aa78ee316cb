// SPDX-License-Identifier: Apache-2.0
/* One instruction of PTX while it is parsed. Private to the files of that parser. */
#ifndef ORCHIL_LITMUS_LANGUAGE_PTX_CELL_H
#define ORCHIL_LITMUS_LANGUAGE_PTX_CELL_H

#include "litmus/language/ptx.h"

enum { PTX_MAXIMUM_PARTS = 24 };

/* The words behind an instruction's first one. LITMUS_NONE: not written. */
struct ptx_modifiers {
    int order, scope, type, operation;
    int space; /* an enum litmus_region */
};

/* One instruction while it is parsed. */
struct ptx_cell {
    struct parser *parser;
    struct draft *draft;
    const struct ptx_instruction *instruction;
    struct token name;
    struct token parts[PTX_MAXIMUM_PARTS];
    size_t part_count;
    struct ptx_modifiers modifiers;
    bool cluster; /* a form: it says shared::cluster */
};

/* Takes the words behind the first one, ".relaxed.gpu", as they stand. */
enum status ptx_parse_parts(struct ptx_cell *cell);

/* Reads the words of an access, a move or a computation. */
enum status ptx_parse_modifiers(struct ptx_cell *cell);

/* The operation of an atomic that the word names, or LITMUS_NONE. */
int ptx_find_operation(const struct token *word);

/* Sets the slot if there is a value and the slot has none. */
bool ptx_set_once(int *slot, int value);

/* The first word and the parts as one token, for messages. */
struct token ptx_whole_name(const struct ptx_cell *cell);

/* Is it an instruction that orchil knows and has no meaning for? */
bool ptx_is_unsupported(const struct ptx_cell *cell);

/* Keeps such an instruction as text, with one blank wherever blanks or comments stand. */
enum status ptx_keep_text(struct ptx_cell *cell);

/* The register that an instruction writes, and the comma. It comes first in the text and is made last: nothing can be
 * computed from a value that a register never had. */
enum status ptx_take_target(struct ptx_cell *cell, struct token *name);
enum status ptx_make_target(struct ptx_cell *cell, const struct token *name, int *index);

/* A number or a register that has a value already. */
enum status ptx_take_value(struct ptx_cell *cell, struct litmus_expression **result);

/* x, [x], x[1], x[r0], or a register that holds an address. */
enum status ptx_take_address(struct ptx_cell *cell, struct litmus_expression **result);

#endif
