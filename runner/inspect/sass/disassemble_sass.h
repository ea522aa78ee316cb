// SPDX-License-Identifier: Apache-2.0
/*
 * PTX -> machine code -> SASS, by the programs ptxas and nvdisasm of a CUDA Toolkit, which are looked for on PATH, in
 * $CUDA_HOME/bin, in $CUDA_PATH/bin and in /usr/local/cuda/bin.
 *
 * nvdisasm takes 0.4 s to start, whatever it reads. So several kernels can be assembled as one module, each under a name of its
 * own. ptxas compiles each entry by itself: the code is that of each kernel alone.
 */
#ifndef ORCHIL_RUNNER_INSPECT_DISASSEMBLE_SASS_H
#define ORCHIL_RUNNER_INSPECT_DISASSEMBLE_SASS_H

#include "base/status.h"
#include "base/text.h"

/* UNSUPPORTED, with what to install, where ptxas or nvdisasm is missing. */
enum status sass_find_tools(struct error *error);

/* A kernel's PTX and what becomes of it. */
struct sass_kernel {
    const char *ptx;
    unsigned first_line; /* the line of its PTX's first line in what was assembled, from 1 */
    struct text sass;    /* what `nvdisasm -c -gp` prints of it; the caller's */
};

/* Fills sass and first_line of each. UNSUPPORTED, with what to install, where a program is missing; BUILD_FAILED where ptxas
 * refuses one of them, and then it is not known which; LIMIT and SYSTEM where a program hangs, crashes or says too much. */
enum status sass_of_ptx(struct sass_kernel *kernels, size_t count, const char *architecture, struct error *error);

/* Appends what `nvdisasm -c -gp` prints of machine code with one kernel. Errors as above. */
enum status sass_of_code(const char *code, size_t size, struct text *sass, struct error *error);

#endif
