// SPDX-License-Identifier: Apache-2.0
/* Opening with the journal's choice made by the caller, so that both choices can be tested. Private to results/. */
#ifndef ORCHIL_RESULTS_OPEN_H
#define ORCHIL_RESULTS_OPEN_H

#include <stdbool.h>

#include "results/results.h"

/* Says whether the file of this name lies on a file system shared between machines. */
typedef bool open_shared(const char *path);

/* store_open, where shared answers for the file system. */
enum status open_store(const char *path, enum store_mode mode, open_shared *shared, struct store **store,
                       struct error *error);

#endif
