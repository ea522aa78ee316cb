// SPDX-License-Identifier: Apache-2.0
/* NVIDIA's PTX assembler, for tests that check what it accepts. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* ptxas from ORCHIL_PTXAS, from PATH, or from the usual folder of the CUDA Toolkit; or NULL. */
const char *assembler_find(char path[256]);

/* Whether it accepts a text for a GPU ("sm_90"). Its complaints are written to complaint, cut to its size. Fails the
 * test if ptxas cannot be run. */
bool assembler_accepts(const char *assembler, const char *gpu, const char *ptx, char *complaint, size_t size);
