// SPDX-License-Identifier: Apache-2.0
/*
 * The worker: the only kind of process that loads a driver. It opens one device, runs or compiles the jobs that come in
 * on standard input and tells what happens on standard output. Its standard error belongs to the driver. After a
 * failure of the device it ends, because nothing that the driver says in this process can be trusted any more.
 */
#ifndef ORCHIL_RUNNER_WORKER_H
#define ORCHIL_RUNNER_WORKER_H

#include "backends/backend.h"
#include "runner/worker/job.h"

enum { WORKER_NOT_MEANT = -1 };

/* A whole worker, as `orchil worker DUTY BACKEND ...` is started by runner/supervise and runner/run. Gives the
 * process's exit code, or WORKER_NOT_MEANT where the arguments are none of a worker's. */
int worker_main(int argc, char **argv);

/* The workers that list a backend's devices, or the ensemble of that address (else NULL), and that explain it: they
 * print one line of JSON, {"devices": [...]} or {"error": "...", "status": "..."}, and what the backend says of itself.
 * The process's exit code. */
int worker_list(const struct backend *backend, const char *ensemble);
int worker_explain(const struct backend *backend);

/* The worker that lets the driver compile tests, and reports the compiled code: for each a line of JSON. what: the name
 * of a test, whose code is reported too; with parts, a number: of the OPENCL tests of the catalogue each parts-th from
 * there. */
int worker_inspect(const struct backend *backend, unsigned index, const char *what, const char *parts);

/* Opens a device, for whichever worker. */
enum status worker_open(const struct backend *backend, unsigned index, struct job_session *session,
                        struct error *error);

#endif
