// SPDX-License-Identifier: Apache-2.0
/* What `check --progress` and `explain --progress` print: whether a program must end. */
#pragma once

#include "cli/options.h"
#include "models/termination/termination.h"

/* The option --progress of a verb whose request has a number at `at`: a bit for each scheduler. */
#define ROW_PROGRESS(at, does)                                                                                         \
    "progress", 0, "SCHEDULER[,...]", OPTION_WORDS, .offset = (at), .words = endings_words, .help = (does)
extern const struct option_word endings_words[];

/* Finds and prints the answers to standard output: a table, and with `schedule` how the program does not end; or lines
 * of JSON, one for each scheduler. False if it cannot be written. */
bool endings_print(const struct litmus_test *test, unsigned schedulers, bool schedule, bool json);
