// SPDX-License-Identifier: Apache-2.0
/* Random OPENCL and C tests: few threads with few instructions each, in which seq_cst accesses stand beside weaker
 * ones, read-modify-writes, fences and barriers. A test is a function of its seed, its number and its dialect. */
#pragma once

#include <stdint.h>

#include "litmus/litmus.h"

/* The test, which observes every register and every location; its name holds the seed and the number. Fails the present
 * test where what was written cannot be parsed. The caller calls litmus_release. */
struct litmus_test *random_test(enum litmus_dialect dialect, uint64_t seed, uint64_t number);
