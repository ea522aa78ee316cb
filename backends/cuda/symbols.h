// SPDX-License-Identifier: Apache-2.0
/*
 * The parts of NVML that orchil uses, declared here so that no CUDA header is needed to build.
 * tests/backends/test_cuda_prototypes.c compares these lines with NVIDIA's headers if they are installed.
 * backends/gpu/symbols.h has the driver's and NVRTC's.
 *
 * X(result, name, symbol in the library, parameters). If a function was changed, its symbol contains the version.
 */
#pragma once

#include "backends/gpu/constants_lists.h"
#include "base/base.h"

struct nvmlDevice_st;
struct nvmlProcessInfo_st;

#define CUDA_NVML_FUNCTIONS(X)                                                                                         \
    X(unsigned, nvmlInit, nvmlInit_v2, (void))                                                                         \
    X(unsigned, nvmlShutdown, nvmlShutdown, (void))                                                                    \
    X(unsigned, nvmlSystemGetDriverVersion, nvmlSystemGetDriverVersion, (char *version, unsigned size))

/* Any of these may be missing; then its value is unknown. */
#define CUDA_NVML_DEVICE_FUNCTIONS(X)                                                                                  \
    X(unsigned, nvmlDeviceGetHandleByUUID, nvmlDeviceGetHandleByUUID,                                                  \
      (const char *uuid, struct nvmlDevice_st **device))                                                               \
    X(unsigned, nvmlDeviceGetClockInfo, nvmlDeviceGetClockInfo,                                                        \
      (struct nvmlDevice_st * device, unsigned type, unsigned *megahertz))                                             \
    X(unsigned, nvmlDeviceGetTemperature, nvmlDeviceGetTemperature,                                                    \
      (struct nvmlDevice_st * device, unsigned sensor, unsigned *celsius))                                             \
    X(unsigned, nvmlDeviceGetPowerUsage, nvmlDeviceGetPowerUsage,                                                      \
      (struct nvmlDevice_st * device, unsigned *milliwatts))                                                           \
    X(unsigned, nvmlDeviceGetCurrentClocksThrottleReasons, nvmlDeviceGetCurrentClocksThrottleReasons,                  \
      (struct nvmlDevice_st * device, unsigned long long *reasons))                                                    \
    X(unsigned, nvmlDeviceGetComputeRunningProcesses, nvmlDeviceGetComputeRunningProcesses_v3,                         \
      (struct nvmlDevice_st * device, unsigned *count, struct nvmlProcessInfo_st *processes))
