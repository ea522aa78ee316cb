// SPDX-License-Identifier: Apache-2.0
/* A processor's machine code in a program's binary. */
#ifndef ORCHIL_BACKENDS_OPENCL_MACHINE_CODE_H
#define ORCHIL_BACKENDS_OPENCL_MACHINE_CODE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Finds the ELF object of x86-64 code in the result of clGetProgramInfo(CL_PROGRAM_BINARIES): the
 * object for work-groups of that size, or one for all sizes if none is for a single size. PoCL's
 * binary ("poclbin") holds the shared objects made so far, one for each size that was launched,
 * each after its path .../SIZE-1-1.../NAME.so. Its layout changes with its version, so objects are
 * found by their ELF header. False if there is none. *object points into binary.
 */
bool opencl_find_object(const char *binary, size_t size, size_t group_size, const char **object, size_t *object_size);

#endif
