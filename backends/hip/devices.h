// SPDX-License-Identifier: Apache-2.0
/* AMD GPUs as HIP describes them. */
#ifndef ORCHIL_HIP_DEVICES_H
#define ORCHIL_HIP_DEVICES_H

#include "backends/backend.h"
#include "backends/hip/library.h"

/* Through which HIP reaches every GPU. */
#define HIP_KERNEL_DEVICE "/dev/kfd"

/*
 * Facts about the whole machine. driver: "HIP 6.2.41134, amdgpu 6.8.5", the runtime and the kernel's
 * driver, if it says its version; platform: "ROCm 6.2.2", or empty; compiler: "HIPRTC 6.2", or empty
 * without HIPRTC.
 */
struct hip_software {
    char driver[128], platform[96], compiler[128];
};

void hip_describe_software(const struct gpu_api *api, struct hip_software *software);

/* The dies that compute (XCDs) of the GPU at a place of the PCI bus, "0000:83:00.0", as the files of
 * the kernel's driver below a folder say; 0: unknown. */
unsigned hip_count_dies(const char *folder, const char *place);

#endif
