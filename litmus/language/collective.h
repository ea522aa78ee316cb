// SPDX-License-Identifier: Apache-2.0
/* The functions that the lanes of a sub-group call together: who the lanes are, and what each function gives. */
#pragma once

#include "litmus/litmus.h"

enum { LITMUS_MASK_BITS = 32 }; /* lanes that a mask can name */

/* How many lanes the sub-group of a body's thread has: 1 if it is placed in none. *own: the lane of its (first)
 * thread. */
unsigned litmus_lanes(const struct litmus_test *test, unsigned body, unsigned *own);

/* The lanes of a mask: of one with all bits, those of so many that there are. */
uint32_t litmus_lanes_of_mask(int64_t mask, unsigned lanes);

/* Whether a lane's value counts only as 0 or not 0. */
bool litmus_collective_votes(enum litmus_collective_function function);

/* The lane whose value a shuffle gives to lane `own`. */
uint32_t litmus_shuffled_lane(const struct litmus_collective *collective, unsigned own, int64_t lane);

/* The result in lane `own`, if the lanes of `mask` had these values, by lane. `source`: the lane of a shuffle. In
 * LITMUS_ELECT each lane's value is the lane that it takes for the leader. */
int64_t litmus_collective_value(const struct litmus_collective *collective, const int64_t values[LITMUS_MASK_BITS],
                                uint32_t mask, unsigned own, uint32_t source);

/* The type of the result. */
enum litmus_type litmus_collective_type(const struct litmus_collective *collective);

/* The name of CUDA's function: "__any_sync"; NULL if it has none. */
const char *litmus_cuda_collective(enum litmus_collective_function function);
