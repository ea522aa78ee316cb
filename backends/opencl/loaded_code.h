// SPDX-License-Identifier: Apache-2.0
/* The machine code that PoCL loaded for a launch. */
#ifndef ORCHIL_BACKENDS_OPENCL_LOADED_CODE_H
#define ORCHIL_BACKENDS_OPENCL_LOADED_CODE_H

#include <stddef.h>

#include "base/text.h"

/*
 * PoCL compiles a kernel for the group size of a launch, and loads the result as a shared object
 * ".../orchil/SIZE-1-1.../orchil.so" into this process. Asking the driver for a program's binary
 * instead makes it compile the kernel again, for any size, which doubles the time of a build.
 */

/* Replaces *paths by the paths of all such objects in this process, a line each. */
void opencl_list_loaded(struct text *paths);

/* Appends to *code the object for that group size which was loaded after the list was made. Appends
 * nothing unless there is exactly one: two programs may have been launched since, or an equal
 * program before. */
void opencl_read_loaded(const struct text *paths, size_t group_size, struct text *code);

#endif
