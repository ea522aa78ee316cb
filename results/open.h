// SPDX-License-Identifier: Apache-2.0
/* Opening, with the choice of the journal left to the caller, so that tests cover both journals. */
#ifndef ORCHIL_RESULTS_OPEN_H
#define ORCHIL_RESULTS_OPEN_H

#include <stdbool.h>

#include "results/results.h"

/* Whether the file is on a file system shared between machines. */
typedef bool open_shared(const char *path);

/* Appends the name of a file as a URI for SQLite. parameters: the part after '?'. */
void open_add_uri(struct text *uri, const char *path, const char *parameters);

/* As store_open, but `shared` answers for the file system. */
enum status open_store(const char *path, enum store_mode mode, open_shared *shared, struct store **store,
                       struct error *error);

#endif
