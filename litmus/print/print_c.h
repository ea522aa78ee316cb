// SPDX-License-Identifier: Apache-2.0
/* Shared by the printers of dialects in C. Private to print_*.c. */
#ifndef ORCHIL_LITMUS_PRINT_PRINT_C_H
#define ORCHIL_LITMUS_PRINT_PRINT_C_H

#include "litmus/language/c_functions.h"
#include "litmus/print/printer.h"

struct c_printer;

/* The differences between the dialects. */
struct c_style {
    enum litmus_dialect words; /* whose names orders and operations have */
    unsigned functions;        /* its set of them */
    bool sums_pointers;        /* an element is "x + 1" as a pointer, and not "&x[1]" */
    /* Appends the type of a parameter with its qualifiers: "global atomic_int*". */
    void (*parameter)(const struct c_printer *printer, int location);
    void (*access)(const struct c_printer *printer, const struct litmus_access *access);
};

struct c_printer {
    const struct c_style *style;
    const struct litmus_test *test;
    const struct litmus_thread *thread;
    struct text *text;
    size_t declared; /* registers below this are declared; they are declared in their order */
    /* The statement of the body before which, or by which, a register is declared: the first
     * that mentions it or one declared after it. */
    size_t positions[LITMUS_MAXIMUM_REGISTERS];
    /* Whether all of the thread's accesses of the location are volatile. */
    bool points_to_volatile[LITMUS_MAXIMUM_LOCATIONS];
};

void print_c_threads(const struct litmus_test *test, const struct c_style *style, struct text *text);

/* An expression as an operand of an operator of precedence level; 0: no parentheses needed. */
void print_c_expression(const struct c_printer *printer, const struct litmus_expression *expression, int level);

/* A pointer as functions take it: x, &x[1], r2. */
void print_c_pointer(const struct c_printer *printer, const struct litmus_expression *address);

/* What a pointer points to: *x, x[1], *r2. */
void print_c_pointee(const struct c_printer *printer, const struct litmus_expression *address);

/* An access in the dialect's words: a call, or a plain or volatile one. */
void print_c_access(const struct c_printer *printer, const struct litmus_access *access);

/* "atomic_store_explicit(x, 1, memory_order_relaxed)"; false, with nothing printed, if the access is no call. */
bool print_c_call(const struct c_printer *printer, const struct litmus_access *access);

/* "mem_fence(CLK_LOCAL_MEM_FENCE)", a call of a fence or a barrier. */
void print_c_ordering(const struct c_function *function, enum litmus_dialect words, const struct litmus_orders *orders,
                      struct text *text);

/* The number of registers that one declaration declares: the components of a vector, the first with
 * this index, or 1. And that declaration: "int4 r". */
unsigned c_vector_lanes(const struct litmus_thread *thread, size_t index);
void print_c_declared(const struct c_printer *printer, size_t index);

/* A vector access as a statement, which declares the register that it sets if that is the next one. */
void print_c_vector(struct c_printer *printer, const struct litmus_vector *vector);

const char *c_register_name(const struct c_printer *printer, int index);

#endif
