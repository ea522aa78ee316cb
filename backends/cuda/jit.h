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

/* Where machine code begins after PTX of that many bytes. */
size_t cuda_machine_code_offset(size_t ptx);

/* Makes machine code of PTX and appends it at its offset; what the compiler said goes to the log. A refusal is
 * reported as cuda_refused does. */
enum status cuda_assemble(const struct cuda_jit_of *of, struct text *code, struct text *log, struct error *error);

/* Loads an image, which is the PTX itself or the machine code that was made from it. *module is NULL where that fails. */
enum status cuda_load(const struct cuda_jit_of *of, const char *ptx, const char *image, struct CUmod_st **module,
                      struct text *log, struct error *error);

/* What a driver's refusal of PTX means. Needs no driver. */
struct cuda_refusal {
    const char *test;                    /* whose PTX it is */
    const char *ptx;                     /* as the driver was given it */
    const struct backend_device *device; /* that was to run it */
    int driver_version;                  /* of cuDriverGetVersion; 0: unknown */
    unsigned code;                       /* of the refusal */
    const char *code_name;
};

/* UNSUPPORTED where the device is older than the PTX's target, or the driver than its version: both are named. Else
 * BUILD_FAILED. */
enum status cuda_refused(const struct cuda_refusal *refusal, struct error *error);

#endif
