// SPDX-License-Identifier: Apache-2.0
/* Expressions, accesses, fences and barriers as kernel text. Private to this folder. */
#ifndef ORCHIL_KERNEL_ACCESS_H
#define ORCHIL_KERNEL_ACCESS_H

#include "kernel/body.h"

/* Each appends its text to writer->functions, and the helper functions that the text calls to
 * writer->helpers. */
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

/* Whether a helper of that name exists; records a failed status; whether the helper returns
 * nothing; the operation's word in helper names. */
bool access_has_helper(const struct writer *writer, const char *name);
void access_note(struct writer *writer, enum status status);
/* Notes a type that the language may lack, in memory of the region; UNSUPPORTED if the device has no such numbers. */
void access_note_type(struct writer *writer, enum litmus_type type, enum litmus_region region);
bool access_gives_nothing(enum litmus_operation operation, bool no_result);
const char *access_operation_word(enum litmus_operation operation);

/* Writes a vector access as a block of lines. */
void write_vector(struct writer *writer, const struct litmus_vector *vector, struct litmus_place place);

/* Before and after the statements of a segment: write_unkept declares variables for the vector
 * elements that no register keeps; write_uses uses these and the values that nobody observes. */
void write_unkept(struct writer *writer, const struct litmus_block *block);
void write_uses(struct writer *writer, const struct litmus_block *block);

/* The shape that a helper depends on; its name; a check of the shape against the device's
 * declarations; the address space of its pointer: "GLOBAL", "LOCAL" or "CONSTANT". */
struct access_shape access_shape_of(const struct writer *writer, const struct litmus_access *access);
void access_name(const struct access_shape *shape, char *name, size_t size);
void access_note_shape(struct writer *writer, const struct access_shape *shape);
const char *access_space_word(const struct access_shape *shape);

/* The first arguments of an access's helper, which locate the cell. */
void access_write_way(struct writer *writer, const struct litmus_expression *address, enum litmus_proxy proxy,
                      bool read_only);

/* Starts a new line if the current one already has a step. */
void access_start_line(struct writer *writer);

/* Writes lines that add a plain read of each element of a location, through that proxy or by
 * ld.global.nc, to `sum`. They are not steps of the test. */
void write_read(struct writer *writer, unsigned l, enum litmus_proxy proxy, bool read_only);

/* Records a step for the current line of writer->functions. step.line is ignored. */
void write_step(struct writer *writer, struct kernel_step step);

#endif
