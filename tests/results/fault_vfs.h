// SPDX-License-Identifier: Apache-2.0
/* A SQLite VFS over the default one whose n-th change of a file fails, or whose n-th read, as a full or a broken disk would
 * make it. */
#ifndef ORCHIL_TESTS_RESULTS_FAULT_VFS_H
#define ORCHIL_TESTS_RESULTS_FAULT_VFS_H

#include <stdbool.h>

struct fault_plan {
    int fail_at;  /* the number of the write, sync or truncation that fails, from 1 */
    bool lasting; /* all after it fail too */
    bool full;    /* SQLITE_FULL, else SQLITE_IOERR_WRITE, _FSYNC, _TRUNCATE */
    int changes;  /* counted so far */
    int failures; /* of them, how many failed */
    /* The same of reads, which fail as SQLite's own VFS fails where the system says EIO. */
    int fail_read_at; /* 0: none fails */
    int reads, read_failures;
};

/* Makes every database that is opened from now on go through *plan. A write that fails writes half of its bytes. */
void fault_begin(struct fault_plan *plan);

/* Back to the default VFS for databases opened from now on. */
void fault_end(void);

#endif
