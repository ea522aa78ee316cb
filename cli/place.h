// SPDX-License-Identifier: Apache-2.0
/* Where databases are: what a word of the command line stands for. Private to this folder. */
#ifndef ORCHIL_CLI_PLACE_H
#define ORCHIL_CLI_PLACE_H

#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"

/* Paths of databases, which the arena keeps. Starts as {0}. */
struct place_list {
    const char **paths;
    size_t count;
};

/*
 * Adds what a word stands for: a folder for all of its files *.db, in order of their names; anything else for itself, whether
 * there is such a file or not. USAGE where the folder has no database, UNREADABLE where it cannot be listed.
 */
enum status place_list(const char *word, struct arena *arena, struct place_list *places, struct error *error);

#endif
