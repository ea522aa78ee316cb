// SPDX-License-Identifier: Apache-2.0
/*
 * Loops of compare-and-swaps by which compilers do a read-modify-write that a machine has no instruction for.
 *
 * Such a loop is that read-modify-write if every compare-and-swap expects what was just read, by a load before the
 * loop or by the one that failed, or at first any value, and stores what was computed from it; if it is repeated when
 * it fails; and if nothing else of the test is in the loop. The last two are questions of paths, which depend on the
 * predicate MACHINE_MASK_SUCCESS.
 */
#pragma once

#include "inspect/compare.h"

/* Finds the compare-and-swaps of a listing that was read (machine_instruction.swaps), and makes the comparisons and
 * branches that depend on their success say so. */
void swap_loops_mark(struct listing *listing);

/* Whether the code does a step, which is another read-modify-write or one of fewer bytes, by compare-and-swaps. */
bool swap_loops_do(const struct inspect_subject *subject, unsigned step);

/* Why a compare-and-swap in a loop does not do its step's read-modify-write: "its success is not tested"; or
 * NULL. reads: per instruction, whether it is a load of the step. */
const char *swap_loops_flaw(const struct listing *listing, const struct action *action, const bool *reads,
                            const struct kernel_step *step);
