// SPDX-License-Identifier: Apache-2.0
/* OpenCL's devices, in one flat sequence over all platforms. */
#pragma once

#include "backends/backend.h"
#include "backends/opencl/library.h"

struct opencl_place {
    cl_platform_id platform;
    cl_device_id device;
};

/* Finds all devices; the caller frees *places with free(). NO_DEVICE, with what to do, if there is none. */
enum status opencl_places(const struct opencl_library *library, struct opencl_place **places, size_t *count,
                          struct error *error);

/* The newest OpenCL C that orchil would use on a device: 300, 200, 120, or 0 if it is older. OpenCL
 * 1.2 is the first version that fills buffers and whose compiler reports its version. */
unsigned opencl_language(const struct opencl_library *library, cl_device_id device);

/* Fills *device with everything that the driver reports about a place. */
void opencl_describe(const struct opencl_library *library, struct opencl_place place, unsigned index,
                     struct backend_device *device);

/* What `doctor` prints about OpenCL: the loader, the registered drivers, their platforms, and what is missing. */
void opencl_explain(struct text *text);
