// SPDX-License-Identifier: Apache-2.0
/* The files below tests-litmus/ as they were when orchil was built. cmake/embed.cmake writes the table. */
#pragma once

#include "base/base.h"

struct catalogue_file {
    const char *path; /* below tests-litmus/, with '/' between folders */
    const char *text; /* NUL-terminated; holds no other NUL */
    size_t size;      /* of the text in bytes, without the NUL */
};

/* All *.litmus and @* files, in the order of strcmp on their paths. The last row is NULL. */
extern const struct catalogue_file catalogue_files[];
extern const size_t catalogue_file_count;
