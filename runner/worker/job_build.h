// SPDX-License-Identifier: Apache-2.0
/* Inspecting the machine code of a built program. */
#ifndef ORCHIL_RUNNER_WORKER_JOB_BUILD_H
#define ORCHIL_RUNNER_WORKER_JOB_BUILD_H

#include "inspect/inspect.h"

/* ---- inspecting the machine code ---- */

/* The code of a test's kernel. */
struct inspected_machine {
    const struct backend *backend;
    const struct backend_device *device;
    const struct litmus_test *test;
    const struct kernel *kernel;
    const char *ptx;           /* from which the machine code was made; or empty */
    const struct text *object; /* the machine code, an ELF object, or SPIR-V; empty if the driver gives none */
};

/*
 * Disassembles and inspects the code, and appends the reason as in struct build. cache: a folder of
 * kernel_cache.h that keeps the result for the next job with this code and this test; or NULL.
 */
enum kept inspect_machine_code(const struct inspected_machine *machine, const char *cache, struct text *reason);

/* The same for PTX that a driver's own compiler made from OpenCL C. */
enum kept inspect_machine_ptx(const struct backend *backend, const struct backend_device *device, const char *ptx,
                              const struct litmus_test *test, const struct kernel *kernel, struct text *reason);

#endif
