// SPDX-License-Identifier: Apache-2.0
/*
 * Whether the files of an open store are still where they were opened. A file that was moved or removed can be written
 * through its descriptor as before, so SQLite reports success while its user loses what is stored. Private to results/.
 */
#ifndef ORCHIL_RESULTS_PRESENCE_H
#define ORCHIL_RESULTS_PRESENCE_H

#include <stdbool.h>

#include "results/sql.h"

/* Keeps which file the store's path leads to, just after SQLite opened it. DATABASE where it is gone already. */
enum status presence_note_database(struct store *store, struct error *error);

/* Keeps which files are the write-ahead log and its index, if the store has them: SQLite must have opened them, and does
 * not exchange them while the store is open. DATABASE where one is gone already. */
enum status presence_note_log(struct store *store, struct error *error);

/* STATUS_OK while every file that was noted is still found under its name; else DATABASE, with what happened to which,
 * and what to do. A store of which nothing was noted is never found wanting. */
enum status presence_expect(const struct store *store, struct error *error);

/* Forgets what was noted. */
void presence_release(struct store *store);

#endif
