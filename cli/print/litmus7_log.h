// SPDX-License-Identifier: Apache-2.0
/* The log of litmus7, which mcompare7 and the other tools of the herd family read: a block for each job. They stop at
 * two tests of one name ("Different hash codes"), and a test has its name in several dialects. In a log of a run the
 * first keeps it; each other is NAME+DIALECT ("SB+relaxed+ptx"), and NAME+DIALECT.2 and so on if that is taken. */
#ifndef ORCHIL_CLI_PRINT_LITMUS7_LOG_H
#define ORCHIL_CLI_PRINT_LITMUS7_LOG_H

#include "base/hash_index.h"
#include "runner/run/report.h"

/* Appends one block; nothing for a job without a valid batch. name: the test's name in the log. */
void litmus7_log_block(const struct job_report *report, const char *name, struct text *text);

/* A log that grows with each job that ends. Starts as {0}. */
struct litmus7_log {
    const char *path; /* borrowed */
    FILE *file;       /* NULL: there is no log */
    struct litmus7_name {
        const char *name; /* in the log */
        const char *hash; /* of the test that has it */
    } * names;
    size_t count;
    struct hash_index index; /* by name */
    struct arena arena;
};

/* Opens the file that blocks are appended to, and reads the names that it has. UNREADABLE if that fails. */
enum status litmus7_log_open(struct litmus7_log *log, const char *path, struct error *error);

/* The test's name in the log: the name of an equal test (litmus_hash), else a new one. Valid as long as the log. */
const char *litmus7_log_name(struct litmus7_log *log, const struct litmus_test *test);

/* Appends the job's block. One that does not fit on the disk is removed again as a whole: SYSTEM. */
enum status litmus7_log_add(struct litmus7_log *log, const struct job_report *report, struct error *error);

/* False, with errno, if what was written is lost. */
bool litmus7_log_close(struct litmus7_log *log);

#endif
