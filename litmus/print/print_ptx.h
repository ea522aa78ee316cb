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

/* ", operand", or nothing for NULL. */
void print_ptx_further(const struct ptx_printer *printer, const struct litmus_expression *operand);

/* " r0, x, 1": all operands of an access. */
void print_ptx_operands(const struct ptx_printer *printer, const struct litmus_statement *statement);

/* The threads in columns of equal width; print_cell prints an instruction. */
typedef void print_cell_function(const struct ptx_printer *printer, const struct litmus_statement *statement);
void print_columns(const struct litmus_test *test, struct text *text, print_cell_function *print_cell);

/* An instruction; print_memory prints those that access or order memory. */
void print_ptx_statement(const struct ptx_printer *printer, const struct litmus_statement *statement,
                         print_cell_function *print_memory);

#endif
