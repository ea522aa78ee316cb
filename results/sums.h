// SPDX-License-Identifier: Apache-2.0
/* Sums of counts: none may pass what SQLite's integers hold, and one that does in a file from elsewhere ends no query.
 * Private to results/. */
#ifndef ORCHIL_RESULTS_SUMS_H
#define ORCHIL_RESULTS_SUMS_H

#include "results/sql.h"

/* Gives the connection a sum() that stops at the largest integer, where SQLite's own ends the query with "integer
 * overflow": the views can be read whatever a file holds. It takes integers only, as all sums of the schema do. */
enum status sums_install(struct store *store, struct error *error);

/* INTERNAL where these instances would take the job past STORE_JOB_INSTANCES_MAX. */
enum status sums_expect_room(struct store *store, int64_t job_id, uint64_t instances, struct error *error);

/* That many instances more of the job are stored. */
void sums_add(struct store *store, int64_t job_id, uint64_t instances);

/* The job gets no more batches. */
void sums_forget(struct store *store, int64_t job_id);

#endif
