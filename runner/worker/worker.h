// SPDX-License-Identifier: Apache-2.0
/* The worker: the only kind of process that loads a driver. It opens one device, reads jobs from standard input, runs
 * or compiles them, and writes events to standard output. Its standard error belongs to the driver. After a failure of
 * the device it ends, because the driver in this process can no longer be trusted. */
#pragma once

#include "runner/worker/job_run.h"

enum { WORKER_NOT_MEANT = -1 };

/* The main function of a worker, `orchil worker DUTY BACKEND ...`, which runner/supervise and runner/run start. Returns
 * the process's exit code, or WORKER_NOT_MEANT if the arguments are not a worker's. */
int worker_main(int argc, char **argv);

/* The workers that list a backend's devices, or the ensemble with this address (else NULL), and that explain the
 * backend. The first prints one line of JSON, {"devices": [...]} or {"error": "...", "status": "..."}; the second
 * prints the backend's explanation. Both return the process's exit code. */
int worker_list(const struct backend *backend, const char *ensemble);
int worker_explain(const struct backend *backend);
