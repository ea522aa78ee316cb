// SPDX-License-Identifier: Apache-2.0
/* The driver's own compiler of PTX, which is a part of what is tested, and its loader. Private to this folder. */
#ifndef ORCHIL_CUDA_JIT_H
#define ORCHIL_CUDA_JIT_H

#include "backends/backend.h"
#include "backends/cuda/library.h"

struct cuda_jit_of {
    const struct cuda_driver *driver;
    const struct backend_device *device;
    const char *test; /* whose code it is */
};

/* Where machine code stands behind PTX of that many bytes. */
size_t cuda_machine_code_offset(size_t ptx);

/* Makes machine code of PTX and appends it at its offset; what the compiler said goes to the log. Errors are those of
 * cuda_refused. */
enum status cuda_assemble(const struct cuda_jit_of *of, struct text *code, struct text *log, struct error *error);

/* Loads an image, which is the PTX itself or the machine code that was made of it. *module is NULL where that fails. */
enum status cuda_load(const struct cuda_jit_of *of, const char *ptx, const char *image, struct CUmod_st **module,
                      struct text *log, struct error *error);

#endif
