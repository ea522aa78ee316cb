// SPDX-License-Identifier: Apache-2.0
/* A processor's machine code, in a program's binary or loaded into this process. */
#ifndef ORCHIL_BACKENDS_OPENCL_MACHINE_CODE_H
#define ORCHIL_BACKENDS_OPENCL_MACHINE_CODE_H

#include "base/base.h"

/* Finds the ELF object of x86-64 code in the result of clGetProgramInfo(CL_PROGRAM_BINARIES): the object for
 * work-groups of that size, or one for all sizes if none is for a single size. PoCL's binary ("poclbin") holds the
 * shared objects made so far, one for each size that was launched, each after its path .../SIZE-1-1.../NAME.so. Its
 * layout changes with its version, so objects are found by their ELF header. False if there is none. *object points
 * into binary. */
bool opencl_find_object(const char *binary, size_t size, size_t group_size, const char **object, size_t *object_size);

/* ---- in this process ---- */

/* PoCL compiles a kernel for the group size of a launch, and loads the result as a shared object
 * ".../orchil/SIZE-1-1.../orchil.so" into this process. Asking the driver for a program's binary instead makes it
 * compile the kernel again, for any size, which doubles the time of a build. */

/* Replaces *paths by the paths of all such objects in this process, a line each. */
void opencl_list_loaded(struct text *paths);

/* Appends to *code the object for that group size which was loaded after the list was made. Appends nothing unless
 * there is exactly one: two programs may have been launched since, or an equal program before. */
void opencl_read_loaded(const struct text *paths, size_t group_size, struct text *code);

#endif
