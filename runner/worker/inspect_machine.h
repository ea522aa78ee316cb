// SPDX-License-Identifier: Apache-2.0
/* Inspecting the machine code of a job's kernel, where its driver gives that. */
#ifndef ORCHIL_RUNNER_WORKER_INSPECT_MACHINE_H
#define ORCHIL_RUNNER_WORKER_INSPECT_MACHINE_H

#include "backends/backend.h"
#include "base/record.h"
#include "runner/kernel/kernel.h"

/* To be called after a launch, because a driver may compile for its shape. Appends what is wrong, or why the code was not inspected:
 * the driver gives none, or there is no disassembler. */
enum kept inspect_machine_code(const struct backend *backend, struct backend_session *session,
                               struct backend_program *program, const struct litmus_test *test,
                               const struct kernel *kernel, struct text *reason);

/* The same of PTX that a driver's own compiler made of OpenCL C. */
enum kept inspect_machine_ptx(const struct backend *backend, const char *ptx, const struct litmus_test *test,
                              const struct kernel *kernel, struct text *reason);

#endif
