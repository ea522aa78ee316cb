// SPDX-License-Identifier: Apache-2.0
/* The OpenCL loader, opened at run time: the functions that orchil uses, by their own names. Never linked. */
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue, for devices before 2.0 */
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include "backends/opencl/library_lists.h"
#include "base/base.h"

struct opencl_library {
    void *handle;
#define OPENCL_MEMBER(function) __typeof__(function) *function;
    OPENCL_FUNCTIONS(OPENCL_MEMBER)
};

/* Opens libOpenCL.so.1. NO_DEVICE, with what to install, if it is missing. It stays loaded until the process ends,
 * because drivers keep threads that run its code. */
enum status opencl_library_open(struct opencl_library *library, struct error *error);

/* The name of an OpenCL error code, as the headers spell it; "an unknown OpenCL error" for others. */
const char *opencl_error_name(cl_int code);

/* Whether a code returned while a GPU finished its commands means that the device or its queue is gone. Drivers report
 * an illegal address or a reset as exhausted resources or an invalid queue. */
bool opencl_error_is_loss(cl_int code, bool finishing, bool gpu);

/* Reports a failed call of a driver; DEVICE_LOST, which ends the session, if the code means that. */
struct backend_device;
enum status opencl_call_failed(const struct backend_device *device, const char *call, cl_int code, bool finishing,
                               struct error *error);
