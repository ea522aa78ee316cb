// SPDX-License-Identifier: Apache-2.0
/* A file in memory that other programs read or write by its path; it need not be removed. */
#ifndef ORCHIL_BASE_MEMORY_FILE_H
#define ORCHIL_BASE_MEMORY_FILE_H

#include "base/status.h"
#include "base/text.h"

struct memory_file {
    int descriptor;
    char path[64]; /* for programs of this user, while the file is open */
};

/* Makes a file with these bytes. After a failure there is nothing to close. */
enum status memory_file_make(const char *bytes, size_t size, struct memory_file *file, struct error *error);

/* Appends its current contents. LIMIT if there are more than `maximum` bytes. */
enum status memory_file_read(const struct memory_file *file, size_t maximum, struct text *text, struct error *error);
void memory_file_close(struct memory_file *file);

#endif
