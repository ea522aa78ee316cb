// SPDX-License-Identifier: Apache-2.0
/* Sums of counts. None may exceed SQLite's integers; one that does, in a file from elsewhere, does
 * not make queries fail. */
#ifndef ORCHIL_RESULTS_SUMS_H
#define ORCHIL_RESULTS_SUMS_H

#include "results/sql.h"

/* Gives the connection a sum() that stops at the largest integer, where SQLite's own fails with
 * "integer overflow", so that the views can be read whatever a file holds. It takes only integers,
 * as all sums of the schema do. */
enum status sums_install(struct store *store, struct error *error);

/* INTERNAL if the job would have more than STORE_JOB_INSTANCES_MAX instances with these. */
enum status sums_expect_room(struct store *store, int64_t job_id, uint64_t instances, struct error *error);

/* Notes that this many more instances of the job are stored. */
void sums_add(struct store *store, int64_t job_id, uint64_t instances);

/* Notes that the job gets no more batches. */
void sums_forget(struct store *store, int64_t job_id);

#endif
