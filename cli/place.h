// SPDX-License-Identifier: Apache-2.0
/* Places: the files that paths name, which need not exist yet. */
#pragma once

#include <sys/stat.h>

#include "base/base.h"

struct place {
    char path[PATH_MAX]; /* without links, "." and "..", as far as its folders exist */
    struct stat facts;
    bool exists;
};

/* False for a path that cannot be opened either, because it is too long or its links have no end. */
bool place_find(const char *path, struct place *place);

/* Whether both are one file, or will be. */
bool place_is_same(const struct place *a, const struct place *b);

/* Whether it is in the folder, or anywhere below. */
bool place_is_below(const struct place *place, const struct place *folder);
