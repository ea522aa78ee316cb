// SPDX-License-Identifier: Apache-2.0
/* How a connection is set up; results/README.md has the reasons. Private to results/. */
#ifndef ORCHIL_RESULTS_SETTINGS_H
#define ORCHIL_RESULTS_SETTINGS_H

#include "results/sql.h"

/* What must be set before the first statement: waiting, foreign keys, and what a file from elsewhere may not do
 * (sqlite.org/security.html). */
enum status settings_apply(struct store *store, struct error *error);

/*
 * DELETE where several machines may share the file, else WAL. EXTRA under DELETE also syncs the folder once the journal
 * is gone: otherwise a power cut could bring the journal back, and it would roll back an acknowledged transaction.
 */
enum status settings_choose_journal(struct store *store, bool shared, struct error *error);

#endif
