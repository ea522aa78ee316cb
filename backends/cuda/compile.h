// SPDX-License-Identifier: Apache-2.0
/* Kernel text to PTX, with NVRTC. Needs no GPU and no driver. */
#ifndef ORCHIL_CUDA_COMPILE_H
#define ORCHIL_CUDA_COMPILE_H

#include "backends/cuda/library.h"
#include "base/status.h"
#include "base/text.h"

extern const char cuda_prelude[]; /* prelude.cu, as text */

/*
 * Compiles prelude + kernel for an architecture ("sm_90"), with the NVRTC that is found on this machine. The PTX is
 * appended to *ptx, what the compiler said to *log, whatever the result. BUILD_FAILED if there is no NVRTC, if it does
 * not know the architecture nor an older one, or if it refuses the kernel.
 */
enum status cuda_compile(const char *kernel, const char *architecture, struct text *ptx, struct text *log,
                         struct error *error);

/* The same, with an NVRTC that is open. */
enum status cuda_compile_with(const struct cuda_nvrtc *nvrtc, const char *kernel, const char *architecture,
                              struct text *ptx, struct text *log, struct error *error);

#endif
