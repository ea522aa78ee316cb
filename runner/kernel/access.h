// SPDX-License-Identifier: Apache-2.0
/* Expressions, accesses, fences and barriers as kernel text. Private to this folder. */
#ifndef ORCHIL_RUNNER_ACCESS_H
#define ORCHIL_RUNNER_ACCESS_H

#include "runner/kernel/body.h"

/* Each appends to writer->functions what the bodies say, and to writer->helpers the functions that this needs. */
void write_expression(struct writer *writer, const struct litmus_expression *expression);
/* An expression that goes where a value of the type is: a constant becomes the bits of a float, and an unsigned
 * one has no sign. */
void write_value(struct writer *writer, const struct litmus_expression *expression, enum litmus_type type);
void write_fence(struct writer *writer, const struct litmus_fence *fence,
                 struct litmus_place place);                                     /* a call and ';' */
void write_barrier(struct writer *writer, const struct litmus_barrier *barrier); /* a line: all items come here */

/* The pointer to a location's cell, moved to the element where it has several. */
void write_pointer(struct writer *writer, const struct litmus_expression *address);

/* Whether there is a helper of that name; keeps a status that is a failure; the word in helpers' names for an operation. */
bool access_has_helper(const struct writer *writer, const char *name);
void access_note(struct writer *writer, enum status status);
bool access_gives_nothing(enum litmus_operation operation, bool no_result);
const char *access_operation_word(enum litmus_operation operation);

/* A vector access: a block of lines. */
void write_vector(struct writer *writer, const struct litmus_vector *vector, struct litmus_place place);

/* Around the statements of a segment: declares what its vectors read and no register keeps; uses that, and what nobody observes. */
void write_unkept(struct writer *writer, const struct litmus_block *block);
void write_uses(struct writer *writer, const struct litmus_block *block);

/* What a helper depends on; its name; what the device says of it; "GLOBAL", "LOCAL" or "CONSTANT" before its pointer. */
struct access_shape access_shape_of(const struct writer *writer, const struct litmus_access *access);
void access_name(const struct access_shape *shape, char *name, size_t size);
void access_note_shape(struct writer *writer, const struct access_shape *shape);
const char *access_space_word(const struct access_shape *shape);

/* The first arguments of an access's helper: where it goes. */
void access_write_way(struct writer *writer, const struct litmus_expression *address, enum litmus_proxy proxy,
                      bool read_only);

/* Goes to a new line where the current one already has a step. */
void access_start_line(struct writer *writer);

/* Lines that add a plain read of each element of a location, through that proxy or by ld.global.nc, to `sum`. They are not steps
 * of the test. */
void write_read(struct writer *writer, unsigned l, enum litmus_proxy proxy, bool read_only);

/* Notes that the line of writer->functions that is being written has a step: *step without its line. */
void write_step(struct writer *writer, struct kernel_step step);

#endif
