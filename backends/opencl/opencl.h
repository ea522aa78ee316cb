// SPDX-License-Identifier: Apache-2.0
/* The OpenCL backend's door, for the table of backends. */
#ifndef ORCHIL_OPENCL_H
#define ORCHIL_OPENCL_H

#include "backends/backend.h"

extern const struct backend opencl_backend;

/* What `doctor` prints about OpenCL: the loader, the registered drivers, their platforms, and what
 * is missing. */
void opencl_explain(struct text *text);

#endif
