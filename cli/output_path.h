// SPDX-License-Identifier: Apache-2.0
/* Files that a verb writes for people and other tools. Private to this folder. */
#ifndef ORCHIL_CLI_OUTPUT_PATH_H
#define ORCHIL_CLI_OUTPUT_PATH_H

#include "base/status.h"

/* Prevents overwriting results: USAGE if path names an existing SQLite database, or the database of
 * this run (NULL: none), which may not exist yet. option: the option that path was given with,
 * without its dashes. */
enum status output_path_check(const char *option, const char *path, const char *database, struct error *error);

#endif
