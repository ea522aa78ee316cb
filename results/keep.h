// SPDX-License-Identifier: Apache-2.0
/* Rows by content: each gives the id of an equal row, which is stored now unless it was before. They run in the caller's
 * transaction. Private to results/. */
#ifndef ORCHIL_RESULTS_KEEP_H
#define ORCHIL_RESULTS_KEEP_H

#include "results/results.h"

enum status keep_content(struct store *store, const char *text, int64_t *id, struct error *error);
enum status keep_driver(struct store *store, const struct store_device *device, int64_t *id, struct error *error);
enum status keep_test(struct store *store, const struct store_test *test, int64_t *id, struct error *error);
enum status keep_environment(struct store *store, const struct store_environment *environment, int64_t *id,
                             struct error *error);

/* INTERNAL, with the reason, where an UPDATE that should have found a row gave the id 0. */
enum status keep_expect_row(const struct store *store, int64_t id, const char *why, struct error *error);

#endif
