// SPDX-License-Identifier: Apache-2.0
/* Asynchronous operations as kernel text, with their setup and cleanup in each slot. Private to
 * this folder. */
#ifndef ORCHIL_KERNEL_ASYNC_H
#define ORCHIL_KERNEL_ASYNC_H

#include "kernel/code.h"

/* Write a call and ";\n", then update the thread's account of the mbarrier. */
void write_copy(struct writer *writer, const struct litmus_copy *copy, struct litmus_place place);
void write_group(struct writer *writer, const struct litmus_group *group, struct litmus_place place);

/* After a statement that accesses an mbarrier, writes a line that updates the thread's account of
 * it; otherwise writes nothing. */
void write_account(struct writer *writer, const struct litmus_access *access);

/* Declares the accounts of a thread: how many arrivals it made at each mbarrier, and how many more
 * bytes it expected than its copies deliver. */
void write_accounts(struct writer *writer, unsigned body);

/* Writes a pointer to a local location of another work-group. */
void write_remote(struct writer *writer, unsigned slot, unsigned body, unsigned location);

/* Before a slot's threads, once the locals have their initial values: write_mbarrier_starts
 * initialises the mbarriers of the lane's instance, and write_async_start writes the fences that
 * mbarriers and bulk copies need, then the barrier. */
void write_mbarrier_starts(struct writer *writer, unsigned slot);
void write_async_start(struct writer *writer, bool has_locals);

/* After a slot's threads: waits until nothing is in flight, and invalidates the mbarriers. */
void write_async_end(struct writer *writer, unsigned slot);

#endif
