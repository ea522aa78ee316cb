// SPDX-License-Identifier: Apache-2.0
/* The CUDA driver and NVRTC, opened at run time. Both stay loaded until the process ends. */
#pragma once

#include "backends/cuda/symbols.h"
#include "backends/gpu/api.h"

#define CUDA_MEMBER(result, name, symbol, parameters) result(*name) parameters;
struct cuda_nvml {
    void *handle;
    CUDA_NVML_FUNCTIONS(CUDA_MEMBER)
    CUDA_NVML_DEVICE_FUNCTIONS(CUDA_MEMBER) /* each NULL if NVML lacks it */
};
#undef CUDA_MEMBER

extern const struct gpu_driver cuda_driver; /* cuda.c */

/* Opens libcuda.so.1 and initialises it. NO_DEVICE, with what to do, if the library is missing or finds no hardware. */
enum status cuda_driver_open(struct gpu_api *driver, struct error *error);

/* Opens NVRTC: the file that ORCHIL_NVRTC names, else the newest one found whose PTX a driver of the given version can
 * read, else the newest one found. driver_version 0: any. BUILD_FAILED, with the places searched and how to get it, if
 * there is none. */
enum status cuda_nvrtc_open(struct gpu_compiler *nvrtc, int driver_version, struct error *error);

/* Opens NVML; false if it is missing. */
bool cuda_nvml_open(struct cuda_nvml *nvml);

/* Whether a code of cuModuleLoadDataEx means that the device code was refused. */
bool cuda_error_is_refusal(unsigned code);

enum { CUDA_REFUSAL_OF_VERSION = 222 }; /* CUDA_ERROR_UNSUPPORTED_PTX_VERSION: the PTX is newer than the driver */
