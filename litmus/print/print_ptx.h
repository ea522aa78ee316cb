// SPDX-License-Identifier: Apache-2.0
/* Shared by the printers of PTX instructions. Private to them. */
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

/* "ld.relaxed.gpu.L1::no_allocate": all of an access before its vector and its type. */
void print_ptx_access(const struct ptx_printer *printer, const struct litmus_access *access);

/* Asynchronous copies and their groups, operations of mbarriers and tensor maps, what a fence says of
 * maps, and the barrier of a cluster. */
void print_ptx_copy(const struct ptx_printer *printer, const struct litmus_copy *copy);
void print_ptx_group(const struct ptx_printer *printer, const struct litmus_group *group);
void print_ptx_mbarrier(const struct ptx_printer *printer, const struct litmus_statement *statement);
void print_ptx_replace(const struct ptx_printer *printer, const struct litmus_access *access);
void print_ptx_maps(const struct ptx_printer *printer, const struct litmus_fence *fence);
void print_ptx_cluster(const struct ptx_printer *printer, const struct litmus_barrier *barrier);

#endif
