// SPDX-License-Identifier: Apache-2.0
/* Compiling ahead: worker processes that fill the kernel cache with the kernels of the next jobs while the device runs
 * the current one. They launch nothing. If a builder fails, the worker that runs the job builds the kernel itself, with
 * the usual time limits and error messages; so a builder's failure never fails a job. */
#pragma once

#include "runner/run/plan_run.h"

enum { BUILDERS_MAXIMUM = 16 };

struct builders;

/* How many builders suit this machine and this number of jobs. */
unsigned builders_suited(size_t jobs);

/* Prepares `count` builders for the jobs first .. end-1 of the plan, all of equal devices; the first builders_turn
 * starts them. NULL if the backend cannot compile ahead, or if count is 0. folder: the kernel cache. frozen: what the
 * run does with a folder of kernels. */
struct builders *builders_start(const struct run_plan *plan, size_t first, size_t end, unsigned count,
                                const char *folder, const struct frozen_folder *frozen);

/* Reads the builders' answers and gives them more work. Never waits. */
void builders_turn(struct builders *builders);

/* Notes that the job runs next, so no builder starts on its kernel, and gives the builders more work. Returns whether a
 * builder is compiling its kernel now. Never waits. NULL is fine. */
bool builders_begin(struct builders *builders, size_t job);

/* Ends the builders. NULL is fine. */
void builders_stop(struct builders *builders);
