// SPDX-License-Identifier: Apache-2.0
/* The files that register OpenCL drivers (NAME.icd), as the loader finds them. */
#ifndef ORCHIL_OPENCL_REGISTRATIONS_H
#define ORCHIL_OPENCL_REGISTRATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct opencl_registration {
    struct text path;    /* of the file */
    struct text library; /* the library that it names; empty: none, or the file cannot be read */
    int why;             /* an errno if it cannot be read; else 0 */
};

struct opencl_registrations {
    const char *folder; /* where the loader looks, or the one file that it reads; borrowed from the environment */
    struct opencl_registration *list;
    size_t count, room;
};

/* Finds them, in the order of their names. The caller releases them. */
void opencl_registrations_find(struct opencl_registrations *registrations);
void opencl_registrations_release(struct opencl_registrations *registrations);

/* Whether one of them names a library with `part` in its name. */
bool opencl_registrations_have(const struct opencl_registrations *registrations, const char *part);

#endif
