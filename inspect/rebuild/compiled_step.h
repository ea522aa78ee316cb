// SPDX-License-Identifier: Apache-2.0
/* The compiled code of one step of a test. */
#pragma once

#include "inspect/needs.h"

/* The instructions of a step, in the order of the code: fences, the instruction that does the step's work, fences. */
struct compiled_step {
    const struct kernel_step *step;
    const struct machine_instruction **instructions; /* of one copy, if the code has several equal ones; the arena's */
    size_t count;
    size_t work; /* index of the access or the barrier; 0 for a fence; count if there is none */
};

/* The step that a memory instruction, a fence or a barrier belongs to, or NULL. A barrier belongs to a step of each of
 * several threads: body's step is returned if there is one. */
const struct kernel_step *compiled_step_of(const struct inspect_subject *subject,
                                           const struct machine_instruction *instruction, unsigned body);

/* Lists all instructions of the step, and returns how many of them do its work. */
size_t compiled_step_list(const struct inspect_subject *subject, const struct kernel_step *step, struct arena *arena,
                          struct compiled_step *compiled);

/* Finds the instructions of one copy. UNSUPPORTED if the code has several copies of the step that differ, or more than
 * one access for it. */
enum status compiled_step_find(const struct inspect_subject *subject, const struct kernel_step *step,
                               struct arena *arena, struct compiled_step *compiled, struct error *error);

/* Whether the code's operation can compute the test's, with a suitable operand. */
bool compiled_step_computes(const struct machine_instruction *made, const struct litmus_access *access);

/* Whether the code runs straight from one instruction of the listing to another. */
bool compiled_step_is_straight(const struct inspect_subject *subject, const struct machine_instruction *first,
                               const struct machine_instruction *last);
