// SPDX-License-Identifier: Apache-2.0
/* Sets up a connection; results/README.md gives the reasons. Private to results/. */
#ifndef ORCHIL_RESULTS_SETTINGS_H
#define ORCHIL_RESULTS_SETTINGS_H

#include "results/sql.h"

/* The settings needed before the first statement: waiting, foreign keys, and restrictions on what a
 * file from elsewhere may do (sqlite.org/security.html). */
enum status settings_apply(struct store *store, struct error *error);

/*
 * Uses DELETE if several machines may share the file, else WAL. With DELETE, EXTRA also syncs the
 * folder after the journal is removed: otherwise a power cut could bring the journal back, and it
 * would roll back an acknowledged transaction.
 */
enum status settings_choose_journal(struct store *store, bool shared, struct error *error);

#endif
