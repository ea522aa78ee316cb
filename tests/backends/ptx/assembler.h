// SPDX-License-Identifier: Apache-2.0
/* NVIDIA's assembler of PTX, for tests that ask what it accepts. */
#ifndef ORCHIL_TESTS_ASSEMBLER_H
#define ORCHIL_TESTS_ASSEMBLER_H

#include <stdbool.h>
#include <stddef.h>

/* ptxas by ORCHIL_PTXAS, along PATH, or where the CUDA Toolkit puts itself; or NULL. */
const char *assembler_find(char path[256]);

/* Whether it accepts a text for a GPU ("sm_90"). What it complained of is written to complaint, cut to its size. Fails the
 * test where ptxas cannot be run. */
bool assembler_accepts(const char *assembler, const char *gpu, const char *ptx, char *complaint, size_t size);

#endif
