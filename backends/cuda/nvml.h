// SPDX-License-Identifier: Apache-2.0
/* What NVML reports about an NVIDIA GPU while it computes, under any backend. */
#pragma once

#include "backends/cuda/library.h"
#include "base/circumstances.h"

/* Starts as {0}: a GPU about which nothing is known. */
struct nvml_device {
    struct cuda_nvml nvml;
    struct nvmlDevice_st *handle; /* NULL: NVML is missing, or does not know the device */
};

/* Finds the device with a UUID, as in struct backend_device; it is not an error if there is none. The caller closes
 * it. */
void nvml_device_open(const char *uuid, struct nvml_device *device);
void nvml_device_close(struct nvml_device *device);

/* Adds what NVML reports now; values that it does not report are left out. */
void nvml_device_observe(const struct nvml_device *device, struct circumstances *circumstances);

/* The words for NVML's bits: "power thermal", "none". */
void nvml_print_reasons(unsigned long long reasons, struct text *words);

/* How many processes other than this run's compute on a GPU. This run's are this process, `own`, and those with the
 * same parent. -1 if `own` is not in the list: then the list has no processes, or their ids in another namespace. */
int nvml_count_others(const unsigned *processes, size_t count, unsigned own);
