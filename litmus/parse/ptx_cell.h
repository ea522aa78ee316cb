// SPDX-License-Identifier: Apache-2.0
/* Shared by the files of the parsers of PTX and VULKAN: a thread, and one instruction while it is parsed. */
#pragma once

#include "litmus/language/ptx_instructions.h"
#include "litmus/parse/parser.h"

/* ---- threads ---- */

/* An access without a type suffix has this type until the columns are parsed. */
enum { PTX_NO_TYPE = LITMUS_TYPE_COUNT };

/* Makes a register in an instruction with a type suffix at least as wide as the suffix. */
enum status ptx_widen_register(struct parser *parser, struct draft *draft, int index, enum litmus_type type,
                               struct litmus_place place);

/* ---- one instruction ---- */

enum { PTX_MAXIMUM_PARTS = 24 };

/* The words after an instruction's first one. LITMUS_NONE: not written. */
struct ptx_modifiers {
    int order, scope, type, operation, proxy;
    int space;      /* an enum litmus_region */
    unsigned lanes; /* of a vector, or of the two words of .b128, which are `whole`; 0: it is a scalar */
    bool whole;
    bool read_only;             /* .nc */
    bool readonly_proxy;        /* .proxy::readonly */
    bool mmio;                  /* .mmio */
    enum litmus_cache cache;    /* a cache operator or an eviction hint */
    enum litmus_cache prefetch; /* .L2::64B, ... */
};

extern const struct ptx_modifiers ptx_no_modifiers; /* as they are before the first word is read */

/* One instruction while it is parsed. */
struct ptx_cell {
    struct parser *parser;
    struct draft *draft;
    const struct ptx_instruction *instruction;
    struct token name;
    struct token parts[PTX_MAXIMUM_PARTS];
    size_t part_count;
    struct ptx_modifiers modifiers;
    bool predicate; /* the operand that is read is one */
    /* Of an instruction whose row has all words: */
    bool cluster;                      /* it says shared::cluster */
    struct token target;               /* the register for its result */
    struct token second;               /* after it and a '|'; without a text if there is none */
    struct litmus_statement statement; /* as far as it is read */
};

/* Takes the words after the first one, ".relaxed.gpu", as written. */
enum status ptx_parse_parts(struct ptx_cell *cell);

/* Reads the words of an access, a move or a computation. */
enum status ptx_parse_modifiers(struct ptx_cell *cell);

/* The same for a word that stands in a row for those of a table: false if the word is none of them. */
bool ptx_take_slot(struct ptx_modifiers *modifiers, enum ptx_slot slot, const struct token *word);

/* Reads the part at that index, and its arguments, as one of the words that only loads and stores have: ".v4", ".b128",
 * ".cg", ".L1::no_allocate", ".nc". Returns the number of parts read; 0 for another word, or a repeated one. */
size_t ptx_take_vector_word(struct ptx_cell *cell, size_t index);

/* "[r0,] x [, v] [, w]": the operands of a scalar access, whose statement it adds; the caller sets the rest of the
 * access. A load and what returns a value have a result. */
enum status ptx_parse_access(struct ptx_cell *cell, enum litmus_operation operation, bool result,
                             struct litmus_access **access);

/* "mov r0, v" and "add r0, v, w"; "goto L" and "bne v, w, L". */
enum status ptx_parse_compute(struct ptx_cell *cell);
enum status ptx_parse_jump(struct ptx_cell *cell);

/* The instance of a barrier, a number or a name; then ", RESOURCE", ", RESOURCE, QUORUM", or nothing. */
enum status ptx_take_instance(struct ptx_cell *cell, struct litmus_barrier *barrier);
enum status ptx_take_resource(struct ptx_cell *cell, struct litmus_barrier *barrier);

/* The number that is a barrier's instance and its resource; then ", QUORUM", or nothing. */
enum status ptx_take_number(struct ptx_cell *cell, struct litmus_barrier *barrier);

/* The row of the instruction; the last one, without words, if there is none. */
const struct ptx_instruction *ptx_find_instruction(struct ptx_cell *cell);

/* Appends a statement with the instruction's place. */
enum status ptx_add_statement(struct ptx_cell *cell, enum litmus_statement_kind kind,
                              struct litmus_statement **statement);

/* An error about all of the instruction's words. */
enum status ptx_expected_whole(const struct ptx_cell *cell, const char *what);

/* The first word and the parts as one token, for messages. */
struct token ptx_whole_name(const struct ptx_cell *cell);

/* Whether the instruction begins with the words of the row. */
bool ptx_starts_with(const struct ptx_cell *cell, const struct ptx_instruction *row);

/* Keeps an instruction as text, with one space for each run of blanks or comments; IDLE if its row says so. */
enum status ptx_keep_text(struct ptx_cell *cell);

/* The register that an instruction writes, and the comma. It comes first in the text but is created last, so the
 * instruction cannot use a register that has no value yet. */
enum status ptx_take_target(struct ptx_cell *cell, struct token *name);
enum status ptx_make_target(struct ptx_cell *cell, const struct token *name, int *index);

/* A number or a register that has a value already. */
enum status ptx_take_value(struct ptx_cell *cell, struct litmus_expression **result);

/* x, [x], x[1], x[r0], or a register that holds an address. */
enum status ptx_take_address(struct ptx_cell *cell, struct litmus_expression **result);

/* The same for a location only, or an element with a constant index: a place known before the run. */
enum status ptx_take_fixed_address(struct ptx_cell *cell, struct litmus_expression **result);

/* The address for which the register stands, or NULL. */
const struct pointer_note *ptx_find_pointer(const struct draft *draft, const struct token *name);

/* If what follows is an address known before the run, makes the target stand for it. */
enum status ptx_take_pointer(struct ptx_cell *cell, const struct token *target, bool *done);

/* Adds "+4" or "-4", if one of these is at hand. */
enum status ptx_take_offset(struct ptx_cell *cell, int64_t *bytes);

/* The location has at least that many elements, if its declaration leaves them open. */
enum status ptx_reach(struct ptx_cell *cell, const struct litmus_expression *address, int64_t elements);

/* Makes an address that of the element at that many bytes from the start of its location. */
enum status ptx_set_element(struct ptx_cell *cell, int64_t bytes, struct litmus_expression *address);

/* Names the locations that are accessed through registers that always have the address of their initial value. */
enum status ptx_name_locations(struct parser *parser, struct draft *draft);

/* The name of an address as written, for messages. */
struct token ptx_address_name(const struct ptx_cell *cell, const struct litmus_expression *address);

/* ---- instructions whose rows have all words ---- */

enum { PTX_BOX_BYTES = 16 }; /* that a copy moves by a tensor map */

/* Whether the instruction has the words of the row, which it leaves in cell->modifiers, and operands that orchil
 * supports. */
bool ptx_has_form(struct ptx_cell *cell, const struct ptx_instruction *row);

/* Such an instruction, of the row cell->instruction; and one that is IDLE. */
enum status ptx_parse_form(struct ptx_cell *cell);
enum status ptx_parse_idle(struct ptx_cell *cell);
