// SPDX-License-Identifier: Apache-2.0
/* Notices on standard error before results: what makes those of a CPU device say less than those of a GPU, and which
 * verdicts were judged again. */
#pragma once

#include "results/results.h"
#include "runner/run/plan_run.h"

/* How many of the machine's cores were busy between two readings of /proc/stat, of which the first lines count;
 * negative if they cannot be read. */
double notices_busy(const char *before, const char *after, unsigned cores);

/* Whether the threads of the test run one after the other there: they are the items of one work-group, and an OpenCL
 * CPU device runs those in turn. */
bool notices_takes_turns(const struct litmus_test *test, const struct backend_device *device);

/* On standard error, for CPU devices: that other programs keep half of the cores busy, which takes a moment to measure;
 * which of the plan's tests cannot show that threads overlap; and, also for GPUs, that CUDA tests race in CUDA C++. */
void notices_print(const struct run_plan *plan);

/* ---- verdicts that are judged again, because a model has changed ---- */

/* A side_preparation: judges tests again whose verdicts the current models may change, for at most ten seconds a test
 * and two minutes in all, with progress; reports on standard error which tests were judged again and which were not. */
enum status judged_again_prepare(struct store *store, int64_t run, struct error *error);
