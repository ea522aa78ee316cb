// SPDX-License-Identifier: Apache-2.0
/*
 * The parts of NVML that orchil uses, declared here so that no CUDA header is needed to build.
 * tests/backends/test_cuda_prototypes.c compares these lines with NVIDIA's headers if they are installed.
 * backends/gpu/symbols.h has the driver's and NVRTC's.
 *
 * X(result, name, symbol in the library, parameters). If a function was changed, its symbol contains the version.
 */
#pragma once

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

/* X(our name, NVIDIA's name, value): clocks and sensors, and bits of the reasons why clocks are not higher. */
#define CUDA_NVML_CONSTANTS(X)                                                                                         \
    X(NVML_SM_CLOCK, NVML_CLOCK_SM, 1)                                                                                 \
    X(NVML_MEMORY_CLOCK, NVML_CLOCK_MEM, 2)                                                                            \
    X(NVML_GPU_SENSOR, NVML_TEMPERATURE_GPU, 0)                                                                        \
    X(NVML_IDLE, nvmlClocksThrottleReasonGpuIdle, 0x1)                                                                 \
    X(NVML_CLOCKS_SET, nvmlClocksThrottleReasonApplicationsClocksSetting, 0x2)                                         \
    X(NVML_POWER_CAP, nvmlClocksThrottleReasonSwPowerCap, 0x4)                                                         \
    X(NVML_SLOWDOWN, nvmlClocksThrottleReasonHwSlowdown, 0x8)                                                          \
    X(NVML_SYNC_BOOST, nvmlClocksThrottleReasonSyncBoost, 0x10)                                                        \
    X(NVML_SOFTWARE_THERMAL, nvmlClocksThrottleReasonSwThermalSlowdown, 0x20)                                          \
    X(NVML_HARDWARE_THERMAL, nvmlClocksThrottleReasonHwThermalSlowdown, 0x40)                                          \
    X(NVML_POWER_BRAKE, nvmlClocksThrottleReasonHwPowerBrakeSlowdown, 0x80)                                            \
    X(NVML_DISPLAY, nvmlClocksThrottleReasonDisplayClockSetting, 0x100)
