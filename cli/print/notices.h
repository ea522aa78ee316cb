// SPDX-License-Identifier: Apache-2.0
/* What makes the results of a CPU device say less than those of a GPU, for the head of a run. Private to cli. */
#ifndef ORCHIL_CLI_PRINT_NOTICES_H
#define ORCHIL_CLI_PRINT_NOTICES_H

#include "runner/run/plan_run.h"

/* How many of the machine's cores were busy between two readings of /proc/stat, of which the first lines count;
 * negative if they cannot be read. */
double notices_busy(const char *before, const char *after, unsigned cores);

/* Whether the threads of the test run one after the other there: they are the items of one work-group, and an OpenCL CPU
 * device runs those in turn. */
bool notices_takes_turns(const struct litmus_test *test, const struct backend_device *device);

/* On standard error, nothing for GPUs: that other programs keep half of the cores busy, which takes a moment to measure;
 * and which of the plan's tests cannot show that threads overlap. */
void notices_print(const struct run_plan *plan);

#endif
