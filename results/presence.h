// SPDX-License-Identifier: Apache-2.0
/*
 * Whether the files of an open store are still where they were opened. A file that was moved or
 * removed can still be written through its descriptor, so SQLite reports success while the data is
 * lost. Private to results/.
 */
#ifndef ORCHIL_RESULTS_PRESENCE_H
#define ORCHIL_RESULTS_PRESENCE_H

#include <stdbool.h>

#include "results/sql.h"

/* Notes which file is at the store's path, just after SQLite opened it. DATABASE if it is already
 * gone. */
enum status presence_note_database(struct store *store, struct error *error);

/* Notes which files are the write-ahead log and its index, if the store has them. SQLite must have
 * opened them, and does not replace them while the store is open. DATABASE if one is already
 * gone. */
enum status presence_note_log(struct store *store, struct error *error);

/* STATUS_OK if every noted file is still found under its name; else DATABASE, with what happened to
 * which file, and what to do. If nothing was noted, STATUS_OK. */
enum status presence_expect(const struct store *store, struct error *error);

/* Forgets the noted files. */
void presence_release(struct store *store);

#endif
