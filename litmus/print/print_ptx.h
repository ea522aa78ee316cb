// SPDX-License-Identifier: Apache-2.0
/* Shared by the printers of PTX and VULKAN instructions. Private to them. */
#ifndef ORCHIL_LITMUS_PRINT_PRINT_PTX_H
#define ORCHIL_LITMUS_PRINT_PRINT_PTX_H

#include "litmus/litmus.h"

struct ptx_printer {
    const struct litmus_test *test;
    const struct litmus_thread *thread;
    struct text *text;
};

/* A number, a register, or a location with its element. */
void print_ptx_operand(const struct ptx_printer *printer, const struct litmus_expression *operand);

/* ", operand", or nothing for NULL; an address; both operands of a binary expression; a jump and its label. */
void print_ptx_further(const struct ptx_printer *printer, const struct litmus_expression *operand);
void print_ptx_address(const struct ptx_printer *printer, const struct litmus_expression *address);
void print_ptx_binary(const struct ptx_printer *printer, const struct litmus_expression *value);
void print_ptx_jump(const struct ptx_printer *printer, const struct litmus_statement *statement);

/* The threads in columns of equal width; print_cell prints an instruction. */
typedef void print_cell_function(const struct ptx_printer *printer, const struct litmus_statement *statement);
void print_columns(const struct litmus_test *test, struct text *text, print_cell_function *print_cell);

/* "ld.relaxed.gpu.L1::no_allocate": all of an access before its vector and its type. */
void print_ptx_access(const struct ptx_printer *printer, const struct litmus_access *access);

/* An instruction that has all its words in a row of the table, with its operands. */
void print_ptx_form(const struct ptx_printer *printer, const struct litmus_statement *statement);

#endif
