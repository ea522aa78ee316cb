// SPDX-License-Identifier: Apache-2.0
/* Shared by the printers of sections and dialects. */
#pragma once

#include "litmus/language/words.h"

enum { PRINT_WIDTH = 100 }; /* columns that a list of items may fill on one line */

/* The threads of a test: in C, of one of the dialects that are written in it, or as columns of instructions. */
void print_c_threads(const struct litmus_test *test, struct text *text);
void print_ptx_threads(const struct litmus_test *test, struct text *text);
void print_vulkan_threads(const struct litmus_test *test, struct text *text);

/* The cell of a column with a statement of a host thread: C. */
void print_host_cell(const struct litmus_test *test, const struct litmus_thread *thread,
                     const struct litmus_statement *statement, struct text *text);

/* "asm volatile(...)" with an instruction of PTX that accesses what the pointer, written in C, points to. */
void print_assembly(const struct litmus_test *test, const struct litmus_thread *thread,
                    const struct litmus_statement *statement, const char *pointer, struct text *text);

/* "P0" or "P0..P7", and "@wg 0, dev 0" in the words of the dialect. */
void print_thread_name(const struct litmus_test *test, const struct litmus_thread *thread, struct text *text);

/* Does the body name the location? */
bool thread_mentions(const struct litmus_thread *thread, int location);

/* The type that the thread's parameter points to. */
enum litmus_type thread_points_to(const struct litmus_test *test, const struct litmus_thread *thread, int location);

/* Whether the body reaches the location through a parameter without an address space. */
bool thread_points_generic(const struct litmus_thread *thread, int location);

/* Does any body? */
bool test_mentions(const struct litmus_test *test, int location);

/* How many of the thread's registers, from the first on, the initial state must declare. */
size_t started_registers(const struct litmus_test *test, const struct litmus_thread *thread);

/* A type, atomic if requested, as the C dialects spell it: "int", "atomic_int", "_Atomic uint32_t". */
void print_c_type(enum litmus_dialect dialect, enum litmus_type type, bool atomic, struct text *text);
