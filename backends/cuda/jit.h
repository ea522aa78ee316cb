// SPDX-License-Identifier: Apache-2.0
/* The driver's own PTX compiler, which is one of the things under test, and its loader. */
#ifndef ORCHIL_CUDA_JIT_H
#define ORCHIL_CUDA_JIT_H

#include "backends/backend.h"
#include "backends/cuda/library.h"

struct cuda_jit_of {
    const struct gpu_api *driver;
    const struct backend_device *device;
    const char *test; /* the test that the code belongs to */
};

/* The offset of machine code that follows PTX of that many bytes. */
size_t cuda_machine_code_offset(size_t ptx);

/* Compiles PTX to machine code and appends it at its offset; the compiler's output goes to the log.
 * A refusal is reported as by cuda_refused. */
enum status cuda_assemble(const struct cuda_jit_of *of, struct text *code, struct text *log, struct error *error);

/* Loads an image, which is the PTX itself or the machine code made from it. *module is NULL on
 * failure. */
enum status cuda_load(const struct cuda_jit_of *of, const char *ptx, const char *image, struct CUmod_st **module,
                      struct text *log, struct error *error);

/* A driver's refusal of PTX. */
struct cuda_refusal {
    const char *test;                    /* the test that the PTX belongs to */
    const char *ptx;                     /* as the driver was given it */
    const char *log;                     /* what its compiler says about that */
    const struct backend_device *device; /* the device that was to run it */
    int driver_version;                  /* of cuDriverGetVersion; 0: unknown */
    unsigned code;                       /* of the refusal */
    const char *code_name;
};

/* UNSUPPORTED, naming both versions and the driver that is needed, if the device is older than the
 * target of the PTX or the driver older than its version, or than what its compiler says that
 * instructions need. Else BUILD_FAILED. Needs no driver. */
enum status cuda_refused(const struct cuda_refusal *refusal, struct error *error);

#endif
