// SPDX-License-Identifier: Apache-2.0
/* Expressions, accesses, fences and barriers as code. Private to this folder. */
#ifndef ORCHIL_KERNEL_ACCESS_H
#define ORCHIL_KERNEL_ACCESS_H

#include "kernel/code.h"

/* Each appends to writer->code, and to writer->functions what its text calls. */
void write_expression(struct writer *writer, const struct litmus_expression *expression);
/* An expression used as a value of the type: a float constant is written as its bits, an unsigned
 * one without a sign. */
void write_value(struct writer *writer, const struct litmus_expression *expression, enum litmus_type type);
/* The same, converted to the type where the kernel's language does not do that by itself. */
void write_typed(struct writer *writer, const struct litmus_expression *expression, enum litmus_type type);
void write_condition(struct writer *writer, const struct litmus_expression *expression);
void write_fence(struct writer *writer, const struct litmus_fence *fence,
                 struct litmus_place place);                                     /* a call and ';' */
void write_barrier(struct writer *writer, const struct litmus_barrier *barrier); /* a line that all items reach */

/* The pointer to a location's cell, advanced to the element if it has several. */
void write_pointer(struct writer *writer, const struct litmus_expression *address);

/* ---- shape.c: what the test asks of the device and its language. Each notes it in the writer ---- */

/* A type that the language may lack, in memory of the region; UNSUPPORTED if the device has no such numbers. */
void access_note_type(struct writer *writer, enum litmus_type type, enum litmus_region region);
/* The source model of an OpenCL device may rely only on what the device declares; PTX is guaranteed by the chip. */
void access_note_declared(struct writer *writer, enum litmus_order order, enum litmus_scope scope, bool fence);
/* All of these of an access and of a fence, and the library that they need. */
void access_note_shape(struct writer *writer, const struct access_shape *shape);
void access_note_fence(struct writer *writer, const struct litmus_fence *fence);

/* ---- shape.c: what a function depends on, and its name ---- */

struct access_shape access_shape_of(const struct writer *writer, const struct litmus_access *access);
/* The keys tell apart what the names do. Names live as long as the code. */
struct code_key access_key(const struct access_shape *shape);
const char *access_name(struct writer *writer, const struct access_shape *shape);
struct code_key access_fence_key(const struct writer *writer, const struct litmus_fence *fence);
const char *access_fence_name(struct writer *writer, const struct litmus_fence *fence);

/* Words in names: of an operation, and of the memory ("global", "local_as_generic"); and the address space of the
 * function's pointer: "GLOBAL", "LOCAL" or "CONSTANT". */
const char *access_operation_word(enum litmus_operation operation);
const char *access_region_word(const struct access_shape *shape);
const char *access_space_word(const struct access_shape *shape);

/* Whether the function returns nothing. */
bool access_gives_nothing(enum litmus_operation operation, bool no_result);

/* Adds the parameters that give the function of an access through a proxy its place. */
void access_place_parameters(struct writer *writer, enum litmus_proxy proxy, struct code_function *function);

/* ---- access.c ---- */

/* Writes lines that add a plain read of each element of a location, through that proxy or by
 * ld.global.nc, to `sum`. They are not steps of the test. */
void write_read(struct writer *writer, unsigned l, enum litmus_proxy proxy, bool read_only);

#endif
