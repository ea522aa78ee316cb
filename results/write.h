// SPDX-License-Identifier: Apache-2.0
/* Rows that are stored once for each content: each function gives the id of an equal row, which it
 * stores if there is none. They run in the caller's transaction. */
#ifndef ORCHIL_RESULTS_WRITE_H
#define ORCHIL_RESULTS_WRITE_H

#include "results/results.h"

/* The columns that identify a note on a test. */
#define CALIBRATION_KEY "test_hash, dialect, environment_hash, backend, device"

enum status keep_content(struct store *store, const char *text, int64_t *id, struct error *error);
enum status keep_driver(struct store *store, const struct store_device *device, int64_t *id, struct error *error);
enum status keep_test(struct store *store, const struct store_test *test, int64_t *id, struct error *error);
enum status keep_environment(struct store *store, const struct store_environment *environment, int64_t *id,
                             struct error *error);

/* INTERNAL, with the reason, if id is 0: an UPDATE has not found the row that it should have
 * found. */
enum status keep_expect_row(const struct store *store, int64_t id, const char *why, struct error *error);

#endif
