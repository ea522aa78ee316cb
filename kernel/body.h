// SPDX-License-Identifier: Apache-2.0
/* The threads' own instructions as code. Private to this folder. */
#ifndef ORCHIL_KERNEL_BODY_H
#define ORCHIL_KERNEL_BODY_H

#include "kernel/code.h"

/* Appends the code of a slot's threads, in segments separated by barriers. */
void write_threads(struct writer *writer, unsigned slot);

/* Numbers the delay sites of a slot that another agent plays, so that the kernels of all agents
 * number their sites the same way. */
void write_skip_sites(struct writer *writer, unsigned slot);

/* Appends the function that plays one slot: play_<slot>. */
void write_slot(struct writer *writer, unsigned slot);

/* The lines that compute which thread of which instance an item plays, if it does not play the
 * whole slot; the instance that a body's item plays; and making the slot's first body the current
 * one. */
void write_items(struct writer *writer);
void write_instance(const struct allocation *allocation, unsigned body, struct text *out);
void write_enter_slot(struct writer *writer, unsigned slot);

/* ---- access.c ---- */

/* Writes a vector access as a block of lines. */
void write_vector(struct writer *writer, const struct litmus_vector *vector, struct litmus_place place);

/* Before and after the statements of a segment: write_unkept declares variables for the vector
 * elements that no register keeps; write_uses uses these and the values that nobody observes. */
void write_unkept(struct writer *writer, const struct litmus_block *block);
void write_uses(struct writer *writer, const struct litmus_block *block);

/* ---- results.c ---- */

/* The lines that declare where the results of a slot's threads lie ("p0_result"); the addresses of
 * these results, each after a |; and the lines that store them. */
void write_result_places(struct writer *writer, unsigned slot);
void write_result_addresses(const struct allocation *allocation, unsigned slot, struct text *addresses);
void write_results(struct writer *writer, unsigned slot);

/* ---- generate.c ---- */

#endif
