// SPDX-License-Identifier: Apache-2.0
/* A SQLite VFS over the default one in which the n-th change of a file, or the n-th read, fails as on a full or broken
 * disk. */
#pragma once

#include <stdbool.h>

struct fault_plan {
    int fail_at;  /* the number of the write, sync or truncation that fails, from 1 */
    bool lasting; /* all later ones fail too */
    bool full;    /* SQLITE_FULL, else SQLITE_IOERR_WRITE, _FSYNC, _TRUNCATE */
    int changes;  /* counted so far */
    int failures; /* how many of them failed */
    /* The same for reads, which fail as in SQLite's own VFS when the system reports EIO. */
    int fail_read_at; /* 0: none fails */
    int reads, read_failures;
};

/* Routes every database that is opened from now on through *plan. A failing write writes half of its bytes. */
void fault_begin(struct fault_plan *plan);

/* Restores the default VFS for databases opened from now on. */
void fault_end(void);
