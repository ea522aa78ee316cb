// SPDX-License-Identifier: Apache-2.0
/* The other end of a supervisor: the process that loads a driver. */
#ifndef ORCHIL_RUNNER_WORKER_WORKER_H
#define ORCHIL_RUNNER_WORKER_WORKER_H

/* `orchil worker DUTY BACKEND ...`, as the supervisor starts it; not for people. Gives the process's exit code. */
int worker_main(int argc, char **argv);

#endif
