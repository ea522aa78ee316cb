// SPDX-License-Identifier: Apache-2.0
/* Asynchronous operations as kernel text, and what a slot does before and after its threads for them. Private to this folder. */
#ifndef ORCHIL_RUNNER_ASYNC_H
#define ORCHIL_RUNNER_ASYNC_H

#include "runner/kernel/body.h"

/* A call and ";\n", then what the thread's account of an mbarrier gets of it. */
void write_copy(struct writer *writer, const struct litmus_copy *copy, struct litmus_place place);
void write_group(struct writer *writer, const struct litmus_group *group, struct litmus_place place);

/* After a statement that is an access of an mbarrier: a line for the thread's account of it; else nothing. */
void write_account(struct writer *writer, const struct litmus_access *access);

/* Declares the accounts of a thread: how many arrivals it made at each mbarrier, and how many bytes more it expected than it let
 * come. */
void write_accounts(struct writer *writer, unsigned body);

/* A local location of another work-group, as a pointer. */
void write_remote(struct writer *writer, unsigned slot, unsigned body, unsigned location);

/* Before a slot's threads, after the locals have their initial values: whether lane's instance has mbarriers, and their start; then a
 * fence where bulk copies read or write what was initialised, and the barrier. */
void write_mbarrier_starts(struct writer *writer, unsigned slot);
void write_async_start(struct writer *writer, bool has_locals);

/* After a slot's threads: nothing is in flight, and the mbarriers are invalidated. */
void write_async_end(struct writer *writer, unsigned slot);

#endif
