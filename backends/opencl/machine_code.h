// SPDX-License-Identifier: Apache-2.0
/* Machine code of a processor in a program's binary. */
#ifndef ORCHIL_BACKENDS_OPENCL_MACHINE_CODE_H
#define ORCHIL_BACKENDS_OPENCL_MACHINE_CODE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The ELF object of x86-64 code in what clGetProgramInfo(CL_PROGRAM_BINARIES) gave, which was made for work-groups of that size, or
 * for any where there is none for a size. PoCL's binary ("poclbin") holds the shared objects that it has made so far, one for each
 * size that was launched, each after its path .../SIZE-1-1.../NAME.so. Its layout changes with its versions, so objects are
 * found by ELF's own head. False where there is none. *object points into binary.
 */
bool opencl_find_object(const char *binary, size_t size, size_t group_size, const char **object, size_t *object_size);

#endif
