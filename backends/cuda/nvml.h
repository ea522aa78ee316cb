// SPDX-License-Identifier: Apache-2.0
/* What NVML tells of a GPU of NVIDIA's while it computes, under whatever backend. */
#ifndef ORCHIL_CUDA_NVML_H
#define ORCHIL_CUDA_NVML_H

#include "backends/cuda/library.h"
#include "base/circumstances.h"

/* Starts as {0}: a GPU of which nothing is known. */
struct nvml_device {
    struct cuda_nvml nvml;
    struct nvmlDevice_st *handle; /* NULL: there is no NVML, or it does not know the device */
};

/* Finds the device of a UUID as struct backend_device has it; none is not an error. The caller closes it. */
void nvml_device_open(const char *uuid, struct nvml_device *device);
void nvml_device_close(struct nvml_device *device);

/* Adds what NVML tells now; what it does not tell is left out. */
void nvml_device_observe(const struct nvml_device *device, struct circumstances *circumstances);

/* The words for NVML's bits: "power thermal", "none". */
void nvml_print_reasons(unsigned long long reasons, struct text *words);

/* How many processes compute on a GPU beside this run's: this process, own, and the others of the run, which have the
 * same parent. -1 where own is not among them: then the list names processes as another system sees them, or none. */
int nvml_count_others(const unsigned *processes, size_t count, unsigned own);

#endif
