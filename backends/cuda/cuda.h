// SPDX-License-Identifier: Apache-2.0
/* The CUDA backend's door, for the table of backends. */
#ifndef ORCHIL_CUDA_H
#define ORCHIL_CUDA_H

#include "backends/backend.h"

extern const struct backend cuda_backend;

/* What `doctor` prints about CUDA: the driver, NVRTC, NVML, the devices, and what is missing. */
void cuda_explain(struct text *text);

#endif
