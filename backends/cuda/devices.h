// SPDX-License-Identifier: Apache-2.0
/* CUDA's devices as the driver describes them. */
#ifndef ORCHIL_CUDA_DEVICES_H
#define ORCHIL_CUDA_DEVICES_H

#include "backends/backend.h"
#include "backends/cuda/library.h"

/* The oldest architectures with the PTX memory model and with clusters. */
enum { CUDA_OLDEST = 70, CUDA_CLUSTERS = 90 };

enum { CUDA_CLUSTER_GROUPS = 8 }; /* blocks in a cluster that all devices with clusters support (CUDA C++ guide) */

/*
 * Facts about the whole machine. driver: the version of the kernel driver as nvidia-smi prints it
 * ("580.159.04"), else the version of CUDA that the driver offers ("CUDA 13.0"). compiler: "NVRTC
 * 13.0", or empty without NVRTC.
 */
struct cuda_software {
    char driver[128], compiler[128];
};

void cuda_describe_software(const struct gpu_api *driver, struct cuda_software *software);

/* Fills *device with everything that the driver reports about device number index. */
enum status cuda_describe(const struct gpu_api *driver, const struct cuda_software *software, unsigned index,
                          struct backend_device *device, struct error *error);

/* Finds the version in a text like /proc/driver/nvidia/version; false if there is none. */
bool cuda_read_version(const char *text, char *version, size_t size);

#endif
