// SPDX-License-Identifier: Apache-2.0
/* Random programs, with which compilers are tested: loops, branches, updates, repeated and needless accesses, mixed
 * orders and scopes, many live registers. A program is a function of its dialect, its seed and its number, on every
 * machine. */
#pragma once

#include "litmus/litmus.h"

/* The program, called random-SEED-NUMBER, which observes its shared locations and most of its registers. Its plain
 * accesses race with none, but for those of PTX, CUDA and VULKAN. The caller calls litmus_release. An error is a fault
 * of the grammar, programs.txt. */
enum status random_program(enum litmus_dialect dialect, uint64_t seed, uint64_t number, struct litmus_test **test,
                           struct error *error);
