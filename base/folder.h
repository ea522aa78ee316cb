// SPDX-License-Identifier: Apache-2.0
/* The entries of a folder. */
#ifndef ORCHIL_BASE_FOLDER_H
#define ORCHIL_BASE_FOLDER_H

#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"

/* The names in a folder, without "." and "..", in the order of strcmp. Released by
 * folder_release. */
struct folder {
    const char **names;
    size_t count;
    struct arena arena;
};

/* UNREADABLE, with errno set, if the folder cannot be read; LIMIT if it has more than `maximum`
 * names. Then there is nothing to release. */
enum status folder_read(const char *path, size_t maximum, struct folder *folder, struct error *error);
void folder_release(struct folder *folder);

#endif
