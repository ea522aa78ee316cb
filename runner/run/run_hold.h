// SPDX-License-Identifier: Apache-2.0
/* One process at a time works on a run. Private to this folder. */
#ifndef ORCHIL_RUNNER_RUN_RUN_HOLD_H
#define ORCHIL_RUNNER_RUN_RUN_HOLD_H

#include <stdint.h>

#include "base/status.h"

/*
 * Takes the run of the database for this process, until *hold is closed or the process ends, however it ends; workers do
 * not inherit it. USAGE where another process of this machine has it. It is a name that leaves no file behind (an abstract
 * socket of unix(7)); where there are none, *hold is -1 and nothing is guarded.
 */
enum status run_hold(const char *database, int64_t run_id, int *hold, struct error *error);

/* Gives it back. -1 is fine. */
void run_let_go(int hold);

#endif
