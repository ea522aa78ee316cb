// SPDX-License-Identifier: Apache-2.0
/* Inspecting the machine code of a built program. */
#ifndef ORCHIL_RUNNER_WORKER_INSPECT_MACHINE_H
#define ORCHIL_RUNNER_WORKER_INSPECT_MACHINE_H

#include "runner/inspect/inspect.h"

/* The code of a test's kernel. */
struct inspected_machine {
    const struct backend *backend;
    const struct backend_device *device;
    const struct litmus_test *test;
    const struct kernel *kernel;
    const char *ptx;           /* that the machine code was made from; or empty */
    const struct text *object; /* the machine code, an ELF object; empty where the driver gives none */
};

/*
 * Disassembles and inspects it, and appends the reason as struct build has it. cache: a folder of kernel_cache.h, in
 * which what was found is kept for the next job with this code and this test; or NULL.
 */
enum kept inspect_machine_code(const struct inspected_machine *machine, const char *cache, struct text *reason);

/* The same of PTX that a driver's own compiler made of OpenCL C. */
enum kept inspect_machine_ptx(const struct backend *backend, const char *ptx, const struct litmus_test *test,
                              const struct kernel *kernel, struct text *reason);

#endif
