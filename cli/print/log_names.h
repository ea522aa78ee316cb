// SPDX-License-Identifier: Apache-2.0
/*
 * Names of tests in a litmus7 log. Its readers (mcompare7 and the like) stop at two tests of one
 * name ("Different hash codes"), and a test has its name in several dialects. The first keeps it;
 * each other is NAME+DIALECT ("SB+relaxed+ptx"), and NAME+DIALECT.2 and so on if that is taken.
 */
#ifndef ORCHIL_CLI_PRINT_LOG_NAMES_H
#define ORCHIL_CLI_PRINT_LOG_NAMES_H

#include <stdio.h>

#include "base/hash_index.h"
#include "litmus/litmus.h"

/* Starts as {0}. */
struct log_names {
    struct log_name {
        char *name;    /* in the log */
        char hash[65]; /* of the test that has it */
    } * names;
    size_t count, room;
    struct hash_index index;
};

/* Reads the names that a log already has; leaves the file's position at its end. A file that is not
 * regular has none. */
void log_names_read(struct log_names *names, FILE *log);

/* The test's name in the log: the name of an equal test (litmus_hash), else a new one. Valid until the release. */
const char *log_names_get(struct log_names *names, const struct litmus_test *test);

void log_names_release(struct log_names *names);

#endif
