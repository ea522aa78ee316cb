// SPDX-License-Identifier: Apache-2.0
/*
 * Compiling ahead: worker processes that fill the kernel cache with the kernels of the next jobs while the device runs
 * the present one. They launch nothing. What they fail to do, the worker that runs the job does itself, with the time
 * limits and the error messages of any build; so a builder's failure is never a job's.
 */
#ifndef ORCHIL_RUNNER_RUN_BUILDERS_H
#define ORCHIL_RUNNER_RUN_BUILDERS_H

#include "runner/run/plan_run.h"
#include "runner/worker/frozen_kernels.h"

enum { BUILDERS_MAXIMUM = 16 };

struct builders;

/* How many builders suit this machine and so many jobs. */
unsigned builders_suited(size_t jobs);

/* Prepares `count` builders, which the first builders_turn starts, for the jobs first .. end-1 of the plan, which are of
 * equal devices; NULL where their backend cannot compile ahead, or where count is 0. folder: of the kernel cache. frozen: what
 * the run does with a folder of kernels. */
struct builders *builders_start(const struct run_plan *plan, size_t first, size_t end, unsigned count,
                                const char *folder, const struct frozen_folder *frozen);

/* Hears what the builders have done and gives them more to do. Never waits. */
void builders_turn(struct builders *builders);

/* Says that the job runs next, so nobody needs to start on its kernel, and gives the builders more to do. Whether
 * one of them is at its kernel now. Never waits. NULL is fine. */
bool builders_begin(struct builders *builders, size_t job);

/* Ends the builders. NULL is fine. */
void builders_stop(struct builders *builders);

#endif
