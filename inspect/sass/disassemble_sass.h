// SPDX-License-Identifier: Apache-2.0
/*
 * PTX -> machine code -> SASS, with ptxas and nvdisasm of a CUDA Toolkit, which are searched for on PATH, in
 * $CUDA_HOME/bin, in $CUDA_PATH/bin and in /usr/local/cuda/bin.
 *
 * nvdisasm takes 0.4 s to start, so several kernels can be assembled as one module, each under its own name. ptxas
 * compiles each entry separately, so the code is the same as for each kernel alone.
 */
#pragma once

#include "base/base.h"

/* UNSUPPORTED, with what to install, if ptxas or nvdisasm is missing. */
enum status sass_find_tools(struct error *error);

/* A kernel's PTX and its disassembly. */
struct sass_kernel {
    const char *ptx;
    unsigned first_line; /* of its PTX in the assembled text, from 1 */
    struct text sass;    /* the output of `nvdisasm -c -gp`; the caller's */
};

/* Fills sass and first_line of each. UNSUPPORTED, with what to install, if a program is missing; BUILD_FAILED if ptxas
 * refuses one of them, without saying which; LIMIT and SYSTEM if a program hangs, crashes or prints too much. */
enum status sass_of_ptx(struct sass_kernel *kernels, size_t count, const char *architecture, struct error *error);

/* Appends the output of `nvdisasm -c -gp` for machine code with one kernel. Errors as above. */
enum status sass_of_code(const char *code, size_t size, struct text *sass, struct error *error);
