// SPDX-License-Identifier: Apache-2.0
/* Inspecting the machine code of a job's kernel, where its driver gives that. */
#ifndef ORCHIL_RUNNER_WORKER_INSPECT_MACHINE_H
#define ORCHIL_RUNNER_WORKER_INSPECT_MACHINE_H

#include "backends/backend.h"
#include "runner/inspect/inspect.h"

/* After a launch, because a driver may compile for its shape. Not inspected, with the reason, where there is no code or no
 * disassembler. The caller calls inspection_release. */
void inspect_machine_code(const struct backend *backend, struct backend_session *session,
                          struct backend_program *program, const struct litmus_test *test,
                          const struct kernel *kernel, struct inspection *inspection);

#endif
